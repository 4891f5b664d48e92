import { firstDayOfMonth, isoFromDay, monthOf } from '../../lib/dates/calendar-date.js';

/** A value or a day on an axis, with its label. */
export interface Tick {
  readonly at: number;
  readonly label: string;
}

/** The steps of an axis of values, as multiples of a power of ten. */
const STEPS = [1, 2, 2.5, 5, 10];
/** What large numbers are counted in, the largest first. */
const UNITS = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
] as const;
/** Smaller ones have exponents: an axis has no room for decimals, `toFixed` writes 100 at most. */
const LEAST_WRITTEN_OUT = 1e-6;

/**
 * Round values that enclose a range, at most `most` steps apart. A range that is one value, or
 * none, gets room around it. Millions, billions (1e9) and trillions (1e12) are written as `1.5M`,
 * `1.5B` and `1.5T`, which fits beside an axis.
 */
export function valueTicks(low: number, high: number, maxTicks = 6): Tick[] {
  if (!(low <= high)) [low, high] = [0, 1];
  if (low === high)
    [low, high] = low === 0 ? [0, 1] : [low - Math.abs(low) * 0.1, high + Math.abs(high) * 0.1];
  const rough = (high - low) / maxTicks;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = STEPS.map((factor) => factor * power).find((each) => each >= rough * 0.999) ?? 10 * power;
  const [first, last] = [Math.floor(low / step + 1e-9), Math.ceil(high / step - 1e-9)];
  const unit = unitOf(Math.max(Math.abs(low), Math.abs(high)));
  const exponent = -Math.log10(step / unit) + (step / power === 2.5 ? 0.7 : 0);
  const digits = Math.max(0, Math.min(12, Math.ceil(exponent - 1e-9)));
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const at = Number(((first + index) * step).toPrecision(12));
    return { at, label: labelOf(at, unit, digits) };
  });
}

/** 1, 2 and 5 times powers of ten that enclose a range above 0; of wide ranges the powers alone. */
export function logTicks(low: number, high: number): Tick[] {
  const powers = range(Math.floor(Math.log10(low)), Math.ceil(Math.log10(high)), 1);
  const factors = powers.length > 4 ? [1] : [1, 2, 5];
  const all = powers.flatMap((power) => factors.map((factor) => Number(`${factor}e${power}`)));
  const [begin, end] = [all.findLastIndex((at) => at <= low), all.findIndex((at) => at >= high && at > low)];
  return all.slice(begin, end + 1).map((at) => ({
    at,
    label: at < LEAST_WRITTEN_OUT ? String(at) : labelOf(at, unitOf(at)),
  }));
}

/** @param digits after the point; by default those of a number with one digit that is not 0 */
const labelOf = (at: number, unit: number, digits = Math.max(0, -Math.floor(Math.log10(at)))) =>
  at === 0 && unit > 1
    ? '0'
    : group((at / unit).toFixed(digits)) + (UNITS.find(([size]) => size === unit)?.[1] ?? '');

/** What a number is counted in: 1 where it is not large. */
const unitOf = (size: number): number => UNITS.find(([unit]) => size >= unit)?.[0] ?? 1;

/** Groups the digits before the point by thousands. */
const group = (text: string) => text.replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ',');

/** Steps of an axis of dates, in months, and in days where the dates lie within two months. */
const MONTH_STEPS = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200];
const DAY_STEPS = [1, 2, 7, 14, 31];

/**
 * Beginnings of months or years, or days of a short time, within a range of day numbers.
 * @param isMonthly of months, whose values are of no day
 */
export function dateTicks(first: number, last: number, maxTicks: number, isMonthly = false): Tick[] {
  if (last - first < 62 && !isMonthly) {
    const step = DAY_STEPS.find((days) => (last - first) / days <= maxTicks) ?? 31;
    return range(first, last, step).map((at) => ({ at, label: isoFromDay(at).slice(5) }));
  }
  const [from, to] = [monthOf(first), monthOf(last)];
  const step = MONTH_STEPS.find((months) => (to - from) / months <= maxTicks) ?? 1200;
  const begin = Math.ceil(from / step) * step;
  return range(begin, to, step)
    .map(firstDayOfMonth)
    .filter((at) => at >= first)
    .map((at) => ({ at, label: isoFromDay(at).slice(0, step >= 12 ? 4 : 7) }));
}

/** The months of a year by their names, every other one where there is little room. */
export const calendarTicks = (first: number, names: readonly string[], columns: number): Tick[] =>
  names
    .map((label, index) => ({ at: firstDayOfMonth(monthOf(first) + index), label }))
    .filter((_, index) => columns >= 30 * names.length || index % 2 === 0);

function range(first: number, last: number, step: number): number[] {
  return Array.from(
    { length: Math.max(0, Math.floor((last - first) / step) + 1) },
    (_, index) => first + index * step,
  );
}
