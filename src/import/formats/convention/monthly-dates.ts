import type { PeriodName } from '../../../price-series/periodicity.js';
import { type Batch, ImportRejected } from '../batch.js';
import { optionHint } from '../option-hint.js';

/** The date of a row of months; anything else is left to the check of the row. */
const DATE = /^(\d{4})-(\d{2})-(\d{2})/;

/** Months of a quarter. */
const QUARTER = 3;
const YEAR = 12;
/** Days of a month besides the first one that show daily or weekly values. */
const DAYS_OF_FINER = 3;
/** Rows that are held back: a file with one month only may be long. */
const MAX_HELD_ROWS = 100_000;
/** Years with a value each that show yearly ones, where rows say that they are monthly. */
const YEARS_AGAINST_WORD = 3;

/** What values of months are said to look like. */
interface Likeness {
  /** Of which days the dates are. */
  readonly days: string;
  readonly values: string;
  /** Of which months they would be. */
  readonly months: string;
}

/** What rows may be that look like monthly ones. */
interface OtherFrequencies {
  /** Of days; by default not. */
  readonly days?: boolean;
  /** Whether monthly ones may have any day of their month. */
  readonly anyDay?: boolean;
  /** Of quarters. */
  readonly quarters: boolean;
  /** The years that show yearly values; by default 2. */
  readonly years?: number;
}

/** What rows may be whose file does not say their frequency. */
export const UNSTATED_FREQUENCY: OtherFrequencies = { quarters: true };
/** The same of rows that say that they are monthly. */
export const STATED_FREQUENCY: OtherFrequencies = { quarters: false, years: YEARS_AGAINST_WORD };

/**
 * Keeps files of years, quarters or days from being stored as monthly values: batches are held
 * back until two dates show that the rows are of months. A file with a row a year has only dates of
 * one month, one of quarters those of months that are three apart, and one of days begins with
 * other days than the 1st.
 */
export class MonthlyDates {
  private readonly years = new Set<string>();
  /** The months of the dates, from 1 to 12. */
  private readonly months = new Set<number>();
  private hasOtherDays = false;
  /** Dates of other days than the first one, by month. */
  private readonly otherDays = new Map<string, Set<string>>();
  /** The distinct months of the dates, with their years. */
  private readonly dates = new Set<string>();
  /** Whether no further date can change what the rows are. */
  isClear: boolean;

  /**
   * @param noun what the rows have, in the plural: `rates`
   * @param stated the frequency that the import says
   * @param likely what else the rows could be
   */
  constructor(
    private readonly noun: string,
    stated: PeriodName | undefined,
    private readonly likely: OtherFrequencies,
  ) {
    this.isClear = stated !== undefined;
  }

  /** Looks at the date of a row. @throws ImportRejected where the first dates are those of days */
  add(text: string): void {
    if (this.isClear) return;
    const [, year, month, day] = DATE.exec(text.trim()) ?? [];
    if (year === undefined) return;
    const isYearEnd = month === '12' && day === '31';
    const isOtherDay = day !== '01' && !isYearEnd;
    this.hasOtherDays ||= isOtherDay;
    if (isOtherDay && this.likely.anyDay !== true) {
      this.addOtherDay(`${year}-${month}`, text);
      if (this.likely.days === true) throw new ImportRejected(dailyDates(this.noun, text));
      return;
    }
    this.years.add(year);
    // The last day of a year is as good a sign of yearly values as the first one.
    this.months.add(isYearEnd ? 1 : Number(month));
    this.dates.add(`${year}-${month}`);
    const [first, ...others] = this.months;
    const unit = this.likely.quarters ? QUARTER : YEAR;
    this.isClear = others.some((other) => (other - first!) % unit !== 0);
  }

  /** @throws ImportRejected where a month has several days, as only daily or weekly values have */
  private addOtherDay(month: string, text: string): void {
    const days = this.otherDays.get(month) ?? new Set();
    this.otherDays.set(month, days.add(text.trim()));
    if (days.size >= DAYS_OF_FINER && this.likely.days !== true)
      throw new ImportRejected(severalDays(this.noun, [...days]));
  }

  /** Takes note of a row of days or weeks, which no file of years has. */
  addFiner(): void {
    this.isClear = true;
  }

  /**
   * Hands batches on once their frequency is clear.
   * @throws ImportRejected for rows of years or quarters
   */
  async *guard<B extends Batch<unknown>>(batches: AsyncIterable<B>): AsyncGenerator<B> {
    const held: B[] = [];
    let rows = 0;
    for await (const batch of batches) {
      held.push(batch);
      rows += batch.rows.length;
      if (!this.isClear && rows < MAX_HELD_ROWS) continue;
      this.rejectOthers();
      yield* held.splice(0);
    }
    this.rejectOthers();
    yield* held;
  }

  /** @throws ImportRejected where the rows so far look like those of years or quarters */
  private rejectOthers(): void {
    const likeness = this.isClear ? null : this.likeness();
    if (likeness === null) return;
    throw new ImportRejected(
      `All ${this.noun} are dated ${likeness.days}: they look like ${likeness.values}, which are ` +
        `not stored. If they are those of ${likeness.months}, specify ${optionHint('period', ['monthly'])}.`,
    );
  }

  /** What the values look like; null where they are too few to look like anything. */
  private likeness(): Likeness | null {
    if (this.months.size > 1)
      return this.dates.size < QUARTER
        ? null
        : { days: 'months that are three apart', values: 'quarterly ones', months: 'single months' };
    if (this.years.size < (this.likely.years ?? 2)) return null;
    if (this.months.has(1) && !this.hasOtherDays)
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

const severalDays = (noun: string, days: readonly string[]): string =>
  `Monthly ${noun} are dated several days of one month (${days.join(', ')}): they look like daily or weekly ones. ` +
  'Monthly ones have one date, the 1st.';
