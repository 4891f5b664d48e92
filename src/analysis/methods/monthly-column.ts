import type { Reason } from './reason.js';

/** Why the price of a month cannot be converted. */
export type ConversionReason = Extract<Reason, 'no_factor' | 'no_rate' | 'no_cpi' | 'other_base'>;

/**
 * The values of a series by month, in one array from the first month to the last: NaN for a month
 * without a value. Months are month numbers (year × 12 + month − 1).
 *
 * A price that is not above 0 is no price: it is left out by every formula.
 */
export class MonthlyColumn {
  /**
   * @param conversion for months that have a price which cannot be converted: why
   * @param bases for months whose value is in terms of another base period than the others: which
   */
  constructor(
    readonly first: number,
    readonly values: Float64Array,
    private readonly conversion: ReadonlyMap<number, ConversionReason> | null = null,
    private readonly bases: ReadonlyMap<number, string> | null = null,
  ) {}

  /**
   * @param months ascending
   * @param values of these months, or why there is none
   * @param bases as for the constructor
   */
  static of(
    months: readonly number[],
    values: readonly (number | ConversionReason)[],
    bases: ReadonlyMap<number, string> | null = null,
  ): MonthlyColumn {
    const first = months[0] ?? 0;
    const column = new Float64Array(months.length === 0 ? 0 : months.at(-1)! - first + 1).fill(NaN);
    let conversion: Map<number, ConversionReason> | null = null;
    for (const [index, month] of months.entries()) {
      const value = values[index]!;
      if (typeof value === 'string') (conversion ??= new Map()).set(month, value);
      else if (value > 0) column[month - first] = value;
    }
    return new MonthlyColumn(first, column, conversion, bases);
  }

  /** The last month of the array. */
  get last(): number {
    return this.first + this.values.length - 1;
  }

  /** The value of a month; NaN if there is none. */
  at(month: number): number {
    return this.values[month - this.first] ?? NaN;
  }

  /** The value some months before a month; NaN if there is none that it can be compared with. */
  before(month: number, months: number): number {
    return this.isComparable(month, months) ? this.at(month - months) : NaN;
  }

  has(month: number): boolean {
    return this.at(month) > 0;
  }

  /**
   * Why a month has no value.
   * @param otherwise the reason where it has no price
   */
  reasonAt(month: number, otherwise: Reason = 'no_price'): Reason {
    return this.conversion?.get(month) ?? otherwise;
  }

  /**
   * Why a month has nothing to compare with some months before.
   * @param otherwise the reason where that month has no price
   */
  reasonBefore(month: number, months: number, otherwise: Reason): Reason {
    return this.isComparable(month, months) ? this.reasonAt(month - months, otherwise) : 'other_base';
  }

  private isComparable(month: number, months: number): boolean {
    return this.bases === null || this.bases.get(month) === this.bases.get(month - months);
  }

  /** The first month with a value; null if there is none. */
  firstValue(): number | null {
    const index = this.values.findIndex((value) => value > 0);
    return index < 0 ? null : this.first + index;
  }

  /** The last month with a value; null if there is none. */
  lastValue(): number | null {
    const index = this.values.findLastIndex((value) => value > 0);
    return index < 0 ? null : this.first + index;
  }

  /** The values up to a month. */
  upTo(month: number): MonthlyColumn {
    if (month >= this.last) return this;
    const length = Math.max(0, month - this.first + 1);
    return new MonthlyColumn(this.first, this.values.subarray(0, length), this.conversion, this.bases);
  }

  /** The values from a month on. */
  from(month: number): MonthlyColumn {
    if (month <= this.first) return this;
    return new MonthlyColumn(month, this.values.subarray(month - this.first), this.conversion, this.bases);
  }
}

/**
 * What is calculated from a column month by month, such as its growth rates. Each month is
 * calculated when it is first asked for, and only once: histories ask for it again every year.
 */
export class DerivedColumn {
  private readonly values: Float64Array;
  private readonly known: Uint8Array;

  /** @param calculate gives NaN for a month without a value, also outside the column */
  constructor(
    readonly column: MonthlyColumn,
    private readonly calculate: (column: MonthlyColumn, month: number) => number,
  ) {
    this.values = new Float64Array(column.values.length);
    this.known = new Uint8Array(column.values.length);
  }

  /** The value of a month; NaN if there is none. */
  at(month: number): number {
    const index = month - this.column.first;
    if (this.known[index] === 1) return this.values[index]!;
    const value = this.calculate(this.column, month);
    if (index >= 0 && index < this.known.length) {
      this.values[index] = value;
      this.known[index] = 1;
    }
    return value;
  }
}

/** January of the year of a month. */
export const januaryOf = (month: number): number => month - (month % 12);

/** The calendar month, 0 for January. */
export const calendarMonthOf = (month: number): number => month % 12;
