import { type Aggregation, aggregated, COARSER_PERIODS, type CoarserPeriod } from '../methods/aggregation.js';
import { type ConversionReason, MonthlyColumn } from '../methods/monthly-column.js';
import { isValue } from '../methods/reason.js';
import type { MonthlyPriceColumns } from '../price-columns.js';

/** The frequencies of aggregates. */
export const AGGREGATE_PERIODICITIES = ['monthly', 'quarterly', 'annual'] as const;
export type AggregatePeriodicity = (typeof AGGREGATE_PERIODICITIES)[number];

/** How many months a period has. */
export const monthsPerPeriod = (periodicity: AggregatePeriodicity): number =>
  periodicity === 'monthly' ? 1 : COARSER_PERIODS[periodicity];

/** Why a series is left out of a period. Of several reasons, the first of this list counts. */
export const LEFT_OUT_REASONS = ['no_factor', 'no_rate', 'no_cpi', 'other_base', 'few_values'] as const;
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number];

/** The converted prices of a series by period. A period stands at the number of its first month. */
interface PeriodPrices {
  readonly prices: MonthlyColumn;
  /** The periods with a published price and no converted one, and why they have none. */
  readonly leftOut: readonly (readonly [firstMonth: number, reason: LeftOutReason])[];
}

/** The converted prices of a series by period: quarters and years are aggregated from months. */
export function periodPrices(
  { nominal, measured }: Pick<MonthlyPriceColumns, 'nominal' | 'measured'>,
  periodicity: AggregatePeriodicity,
  aggregation: Aggregation,
): PeriodPrices {
  const prices = periodicity === 'monthly' ? measured : coarser(measured, periodicity, aggregation);
  const reasons = new Map<number, LeftOutReason>();
  const months = monthsPerPeriod(periodicity);
  for (let month = nominal.first; month <= nominal.last; month++) {
    const firstMonth = month - (month % months);
    if (!nominal.has(month) || prices.has(firstMonth)) continue;
    // Where there is a price, what is missing is always its conversion.
    const reason = measured.has(month) ? 'few_values' : (measured.reasonAt(month) as ConversionReason);
    const known = reasons.get(firstMonth);
    if (known === undefined || precedes(reason, known)) reasons.set(firstMonth, reason);
  }
  // A new column without the reasons of months: all series of a reply are in memory together.
  return { prices: new MonthlyColumn(prices.first, prices.values), leftOut: [...reasons] };
}

const precedes = (one: LeftOutReason, other: LeftOutReason) =>
  LEFT_OUT_REASONS.indexOf(one) < LEFT_OUT_REASONS.indexOf(other);

function coarser(column: MonthlyColumn, periodicity: CoarserPeriod, aggregation: Aggregation): MonthlyColumn {
  const periods = aggregated(column, periodicity, aggregation).filter(({ value }) => isValue(value));
  return MonthlyColumn.of(
    periods.map(({ month }) => month),
    periods.map(({ value }) => value as number),
  );
}

/** The prices of the series of a group by period. Methods take the first month of a period. */
export class GroupPrices {
  /** The catalogue row of each series that has a price, ascending. */
  private readonly rows: number[] = [];
  /** The prices of each of these series. */
  private readonly series: MonthlyColumn[] = [];
  /** How many series are left out, by period and reason. */
  private readonly leftOut = new Map<number, Map<LeftOutReason, number>>();
  private first = Infinity;
  private last = -Infinity;

  /** Adds a series. Callers add series in ascending order of their rows. */
  add(row: number, { prices, leftOut }: PeriodPrices): void {
    if (prices.firstValue() !== null) {
      this.rows.push(row);
      this.series.push(prices);
      this.extendSpan(prices.first, prices.last);
    }
    for (const [firstMonth, reason] of leftOut) {
      const counts = this.leftOut.get(firstMonth) ?? new Map<LeftOutReason, number>();
      this.leftOut.set(firstMonth, counts.set(reason, (counts.get(reason) ?? 0) + 1));
      this.extendSpan(firstMonth, firstMonth);
    }
  }

  /** The prices of each series that has one. */
  get columns(): readonly MonthlyColumn[] {
    return this.series;
  }

  /** The first and last period with a published price, converted or not; null without prices. */
  get span(): { first: number; last: number } | null {
    return this.first > this.last ? null : { first: this.first, last: this.last };
  }

  /** The prices of a period, each with the row of its series, ascending. */
  at(firstMonth: number): { rows: number[]; values: number[] } {
    const rows: number[] = [];
    const values: number[] = [];
    for (const [index, column] of this.series.entries()) {
      if (!column.has(firstMonth)) continue;
      rows.push(this.rows[index]!);
      values.push(column.at(firstMonth));
    }
    return { rows, values };
  }

  /** How many series are left out of a period, by reason. */
  leftOutAt(firstMonth: number): [reason: LeftOutReason, count: number][] {
    const counts = this.leftOut.get(firstMonth);
    return LEFT_OUT_REASONS.flatMap((reason) => {
      const count = counts?.get(reason);
      return count === undefined ? [] : [[reason, count]];
    });
  }

  private extendSpan(first: number, last: number): void {
    this.first = Math.min(this.first, first);
    this.last = Math.max(this.last, last);
  }
}
