import { escapeText } from '../../lib/text/markup.js';
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
  /** Class of the element, and prefix of the ids in it. */
  readonly name: string;
}

export const WIDE: ChartLayout = { width: 880, height: 400, name: 'wide' };
export const NARROW: ChartLayout = { width: 360, height: 320, name: 'narrow' };

/** Colours of lines on white, told apart by people who see few colours; pages set their own. */
const COLOURS = ['#0072b2', '#d55e00', '#00795a', '#a0447c', '#8a6400', '#2b7fb0', '#6b4fa0', '#444444'];
const [TOP, BOTTOM, START, END] = [64, 48, 56, 14];
const FONT = 'system-ui, sans-serif';
/** About the width of a character, in pixels. */
const CHARACTER = 6.6;

/** Where days and values are in the picture. */
interface Scales {
  x: (day: number) => number;
  y: (value: number) => number;
  dates: Tick[];
  values: Tick[];
}

/**
 * Draws a chart as SVG. It stands alone, as a file on white, and in a page, whose stylesheet sets
 * other colours by the classes. There is no style in it, which policies of pages forbid.
 */
export function chartSvg(chart: Chart, layout: ChartLayout): string {
  const { width, height, name } = layout;
  const scales = scalesOf(chart, layout);
  const isEmpty = chart.lines.every(({ points }) => points.length === 0);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" class="chart ${name}" viewBox="0 0 ${width} ${height}" width="${width}" ` +
    `height="${height}" role="img" aria-labelledby="${name}-title ${name}-summary" font-family="${FONT}" font-size="12">` +
    `<title id="${name}-title">${escapeText(chart.title)}</title>` +
    `<desc id="${name}-summary">${escapeText(chart.summary)}</desc>` +
    `<rect class="ground" width="${width}" height="${height}" fill="#ffffff"/>` +
    headings(chart, layout) +
    (isEmpty
      ? text(width / 2, height / 2, chart.empty, 'text-anchor="middle" class="quiet"')
      : axes(scales, layout) + band(chart, scales) + lines(chart, scales) + marks(chart, scales)) +
    text(START - 48, height - 10, fitted(chart.note, width - 16), 'class="quiet" font-size="11"') +
    '</svg>'
  );
}

function scalesOf({ lines, band, marks = [] }: Chart, { width, height }: ChartLayout): Scales {
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
  const [columns, rows] = [width - START - END, height - TOP - BOTTOM];
  return {
    x: (day) => START + ((day - first) / (last - first)) * columns,
    y: (value) => TOP + (1 - (value - bottom) / (top - bottom)) * rows,
    dates: dateTicks(first, last, Math.floor(columns / 70)),
    values,
  };
}

/** The title, the unit, and what the lines are. */
function headings({ title, unit, lines, band }: Chart, { width }: ChartLayout): string {
  let at = START - 48;
  let legend = '';
  const entry = (sign: (at: number) => string, name: string) => {
    const shown = fitted(name, width - at - 30);
    legend += sign(at) + text(at + 22, 52, shown);
    at += 40 + shown.length * CHARACTER;
  };
  if (lines.length > 1 || band !== undefined)
    for (const [index, { name }] of lines.entries())
      entry(
        (from) =>
          `<line class="line line${index}" x1="${from}" x2="${from + 16}" y1="48" y2="48" stroke="${colour(index)}" stroke-width="2.5"/>`,
        name,
      );
  if (band !== undefined)
    entry(
      (from) =>
        `<rect class="band" x="${from}" y="43" width="16" height="10" fill="${COLOURS[0]}" fill-opacity="0.18"/>`,
      band.name,
    );
  return (
    text(START - 48, 18, fitted(title, width - 16, 7.8), 'font-size="14" font-weight="600"') +
    text(START - 48, 35, fitted(unit, width - 16), 'class="quiet"') +
    legend
  );
}

function axes({ x, y, dates, values }: Scales, { width, height }: ChartLayout): string {
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

/** As much of a text as there is room for. */
function fitted(content: string, width: number, character = CHARACTER): string {
  const most = Math.max(1, Math.floor(width / character));
  const characters = Array.from(content);
  return characters.length <= most ? content : `${characters.slice(0, most - 1).join('')}…`;
}
