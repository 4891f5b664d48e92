import { dayFromIso } from '../../lib/dates/calendar-date.js';
import { readable } from '../../lib/text/direction.js';
import { type Chart, WIDE } from './chart.js';
import { thinned } from './segments.js';
import { Html } from '../html.js';

/** Scripts count days from here, as `Date` does. */
const EPOCH = dayFromIso('1970-01-01')!;

/**
 * The points that a chart draws, as a block of JSON for the cursor of scripts (`client/cursor.ts`):
 * exact values, and of long daily series no more than there is room for.
 */
export function chartData({ title, unit, lines, band, marks = [] }: Chart): Html {
  const first = Math.min(...lines.flatMap(({ points: [oldest] }) => oldest?.day ?? []));
  const last = Math.max(...lines.flatMap(({ points }) => points.at(-1)?.day ?? []));
  const columnOf = (day: number) => Math.round(((day - first) / Math.max(1, last - first)) * WIDE.width);
  const data = {
    title: readable(title),
    unit: readable(unit),
    lines: lines.map(({ name, points }) => ({
      name: readable(name),
      points: thinned(points, columnOf).map(({ day, value }) => [day - EPOCH, value]),
    })),
    band: band && {
      name: readable(band.name),
      points: band.points.map(({ day, low, high }) => [day - EPOCH, low, high]),
    },
    marks: marks.map(({ day, label }) => [day - EPOCH, readable(label)]),
  };
  // JSON without `<` ends no element early; a browser does not run this type.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  return new Html(`<script type="application/json">${json}</script>`);
}
