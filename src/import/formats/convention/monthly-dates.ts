import type { PeriodName } from '../../../price-series/periodicity.js';
import { type Batch, ImportRejected } from '../batch.js';
import { optionHint } from '../option-hint.js';

/** The date of a row of months; anything else is left to the check of the row. */
const DATE = /^(\d{4})-(\d{2})-(\d{2})/;

/** Months of a quarter. */
const QUARTER = 3;

/** What values of months are said to look like. */
interface Likeness {
  /** Of which days the dates are. */
  readonly days: string;
  readonly values: string;
  /** Of which months they would be. */
  readonly months: string;
}

/**
 * Keeps files of years, quarters or days from being stored as monthly values, where no column has
 * their frequency: batches are held back until two dates show that the rows are of months. A file
 * with a row a year has only dates of one month, one of quarters those of months that are three
 * apart, and one of days begins with other days than the 1st.
 */
export class MonthlyDates {
  private readonly years = new Set<string>();
  /** The months of the dates, from 1 to 12. */
  private readonly months = new Set<number>();
  /** The distinct months of the dates, with their years. */
  private readonly dates = new Set<string>();
  private isClear: boolean;

  /**
   * @param noun what the rows have, in the plural: `rates`
   * @param stated the frequency that the import says
   * @param mayBeDaily whether the rows could be daily ones
   */
  constructor(
    private readonly noun: string,
    stated: PeriodName | undefined,
    private readonly mayBeDaily: boolean,
  ) {
    this.isClear = stated !== undefined;
  }

  /** Looks at the date of a row. @throws ImportRejected where the first dates are those of days */
  add(text: string): void {
    if (this.isClear) return;
    const [, year, month, day] = DATE.exec(text.trim()) ?? [];
    if (year === undefined) return;
    const isYearEnd = month === '12' && day === '31';
    if (day !== '01' && !isYearEnd) {
      if (this.mayBeDaily) throw new ImportRejected(dailyDates(this.noun, text));
      return;
    }
    this.years.add(year);
    // The last day of a year is as good a sign of yearly values as the first one.
    this.months.add(isYearEnd ? 1 : Number(month));
    this.dates.add(`${year}-${month}`);
    const [first, ...others] = this.months;
    this.isClear = others.some((other) => (other - first!) % QUARTER !== 0);
  }

  /**
   * Hands batches on once their frequency is clear.
   * @throws ImportRejected for rows of years or quarters
   */
  async *guard<B extends Batch<unknown>>(batches: AsyncIterable<B>): AsyncGenerator<B> {
    const held: B[] = [];
    for await (const batch of batches) {
      if (!this.isClear) {
        held.push(batch);
        continue;
      }
      yield* held.splice(0);
      yield batch;
    }
    const likeness = this.isClear ? null : this.likeness();
    if (likeness !== null)
      throw new ImportRejected(
        `All ${this.noun} are dated ${likeness.days}: they look like ${likeness.values}, which are ` +
          `not stored. If they are those of ${likeness.months}, specify ${optionHint('period', ['monthly'])}.`,
      );
    yield* held;
  }

  /** What the values look like; null where they are too few to look like anything. */
  private likeness(): Likeness | null {
    if (this.months.size > 1)
      return this.dates.size < QUARTER
        ? null
        : { days: 'months that are three apart', values: 'quarterly ones', months: 'single months' };
    if (this.years.size < 2) return null;
    if (this.months.has(1))
      return {
        days: 'the first or the last day of a year',
        values: 'yearly averages',
        months: 'January',
      };
    return { days: 'the same month of different years', values: 'yearly averages', months: 'that month' };
  }
}

const dailyDates = (noun: string, date: string): string =>
  `The ${noun} are dated other days than the 1st (${date.trim()}), so they are no monthly averages. If they are ` +
  `daily ones, specify ${optionHint('period', ['daily'])}.`;
