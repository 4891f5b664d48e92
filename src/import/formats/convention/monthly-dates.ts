import { type Batch, ImportRejected } from '../batch.js';
import { optionHint } from '../option-hint.js';

/** The date of a row of months; anything else is left to the check of the row. */
const DATE = /^(\d{4})-(\d{2})-(\d{2})/;

/**
 * Keeps files of years or days from being stored as monthly values, where no column has their
 * frequency: batches are held back until a date shows that the rows are of months. A file with one
 * row a year has only dates of 1 January, one of days begins with other days than the 1st.
 */
export class MonthlyDates {
  private readonly years = new Set<string>();
  private isClear: boolean;

  /**
   * @param noun what the rows have, in the plural: `rates`
   * @param isStated whether the import says that the rows are monthly
   */
  constructor(
    private readonly noun: string,
    isStated: boolean,
  ) {
    this.isClear = isStated;
  }

  /** Looks at the date of a row. @throws ImportRejected where the first dates are those of days */
  add(text: string): void {
    if (this.isClear) return;
    const [, year, month, day] = DATE.exec(text.trim()) ?? [];
    if (year === undefined) return;
    if (month === '12' && day === '31') this.years.add(year);
    else if (day !== '01')
      throw new ImportRejected(
        `The ${this.noun} are dated other days than the 1st (${text.trim()}), so they are no monthly averages. ` +
          'Give daily ones in the columns currency, date, period and rate.',
      );
    else if (month === '01') this.years.add(year);
    else this.isClear = true;
  }

  /** Hands batches on once their frequency is clear. @throws ImportRejected for yearly rows */
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
    if (!this.isClear && this.years.size > 1)
      throw new ImportRejected(
        `All ${this.noun} are dated the first or the last day of a year: they look like yearly averages, which are ` +
          `not stored. If they are those of January, specify ${optionHint('period', ['monthly'])}.`,
      );
    yield* held;
  }
}
