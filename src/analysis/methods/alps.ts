import { calendarMonthOf, type MonthlyColumn } from './monthly-column.js';
import type { Outcome } from './reason.js';

export const ALPS_CLASSES = ['crisis', 'alert', 'stress', 'normal'] as const;
export type AlpsClass = (typeof ALPS_CLASSES)[number];

/** `realtime`: the fit ends with the month itself; `full`: it uses the whole series. */
export const ALPS_WINDOWS = ['realtime', 'full'] as const;
export type AlpsWindow = (typeof ALPS_WINDOWS)[number];

/** What the alert for price spikes is calculated with. */
export interface AlpsOptions {
  readonly window: AlpsWindow;
  /** The last month that is fitted, so that a crisis does not pull the trend up; null for all. */
  readonly fitUntil: number | null;
  /** The month from which prices are on another level; null for none. */
  readonly breakMonth: number | null;
  /** From these values on the class is `stress`, `alert` and `crisis`. */
  readonly thresholds: readonly [stress: number, alert: number, crisis: number];
}

/** The alert for price spikes of one month. */
export interface Alps {
  /** In standard deviations. */
  value: number;
  /** The price that trend and season let expect, in the unit of the prices. */
  expected: number;
  class: AlpsClass;
}

/** The fit of trend and season to the prices of a series. */
export interface AlpsFit {
  /** The fitted months, oldest first. */
  readonly months: readonly number[];
  /** What the fitted months of January to December are on average. */
  readonly calendarMonths: readonly CalendarMonth[];
  /** The trend per month. */
  readonly alpha: number;
  /** The level that is added from the break on. */
  readonly step: number;
  /** The sample standard deviation of the residuals (divisor N − 1). */
  readonly sd: number;
  /** The price of a fitted month less the expected one. */
  residual(month: number): number;
  /** The expected price of a month; NaN of a calendar month that no fitted month has. */
  expected(month: number): number;
}

/** The least number of fitted months: three years. */
const MIN_MONTHS = 36;
/** The least share of the months that have a price. */
const MIN_SHARE = 0.7;
/** A spread below this part of the greatest price is none, but an error of rounding. */
const NO_SPREAD = 1e-12;

/**
 * The alert for price spikes (ALPS) of a month: the nominal price less the price that trend and
 * season let expect, in standard deviations of this difference.
 *
 * Sources: World Food Programme, Technical Guidance Note "Calculation and Use of the Alert for
 * Price Spikes (ALPS) Indicator", April 2014; "ALPS at a glance" (at least 70 % of the months).
 */
export function alpsAt(column: MonthlyColumn, month: number, options: AlpsOptions): Outcome<Alps> {
  return alpsOf(column, month, alpsFitAt(column, month, options), options);
}

/** The fit that a month is measured by, or why there is none. */
export function alpsFitAt(
  column: MonthlyColumn,
  month: number,
  { window, fitUntil, breakMonth }: AlpsOptions,
): Outcome<AlpsFit> {
  const end = Math.min(window === 'full' ? column.last : month, fitUntil ?? Infinity);
  const start = column.firstValue();
  if (start === null) return 'short_history';
  const months: number[] = [];
  for (let at = start; at <= end; at++) if (column.has(at)) months.push(at);
  if (months.length < MIN_MONTHS) return 'short_history';
  if (months.length < MIN_SHARE * (months.at(-1)! - start + 1)) return 'sparse';
  return fitAlps(column, months, breakMonth);
}

/** A month measured by a fit. */
export function alpsOf(
  column: MonthlyColumn,
  month: number,
  fit: Outcome<AlpsFit>,
  { thresholds }: AlpsOptions,
): Outcome<Alps> {
  const price = column.at(month);
  if (!(price > 0)) return column.reasonAt(month);
  if (typeof fit === 'string') return fit;
  const expected = fit.expected(month);
  if (Number.isNaN(expected)) return 'short_history';
  if (fit.sd === 0) return 'sd_zero';
  const value = (price - expected) / fit.sd;
  return { value, expected, class: alpsClass(value, thresholds) };
}

/** The class of a value: `crisis` from the highest threshold on, `normal` below the lowest. */
export function alpsClass(value: number, [stress, alert, crisis]: AlpsOptions['thresholds']): AlpsClass {
  return value >= crisis ? 'crisis' : value >= alert ? 'alert' : value >= stress ? 'stress' : 'normal';
}

/** The fitted months of one calendar month: their number and means. */
export interface CalendarMonth {
  n: number;
  /** Months since the first fitted one. */
  t: number;
  /** Price. */
  p: number;
  /** 1 from the break on, 0 before. */
  b: number;
}

/**
 * Ordinary least squares of the prices on a linear trend and twelve month dummies without a
 * constant, and on a dummy that is 1 from the break on:
 *
 *     P(t) = α T(t) + β(m of t) + γ B(t) + ε(t)
 *
 * T counts calendar months, so a missing month leaves a hole. The dummies span the constant, so α
 * and γ are those of the deviations from the means of each calendar month, and
 * β(m) = P̄(m) − α T̄(m) − γ B̄(m). Exact with gaps, too.
 *
 * Source: World Food Programme, Technical Guidance Note on ALPS, April 2014.
 * @param months the fitted months, each with a price
 */
export function fitAlps(
  column: MonthlyColumn,
  months: readonly number[],
  breakMonth: number | null = null,
): AlpsFit {
  const origin = months[0]!;
  const breakFrom = breakMonth ?? Infinity;
  const means = calendarMeans(column, months, origin, breakFrom);
  let [tt, tp, tb, bb, bp] = [0, 0, 0, 0, 0];
  for (const month of months) {
    const { t, p, b } = means[calendarMonthOf(month)]!;
    const dt = month - origin - t;
    const dp = column.at(month) - p;
    const db = (month >= breakFrom ? 1 : 0) - b;
    tt += dt * dt;
    tp += dt * dp;
    tb += dt * db;
    bb += db * db;
    bp += db * dp;
  }
  const { alpha, step } = solve(tt, tb, bb, tp, bp);
  const expected = (month: number) => {
    const { n, t, p, b } = means[calendarMonthOf(month)]!;
    if (n === 0) return NaN;
    return p + alpha * (month - origin - t) + step * ((month >= breakFrom ? 1 : 0) - b);
  };
  const residual = (month: number) => column.at(month) - expected(month);
  let squares = 0;
  let greatest = 0;
  for (const month of months) {
    const distance = residual(month);
    squares += distance * distance;
    greatest = Math.max(greatest, column.at(month));
  }
  // They sum to 0 within each calendar month, so their mean is 0.
  const sd = Math.sqrt(squares / (months.length - 1));
  return {
    months,
    calendarMonths: means,
    alpha,
    step,
    sd: sd < NO_SPREAD * greatest ? 0 : sd,
    residual,
    expected,
  };
}

function calendarMeans(
  column: MonthlyColumn,
  months: readonly number[],
  origin: number,
  breakFrom: number,
): CalendarMonth[] {
  const means: CalendarMonth[] = [];
  for (let month = 0; month < 12; month++) means.push({ n: 0, t: 0, p: 0, b: 0 });
  for (const month of months) {
    const mean = means[calendarMonthOf(month)]!;
    mean.n++;
    mean.t += month - origin;
    mean.p += column.at(month);
    if (month >= breakFrom) mean.b++;
  }
  for (const mean of means) {
    mean.t /= mean.n;
    mean.p /= mean.n;
    mean.b /= mean.n;
  }
  return means;
}

/** The normal equations of trend and break; without a break within the months, of the trend. */
function solve(tt: number, tb: number, bb: number, tp: number, bp: number) {
  const determinant = tt * bb - tb * tb;
  if (bb === 0 || determinant <= NO_SPREAD * tt * bb) return { alpha: tt > 0 ? tp / tt : 0, step: 0 };
  return { alpha: (tp * bb - bp * tb) / determinant, step: (bp * tt - tp * tb) / determinant };
}
