import { escapeLabel } from '../../lib/text/direction.js';
import { CHART_COLOURS } from './colours.js';
import { type ChartPoint, segmentsOf } from './segments.js';

const [WIDTH, HEIGHT, MARGIN] = [96, 24, 3];
const [COLOUR] = CHART_COLOURS.light.lines;

/**
 * A line without axes, as high as a line of text; its newest point is marked.
 * @param points two at least, oldest first
 * @param label what it shows, in words
 */
export function sparkline(points: readonly ChartPoint[], gap: number, label: string): string {
  const values = points.map(({ value }) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const [first, last] = [points[0]!, points.at(-1)!];
  const round = (pixels: number) => Math.round(pixels * 10) / 10;
  const x = (day: number) =>
    round(MARGIN + ((day - first.day) / (last.day - first.day)) * (WIDTH - 2 * MARGIN));
  const y = (value: number) =>
    round(HEIGHT - MARGIN - ((value - low) / (high - low || 1)) * (HEIGHT - 2 * MARGIN));
  const path = segmentsOf(points, gap).map(
    // A month between two gaps is a dot, by the round ends of a line without length.
    (part) =>
      `M${part.map(({ day, value }) => `${x(day)} ${y(value)}`).join('L')}${part.length === 1 ? 'h0' : ''}`,
  );
  return (
    `<svg class="chart spark" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="${escapeLabel(label)}">` +
    `<path class="line line0" d="${path.join('')}" fill="none" stroke="${COLOUR}" stroke-width="1.5" stroke-linecap="round"/>` +
    `<circle class="line line0" cx="${x(last.day)}" cy="${y(last.value)}" r="2.5" fill="${COLOUR}"/></svg>`
  );
}
