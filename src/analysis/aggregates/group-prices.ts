import { type Aggregation, aggregated, COARSER_PERIODS, type CoarserPeriod } from '../methods/aggregation.js';
import { type ConversionReason, MonthlyColumn } from '../methods/monthly-column.js';
import { isValue } from '../methods/reason.js';
import type { MonthlyPriceColumns } from '../price-columns.js';

/** The frequencies of aggregates. */
export const AGGREGATE_PERIODS = ['monthly', 'quarterly', 'annual'] as const;
export type AggregatePeriod = (typeof AGGREGATE_PERIODS)[number];

/** Months of a period. */
export const monthsOf = (period: AggregatePeriod): number =>
  period === 'monthly' ? 1 : COARSER_PERIODS[period];

/** Why a series is left out of a period; of several reasons, the first one counts. */
export const LEFT_OUT_REASONS = ['no_factor', 'no_rate', 'no_cpi', 'other_base', 'few_values'] as const;
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number];

/** The prices of a series by period, each in the first month of its period. */
interface PeriodPrices {
  readonly prices: MonthlyColumn;
  /** The periods that have a price which is not among them, with the reason. */
  readonly leftOut: readonly (readonly [month: number, reason: LeftOutReason])[];
}

/** The converted prices of a series, by period: months as they are, coarser periods aggregated. */
export function periodPrices(
  { nominal, measured }: Pick<MonthlyPriceColumns, 'nominal' | 'measured'>,
  period: AggregatePeriod,
  aggregation: Aggregation,
): PeriodPrices {
  const ofPeriod = period === 'monthly' ? measured : coarser(measured, period, aggregation);
  const reasons = new Map<number, LeftOutReason>();
  const months = monthsOf(period);
  for (let month = nominal.first; month <= nominal.last; month++) {
    const begin = month - (month % months);
    if (!nominal.has(month) || ofPeriod.has(begin)) continue;
    const reason = measured.has(month) ? 'few_values' : (measured.reasonAt(month) as ConversionReason);
    const earlier = reasons.get(begin);
    if (earlier === undefined || isBefore(reason, earlier)) reasons.set(begin, reason);
  }
  // The reasons that the column keeps for each month are not needed any more.
  return { prices: new MonthlyColumn(ofPeriod.first, ofPeriod.values), leftOut: [...reasons] };
}

const isBefore = (one: LeftOutReason, other: LeftOutReason) =>
  LEFT_OUT_REASONS.indexOf(one) < LEFT_OUT_REASONS.indexOf(other);

function coarser(column: MonthlyColumn, period: CoarserPeriod, aggregation: Aggregation): MonthlyColumn {
  const periods = aggregated(column, period, aggregation).filter(({ value }) => isValue(value));
  return MonthlyColumn.of(
    periods.map(({ month }) => month),
    periods.map(({ value }) => value as number),
  );
}

/** The prices of the series of a group. */
export class GroupPrices {
  private readonly rows: number[] = [];
  private readonly series: MonthlyColumn[] = [];
  /** By month and reason. */
  private readonly leftOut = new Map<number, Map<LeftOutReason, number>>();
  private first = Infinity;
  private last = -Infinity;

  /** Adds a series, of which only the prices are kept. Series are added in order of their rows. */
  add(row: number, { prices, leftOut }: PeriodPrices): void {
    if (prices.firstValue() !== null) {
      this.rows.push(row);
      this.series.push(prices);
      this.extend(prices.first, prices.last);
    }
    for (const [month, reason] of leftOut) {
      let counts = this.leftOut.get(month);
      if (counts === undefined) this.leftOut.set(month, (counts = new Map<LeftOutReason, number>()));
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
      this.extend(month, month);
    }
  }

  /** The prices of each series that has any. */
  get columns(): readonly MonthlyColumn[] {
    return this.series;
  }

  /** The first and the last period with a price, converted or not; null where there is none. */
  get span(): { first: number; last: number } | null {
    return this.first > this.last ? null : { first: this.first, last: this.last };
  }

  /** The prices of a period, in the order of the rows that they are of. */
  at(month: number): { rows: number[]; values: number[] } {
    const rows: number[] = [];
    const values: number[] = [];
    for (const [index, column] of this.series.entries()) {
      if (!column.has(month)) continue;
      rows.push(this.rows[index]!);
      values.push(column.at(month));
    }
    return { rows, values };
  }

  /** How many series were left out of a period, by reason, in the order of the reasons. */
  leftOutAt(month: number): [LeftOutReason, number][] {
    const counts = this.leftOut.get(month);
    return LEFT_OUT_REASONS.flatMap((reason) => {
      const count = counts?.get(reason);
      return count === undefined ? [] : [[reason, count]];
    });
  }

  private extend(first: number, last: number): void {
    this.first = Math.min(this.first, first);
    this.last = Math.max(this.last, last);
  }
}
