import { escapeLabel } from '../../lib/text/direction.js';
import { CHART_COLOURS } from './colours.js';
import { fitted, inTwoLines, legendEntries, type LegendEntry } from './legend.js';
import { END, type Scales, scalesOf, START } from './scales.js';
import { type ChartPoint, segmentsOf, thinned } from './segments.js';

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

/** A point that something is to be said of: rules have found something, or it was corrected. */
export interface ChartMark extends ChartPoint {
  readonly kind: 'finding' | 'correction';
  readonly label: string;
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
  readonly marks?: readonly ChartMark[];
  /** Values that have a meaning, such as thresholds; what it is stands in the legend. */
  readonly levels?: readonly { readonly at: number; readonly label: string }[];
  /** Values beyond are drawn at these. */
  readonly limits?: readonly [low: number, high: number];
  /** Days that the axis shows at least, so that charts above each other have the same. */
  readonly range?: readonly [first: number, last: number];
  /** Logarithmic where all values are above 0. */
  readonly scale?: 'log';
  /** Names of the months: the points are of one year, on which several years lie. */
  readonly months?: readonly string[];
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
/** Below another one, with the same names. */
export const LOW = [WIDE, NARROW].map((layout): ChartLayout => ({ ...layout, height: 260 }));

/** Of a file, on white; pages set their own. */
const COLOURS = CHART_COLOURS.light.lines;
const [TITLE_ROW, LEGEND_ROW, NOTE_ROW] = [18, 18, 14];
/** About the width of a character of a title and of a note, in pixels. */
const [TITLE_CHARACTER, NOTE_CHARACTER] = [8.2, 6.05];

/**
 * Draws a chart as SVG. It stands alone, as a file on white, and in a page, whose stylesheet sets
 * other colours by the classes. There is no style in it, which policies of pages forbid. It is as
 * much higher than its layout as its title, its legend and its note have more than one row.
 * @param id prefix of the ids in it, which are unique in a page
 */
export function chartSvg(chart: Chart, layout: ChartLayout, id = layout.name): string {
  const { name } = layout;
  const names = [
    ...chart.lines.map((line) => line.name),
    ...(chart.band === undefined ? [] : [chart.band.name]),
    ...(chart.levels ?? []).map(({ at, label }) => `${at}: ${label}`),
  ];
  const legend = legendEntries(names.length === 1 ? [] : names, START - 48, layout.width - 8);
  const title = inTwoLines(chart.title, layout.width - 16, TITLE_CHARACTER);
  const note = inTwoLines(chart.note, layout.width - 16, NOTE_CHARACTER);
  const scales = scalesOf(chart, layout, {
    above: (title.length - 1) * TITLE_ROW + (legend.at(-1)?.row ?? 0) * LEGEND_ROW,
    below: (note.length - 1) * NOTE_ROW,
  });
  const { width, height } = scales;
  const isEmpty = chart.lines.every(({ points }) => points.length === 0);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" class="chart ${name}" viewBox="0 0 ${width} ${height}" width="${width}" ` +
    `height="${height}" role="img" aria-labelledby="${id}-title ${id}-summary" font-family="system-ui, sans-serif" font-size="12">` +
    `<title id="${id}-title">${escapeLabel(chart.title)}</title>` +
    `<desc id="${id}-summary">${escapeLabel(chart.summary)}</desc>` +
    `<rect class="ground" width="${width}" height="${height}" fill="#ffffff"/>` +
    headings(chart, width, title, legend) +
    (isEmpty
      ? text(width / 2, height / 2, chart.empty, 'text-anchor="middle" class="quiet"')
      : [axes, band, lines, marks].map((layer) => layer(chart, scales)).join('')) +
    rows(note, height - 10 - (note.length - 1) * NOTE_ROW, NOTE_ROW, 'class="quiet" font-size="11"') +
    '</svg>'
  );
}

/** Lines of a text, one below the other. */
const rows = (texts: readonly string[], y: number, height: number, attributes: string): string =>
  texts.map((each, index) => text(START - 48, y + index * height, each, attributes)).join('');

/** The title, the unit, and what the lines are. */
function headings(
  { unit, lines, band }: Chart,
  width: number,
  title: readonly string[],
  legend: readonly LegendEntry[],
): string {
  const below = (title.length - 1) * TITLE_ROW;
  const [bandAt, levelsAt] = [lines.length, lines.length + (band === undefined ? 0 : 1)];
  const entries = legend.map(({ x, row, name }, index) => {
    const y = below + 48 + row * LEGEND_ROW;
    const rule = (attributes: string) =>
      `<line ${attributes} x1="${position(x)}" x2="${position(x + 16)}" y1="${y}" y2="${y}"/>`;
    const sign =
      index >= levelsAt
        ? rule(LEVEL)
        : index === bandAt
          ? `<rect class="band" x="${position(x)}" y="${y - 5}" width="16" height="10" fill="${COLOURS[0]}" fill-opacity="0.18"/>`
          : rule(`class="line line${index}" stroke="${colour(index)}" stroke-width="2.5"`);
    return sign + text(x + 22, y + 4, name);
  });
  return (
    rows(title, 18, TITLE_ROW, 'font-size="14" font-weight="600"') +
    text(START - 48, below + 35, fitted(unit, width - 16), 'class="quiet"') +
    entries.join('')
  );
}

const LEVEL = 'class="level" stroke="#57606a" stroke-dasharray="4 3"';

function axes({ levels = [] }: Chart, { x, y, dates, values, width, bottom }: Scales): string {
  const rule = (at: number, attributes: string) =>
    `<line ${attributes} x1="${START}" x2="${width - END}" y1="${position(y(at))}" y2="${position(y(at))}"/>`;
  const grid = values.map(
    ({ at, label }) =>
      rule(at, 'class="grid" stroke="#d5dae0"') +
      text(START - 6, y(at) + 4, label, 'text-anchor="end" class="quiet"'),
  );
  const rules = levels.map(({ at }) => rule(at, LEVEL));
  const columns = dates.map(({ at, label }) => {
    const left = position(x(at));
    const mark = `<line class="grid" x1="${left}" x2="${left}" y1="${bottom}" y2="${bottom + 5}" stroke="#d5dae0"/>`;
    return mark + text(x(at), bottom + 18, label, 'text-anchor="middle" class="quiet"');
  });
  return [...grid, ...rules, ...columns].join('');
}

function band({ band, gap }: Chart, { x, y }: Scales): string {
  if (band === undefined) return '';
  let areas = '';
  for (const points of segmentsOf(band.points, gap)) {
    let [upper, lower] = ['', ''];
    for (const { day, low, high } of points) {
      const column = position(x(day));
      upper += `${upper === '' ? 'M' : 'L'}${column} ${position(y(high))}`;
      lower = `L${column} ${position(y(low))}${lower}`;
    }
    areas += `${upper}${lower}Z`;
  }
  return `<path class="band" d="${areas}" fill="${COLOURS[0]}" fill-opacity="0.18"/>`;
}

function lines({ lines, gap }: Chart, { x, y }: Scales): string {
  const drawn = lines.map(({ points }, index) => {
    let [path, alone] = ['', ''];
    for (const segment of segmentsOf(points, gap)) {
      const shown = thinned(segment, (day) => Math.round(x(day)));
      const corners = shown.map(({ day, value }) => `${position(x(day))} ${position(y(value))}`);
      if (shown.length > 1) path += `M${corners.join('L')}`;
      else {
        const [cx, cy] = corners[0]!.split(' ');
        alone += `<circle class="line line${index}" cx="${cx}" cy="${cy}" r="3" fill="${colour(index)}"/>`;
      }
    }
    if (path === '') return alone;
    return `<path class="line line${index}" d="${path}" fill="none" stroke="${colour(index)}" stroke-width="2" stroke-linejoin="round"/>${alone}`;
  });
  return drawn.join('');
}

/** Findings are circles, corrections squares on their corner. */
const SHAPES = { finding: 'm-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0', correction: 'm0-8l8 8l-8 8l-8-8Z' };

function marks({ marks = [] }: Chart, { x, y }: Scales): string {
  const drawn = marks.map(
    ({ kind, day, value, label }) =>
      `<path class="mark ${kind}" d="M${position(x(day))} ${position(y(value))}${SHAPES[kind]}" fill="none" stroke="#b3261e" stroke-width="2">` +
      `<title>${escapeLabel(label)}</title></path>`,
  );
  return drawn.join('');
}

const colour = (index: number) => COLOURS[index % COLOURS.length]!;

/** Tenths of a pixel that have their text once: no drawing is larger. */
const MOST_TENTHS = 20_000;
const tenthTexts: string[] = [];

/** The text of a coordinate, to a tenth of a pixel: a page has thousands of few different ones. */
function position(pixels: number): string {
  const tenths = Math.round(pixels * 10);
  if (!(tenths >= 0 && tenths < MOST_TENTHS)) return String(tenths / 10);
  return (tenthTexts[tenths] ??= String(tenths / 10));
}

const text = (x: number, y: number, content: string, attributes = '') =>
  `<text x="${position(x)}" y="${position(y)}" fill="#1b1f24" ${attributes}>${escapeLabel(content)}</text>`;
