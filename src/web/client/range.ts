import { element } from './dom.js';

/** Pixels from which on a drag is meant: a hand moves a little while it clicks. */
const LEAST = 10;

/**
 * Lets a range of time be chosen by dragging a mouse over a chart, where the page has fields for
 * its first and last date: they are filled in, and their form is sent. Escape ends it. Without a
 * mouse, the fields do the same.
 * @param area covers the chart
 * @param dateAt the date, `YYYY-MM-DD`, at a place from the left of the window
 */
export function addRange(area: HTMLElement, dateAt: (clientX: number) => string | undefined): void {
  const start = document.querySelector<HTMLInputElement>('main input[type=date][name=start_date]');
  const end = start?.form?.querySelector<HTMLInputElement>('input[type=date][name=end_date]');
  if (start === null || end === undefined || end === null) return;
  const mark = element('div', { class: 'range' });
  mark.hidden = true;
  area.append(mark);
  let from: number | null = null;
  const finish = () => {
    from = null;
    mark.hidden = true;
  };
  area.addEventListener('pointerdown', ({ pointerType, button, clientX, pointerId }) => {
    if (pointerType !== 'mouse' || button !== 0) return;
    from = clientX;
    area.setPointerCapture(pointerId);
  });
  area.addEventListener('pointermove', ({ clientX }) => {
    if (from === null) return;
    const { left, width } = area.getBoundingClientRect();
    const [low, high] = [Math.min(from, clientX), Math.max(from, clientX)];
    mark.hidden = high - low < LEAST;
    mark.style.left = `${Math.max(0, low - left)}px`;
    mark.style.width = `${Math.min(width, high - left) - Math.max(0, low - left)}px`;
  });
  area.addEventListener('pointerup', ({ clientX }) => {
    const [low, high] = from === null ? [0, 0] : [Math.min(from, clientX), Math.max(from, clientX)];
    finish();
    const [first, last] = [dateAt(low), dateAt(high)];
    if (high - low < LEAST || first === undefined || last === undefined) return;
    start.value = first;
    end.value = last;
    start.form!.requestSubmit();
  });
  area.addEventListener('pointercancel', finish);
  area.addEventListener('keydown', ({ key }) => key === 'Escape' && finish());
}
