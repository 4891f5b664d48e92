import type { ChartData } from './chart-data.js';
import { element, svgElement } from './dom.js';
import { type Geometry, geometryOf } from './geometry.js';
import { addRange } from './range.js';
import { nearest, type Reading, readingsOf } from './readings.js';
import { scriptTexts } from './texts.js';

/** Readings that Page Up and Page Down pass over: in a monthly chart those of a year. */
const READINGS_PER_PAGE_KEY = 12;
/** Units of the drawing: its coordinates are rounded to tenths. */
const SAME_POINT = 0.2;

/**
 * Gives a figure a cursor that reads values out: it follows the pointer, and is a slider for
 * keyboards and screen readers. Arrow keys, Home, End, Page Up and Page Down move it, Escape hides
 * it. The slider says the date, a live region the values.
 */
export function addCursor(figure: HTMLElement): void {
  const source = figure.querySelector('script[type="application/json"]');
  const plot = figure.querySelector<HTMLElement>('.plot');
  if (source === null || plot === null) return;
  const data = JSON.parse(source.textContent) as ChartData;
  const readings = readingsOf(data);
  if (readings.length === 0) return;

  const slider = element('div', {
    class: 'cursor',
    role: 'slider',
    tabindex: '0',
    'aria-label': scriptTexts.cursor.replace('{title}', data.title),
    'aria-valuemin': '0',
    'aria-valuemax': String(readings.length - 1),
  });
  const box = element('div', { class: 'readout' });
  const live = element('div', { 'aria-live': 'polite', class: 'visually-hidden' });
  box.hidden = true;
  plot.append(slider, box, live);
  const drawings = [...plot.querySelectorAll('svg')].flatMap((svg) => drawingOf(svg, readings) ?? []);

  let index = readings.length - 1;
  const describe = () => {
    slider.setAttribute('aria-valuenow', String(index));
    slider.setAttribute('aria-valuetext', readings[index]!.date);
  };
  const hide = () => {
    box.hidden = true;
    for (const drawing of drawings) drawing.hide();
  };
  const show = (to: number, announces: boolean) => {
    index = Math.max(0, Math.min(readings.length - 1, to));
    describe();
    const reading = readings[index]!;
    box.replaceChildren(...readout(reading));
    box.hidden = false;
    for (const drawing of drawings) drawing.show(reading, box);
    live.textContent = announces ? spoken(reading, data.lines.length === 1) : '';
  };
  describe();

  slider.addEventListener('keydown', (event) => {
    const moves: Record<string, number> = {
      ArrowLeft: index - 1,
      ArrowDown: index - 1,
      ArrowRight: index + 1,
      ArrowUp: index + 1,
      PageUp: index + READINGS_PER_PAGE_KEY,
      PageDown: index - READINGS_PER_PAGE_KEY,
      Home: 0,
      End: readings.length - 1,
    };
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === 'Escape') return hide();
    const to = moves[event.key];
    if (to === undefined) return;
    event.preventDefault();
    show(box.hidden ? index : to, true);
  });
  slider.addEventListener('focus', () => slider.matches(':focus-visible') && show(index, true));
  slider.addEventListener('blur', hide);
  const dayAt = (clientX: number) =>
    drawings.map((drawing) => drawing.dayAt(clientX)).find((each) => each !== undefined);
  const follow = (event: PointerEvent) => {
    const day = dayAt(event.clientX);
    if (day !== undefined) show(nearest(readings, day), false);
  };
  slider.addEventListener('pointermove', follow);
  slider.addEventListener('pointerdown', follow);
  slider.addEventListener('pointerleave', () => document.activeElement !== slider && hide());
  addRange(slider, (clientX) => {
    const day = dayAt(clientX);
    return day === undefined ? undefined : readings[nearest(readings, day)]!.date;
  });
}

/** The cursor in one drawing of the chart; a page shows one of them at a time. */
function drawingOf(svg: SVGSVGElement, readings: readonly Reading[]) {
  const geometry = geometryOf(svg);
  if (geometry === null) return null;
  const { left, right, top, bottom } = geometry;
  const [first, last] = [readings[0]!.day, readings.at(-1)!.day];
  const xOf = (day: number) =>
    first === last ? left : left + ((day - first) / (last - first)) * (right - left);
  const rule = svgElement('line', { class: 'rule', y1: String(top), y2: String(bottom) });
  const group = svgElement('g', { 'aria-hidden': 'true', visibility: 'hidden' });
  group.append(rule);
  svg.append(group);
  return {
    hide: () => group.setAttribute('visibility', 'hidden'),
    /** The day below the pointer; undefined where the drawing is not shown. */
    dayAt(clientX: number): number | undefined {
      const { width, x: start } = svg.getBoundingClientRect();
      if (width === 0) return undefined;
      const x = ((clientX - start) / width) * svg.viewBox.baseVal.width;
      return right === left ? first : first + ((x - left) / (right - left)) * (last - first);
    },
    show(reading: Reading, box: HTMLElement) {
      const x = xOf(reading.day);
      for (const name of ['x1', 'x2']) rule.setAttribute(name, String(x));
      group.replaceChildren(rule, ...dots(reading, geometry, x));
      group.setAttribute('visibility', 'visible');
      const { width } = svg.getBoundingClientRect();
      if (width > 0) position(box, (x / svg.viewBox.baseVal.width) * width, width);
    },
  };
}

const dots = (reading: Reading, { points }: Geometry, x: number) =>
  reading.values.flatMap(({ line }) => {
    const at = line === null ? undefined : points[line]?.find((point) => Math.abs(point.x - x) < SAME_POINT);
    if (at === undefined) return [];
    const [cx, cy] = [String(at.x), String(at.y)];
    return [svgElement('circle', { class: `line line${line}`, r: '4', cx, cy })];
  });

/** Beside the cursor, on the side with more room. Time runs to the right in every language. */
function position(box: HTMLElement, x: number, width: number): void {
  const isRight = x > width / 2;
  box.style.left = isRight ? 'auto' : `${x + 10}px`;
  box.style.right = isRight ? `${width - x + 10}px` : 'auto';
}

const readout = ({ date, values, remarks }: Reading): HTMLElement[] => [
  element('strong', {}, date),
  ...values.map(({ name, text, line }) =>
    element(
      'div',
      {},
      element('i', { class: line === null ? 'key band' : `key line${line}` }),
      values.length === 1 ? '' : element('bdi', {}, `${name}: `),
      text,
    ),
  ),
  ...remarks.map((remark) => element('div', { class: 'muted' }, remark)),
];

const spoken = ({ values, remarks }: Reading, hasOneLine: boolean) =>
  [
    ...values.map(({ name, text, line }) => (hasOneLine && line !== null ? text : `${name}: ${text}`)),
    ...remarks,
  ].join('. ');
