import { toSignificantDigits } from '../../lib/numbers/significant-digits.js';
import { firstDayOfMonth, lastDayOfMonth, monthOf } from '../../lib/dates/calendar-date.js';
import { WEEKLY, type Period } from '../../price-series/periodicity.js';
import type { AppliedRate, CurrencyRates } from './currency-rates.js';

/** One number per month; NaN for a month without one. */
export interface MonthlyValues {
  at(month: number): number;
}

/** The rate of the US dollar to itself. */
export const DOLLAR_RATES: MonthlyValues = { at: () => 1 };

/** An official exchange rate in units per US dollar: of a day or, for a month, its mean. */
export interface DatedRate {
  period: 'daily' | 'monthly';
  day: number;
  rate: number;
}

/** A value of one country's general consumer price index. */
export interface DatedIndex {
  basePeriod: string;
  day: number;
  value: number;
}

/** Numbers by month, in one array from the first month to the last. */
class MonthTable implements MonthlyValues {
  private readonly values: Float64Array;
  private readonly firstMonth: number;

  constructor(byMonth: ReadonlyMap<number, number>) {
    const months = [...byMonth.keys()];
    this.firstMonth = months.reduce((least, month) => Math.min(least, month), Infinity);
    const last = months.reduce((most, month) => Math.max(most, month), -Infinity);
    this.values = new Float64Array(months.length === 0 ? 0 : last - this.firstMonth + 1).fill(NaN);
    for (const [month, value] of byMonth) this.values[month - this.firstMonth] = value;
  }

  at(month: number): number {
    return this.values[month - this.firstMonth] ?? NaN;
  }
}

/**
 * A currency's rate for each month: the monthly rate or, where there is none, the mean of the daily
 * rates in the month.
 * @param rates the currency's official rates, in any order
 */
export function monthlyRates(rates: Iterable<DatedRate>): MonthlyValues {
  const monthly = new Map<number, number>();
  const daily = new Map<number, { sum: number; count: number }>();
  for (const { period, day, rate } of rates) {
    const month = monthOf(day);
    if (period === 'monthly') monthly.set(month, rate);
    else {
      const { sum, count } = daily.get(month) ?? { sum: 0, count: 0 };
      daily.set(month, { sum: sum + rate, count: count + 1 });
    }
  }
  for (const [month, { sum, count }] of daily) if (!monthly.has(month)) monthly.set(month, sum / count);
  return new MonthTable(monthly);
}

/**
 * A country's general consumer price index for each month, of its newest base period only. Values
 * of other base periods are on another scale, so they cannot fill gaps.
 * @param indices the country's indices, in any order
 */
export function monthlyIndices(indices: Iterable<DatedIndex>): MonthlyValues {
  let newest: string | null = null;
  let byMonth = new Map<number, number>();
  for (const { basePeriod, day, value } of indices) {
    if (newest === null || isNewerBase(basePeriod, newest)) {
      newest = basePeriod;
      byMonth = new Map();
    }
    if (basePeriod === newest) byMonth.set(monthOf(day), value);
  }
  return new MonthTable(byMonth);
}

/** The newest of some base periods; null for none. */
export function newestBase(basePeriods: Iterable<string>): string | null {
  let newest: string | null = null;
  for (const base of basePeriods) if (newest === null || isNewerBase(base, newest)) newest = base;
  return newest;
}

/**
 * Base periods are free text (`2015`, `2014-2016`, `Dec 2019`): the one with the later year is
 * newer; of the same year, the greater text.
 */
export function isNewerBase(one: string, other: string): boolean {
  const difference = latestYear(one) - latestYear(other);
  return difference === 0 ? one > other : difference > 0;
}

function latestYear(text: string): number {
  return Math.max(0, ...(text.match(/\d{4}/g) ?? []).map(Number));
}

/**
 * The day in whose month a price is converted: that of its date or, for a weekly price, of three
 * days earlier.
 */
export const dayOfConversion = (period: Period, day: number) => (period === WEEKLY ? day - 3 : day);

/**
 * Converts prices of one series to dollars (price ÷ rate) and to real terms (price × 100 ÷ index),
 * with the rate and index of the price's month: that of its date or, for a weekly price, of three
 * days earlier. Returns null where the rate or index is unknown.
 *
 * Of a currency that was replaced the level of the price tells which units it is in; that is looked
 * at only where neither a published rate nor a relation holds for every price of the month.
 *
 * Prices are converted in order of date, so the month is looked up only when it changes.
 */
export class Conversion {
  private month = 0;
  private firstDay = 0;
  private lastDay = -1;
  private rate = NaN;
  private index = NaN;
  private readonly levels: CurrencyRates | null;
  private readonly baseFactor: number;

  /**
   * @param rates of the currency
   * @param indices of the country
   * @param unitFactor price × factor = price per kilogram or litre; null where there is none
   */
  constructor(
    private readonly rates: MonthlyValues | CurrencyRates,
    private readonly indices: MonthlyValues,
    unitFactor: number | null = null,
  ) {
    this.levels = 'atLevel' in rates ? rates : null;
    this.baseFactor = unitFactor ?? 1;
  }

  dollar(price: number, period: Period, day: number): number | null {
    this.loadMonth(period, day);
    let converted = price / this.rate;
    if (converted === converted) return toSignificantDigits(converted);
    if (this.levels === null) return null;
    converted = price / this.levels.atLevel(this.month, price * this.baseFactor);
    return converted === converted ? toSignificantDigits(converted) : null;
  }

  /** The rate that `dollar` divides a price by, with what it is based on; null where it is null. */
  appliedRate(price: number, period: Period, day: number): AppliedRate | null {
    this.loadMonth(period, day);
    return this.levels?.applied(this.month, price * this.baseFactor) ?? null;
  }

  real(price: number, period: Period, day: number): number | null {
    this.loadMonth(period, day);
    // A published index can be 0 where it is too small for its decimals; there is no real price
    // then.
    return this.index > 0 ? toSignificantDigits((price * 100) / this.index) : null;
  }

  private loadMonth(period: Period, day: number): void {
    const dayOfMonth = dayOfConversion(period, day);
    if (dayOfMonth >= this.firstDay && dayOfMonth <= this.lastDay) return;
    const month = monthOf(dayOfMonth);
    this.month = month;
    this.firstDay = firstDayOfMonth(month);
    this.lastDay = lastDayOfMonth(month);
    this.rate = this.rates.at(month);
    this.index = this.indices.at(month);
  }
}
