import { isoFromDay } from '../../lib/dates/calendar-date.js';
import { type Batch, ImportRejected } from '../formats/batch.js';
import { copyString } from '../formats/series.js';
import { SeenPoints } from '../pipeline/reading/seen-points.js';

/**
 * Keeps files of other frequencies from being stored as the monthly values that a mapping says they
 * are: two values of a series in one month are those of weeks or days, or of things that the
 * mapping does not tell apart, and values that are all a year apart are those of years.
 */
export class MappedMonths {
  private readonly values = new Map<string, SeenPoints>();
  private lastRow: readonly string[] | null = null;
  private lastValues = new SeenPoints();
  private readonly years = new Set<number>();
  /** The month of the year that all dates have; null before the first one. */
  private month: string | null = null;
  private hasMonths = false;
  private hasOtherRows = false;

  /**
   * Looks at a monthly value.
   * @param row the record of the value
   * @param identity positions in it of what tells its series from others
   * @param month first day of it
   * @throws ImportRejected for another value of the series in the month
   */
  add(row: readonly string[], identity: readonly number[], month: number, value: number, line: number): void {
    const values = this.valuesOf(row, identity);
    const existing = values.add(month, value);
    if (existing !== null && existing !== value)
      throw new ImportRejected(twoValues(month, existing, value, line));
    if (this.hasMonths) return;
    const [year, ofYear] = isoFromDay(month).split('-') as [string, string];
    this.month ??= ofYear;
    this.years.add(Number(year));
    this.hasMonths = this.month !== ofYear;
  }

  /** The values of a series: rows of one often follow one another. */
  private valuesOf(row: readonly string[], identity: readonly number[]): SeenPoints {
    const { lastRow } = this;
    if (lastRow !== null && identity.every((index) => row[index] === lastRow[index])) return this.lastValues;
    let series = '';
    for (const index of identity) series += `${row[index]!}\n`;
    let values = this.values.get(series);
    if (values === undefined) this.values.set(copyString(series), (values = new SeenPoints()));
    this.lastRow = row;
    return (this.lastValues = values);
  }

  /** Looks at a row of another frequency, beside which monthly values may be a year apart. */
  addOther(): void {
    this.hasOtherRows = true;
  }

  /**
   * Hands batches on once two of their values are not a year apart.
   * @throws ImportRejected where all are
   */
  async *guard<B extends Batch<unknown>>(batches: AsyncIterable<B>): AsyncGenerator<B> {
    const held: B[] = [];
    for await (const batch of batches) {
      held.push(batch);
      if (this.hasMonths || this.hasOtherRows) yield* held.splice(0);
    }
    if (!this.hasMonths && !this.hasOtherRows && this.years.size > 1)
      throw new ImportRejected(
        'The mapping says that the values are monthly, but all of them are a year apart: they look like yearly ' +
          'ones, which are not stored.',
      );
    yield* held;
  }
}

const twoValues = (month: number, first: number, second: number, line: number): string =>
  `The mapping says that the values are monthly, but line ${line} has a second one of a series in ` +
  `${isoFromDay(month).slice(0, 7)}: ${second} beside ${first}. Either they are of days or weeks, or the ` +
  'mapping has no field for what tells them apart.';
