import { escapeLabel } from '../../lib/text/direction.js';
import { CHART_COLOURS, type ChartColours, type Theme } from './colours.js';
import { type EndLabel, endLabels, LEAD, maxCharacters, labelWidth } from './end-labels.js';
import { CHARACTER, fitted, inRows, legendEntries, type LegendEntry } from './legend.js';
import { edgeMarks } from './outliers.js';
import { type Scales, scalesOf } from './scales.js';
import { type ChartPoint, segmentsOf, thinned } from './segments.js';

/** A line of values over time. */
export interface ChartLine {
  readonly name: string;
  /** Oldest first. */
  readonly points: readonly ChartPoint[];
  /** The day from which on points are not observed but forecast: the line to them is dashed. */
  readonly forecast?: { readonly from: number; readonly label: string };
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
  /** With its subject: pictures stand alone. */
  readonly title: string;
  /** The unit of all values. */
  readonly unit: string;
  /** Source and state of the data; none for one of several charts that have it once. */
  readonly note?: string;
  /** For those who cannot see it: what it shows, in a sentence. */
  readonly summary: string;
  readonly lines: readonly ChartLine[];
  readonly band?: ChartBand;
  /** Points that something is to be said of. */
  readonly marks?: readonly ChartMark[];
  /** Values that have a meaning, such as thresholds; what it is stands in the legend. */
  readonly levels?: readonly { readonly at: number; readonly label: string }[];
  /**
   * Values beyond are marked at the edge with their number; by default those beyond 3 times the
   * 98th percentile, unless the scale is logarithmic.
   */
  readonly limits?: readonly [low: number, high: number];
  /** Days that the axis shows at least, so that charts above each other have the same. */
  readonly range?: readonly [first: number, last: number];
  /** Values that the axis shows at least, so that charts beside each other have the same. */
  readonly values?: readonly [low: number, high: number];
  /** The axis begins at 0, or below it, also where values vary little. */
  readonly baseline?: 'zero';
  /** Logarithmic where all values are above 0. */
  readonly scale?: 'log';
  /** Names of the months: the points are of one year, on which several years lie. */
  readonly months?: readonly string[];
  /** Where several lines have their names: at their ends where there is room, or above them all. */
  readonly names?: 'legend';
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
  /** Texts take their room from the height; else the picture is so much higher. */
  readonly isFixed?: boolean;
}

export const WIDE: ChartLayout = { width: 880, height: 400, name: 'wide' };
export const NARROW: ChartLayout = { width: 360, height: 320, name: 'narrow' };
/** One of several side by side. */
export const SMALL: ChartLayout = { width: 360, height: 240, name: 'small' };
/** Below another one, with the same names. */
export const LOW = [WIDE, NARROW].map((layout): ChartLayout => ({ ...layout, height: 260 }));

/** What is special about a drawing that is a file of its own. */
export interface FileOptions {
  readonly theme?: Theme;
  /** Texts below the note, each from a row of its own on: whose picture it is, and where from. */
  readonly imprint?: readonly string[];
}

const [TITLE_ROW, LEGEND_ROW, NOTE_ROW] = [18, 18, 14];
/** About the width of a character of a title and of a note, in pixels. */
const [TITLE_CHARACTER, NOTE_CHARACTER] = [8.2, 6.05];
/** Pixels beside texts. */
const MARGIN = 8;
/** Rows of one text of an imprint: addresses may be long. */
const MAX_IMPRINT_ROWS = 6;

/** What a drawing is made with. */
interface Sheet {
  readonly chart: Chart;
  readonly scales: Scales;
  readonly colours: ChartColours;
}

/**
 * Draws a chart as SVG. It stands alone, as a file on white, and in a page, whose stylesheet sets
 * other colours by the classes. There is no style in it, which policies of pages forbid. It is as
 * much higher than its layout as its title, its legend and its note have more than one row.
 * @param id prefix of the ids in it, which are unique in a page
 */
export function chartSvg(
  chart: Chart,
  layout: ChartLayout,
  id = layout.name,
  { theme = 'light', imprint = [] }: FileOptions = {},
): string {
  const { name } = layout;
  const colours = CHART_COLOURS[theme];
  const room = layout.width - 2 * MARGIN;
  const beside = namesBeside(chart, layout);
  const keys = keysOf(chart, beside, colours);
  const legend = legendEntries(
    keys.map((key) => key.name),
    MARGIN,
    layout.width - MARGIN,
  );
  const title = inRows(chart.title, room, TITLE_CHARACTER);
  const note = [
    ...(chart.note === undefined ? [] : inRows(chart.note, room, NOTE_CHARACTER)),
    ...imprint.flatMap((each) => inRows(each, room, NOTE_CHARACTER, MAX_IMPRINT_ROWS)),
  ];
  const legendAt = MARGIN + title.length * TITLE_ROW + 14;
  const scales = scalesOf(chart, layout, {
    above:
      (title.length - 1) * TITLE_ROW + (legend.length === 0 ? 0 : (legend.at(-1)!.row + 1) * LEGEND_ROW + 4),
    below: note.length * NOTE_ROW + (note.length === 0 ? 0 : 2),
    beside: labelWidth(beside.filter((each) => each !== null)),
  });
  const { width, height, top, bottom, left, right } = scales;
  const sheet = { chart, scales, colours };
  const isEmpty = chart.lines.every(({ points }) => points.length === 0);
  const muted = `class="muted" fill="${colours.muted}"`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" class="chart ${name}" viewBox="0 0 ${width} ${height}" width="${width}" ` +
    `height="${height}" role="img" aria-labelledby="${id}-title ${id}-summary" font-family="system-ui, sans-serif" font-size="12" fill="${colours.text}">` +
    `<title id="${id}-title">${escapeLabel(chart.title)}</title>` +
    `<desc id="${id}-summary">${escapeLabel(chart.summary)}</desc>` +
    `<rect class="ground" width="${width}" height="${height}" fill="${colours.ground}"/>` +
    rows(title, MARGIN, MARGIN + 10, TITLE_ROW, 'font-size="14" font-weight="600"') +
    legend.map((entry, index) => legendEntry(entry, keys[index]!, legendAt)).join('') +
    text(MARGIN, top - 12, fitted(chart.unit, room), muted) +
    (isEmpty
      ? rows(
          inRows(chart.empty, right - left, CHARACTER, 4),
          width / 2,
          (top + bottom) / 2,
          18,
          `text-anchor="middle" ${muted}`,
        )
      : axes(sheet) + band(sheet) + lines(sheet) + edges(sheet) + marks(sheet) + lineNames(sheet, beside)) +
    rows(note, MARGIN, bottom + 38, NOTE_ROW, `${muted} font-size="11"`) +
    '</svg>'
  );
}

/** Lines of a text, one below the other. */
const rows = (texts: readonly string[], x: number, y: number, height: number, attributes: string): string =>
  texts.map((each, index) => text(x, y + index * height, each, attributes)).join('');

/** The names of lines that stand at their ends; null for the others, which the legend has. */
function namesBeside({ lines, names }: Chart, { width }: ChartLayout): (string | null)[] {
  const maxLength = lines.length < 2 || names === 'legend' ? 0 : maxCharacters(width);
  const beside = lines.map(({ name, points }) =>
    points.length > 0 && Array.from(name).length <= maxLength ? name : null,
  );
  // Room for one of many is better spent on all.
  return 2 * beside.filter((name) => name !== null).length < lines.length ? lines.map(() => null) : beside;
}

/** An entry of the legend, with the sign that stands before its name. */
interface Key {
  readonly name: string;
  readonly sign: (x: number, y: number) => string;
}

function keysOf(
  { lines, band, levels = [] }: Chart,
  beside: readonly (string | null)[],
  colours: ChartColours,
): Key[] {
  const rule = (attributes: string) => (x: number, y: number) => rowLine(attributes, x, x + 16, y);
  const named = lines.flatMap(({ name }, index) =>
    beside[index] === null ? [{ name, sign: rule(`${stroke(index, colours)} stroke-width="2.5"`) }] : [],
  );
  const area = (x: number, y: number) =>
    `<rect class="band" x="${position(x)}" y="${y - 5}" width="16" height="10" fill="${colours.band}" fill-opacity="0.18"/>`;
  const keys = [
    ...named,
    ...(band === undefined ? [] : [{ name: band.name, sign: area }]),
    ...levels.map(({ at, label }) => ({ name: `${at}: ${label}`, sign: rule(level(colours)) })),
    ...lines.flatMap(({ forecast }, index) =>
      forecast === undefined
        ? []
        : [{ name: forecast.label, sign: rule(`${stroke(index, colours)} stroke-width="2" ${DASHED}`) }],
    ),
  ];
  // One line alone is what the title says.
  return keys.length === 1 && lines.length === 1 ? [] : keys;
}

const legendEntry = ({ x, row, name }: LegendEntry, { sign }: Key, top: number): string => {
  const y = top + row * LEGEND_ROW;
  return sign(x, y) + text(x + 22, y + 4, name);
};

const level = ({ muted }: ChartColours) => `class="level" stroke="${muted}" stroke-dasharray="4 3"`;

/** A line from left to right. */
const rowLine = (attributes: string, from: number, to: number, y: number): string =>
  `<line ${attributes} x1="${position(from)}" x2="${position(to)}" y1="${position(y)}" y2="${position(y)}"/>`;

function axes({ chart: { levels = [] }, scales, colours }: Sheet): string {
  const { x, y, dates, values, left, right, bottom } = scales;
  const muted = `class="muted" fill="${colours.muted}"`;
  const grid = values.map(
    ({ at, label }) =>
      rowLine(`class="grid" stroke="${colours.rule}"`, left, right, y(at)) +
      text(left - 6, y(at) + 4, label, `text-anchor="end" ${muted}`),
  );
  const rules = levels.map(({ at }) => rowLine(level(colours), left, right, y(at)));
  const columns = dates.map(({ at, label }) => {
    const column = position(x(at));
    const mark = `<line class="grid" x1="${column}" x2="${column}" y1="${bottom}" y2="${bottom + 5}" stroke="${colours.rule}"/>`;
    return mark + text(x(at), bottom + 18, label, `text-anchor="middle" ${muted}`);
  });
  return [...grid, ...rules, ...columns].join('');
}

function band({ chart: { band, gap }, scales: { x, y }, colours }: Sheet): string {
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
  return `<path class="band" d="${areas}" fill="${colours.band}" fill-opacity="0.18"/>`;
}

/** Marks a line as forecast. */
const DASHED = 'stroke-dasharray="6 4"';

function lines({ chart: { lines, gap }, scales: { x, y }, colours }: Sheet): string {
  /** A path through points, and circles for those without a neighbour. */
  const drawn = (points: readonly ChartPoint[], index: number, dashes = ''): string => {
    let [path, alone] = ['', ''];
    for (const segment of segmentsOf(points, gap)) {
      const shown = thinned(segment, (day) => Math.round(x(day)));
      const corners = shown.map(({ day, value }) => `${position(x(day))} ${position(y(value))}`);
      if (shown.length > 1) path += `M${corners.join('L')}`;
      else {
        const [cx, cy] = corners[0]!.split(' ');
        alone += `<circle class="line line${index}" cx="${cx}" cy="${cy}" r="3" fill="${lineColour(index, colours)}"/>`;
      }
    }
    if (path === '') return alone;
    return `<path class="line line${index}" d="${path}" fill="none" stroke="${lineColour(index, colours)}" stroke-width="2" stroke-linejoin="round"${dashes}/>${alone}`;
  };
  return lines
    .map(({ points, forecast }, index) => {
      const first = forecast === undefined ? -1 : points.findIndex(({ day }) => day >= forecast.from);
      if (first === -1) return drawn(points, index);
      // From the last observed point on: the dashes lead from it to the first forecast.
      return (
        drawn(points.slice(0, first), index) +
        drawn(points.slice(Math.max(first - 1, 0)), index, ` ${DASHED}`)
      );
    })
    .join('');
}

/** Findings are circles, corrections squares on their corner. */
const SHAPES = { finding: 'm-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0', correction: 'm0-8l8 8l-8 8l-8-8Z' };

function marks({ chart: { marks = [] }, scales: { x, y }, colours }: Sheet): string {
  const drawn = marks.map(
    ({ kind, day, value, label }) =>
      `<path class="mark ${kind}" d="M${position(x(day))} ${position(y(value))}${SHAPES[kind]}" fill="none" stroke="${colours.mark}" stroke-width="2">` +
      `<title>${escapeLabel(label)}</title></path>`,
  );
  return drawn.join('');
}

/** Triangles at the edge, with numbers: values that would hide all others. */
function edges({ chart: { lines }, scales, colours }: Sheet): string {
  const { x, left, right, top, bottom, range } = scales;
  const drawn = edgeMarks(lines, range, x, [left, right]).map(({ line, isHigh, label, labelX, ...mark }) => {
    const [edge, tip] = isHigh ? [top, -8] : [bottom, 8];
    const corner = position(mark.x - 5);
    return (
      `<path class="edge edge${line}" d="M${corner} ${position(edge)}h10l-5 ${tip}Z" fill="${lineColour(line, colours)}"/>` +
      (label === null ? '' : text(labelX, edge + (isHigh ? 11 : -4), label, 'font-size="11"'))
    );
  });
  return drawn.join('');
}

/** Names at the ends of lines, which lead to them in the colour of the line. */
function lineNames({ chart: { lines }, scales, colours }: Sheet, names: readonly (string | null)[]): string {
  const { x, y, right, top, bottom } = scales;
  const ends = names.flatMap((name, index) =>
    name === null ? [] : [{ name, index, lineY: y(lines[index]!.points.at(-1)!.value) }],
  );
  const drawn = endLabels(ends, top, bottom).map(({ index, name, lineY, y: row }: EndLabel) => {
    // A line that ends earlier would lead over what happened since.
    const reaches = x(lines[index]!.points.at(-1)!.day) > right - 2;
    const [from, to] = [position(right + 4), position(right + LEAD - 4)];
    return (
      `<line ${stroke(index, colours)} stroke-width="${reaches ? 1.5 : 2.5}" x1="${from}" x2="${to}" y1="${position(reaches ? lineY : row)}" y2="${position(row)}"/>` +
      text(right + LEAD, row + 4, name)
    );
  });
  return drawn.join('');
}

const lineColour = (index: number, { lines }: ChartColours) => lines[index % lines.length]!;
const stroke = (index: number, colours: ChartColours) =>
  `class="line line${index}" stroke="${lineColour(index, colours)}"`;

/** Tenths of a pixel that have their text once: no drawing is larger. */
const MAX_TENTHS = 20_000;
const tenthTexts: string[] = [];

/** The text of a coordinate, to a tenth of a pixel: a page has thousands of few different ones. */
function position(pixels: number): string {
  const tenths = Math.round(pixels * 10);
  if (!(tenths >= 0 && tenths < MAX_TENTHS)) return String(tenths / 10);
  return (tenthTexts[tenths] ??= String(tenths / 10));
}

const text = (x: number, y: number, content: string, attributes = '') =>
  `<text x="${position(x)}" y="${position(y)}"${attributes && ` ${attributes}`}>${escapeLabel(content)}</text>`;
