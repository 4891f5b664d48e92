import { toSignificantDigits } from '../../lib/numbers/significant-digits.js';
import { firstDayOfMonth, lastDayOfMonth, monthOf } from '../../lib/dates/calendar-date.js';
import { middleOfWeek } from '../../price-series/calendar.js';
import { WEEKLY, type Period } from '../../price-series/periodicity.js';
import { basePeriods, type DatedIndex, linkedIndices } from './linked-indices.js';
import type { AppliedRate, CurrencyRates, PriceLevel, RateBasis } from './currency-rates.js';

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

/** A country's general consumer price index by month. */
export interface MonthlyIndices extends MonthlyValues {
  /** The base period that it is in terms of: the newest unless another is chosen; null for none. */
  readonly base: string | null;
  /** Months whose index cannot be linked to that one: the base period that it is in terms of. */
  readonly otherBases: ReadonlyMap<number, string>;
  /** All base periods that have values, newest first. */
  readonly bases: readonly string[];
  /** The same in terms of another base period. If it has none of it, no month is in its terms. */
  inTermsOf(base: string): MonthlyIndices;
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

  /** The months that have a number, ascending. */
  *months(): Generator<number> {
    for (const [index, value] of this.values.entries())
      if (!Number.isNaN(value)) yield this.firstMonth + index;
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
 * A country's general consumer price index for each month, of its newest base period or of an
 * earlier one that is linked to it; see `linkedIndices`.
 * @param indices the country's indices, in any order
 * @param preferred a base period in place of the newest one
 */
export function monthlyIndices(
  indices: readonly DatedIndex[],
  preferred: string | null = null,
): MonthlyIndices {
  const values = new Map<number, number>();
  const otherBases = new Map<number, string>();
  const bases = basePeriods(indices);
  const chosen = preferred ?? bases[0] ?? null;
  for (const [month, { value, base }] of linkedIndices(indices, chosen)) {
    values.set(month, value);
    if (base !== chosen) otherBases.set(month, base);
  }
  return new IndexTable(values, chosen, otherBases, bases, bases.length > 1 ? indices : null);
}

class IndexTable extends MonthTable implements MonthlyIndices {
  private readonly others = new Map<string, MonthlyIndices>();

  /** @param published what other base periods are linked of; null where there is one base only */
  constructor(
    values: ReadonlyMap<number, number>,
    readonly base: string | null,
    readonly otherBases: ReadonlyMap<number, string>,
    readonly bases: readonly string[],
    private readonly published: readonly DatedIndex[] | null,
  ) {
    super(values);
  }

  inTermsOf(base: string): MonthlyIndices {
    if (base === this.base) return this;
    let other = this.others.get(base);
    if (other === undefined) {
      other = this.published === null ? this.withoutAny(base) : monthlyIndices(this.published, base);
      this.others.set(base, other);
    }
    return other;
  }

  /** Every month has the one base that there is. */
  private withoutAny(base: string): MonthlyIndices {
    const months = [...this.months()];
    const values = new Map(months.map((month) => [month, this.at(month)]));
    const otherBases = new Map(months.map((month) => [month, this.base!]));
    return new IndexTable(values, base, otherBases, this.bases, null);
  }
}

/**
 * The day in whose month a price is converted: its date or, for a weekly price, the middle of its
 * week, whatever its weekday.
 */
export const dayOfConversion = (period: Period, day: number) => (period === WEEKLY ? middleOfWeek(day) : day);

/**
 * Converts prices of one series to dollars (price ÷ rate) and to real terms (price × 100 ÷ index),
 * with the rate and index of the price's month: that of its date or, for a weekly price, the one
 * that its week belongs to. Returns null where the rate or index is unknown.
 *
 * Near a redenomination the level of the price tells which units it is in.
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
  private readonly bases: MonthlyIndices | null;

  /**
   * @param rates of the currency
   * @param indices of the country
   * @param unitFactor price × factor = price per kilogram or litre; null where there is none
   */
  constructor(
    private readonly rates: MonthlyValues | CurrencyRates,
    private readonly indices: MonthlyValues | MonthlyIndices,
    private readonly unitFactor: number | null = null,
  ) {
    this.levels = 'applied' in rates ? rates : null;
    this.bases = 'base' in indices ? indices : null;
  }

  dollar(price: number, period: Period, day: number): number | null {
    this.loadMonth(period, day);
    const converted = price / this.rate;
    if (converted === converted) return toSignificantDigits(converted);
    if (this.levels === null) return null;
    const applied = this.levels.applied(this.month, this.levelOf(price));
    return applied === null || applied === 'unclear' ? null : toSignificantDigits(price / applied.rate);
  }

  /** The rate that `dollar` divides a price by, with what it is based on; null where it is null. */
  appliedRate(price: number, period: Period, day: number): AppliedRate | null {
    this.loadMonth(period, day);
    const applied = this.levels?.applied(this.month, this.levelOf(price)) ?? null;
    return applied === 'unclear' ? null : applied;
  }

  /** What the dollars of a price are based on; null where it has no rate. */
  rateBasis(price: number, period: Period, day: number): RateBasis | null {
    this.loadMonth(period, day);
    const applied = this.levels?.applied(this.month, this.levelOf(price)) ?? null;
    return applied === null || applied === 'unclear' ? applied : applied.basis;
  }

  private levelOf(price: number): PriceLevel {
    return { price: price * (this.unitFactor ?? 1), perBaseUnit: this.unitFactor !== null };
  }

  real(price: number, period: Period, day: number): number | null {
    this.loadMonth(period, day);
    return this.index > 0 ? toSignificantDigits((price * 100) / this.index) : null;
  }

  /** The base period that a real price is in terms of; null where there is no index. */
  indexBase(period: Period, day: number): string | null {
    this.loadMonth(period, day);
    return this.index > 0 ? (this.bases?.otherBases.get(this.month) ?? this.base) : null;
  }

  /** The same with real prices in terms of a base period; null for the newest of the country. */
  inTermsOf(base: string | null): Conversion {
    if (base === null || this.bases === null || base === this.base) return this;
    return new Conversion(this.rates, this.bases.inTermsOf(base), this.unitFactor);
  }

  /** The base period that real prices are in terms of, but for those of `otherBases`. */
  get base(): string | null {
    return this.bases?.base ?? null;
  }

  /** The base periods of months whose real prices are not in terms of the newest; null for none. */
  get otherBases(): ReadonlyMap<number, string> | null {
    return this.bases === null || this.bases.otherBases.size === 0 ? null : this.bases.otherBases;
  }

  /**
   * The base period that a real price is in terms of, where that is not `base`: such a price cannot
   * be compared with those of other months. Else null.
   */
  otherBase(period: Period, day: number): string | null {
    const { otherBases } = this;
    if (otherBases === null) return null;
    this.loadMonth(period, day);
    return otherBases.get(this.month) ?? null;
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
