import { monthOf } from '../../lib/dates/calendar-date.js';
import type { Chart, ChartLine } from '../../web/chart/chart.js';
import { monthText } from '../../web/numbers.js';
import { calculatedChart, indexPoints, medianPoints } from '../groups/group-chart.js';
import type { GroupView } from '../groups/group-views.js';
import { countryLabel } from '../countries/country-label.js';
import { texts } from '../texts.js';
import type { CommodityView } from './commodity-view.js';

const words = texts.commodities;

/** Months that an index has at least to be compared with others. */
const LEAST_MONTHS = 24;

export const labelOf = ({ catalogue }: CommodityView, { fields }: GroupView): string =>
  countryLabel(catalogue, String(fields.iso3_country_code));

/** Prices in dollars by country; null where none can be compared. */
export function commodityChart(view: CommodityView): Chart | null {
  const [first] = view.dollars;
  if (first === undefined) return null;
  const lines = view.dollars
    .map((group) => ({ name: labelOf(view, group), points: medianPoints(group) }))
    .sort((one, other) => one.name.localeCompare(other.name, 'en'));
  const { price_type, unit } = first.fields;
  const title = lines.length === 1 ? words.inCountry(view.name, lines[0]!.name) : words.byCountry(view.name);
  return calculatedChart(
    title,
    words.unit(String(price_type).toLowerCase(), String(unit)),
    view.revision,
    lines,
  );
}

/** How local prices have changed since one month; null where fewer than two countries have it. */
export function changeChart(view: CommodityView): Chart | null {
  const lines = view.indices
    .map((group) => ({ name: labelOf(view, group), points: indexPoints(group) }))
    .filter(({ points }) => monthOf(points.at(-1)!.day) - monthOf(points[0]!.day) >= LEAST_MONTHS)
    .sort((one, other) => one.name.localeCompare(other.name, 'en'));
  const base = commonDay(lines);
  if (base === null || lines.length < 2) return null;
  return calculatedChart(
    words.changes(view.name),
    words.since(monthText(monthOf(base))),
    view.revision,
    lines.map(({ name, points }) => {
      const { value: hundred } = points.find(({ day }) => day === base)!;
      return {
        name,
        points: points
          .filter(({ day }) => day >= base)
          .map(({ day, value }) => ({ day, value: (value / hundred) * 100 })),
      };
    }),
  );
}

/** The first day on which all lines have a value; null without one. */
function commonDay(lines: readonly ChartLine[]): number | null {
  const [first, ...others] = lines.map(({ points }) => points.map(({ day }) => day));
  const sets = others.map((days) => new Set(days));
  return first?.find((day) => sets.every((days) => days.has(day))) ?? null;
}
