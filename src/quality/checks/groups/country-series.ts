import type { Transaction } from '../../../database/unit-of-work.js';
import { firstDayOfMonth, lastDayOfMonth } from '../../../lib/dates/calendar-date.js';
import { testedPoints } from '../../rules/neighbours.js';
import { RULES } from '../../rules/rule-table.js';
import { readMonthlyPoints } from '../monthly-points.js';

/** Series of one statement: mostly the first ones settle whether a share is reached. */
const BATCH = 100;

/** The series of a country, read when they are first needed. */
export class CountrySeries {
  private series: Promise<{ id: number; currency: string }[]> | null = null;

  constructor(
    private readonly transaction: Transaction,
    private readonly country: string,
  ) {}

  /**
   * How many points of a month can be tested.
   * @param most at more than this, the count is not finished
   */
  async testableIn(month: number, most: number): Promise<number> {
    const { within_months } = RULES.month_suspect.thresholds;
    const series = await this.all();
    return this.count(series, month - within_months, month + within_months, most, (points) => {
      const tested = testedPoints(points);
      return tested.filter(({ index }) => points.months[index] === month).length;
    });
  }

  /**
   * How many series in a currency have prices in a month and in the one before.
   * @param most as for `testableIn`
   */
  async withStepsIn(month: number, currency: string, most: number): Promise<number> {
    const series = (await this.all()).filter((one) => one.currency === currency);
    return this.count(series, month - 1, month, most, ({ months }) =>
      Number(months.includes(month - 1) && months.includes(month)),
    );
  }

  private all(): Promise<{ id: number; currency: string }[]> {
    return (this.series ??= this.transaction.rows<{ id: number; currency: string }>(
      'SELECT s.id, s.currency FROM price_serie s JOIN market m ON m.id = s.market_id' +
        ' WHERE m.iso3_country_code = ? ORDER BY s.id',
      [this.country],
    ));
  }

  private async count(
    series: readonly { id: number }[],
    firstMonth: number,
    lastMonth: number,
    most: number,
    countOf: (points: Parameters<typeof testedPoints>[0]) => number,
  ): Promise<number> {
    const [first, last] = [firstDayOfMonth(firstMonth), lastDayOfMonth(lastMonth)];
    let count = 0;
    for (let from = 0; from < series.length && count <= most; from += BATCH) {
      const ids = series.slice(from, from + BATCH).map(({ id }) => id);
      const points = await readMonthlyPoints(this.transaction, ids, first, last);
      for (const one of points.values()) count += countOf(one);
    }
    return count;
  }
}
