import { isSerialDay } from '../../../lib/dates/spreadsheet-day.js';
import type { TableFile, TableRecords } from '../../tables/table-file.js';
import { ImportRejected, type RowViolation } from '../batch.js';
import { quoteValue } from '../values.js';
import { dateReadings, DATE_ORDERS, isIsoDate, monthReading, type DateOrder } from './date-order.js';
import { HeldRecords } from './held-records.js';
import { MonthSurvey } from './month-survey.js';
import { explainDate } from './other-dates.js';
import {
  DECIMAL_SIGNS,
  decimalEvidence,
  isPlainNumber,
  plainNumber,
  type DecimalSign,
} from './number-signs.js';
import type { PeriodName } from '../../../price-series/periodicity.js';
import { Nested, OrNull } from '../../../platform/validation/field.js';
import { Count, OneOf } from '../../../platform/validation/fields.js';

/** What an import says of how its file is written, in place of what the file shows. */
export interface ConventionOptions {
  readonly decimal?: DecimalSign | undefined;
  readonly dates?: DateOrder | undefined;
  /** The frequency of the rows: `monthly` says that dates that may be years are months. */
  readonly period?: PeriodName | undefined;
}

/** A part of a convention, with the line that decided it; null where an option did. */
interface Decided<T> {
  readonly is: T;
  readonly line: number | null;
}

const DecidingLine = () =>
  OrNull(Count({ description: 'The line that showed it; null where the import says it' }));

class DecidedSign implements Decided<DecimalSign> {
  @OneOf(DECIMAL_SIGNS) readonly is!: DecimalSign;
  @DecidingLine() readonly line!: number | null;
}

class DecidedOrder implements Decided<DateOrder> {
  @OneOf(DATE_ORDERS) readonly is!: DateOrder;
  @DecidingLine() readonly line!: number | null;
}

/** How the numbers and dates of a file are written; null where no value of it shows it. */
export class FoundConvention {
  @OrNull(Nested(DecidedSign), {
    description: 'Decimal sign of the numbers; null where no value shows it',
  })
  readonly decimal!: DecidedSign | null;
  @OrNull(Nested(DecidedOrder), {
    description: 'Order of year, month and day in the dates; null where no value shows it',
  })
  readonly dates!: DecidedOrder | null;
}

/**
 * What a file shows other than the ordinary convention, for people: "decimal comma, from line 4".
 */
export function conventionWords(found: FoundConvention | null): string[] {
  const from = (line: number | null) => (line === null ? 'as the import says' : `from line ${line}`);
  const { decimal = null, dates = null } = found ?? {};
  const words: string[] = [];
  if (decimal !== null && (decimal.is === 'comma' || decimal.line === null))
    words.push(`decimal ${decimal.is}, ${from(decimal.line)}`);
  if (dates !== null && (dates.is !== 'ymd' || dates.line === null))
    words.push(`dates with the ${ORDER_NAMES[dates.is]}, ${from(dates.line)}`);
  return words;
}

/** The columns of a file that have numbers and dates, by their names. */
export interface ConventionColumns {
  readonly numbers: readonly string[];
  /** Those of numbers below 1000, such as degrees: nothing stands between their thousands. */
  readonly smallNumbers?: readonly string[];
  readonly dates: readonly string[];
  /**
   * Whether the layout is one in which its publisher writes a decimal point between commas, as the
   * service does in its own exports: `1.250` is 1.25 there, though no other number shows it.
   */
  readonly hasPoint?: boolean;
}

/** A value with its line. */
interface Place {
  readonly line: number;
  readonly text: string;
}

/** Unreadable dates of which a file has no others that are told by one sentence. */
const MANY_DATES = 20;

const ORDER_NAMES: Readonly<Record<DateOrder, string>> = {
  ymd: 'year first',
  dmy: 'day first',
  mdy: 'month first',
};

/**
 * The convention in which a file writes its numbers and dates, found from the whole file: the
 * decimal sign, and the order of day and month. It hands on the records of a file with numbers and
 * dates written as JavaScript and ISO 8601 write them.
 *
 * Records are held back until the convention is clear. Commas between the columns, a decimal point
 * and dates with the year first are the ordinary convention: the first value that shows it decides,
 * and later ones that differ are faulty. Any other file is read to its end first.
 */
export class Convention {
  /** The columns that are read for their numbers and dates. */
  readonly columns: readonly string[];
  private readonly numberColumns: readonly { index: number; isSmall: boolean }[];
  private readonly dateColumns: readonly number[];
  /** The last cell of each column and what it is read as: values repeat. */
  private readonly lastCells: string[];
  private readonly lastTexts: (string | RowViolation)[];
  private readonly numbers: NumberSurvey;
  private readonly dates: DateSurvey;

  constructor(
    private readonly file: Pick<TableFile, 'header' | 'delimiter'>,
    columns: ConventionColumns,
    options: ConventionOptions,
  ) {
    const { header } = file;
    this.columns = [...columns.numbers, ...(columns.smallNumbers ?? []), ...columns.dates];
    const indexes = (names: readonly string[]) =>
      [...header.keys()].filter((index) => names.includes(header[index]!));
    this.numberColumns = [
      ...indexes(columns.numbers).map((index) => ({ index, isSmall: false })),
      ...indexes(columns.smallNumbers ?? []).map((index) => ({ index, isSmall: true })),
    ];
    this.dateColumns = indexes(columns.dates);
    this.lastCells = header.map(() => '');
    this.lastTexts = header.map(() => '');
    const hasPoint = columns.hasPoint === true && file.delimiter === ',';
    this.numbers = new NumberSurvey(file.delimiter, hasPoint, options.decimal);
    this.dates = new DateSurvey(options);
  }

  /** What is found so far; all of it once the last record is handed on. */
  get found(): FoundConvention {
    return { decimal: this.numbers.decided, dates: this.dates.decided };
  }

  /**
   * Hands on records once it is clear how to read them.
   * @throws ImportRejected where nothing decides and it matters, and for contradictions
   */
  async *resolve(batches: AsyncIterable<TableRecords>): AsyncGenerator<TableRecords> {
    const held = new HeldRecords();
    for await (const batch of batches) {
      if (!this.isSettled) this.observe(batch);
      if (this.isSettled || this.isNeutral) {
        yield* held.drain();
        yield batch;
      } else held.add(batch);
    }
    this.numbers.decide();
    this.dates.decide();
    yield* held.drain();
  }

  /**
   * Writes the numbers and dates of a record as JavaScript and ISO 8601 write them.
   * @param types as those of `TableRecords`
   * @returns the violation of a value that is not written in the convention
   */
  normalize(record: string[], types = ''): RowViolation | undefined {
    for (const { index, isSmall } of this.numberColumns) {
      const cell = record[index];
      if (cell === undefined || cell === '' || types[index] === 'n') continue;
      if (this.numbers.isPoint && isPlainNumber(cell)) continue;
      const text = this.cached(index, cell, () => this.numbers.read(cell, isSmall, this.file.header[index]!));
      if (typeof text !== 'string') return text;
      record[index] = text;
    }
    for (const index of this.dateColumns) {
      const cell = record[index];
      if (cell === undefined || cell === '' || types[index] === 'd') continue;
      const text = this.cached(index, cell, () => this.dates.read(cell, this.file.header[index]!));
      if (typeof text !== 'string') return text;
      record[index] = text;
    }
    return undefined;
  }

  private cached(index: number, cell: string, read: () => string | RowViolation): string | RowViolation {
    if (this.lastCells[index] === cell) return this.lastTexts[index]!;
    this.lastCells[index] = cell;
    return (this.lastTexts[index] = read());
  }

  /** Whether no further record can change how any is read. */
  private get isSettled(): boolean {
    return (
      (this.numbers.isSettled || this.numberColumns.length === 0) &&
      (this.dates.isSettled || this.dateColumns.length === 0)
    );
  }

  /** Whether the records so far read alike, whatever follows. */
  private get isNeutral(): boolean {
    return this.numbers.isNeutral && this.dates.isNeutral;
  }

  private observe({ records, lines, types }: TableRecords): void {
    for (const [at, record] of records.entries()) {
      const line = lines[at]!;
      const typesOf = types?.[at] ?? '';
      for (const { index, isSmall } of this.numberColumns) {
        if (this.numbers.isSettled) break;
        const cell = record[index];
        if (cell && typesOf[index] !== 'n') this.numbers.observe(cell, line, isSmall);
      }
      for (const index of this.dateColumns) {
        if (this.dates.isSettled) break;
        const cell = record[index];
        if (cell && typesOf[index] !== 'd') this.dates.observe(cell, line);
      }
      if (this.isSettled) return;
    }
  }
}

/** What the numbers of a file show of its decimal sign. */
class NumberSurvey {
  decided: Decided<DecimalSign> | null;
  private readonly shown: Partial<Record<DecimalSign, Place>> = {};
  /** The same of degrees, which decide where no other number does. */
  private readonly shownBySmall: Partial<Record<DecimalSign, Place>> = {};
  /** The first numbers of thousands or of three decimals, by their sign. */
  private readonly either: Partial<Record<DecimalSign, Place>> = {};
  private readonly isChosen: boolean;

  private readonly hasCommas: boolean;

  constructor(
    private readonly delimiter: string | null,
    /** Whether a number that may be either has a point unless others show a comma. */
    private readonly hasPoint: boolean,
    option: DecimalSign | undefined,
  ) {
    this.hasCommas = delimiter === ',';
    this.isChosen = option !== undefined;
    this.decided = option === undefined ? null : { is: option, line: null };
  }

  get isPoint(): boolean {
    return this.decided?.is !== 'comma';
  }

  get isSettled(): boolean {
    return this.isChosen || (this.hasCommas && this.decided?.is === 'point');
  }

  get isNeutral(): boolean {
    const hasSign = (signs: Partial<Record<DecimalSign, Place>>) => Boolean(signs.comma ?? signs.point);
    if (this.isSettled) return true;
    if (this.hasCommas) return !this.shown.comma && !this.shownBySmall.comma && !hasSign(this.either);
    // Most files that are no text have numbers alone, which show nothing.
    return this.delimiter === null && ![this.shown, this.shownBySmall, this.either].some(hasSign);
  }

  observe(text: string, line: number, isSmall: boolean): void {
    const evidence = decimalEvidence(text, isSmall);
    if (evidence === 'either') this.either[text.includes(',') ? 'comma' : 'point'] ??= { line, text };
    if (evidence !== 'comma' && evidence !== 'point') return;
    (isSmall ? this.shownBySmall : this.shown)[evidence] ??= { line, text };
    if (evidence === 'point' && this.hasCommas && !this.shown.comma && !this.shownBySmall.comma)
      this.decided = { is: 'point', line };
  }

  /** Decides at the end of the file. @throws ImportRejected */
  decide(): void {
    if (this.isSettled) return;
    const { either, shownBySmall } = this;
    if (this.shown.comma && this.shown.point)
      throw new ImportRejected(contradictingSigns(this.shown.comma, this.shown.point));
    const hasOne = (signs: typeof shownBySmall) => Boolean(signs.comma) !== Boolean(signs.point);
    const shown = hasOne(this.shown) ? this.shown : hasOne(shownBySmall) ? shownBySmall : {};
    const sign = shown.comma ? 'comma' : shown.point ? 'point' : null;
    if (sign !== null) this.decided = { is: sign, line: shown[sign]!.line };
    else if (either.comma) throw new ImportRejected(openSign(either.comma));
    else if (either.point && !this.hasPoint) throw new ImportRejected(openSign(either.point));
  }

  /** A number as JavaScript writes it. */
  read(text: string, isSmall: boolean, field: string): string | RowViolation {
    const evidence = isSmall ? decimalEvidence(text, true) : 'none';
    const sign = evidence === 'comma' || evidence === 'point' ? evidence : (this.decided?.is ?? 'point');
    const plain = plainNumber(text, sign, isSmall);
    if (plain !== null) return plain;
    const line = this.decided?.line ?? null;
    const expected = `a number with a decimal ${sign}${line === null ? '' : `, as in line ${line}`}`;
    return {
      field,
      reason: 'invalid_number',
      detail: `${field} must be ${expected}, not ${quoteValue(text)}.`,
    };
  }
}

const DECIMAL_OPTION = '--decimal comma or --decimal point (over HTTP: decimal=comma or decimal=point)';

const contradictingSigns = (comma: Place, point: Place) =>
  `Line ${comma.line} has a decimal comma, in ${quoteValue(comma.text)}, but line ${point.line} a decimal point, ` +
  `in ${quoteValue(point.text)}. Specify ${DECIMAL_OPTION}; rows with the other sign are then rejected.`;

function openSign({ line, text }: Place): string {
  const thousands = text.trim().replace(/[.,]/, '');
  const decimal = text.trim().replace(',', '.');
  return (
    `No number of the input shows which sign is the decimal one: ${quoteValue(text)} in line ${line} may be ` +
    `${thousands} or ${decimal}. Specify ${DECIMAL_OPTION}.`
  );
}

/** What the dates of a file show of their order. */
class DateSurvey {
  decided: Decided<DateOrder> | null;
  /** The first date that is none in an order. */
  private readonly excluded: Partial<Record<DateOrder, Place>> = {};
  /** The first date that is another day with the day first than with the month first. */
  private differing: Place | null = null;
  private first: Place | null = null;
  private firstUnreadable: Place | null = null;
  private unreadable = 0;
  private lastText = '';
  private readonly months: MonthSurvey;
  private readonly isChosen: boolean;

  constructor({ dates: option, period }: ConventionOptions) {
    this.isChosen = option !== undefined;
    this.decided = option === undefined ? null : { is: option, line: null };
    this.months = new MonthSurvey(period !== undefined);
  }

  get isSettled(): boolean {
    return (this.isChosen || this.decided?.is === 'ymd') && this.months.isSettled;
  }

  get isNeutral(): boolean {
    if (!this.months.isNeutral) return false;
    return this.isChosen || this.isSettled || (this.first === null && this.unreadable === 0);
  }

  observe(text: string, line: number): void {
    if (text === this.lastText && this.first !== null) return;
    this.lastText = text;
    // Tags below the header are none, either.
    if (text.trim() === '' || text.startsWith('#')) return;
    const readings = dateReadings(text);
    if (readings.size > 0) this.months.addDay();
    else if (this.months.add(text, line)) return;
    if (this.isChosen) return;
    if (readings.size === 0) {
      this.unreadable++;
      this.firstUnreadable ??= { line, text };
      return;
    }
    const isFirst = this.first === null;
    this.first ??= { line, text };
    for (const order of DATE_ORDERS) if (!readings.has(order)) this.excluded[order] ??= { line, text };
    if (isFirst && readings.size === 1 && readings.has('ymd')) this.decided = { is: 'ymd', line };
    const dayFirst = readings.get('dmy');
    const monthFirst = readings.get('mdy');
    if (dayFirst !== monthFirst) this.differing ??= { line, text };
  }

  /** Decides at the end of the file. @throws ImportRejected */
  decide(): void {
    this.months.decide();
    if (this.isChosen || this.isSettled) return;
    if (this.first === null) {
      if (this.firstUnreadable) this.rejectUnreadable(this.firstUnreadable);
      return;
    }
    const orders = DATE_ORDERS.filter((order) => this.excluded[order] === undefined);
    if (orders.length === 0) throw new ImportRejected(this.contradiction());
    const isOpen = orders.length > 1 && (orders.includes('ymd') || this.differing !== null);
    if (isOpen) throw new ImportRejected(openOrder(this.differing ?? this.first, orders));
    const lines = Object.values(this.excluded).map(({ line }) => line);
    this.decided = { is: orders[0]!, line: Math.max(...lines) };
  }

  /** A date, or a month without a day, as ISO 8601 writes it; other texts as they are. */
  read(text: string, field: string): string | RowViolation {
    if (isIsoDate(text)) {
      if (this.decided === null || this.decided.is === 'ymd') return text;
    }
    const readings = dateReadings(text);
    const order = this.decided?.is ?? 'ymd';
    const date = readings.get(order);
    if (date !== undefined) return date;
    if (readings.size === 0) {
      const month = monthReading(text);
      const other = month === null ? explainDate(text) : null;
      if (other === null) return month ?? text;
      const detail = `${field} must be a calendar date written YYYY-MM-DD; ${quoteValue(text)} is ${other}.`;
      return { field, reason: 'invalid_date', detail };
    }
    if (order === 'ymd') return text;
    const line = this.decided?.line ?? null;
    const expected = `a date with the ${order === 'dmy' ? 'day' : 'month'} first${line === null ? '' : `, as in line ${line}`}`;
    return {
      field,
      reason: 'invalid_date',
      detail: `${field} must be ${expected}, not ${quoteValue(text)}.`,
    };
  }

  private contradiction(): string {
    const places = new Map(Object.values(this.excluded).map((place) => [place.line, place]));
    const named = [...places.values()].map(({ line, text }) => `${quoteValue(text)} in line ${line}`);
    return (
      `No one order of day, month and year fits the dates of the input: ${named.join(', ')}. ` +
      `Specify ${optionOf(DATE_ORDERS)}; rows with other dates are then rejected.`
    );
  }

  private rejectUnreadable({ line, text }: Place): void {
    const shown = `${quoteValue(text)} in line ${line}`;
    if (isSerialDay(text)) {
      throw new ImportRejected(
        `The dates of the input are day numbers of a spreadsheet (${shown}), which counts them from 1900 or from ` +
          '1904. Format the column as dates, YYYY-MM-DD, and save the file again.',
      );
    }
    if (this.unreadable >= MANY_DATES) {
      const other = explainDate(text);
      throw new ImportRejected(
        `No date of the input can be read (${shown}${other === null ? '' : ` is ${other}`}). Dates are written YYYY-MM-DD; DD/MM/YYYY and MM/DD/YYYY ` +
          'are read, too, where the file shows which it is.',
      );
    }
  }
}

const optionOf = (orders: readonly DateOrder[]) =>
  `${orders.map((order) => `--dates ${order} (${ORDER_NAMES[order]})`).join(' or ')} (over HTTP: dates=)`;

const openOrder = ({ line, text }: Place, orders: readonly DateOrder[]) =>
  `No date of the input shows the order of day, month and year: ${quoteValue(text)} in line ${line} may be ` +
  `${orders.map((order) => dateReadings(text).get(order)!).join(' or ')}. Specify ${optionOf(orders)}.`;
