import { firstDayOfMonth, isoFromDay, monthOf } from '../../lib/dates/calendar-date.js';

/** A place on an axis with its label. */
export interface Tick {
  readonly at: number;
  readonly label: string;
}

/** The steps of an axis of values, as multiples of a power of ten. */
const STEPS = [1, 2, 2.5, 5, 10];

/**
 * Round values that enclose a range, at most `most` steps apart. A range that is one value, or
 * none, gets room around it.
 */
export function valueTicks(low: number, high: number, most = 6): Tick[] {
  if (!(low <= high)) [low, high] = [0, 1];
  if (low === high)
    [low, high] = low === 0 ? [0, 1] : [low - Math.abs(low) * 0.1, high + Math.abs(high) * 0.1];
  const rough = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = STEPS.map((factor) => factor * power).find((each) => each >= rough * 0.999) ?? 10 * power;
  const [first, last] = [Math.floor(low / step + 1e-9), Math.ceil(high / step - 1e-9)];
  const digits = Math.max(0, Math.min(12, Math.ceil(-Math.log10(step) + (step / power === 2.5 ? 0.7 : 0))));
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const at = Number(((first + index) * step).toPrecision(12));
    return { at, label: group(at.toFixed(digits)) };
  });
}

/** Groups the digits before the point by thousands. */
const group = (text: string) => text.replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ',');

/** Steps of an axis of dates, in months. */
const MONTH_STEPS = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200];
/** Steps in days, where the dates lie within two months. */
const DAY_STEPS = [1, 2, 7, 14];

/** Beginnings of months or years, or days of a short time, within a range of day numbers. */
export function dateTicks(first: number, last: number, most: number): Tick[] {
  if (last - first < 62) {
    const step = DAY_STEPS.find((days) => (last - first) / days <= most) ?? 14;
    return range(first, last, step).map((at) => ({ at, label: isoFromDay(at).slice(5) }));
  }
  const [from, to] = [monthOf(first), monthOf(last)];
  const step = MONTH_STEPS.find((months) => (to - from) / months <= most) ?? 1200;
  const begin = Math.ceil(from / step) * step;
  return range(begin, to, step)
    .map((month) => ({ at: firstDayOfMonth(month), label: monthLabel(month, step) }))
    .filter(({ at }) => at >= first);
}

const monthLabel = (month: number, step: number) =>
  step >= 12 ? String((month / 12) | 0) : isoFromDay(firstDayOfMonth(month)).slice(0, 7);

function range(first: number, last: number, step: number): number[] {
  return Array.from(
    { length: Math.max(0, Math.floor((last - first) / step) + 1) },
    (_, index) => first + index * step,
  );
}
