import { batchesOf } from '../../../lib/collections/batches.js';
import type { Transaction } from '../../../ledger/unit-of-work.js';
import { firstDayOfMonth, lastDayOfMonth } from '../../../lib/dates/calendar-date.js';
import { seriesWith } from '../../../price-series/series-views.js';
import { isTestable, type MonthlyPoints } from '../../rules/neighbours.js';
import { RULES } from '../../rules/rule-table.js';
import type { DayRange } from '../../../lib/dates/day-range.js';
import type { CheckedSeriesReader } from '../checked-series-reader.js';
import { IS_OBSERVED } from '../../../price-series/series-status.js';

/** Series of the first statement: mostly these settle all counts. */
const FIRST_BATCH = 100;
/** Series of each further one. */
const BATCH = 500;
/** Counts of one pass through the series: a statement names the days of each. */
const MAX_COUNTS = 100;

interface CountryRow {
  readonly id: number;
  readonly currency: string;
}

/** A number of points of one month, or of series, that is counted in a country. */
export class MonthCount {
  value = 0;

  private constructor(
    /** Month numbers between which points are looked at. */
    readonly firstMonth: number,
    readonly lastMonth: number,
    private readonly currency: string | null,
    private readonly most: number,
    private readonly countOf: (points: MonthlyPoints) => number,
  ) {}

  /**
   * How many points of a month can be tested.
   * @param most at more than this, the count is not finished
   */
  static testableIn(month: number, most: number): MonthCount {
    const { within_months } = RULES.month_suspect.thresholds;
    return new MonthCount(month - within_months, month + within_months, null, most, (points) => {
      const index = points.months.indexOf(month);
      return Number(index >= 0 && isTestable(points, index));
    });
  }

  /**
   * How many series in a currency have prices in a month and in the one before.
   * @param most as for `testableIn`
   */
  static withStepsIn(month: number, currency: string, most: number): MonthCount {
    return new MonthCount(month - 1, month, currency, most, ({ months }) =>
      Number(months.includes(month - 1) && months.includes(month)),
    );
  }

  get isSettled(): boolean {
    return this.value > this.most;
  }

  get days(): DayRange {
    return [firstDayOfMonth(this.firstMonth), lastDayOfMonth(this.lastMonth)];
  }

  add({ currency }: CountryRow, points: MonthlyPoints): void {
    if (this.currency === null || this.currency === currency) this.value += this.countOf(points);
  }
}

/** Points of one month of a country, with what is counted beside them. */
export interface Counted<P> {
  readonly points: readonly P[];
  readonly count: MonthCount;
}

/** Counts in all series of a country, together: each series is read once for all counts. */
export async function countInCountry(
  transaction: Transaction,
  points: CheckedSeriesReader,
  country: string,
  counts: readonly MonthCount[],
): Promise<void> {
  if (counts.length === 0) return;
  const series = await transaction.rows<CountryRow>(
    `SELECT s.id, s.currency FROM ${seriesWith('market')} WHERE m.iso3_country_code = ? AND ${IS_OBSERVED} ORDER BY s.id`,
    [country],
  );
  for (const batch of batchesOf(counts, MAX_COUNTS)) await countInSeries(points, series, batch);
}

async function countInSeries(
  points: CheckedSeriesReader,
  series: readonly CountryRow[],
  counts: readonly MonthCount[],
): Promise<void> {
  let open = counts;
  for (let from = 0, to = FIRST_BATCH; from < series.length && open.length > 0; from = to, to += BATCH) {
    const batch = series.slice(from, to);
    const found = await points.monthlyWithin(
      batch.map(({ id }) => id),
      open.map(({ days }) => days),
    );
    for (const one of batch) for (const count of open) count.add(one, found.get(one.id)!);
    open = open.filter(({ isSettled }) => !isSettled);
  }
}
