import { ImportRejected } from '../batch.js';
import { optionHint } from '../option-hint.js';
import { quoteValue } from '../values.js';
import { decimalsOfMonth, monthReading, yearPair } from './date-order.js';

/** A date with its line. */
interface Place {
  readonly line: number;
  readonly text: string;
}

/**
 * What the dates of a file without days show: that they are months, or years of budgets and
 * harvests that begin in one year and end in the next, `2010/11`, or numbers, `2024.10`. Years of
 * 2000 to 2011 may be months. A date that can be a month alone shows that all are.
 */
export class MonthSurvey {
  /** Whether a date shows that dates are months or days. */
  private hasMonths = false;
  private firstPair: Place | null = null;
  /** Whether dates that may be years are several, or are not written as ISO 8601 writes months. */
  private isQuestion = false;
  /** The first date of two years that is no month. */
  private years: Place | null = null;
  /** A date that may be October or, as a number with two decimals, January. */
  private hasTenth = false;
  /** The first number with two decimals that is no month. */
  private decimals: Place | null = null;

  /** @param isStated whether the import says the frequency of the rows */
  constructor(private readonly isStated: boolean) {}

  /** Whether no further date can change how any is read. */
  get isSettled(): boolean {
    return this.isStated || this.hasMonths;
  }

  /** Whether the dates so far read alike, whatever follows. */
  get isNeutral(): boolean {
    const { firstPair, years, hasTenth, decimals } = this;
    return this.isSettled || (firstPair === null && years === null && !hasTenth && decimals === null);
  }

  /** Takes note of a date with a day. */
  addDay(): void {
    this.hasMonths = true;
  }

  /** Takes note of a date that has no day. @returns whether it may be a month */
  add(text: string, line: number): boolean {
    const isMonth = monthReading(text) !== null;
    const pair = yearPair(text);
    const decimals = decimalsOfMonth(text);
    if (pair !== null && pair.month === null) this.years ??= { line, text };
    else if (decimals === 'some') this.decimals ??= { line, text };
    else if (pair !== null) {
      this.isQuestion ||= !pair.isIsoMonth || (this.firstPair !== null && this.firstPair.text !== text);
      this.firstPair ??= { line, text };
    } else if (decimals === 'either') this.hasTenth = true;
    else if (isMonth) this.hasMonths = true;
    return isMonth;
  }

  /** @throws ImportRejected for years, and where nothing shows that dates are months */
  decide(): void {
    if (this.isSettled) return;
    if (this.years !== null) throw new ImportRejected(yearsOf(this.years));
    if (this.decimals !== null) throw new ImportRejected(decimalsIn(this.decimals));
    if (this.isQuestion) throw new ImportRejected(yearsOrMonths(this.firstPair!));
  }
}

const NOT_STORED = 'Values of years are not stored.';

const yearsOf = ({ line, text }: Place): string =>
  'The dates of the input are years that begin in one year and end in the next, such as ' +
  `${quoteValue(text)} in line ${line}. ${NOT_STORED}`;

function yearsOrMonths({ line, text }: Place): string {
  const { first, month } = yearPair(text)!;
  return (
    'No date of the input shows whether its dates are months or years that begin in one year and end in the next: ' +
    `${quoteValue(text)} in line ${line} may be ${month}, or the year ${first} to ${Number(first) + 1}. ` +
    `${NOT_STORED} If they are those of months, specify ${optionHint('period', ['monthly'])}.`
  );
}

const decimalsIn = ({ line, text }: Place): string =>
  `The dates of the input are numbers with two decimals (${quoteValue(text)} in line ${line}), of which 2024.10 may ` +
  'be January or October. Write months as 2024-01.';
