import { escapeText } from '../../lib/text/markup.js';
import { fitted, legendEntries, type LegendEntry } from './legend.js';
import { type ChartPoint, segmentsOf, thinned } from './segments.js';
import { dateTicks, type Tick, valueTicks } from './ticks.js';

/** A line of values over time. */
export interface ChartLine {
  readonly name: string;
  /** Oldest first. */
  readonly points: readonly ChartPoint[];
}

/** The range in which values usually are, over time. */
export interface ChartBand {
  readonly name: string;
  /** Oldest first. */
  readonly points: readonly { readonly day: number; readonly low: number; readonly high: number }[];
}

/** What a chart shows. */
export interface Chart {
  readonly title: string;
  /** The unit of all values. */
  readonly unit: string;
  /** Source and state of the data. */
  readonly note: string;
  /** For those who cannot see it: what it shows, in a sentence. */
  readonly summary: string;
  readonly lines: readonly ChartLine[];
  readonly band?: ChartBand;
  /** Points that something is to be said of. */
  readonly marks?: readonly (ChartPoint & { readonly label: string })[];
  /** Days between two points of a line from which on something is missing between them. */
  readonly gap: number;
  /** What is said where there are no points. */
  readonly empty: string;
}

/** The size of a chart in pixels, and what distinguishes it on a page. */
export interface ChartLayout {
  readonly width: number;
  readonly height: number;
  /** Class of the element. */
  readonly name: string;
}

export const WIDE: ChartLayout = { width: 880, height: 400, name: 'wide' };
export const NARROW: ChartLayout = { width: 360, height: 320, name: 'narrow' };
/** One of several side by side. */
export const SMALL: ChartLayout = { width: 360, height: 240, name: 'small' };

/** Colours of lines on white, told apart by people who see few colours; pages set their own. */
const COLOURS = ['#0072b2', '#d55e00', '#00795a', '#a0447c', '#8a6400', '#2b7fb0', '#6b4fa0', '#444444'];
const [TOP, BOTTOM, START, END] = [64, 48, 56, 14];
const FONT = 'system-ui, sans-serif';
/** Height of a row of the legend. */
const LEGEND_ROW = 18;

/** Where days and values are in the picture. */
interface Scales {
  /** Of the picture, with all rows of its legend. */
  width: number;
  height: number;
  x: (day: number) => number;
  y: (value: number) => number;
  dates: Tick[];
  values: Tick[];
}

/**
 * Draws a chart as SVG. It stands alone, as a file on white, and in a page, whose stylesheet sets
 * other colours by the classes. There is no style in it, which policies of pages forbid. It is as
 * much higher than its layout as its legend has more than one row.
 * @param id prefix of the ids in it, which are unique in a page
 */
export function chartSvg(chart: Chart, layout: ChartLayout, id = layout.name): string {
  const { name } = layout;
  const legend = legendEntries(legendNames(chart), START - 48, layout.width - 8);
  const scales = scalesOf(chart, layout, (legend.at(-1)?.row ?? 0) * LEGEND_ROW);
  const { width, height } = scales;
  const isEmpty = chart.lines.every(({ points }) => points.length === 0);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" class="chart ${name}" viewBox="0 0 ${width} ${height}" width="${width}" ` +
    `height="${height}" role="img" aria-labelledby="${id}-title ${id}-summary" font-family="${FONT}" font-size="12">` +
    `<title id="${id}-title">${escapeText(chart.title)}</title>` +
    `<desc id="${id}-summary">${escapeText(chart.summary)}</desc>` +
    `<rect class="ground" width="${width}" height="${height}" fill="#ffffff"/>` +
    headings(chart, layout, legend) +
    (isEmpty
      ? text(width / 2, height / 2, chart.empty, 'text-anchor="middle" class="quiet"')
      : axes(scales) + band(chart, scales) + lines(chart, scales) + marks(chart, scales)) +
    text(START - 48, height - 10, fitted(chart.note, width - 16), 'class="quiet" font-size="11"') +
    '</svg>'
  );
}

/** @param added height of the rows of the legend after the first */
function scalesOf({ lines, band, marks = [] }: Chart, layout: ChartLayout, added: number): Scales {
  const { width } = layout;
  const height = layout.height + added;
  let [first, last, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
  const include = (day: number, from: number, to: number) => {
    first = Math.min(first, day);
    last = Math.max(last, day);
    low = Math.min(low, from);
    high = Math.max(high, to);
  };
  for (const { points } of lines) for (const { day, value } of points) include(day, value, value);
  for (const { day, value } of marks) include(day, value, value);
  for (const point of band?.points ?? []) include(point.day, point.low, point.high);
  if (first >= last) [first, last] = [first - 30, first + 30];
  // Prices that vary by more than a half of their height are seen from zero.
  if (low > 0 && low < high / 2) low = 0;
  const values = valueTicks(low, high);
  const [bottom, top] = [values[0]!.at, values.at(-1)!.at];
  const [columns, rows] = [width - START - END, layout.height - TOP - BOTTOM];
  return {
    width,
    height,
    x: (day) => START + ((day - first) / (last - first)) * columns,
    y: (value) => TOP + added + (1 - (value - bottom) / (top - bottom)) * rows,
    dates: dateTicks(first, last, Math.floor(columns / 70)),
    values,
  };
}

/** The names in the legend: none where there is one line and nothing else. */
const legendNames = ({ lines, band }: Chart): string[] =>
  lines.length > 1 || band !== undefined
    ? [...lines, ...(band === undefined ? [] : [band])].map(({ name }) => name)
    : [];

/** The title, the unit, and what the lines are. */
function headings(
  { title, unit, lines }: Chart,
  { width }: ChartLayout,
  legend: readonly LegendEntry[],
): string {
  const entries = legend.map(({ x, row, name }, index) => {
    const y = 48 + row * LEGEND_ROW;
    const sign =
      index < lines.length
        ? `<line class="line line${index}" x1="${round(x)}" x2="${round(x + 16)}" y1="${y}" y2="${y}" stroke="${colour(index)}" stroke-width="2.5"/>`
        : `<rect class="band" x="${round(x)}" y="${y - 5}" width="16" height="10" fill="${COLOURS[0]}" fill-opacity="0.18"/>`;
    return sign + text(x + 22, y + 4, name);
  });
  return (
    text(START - 48, 18, fitted(title, width - 16, 7.8), 'font-size="14" font-weight="600"') +
    text(START - 48, 35, fitted(unit, width - 16), 'class="quiet"') +
    entries.join('')
  );
}

function axes({ x, y, dates, values, width, height }: Scales): string {
  const rows = values.map(
    ({ at, label }) =>
      `<line class="grid" x1="${START}" x2="${width - END}" y1="${round(y(at))}" y2="${round(y(at))}" stroke="#d5dae0"/>` +
      text(START - 6, y(at) + 4, label, 'text-anchor="end" class="quiet"'),
  );
  const columns = dates.map(
    ({ at, label }) =>
      `<line class="grid" x1="${round(x(at))}" x2="${round(x(at))}" y1="${height - BOTTOM}" y2="${height - BOTTOM + 5}" stroke="#d5dae0"/>` +
      text(x(at), height - BOTTOM + 18, label, `text-anchor="${anchor(x(at), width)}" class="quiet"`),
  );
  return rows.join('') + columns.join('');
}

/** A label at the edge stays in the picture. */
const anchor = (x: number, width: number) => (x > width - 30 ? 'end' : 'middle');

function band({ band, gap }: Chart, { x, y }: Scales): string {
  if (band === undefined) return '';
  const areas = segmentsOf(band.points, gap).map((points) => {
    const upper = points.map(({ day, high }) => `${round(x(day))} ${round(y(high))}`);
    const lower = points.toReversed().map(({ day, low }) => `${round(x(day))} ${round(y(low))}`);
    return `M${upper.join('L')}L${lower.join('L')}Z`;
  });
  return `<path class="band" d="${areas.join('')}" fill="${COLOURS[0]}" fill-opacity="0.18"/>`;
}

function lines({ lines, gap }: Chart, { x, y }: Scales): string {
  return lines
    .map(({ points }, index) => {
      let [path, alone] = ['', ''];
      for (const segment of segmentsOf(points, gap)) {
        const shown = thinned(segment, (day) => Math.round(x(day)));
        const places = shown.map(({ day, value }) => `${round(x(day))} ${round(y(value))}`);
        if (places.length > 1) path += `M${places.join('L')}`;
        else {
          const [cx, cy] = places[0]!.split(' ');
          alone += `<circle class="line line${index}" cx="${cx}" cy="${cy}" r="3" fill="${colour(index)}"/>`;
        }
      }
      const drawn = `<path class="line line${index}" d="${path}" fill="none" stroke="${colour(index)}" stroke-width="2" stroke-linejoin="round"/>`;
      return (path === '' ? '' : drawn) + alone;
    })
    .join('');
}

function marks({ marks = [] }: Chart, { x, y }: Scales): string {
  return marks
    .map(
      ({ day, value, label }) =>
        `<circle class="mark" cx="${round(x(day))}" cy="${round(y(value))}" r="6" fill="none" stroke="#b3261e" stroke-width="2">` +
        `<title>${escapeText(label)}</title></circle>`,
    )
    .join('');
}

const colour = (index: number) => COLOURS[index % COLOURS.length]!;

const round = (pixels: number) => Math.round(pixels * 10) / 10;

const text = (x: number, y: number, content: string, attributes = '') =>
  `<text x="${round(x)}" y="${round(y)}" fill="#1b1f24" ${attributes}>${escapeText(content)}</text>`;
