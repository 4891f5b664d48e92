import type { PeriodName } from '../../../price-series/periodicity.js';
import { type Batch, ImportRejected } from '../batch.js';
import { optionHint } from '../option-hint.js';

/** The date of a row of months; anything else is left to the check of the row. */
const DATE = /^(\d{4})-(\d{2})-(\d{2})/;

/** Months of a quarter. */
const QUARTER = 3;
const YEAR = 12;
/** Days of one month, other than the 1st, from which daily or weekly values are assumed. */
const MIN_DAYS_OF_FINER_DATA = 3;
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

/** What is checked of rows that look like monthly ones. */
interface FrequencyChecks {
  /** Whether they may be daily instead; by default not. */
  readonly mayBeDaily?: boolean;
  /** Whether they may be quarterly instead. */
  readonly mayBeQuarterly: boolean;
  /** Whether monthly ones may have any day of their month; by default the 1st alone. */
  readonly allowsAnyDay?: boolean;
  /** Distinct years, of one month each, from which yearly values are assumed; by default 2. */
  readonly minYears?: number;
}

/** Checks of rows that do not say their frequency. */
export const ROWS_WITHOUT_FREQUENCY: FrequencyChecks = { mayBeQuarterly: true };
/** Checks of rows that say that they are monthly. */
export const ROWS_MARKED_MONTHLY: FrequencyChecks = {
  mayBeQuarterly: false,
  minYears: YEARS_AGAINST_WORD,
};

/**
 * Keeps files of years, quarters or days from being stored as monthly values: batches are held
 * back until two dates show that the rows are of months. A file with a row a year has only dates of
 * one month, one of quarters those of months that are three apart, and one of days begins with
 * other days than the 1st.
 */
export class MonthlyDates {
  private readonly years = new Set<string>();
  /** The months of the dates, from 1 to 12. */
  private readonly monthsOfYear = new Set<number>();
  private hasOtherDays = false;
  /** Dates of other days than the first one, by year and month. */
  private readonly otherDays = new Map<string, Set<string>>();
  /** The distinct years and months of the dates: `2024-05`. */
  private readonly yearMonths = new Set<string>();
  /** Whether no further date can change what the rows are. */
  isDecided: boolean;

  /**
   * @param noun what the rows have, in the plural: `rates`
   * @param periodOption the option `period` of the import; undefined if it is not given
   * @param checks what else the rows could be
   */
  constructor(
    private readonly noun: string,
    periodOption: PeriodName | undefined,
    private readonly checks: FrequencyChecks,
  ) {
    this.isDecided = periodOption !== undefined;
  }

  /** Looks at the date of a row. @throws ImportRejected where the first dates are those of days */
  add(text: string): void {
    if (this.isDecided) return;
    const [, year, month, day] = DATE.exec(text.trim()) ?? [];
    if (year === undefined) return;
    const isYearEnd = month === '12' && day === '31';
    const isOtherDay = day !== '01' && !isYearEnd;
    this.hasOtherDays ||= isOtherDay;
    if (isOtherDay && this.checks.allowsAnyDay !== true) {
      this.checkOtherDay(`${year}-${month}`, text);
      if (this.checks.mayBeDaily === true) throw new ImportRejected(dailyDates(this.noun, text));
      return;
    }
    this.years.add(year);
    // The last day of a year is as good a sign of yearly values as the first one.
    this.monthsOfYear.add(isYearEnd ? 1 : Number(month));
    this.yearMonths.add(`${year}-${month}`);
    const [first, ...others] = this.monthsOfYear;
    const monthsBetween = this.checks.mayBeQuarterly ? QUARTER : YEAR;
    // Dates of such a file are 3 or 12 months apart, so any other distance proves monthly rows.
    this.isDecided = others.some((other) => (other - first!) % monthsBetween !== 0);
  }

  /** @throws ImportRejected where a month has several days, as only daily or weekly values have */
  private checkOtherDay(yearMonth: string, text: string): void {
    const days = this.otherDays.get(yearMonth) ?? new Set();
    this.otherDays.set(yearMonth, days.add(text.trim()));
    if (days.size >= MIN_DAYS_OF_FINER_DATA && this.checks.mayBeDaily !== true)
      throw new ImportRejected(severalDays(this.noun, [...days]));
  }

  /** Takes note of a row of days or weeks, which no file of years has. */
  confirmFinerRows(): void {
    this.isDecided = true;
  }

  /**
   * Hands batches on once their frequency is decided.
   * @throws ImportRejected for rows of years or quarters
   */
  async *guard<B extends Batch<unknown>>(batches: AsyncIterable<B>): AsyncGenerator<B> {
    const held: B[] = [];
    let rows = 0;
    for await (const batch of batches) {
      held.push(batch);
      rows += batch.rows.length;
      if (!this.isDecided && rows < MAX_HELD_ROWS) continue;
      this.rejectOthers();
      yield* held.splice(0);
    }
    this.rejectOthers();
    yield* held;
  }

  /** @throws ImportRejected where the rows so far look like those of years or quarters */
  private rejectOthers(): void {
    const likeness = this.isDecided ? null : this.likeness();
    if (likeness === null) return;
    throw new ImportRejected(
      `All ${this.noun} are dated ${likeness.days}: they look like ${likeness.values}, which are ` +
        `not stored. If they are those of ${likeness.months}, specify ${optionHint('period', ['monthly'])}.`,
    );
  }

  /** What the values look like; null where they are too few to look like anything. */
  private likeness(): Likeness | null {
    if (this.monthsOfYear.size > 1)
      return this.yearMonths.size < QUARTER
        ? null
        : { days: 'months that are three apart', values: 'quarterly ones', months: 'single months' };
    if (this.years.size < (this.checks.minYears ?? 2)) return null;
    if (this.monthsOfYear.has(1) && !this.hasOtherDays)
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
