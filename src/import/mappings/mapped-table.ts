import { ImportRejected, type Batch, type RowViolation, WrongFormat } from '../formats/batch.js';
import { closestMatches } from '../../lib/text/closest-match.js';
import type { Convention } from '../formats/convention/convention.js';
import type { RowSource } from '../tables/open-rows.js';
import { TableFile, type TableRecords } from '../tables/table-file.js';
import { isTagRow } from '../formats/tag-row.js';
import { quoteValue } from '../formats/values.js';
import type { ReadDate } from './date-format.js';
import { MappedMonths } from './mapped-months.js';
import {
  dateReader,
  isViolation,
  type MappedReader,
  monthOfParts,
  monthReader,
  storedNumberReader,
  comparableText,
  storedPeriod,
  textOfDate,
  textReader,
  yearReader,
} from './mapped-fields.js';
import type { MappedFields } from './mapped-columns.js';
import type { Mapping, MappingCondition, MappingField } from './mapping.js';
import { ListedField } from './listed-field.js';
import { type Pattern, patternOf } from './pattern.js';
import { RateCrossing } from './rate-crossing.js';

/** What a table is called where it comes from. */
interface SourceNames {
  readonly file: string;
  /** Of a workbook. */
  readonly sheet: string;
}

/** Where a field comes from in a record. */
type Origin =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'cell'; readonly index: number; readonly fillDown: boolean }
  | { readonly kind: 'join'; readonly indexes: readonly number[]; readonly by: string }
  /** A cell that lists it for the columns that become rows. */
  | { readonly kind: 'list'; readonly index: number; readonly list: ListedField }
  /** A column that becomes rows: its cell, or a part of its name. */
  | { readonly kind: 'unpivot' };

interface SourceField {
  readonly name: string;
  readonly origin: Origin;
  /** What it is called in the file. */
  readonly label: string;
  readonly missing: ReadonlySet<string>;
}

/** A field of the table, with its place in the records that are handed on. */
interface TextField extends SourceField {
  readonly position: number;
  readonly read: MappedReader<string>;
  /** Reads a number as JavaScript writes it; null for a text. */
  readonly readNumber: MappedReader<string> | null;
  /** Index of the cell that alone decides the text; -1 where others do as well. */
  readonly repeatedAt: number;
  /** The last cell, and what is read of it: cells repeat. */
  lastCell: string | undefined;
  lastText: string;
}

/** A column that becomes rows, with what its name says. */
interface UnpivotColumn {
  readonly index: number;
  readonly header: string;
  readonly texts: Readonly<Record<string, string>>;
}

/** Columns that a message names, and those that may be meant by one. */
const MAX_NAMED = 12;
const MAX_NEAR = 3;

/**
 * A table as a mapping reads it: in the columns of the format that the mapping names, with the line
 * numbers of its source, numbers with a point and dates of ISO 8601. So rows are checked, stored
 * and reported as the format does it; violations name the column of the source.
 */
export class MappedTable extends TableFile {
  readonly delimiter = ',';
  private readonly months = new MappedMonths();
  private readonly plan: RowPlan;

  private constructor(
    private readonly rows: AsyncGenerator<TableRecords>,
    readonly mapping: Mapping,
    sourceHeader: readonly string[],
    names: SourceNames,
    target: MappedFields,
  ) {
    super();
    this.plan = new RowPlan(mapping, sourceHeader, names, target, this.months);
  }

  get header(): readonly string[] {
    return this.plan.header;
  }

  /**
   * Reads the header of a source.
   * @throws ImportRejected for a source that the mapping does not fit, with the column or the
   * pattern
   */
  static async open(
    source: RowSource,
    mapping: Mapping,
    names: SourceNames,
    target: MappedFields,
  ): Promise<MappedTable> {
    const { dialect = {} } = mapping;
    if (source.header.length > 0 && dialect.header !== false)
      return new MappedTable(source.batches(), mapping, source.header.map(comparableText), names, target);
    const headerRows = dialect.header === false ? [] : (dialect.headerRows ?? [1]);
    const { header, rows } = await readHeader(source.batches(), headerRows, dialect.headerJoin ?? ' ');
    return new MappedTable(rows, mapping, header, names, target);
  }

  /** The records of the source: `read` hands on the mapped ones. */
  batches(): AsyncGenerator<TableRecords> {
    return this.rows;
  }

  override read<B extends Batch<unknown>>(
    createBatch: () => B,
    _: Convention,
    readRecord: (record: string[], line: number, batch: B) => RowViolation | void,
  ): AsyncGenerator<B> {
    return this.months.guard(this.readRows(createBatch, readRecord));
  }

  private async *readRows<B extends Batch<unknown>>(
    createBatch: () => B,
    readRecord: (record: string[], line: number, batch: B) => RowViolation | void,
  ): AsyncGenerator<B> {
    const { plan } = this;
    const notes = unknownNote(plan.unknownColumns);
    let isEmpty = true;
    let hasEnded = false;
    const hand = (record: string[], line: number, column: UnpivotColumn | null, batch: B) => {
      const violation = readRecord(record, line, batch);
      if (violation !== undefined) batch.reject(line, plan.inSource(violation, column));
    };
    for await (const { records, lines, rejects, isCut, types } of this.rows) {
      // The rest is read for its digest.
      if (hasEnded) continue;
      isEmpty = false;
      const batch = createBatch();
      batch.notes = notes;
      batch.read = records.length + rejects.length;
      for (const { line, ...violation } of rejects) batch.reject(line, violation);
      for (const [index, record] of records.entries()) {
        hasEnded = plan.isEnd(record);
        if (hasEnded) {
          batch.read -= records.length - index;
          break;
        }
        plan.types = types?.[index] ?? null;
        plan.map(record, lines[index]!, isCut && index === records.length - 1, batch, hand);
      }
      yield batch;
    }
    if (isEmpty) throw new ImportRejected('The input has a header, but no line below it.');
    if (plan.crossing === null) return;
    for (const held of plan.crossing.drain()) {
      const batch = createBatch();
      batch.read = held.length;
      for (const { record, line, column, violation } of held)
        if (violation !== null) batch.reject(line, violation);
        else hand(record, line, column, batch);
      yield batch;
    }
  }
}

/** Hands on a record in the columns of the format. */
type Hand<B> = (record: string[], line: number, column: UnpivotColumn | null, batch: B) => void;

/** How the records of a source become those of a format. */
class RowPlan {
  readonly header: readonly string[];
  /** Columns whose names fit, and have a text that the mapping has no value for. */
  readonly unknownColumns: string[] = [];
  /** Of rates for another currency than the dollar. */
  readonly crossing: RateCrossing<UnpivotColumn | null> | null;
  private readonly texts: readonly TextField[];
  private readonly unpivotTexts: readonly TextField[];
  /** A record with the fields that are the same in all rows. */
  private readonly constants: readonly string[];
  private readonly parts: Readonly<Partial<Record<'date' | 'year' | 'month', SourceField>>>;
  private readonly readDate: MappedReader<ReadDate>;
  private readonly readYear: MappedReader<number>;
  private readonly readMonth: MappedReader<number>;
  private readonly columns: readonly UnpivotColumn[] | null;
  private readonly positions: ReadonlyMap<string, number>;
  private readonly filled = new Map<number, string>();
  private readonly filledColumns: readonly number[];
  private readonly skips: readonly ((record: readonly string[]) => boolean)[];
  private readonly end: ((record: readonly string[]) => boolean) | null;
  private readonly comments: ReadonlySet<number>;
  private readonly commentChar: string | undefined;
  /** The last word for a frequency, and what it means: words repeat. */
  private lastWord = '';
  private lastPeriod: string | null = '';
  /** Cells that a record has at least. */
  private readonly minimum: number;
  private readonly identity: readonly number[];
  /** Positions in the records that are handed on; -1 where no field has them. */
  private readonly dateAt: number;
  private readonly periodAt: number;
  private readonly valueAt: number;
  private readonly valueField: SourceField | null;
  /** Marks of cells without a value. */
  private readonly missing: ReadonlySet<string>;

  constructor(
    private readonly mapping: Mapping,
    private readonly source: readonly string[],
    private readonly names: SourceNames,
    private readonly target: MappedFields,
    private readonly months: MappedMonths,
  ) {
    const { fields, unpivot, dialect = {} } = mapping;
    const missing = markSet(mapping.missingValues ?? ['']);
    const marksOf = (field: MappingField | undefined) =>
      field?.missingValues === undefined ? missing : markSet(field.missingValues);
    this.missing = marksOf(fields[unpivot?.value ?? '']);
    const pattern = unpivot === undefined ? null : patternOf(unpivot.columns);
    const taken = new Set(unpivot === undefined ? [] : [...pattern!.fields, unpivot.value]);
    const all = new Map<string, MappingField>(Object.entries(fields));
    for (const name of taken) if (!all.has(name)) all.set(name, {});
    const isDated = all.has('date') || all.has('year');
    const named = [...all.keys()].filter((name) => !['date', 'year', 'month'].includes(name));
    this.header = isDated ? [...named, 'date'] : named;
    this.positions = new Map(this.header.map((name, position) => [name, position]));

    const used = new Set<number>();
    const sources = [...all].map(([name, field]): SourceField => {
      const marks = marksOf(field);
      if (taken.has(name)) return { name, origin: { kind: 'unpivot' }, label: name, missing: marks };
      return { name, missing: marks, ...this.originOf(name, field, names, used) };
    });
    const textFields = sources
      .filter(({ name }) => this.positions.has(name) && name !== 'date')
      .map((source): TextField => {
        const field = all.get(source.name)!;
        const content = target.content.get(source.name)!;
        const read = textReader(field, source.name, content);
        return {
          ...source,
          position: this.positions.get(source.name)!,
          repeatedAt: source.origin.kind === 'cell' && !source.origin.fillDown ? source.origin.index : -1,
          read,
          readNumber: content === 'number' ? storedNumberReader(field) : null,
          lastCell: undefined,
          lastText: '',
        };
      });
    const isTaken = ({ origin }: SourceField) => origin.kind === 'unpivot' || origin.kind === 'list';
    this.unpivotTexts = textFields.filter(isTaken);
    this.texts = textFields.filter((field) => !isTaken(field) && field.origin.kind !== 'text');
    const constants = new Array<string>(this.header.length).fill('');
    for (const { origin, position, read, label } of textFields) {
      if (origin.kind !== 'text' || origin.text === '') continue;
      const value = read(origin.text, label);
      if (isViolation(value)) throw new ImportRejected(value.detail);
      constants[position] = value;
    }
    this.constants = constants;
    const part = (name: string) => sources.find((one) => one.name === name);
    this.parts = { date: part('date')!, year: part('year')!, month: part('month')! };
    this.readDate = dateReader(all.get('date') ?? {}, 'date');
    this.readYear = yearReader(all.get('year') ?? {});
    this.readMonth = monthReader(all.get('month') ?? {});
    const except = new Set(unpivot?.except?.map(comparableText));
    this.columns = pattern === null ? null : this.columnsThatFit(pattern, used, except);
    this.filledColumns = sources.flatMap(({ origin }) =>
      origin.kind === 'cell' && origin.fillDown ? [origin.index] : [],
    );
    this.skips = (mapping.skip ?? []).map((condition) => this.conditionOf(condition));
    this.end = mapping.end === undefined ? null : this.conditionOf(mapping.end);
    this.comments = new Set(dialect.commentRows);
    this.commentChar = dialect.commentChar;
    this.minimum = Math.max(-1, ...used) + 1;
    const { value } = target;
    const positionOf = (name: string | null) => this.positions.get(name ?? '') ?? -1;
    this.dateAt = positionOf('date');
    this.periodAt = positionOf(target.period);
    this.valueAt = positionOf(value);
    this.valueField = this.texts.find(({ name }) => name === value) ?? null;
    this.identity = [...this.positions]
      .filter(([name]) => ![value, 'date', 'comment'].includes(name))
      .map(([, position]) => position);
    const { per, invert = false } = fields.rate ?? {};
    this.crossing =
      per === undefined
        ? null
        : new RateCrossing(
            per,
            { currency: positionOf('currency'), date: this.dateAt, rate: this.valueAt },
            invert,
            (column) => column?.header ?? this.labelOf('rate'),
          );
  }

  /** Of the record that is mapped, as `TableRecords.types`; null where nothing says it. */
  types: string | null = null;

  isEnd(record: readonly string[]): boolean {
    return this.end?.(record) === true;
  }

  /** Maps a record to those of the format. @param isLastCut whether it may lack a part */
  map<B extends Batch<unknown>>(
    record: string[],
    line: number,
    isLastCut: boolean,
    batch: B,
    hand: Hand<B>,
  ): void {
    if (this.isLeftOut(record, line)) return batch.skip('left_out');
    const first = firstText(record);
    if (first === undefined) return batch.skip('blank_line');
    if (first.startsWith('#') && isTagRow(record)) return batch.skip('hxl_tags');
    for (const isSkipped of this.skips) if (isSkipped(record)) return batch.skip('left_out');
    for (const index of this.filledColumns) {
      const cell = record[index]?.trim() ?? '';
      if (cell !== '') this.filled.set(index, cell);
    }
    const violation = this.lengthViolation(record, isLastCut);
    if (violation !== null) return batch.reject(line, violation);
    if (this.columns === null) {
      const { valueField } = this;
      if (valueField !== null && this.textOf(valueField, record, null) === '') return batch.skip('no_value');
    } else if (this.columns.every(({ index }) => this.isMissing(record[index])))
      return this.skipColumns(this.columns.length, batch);
    const base = this.constants.slice();
    const wrong = this.readTexts(this.texts, record, null, base);
    if (wrong !== null) return batch.reject(line, wrong);
    if (this.columns === null) return this.finish(base, record, line, null, batch, hand);
    batch.read += this.columns.length - 1;
    for (const column of this.columns) {
      if (this.isMissing(record[column.index])) {
        batch.skip('no_value');
        continue;
      }
      const row = base.slice();
      const violation = this.readTexts(this.unpivotTexts, record, column, row);
      if (violation !== null) batch.reject(line, violation);
      else this.finish(row, record, line, column, batch, hand);
    }
  }

  /** A violation of a field of the format, by the column of the source. */
  inSource(violation: RowViolation, column: UnpivotColumn | null): RowViolation {
    const { field, detail } = violation;
    const label = column !== null && this.isUnpivot(field) ? column.header : this.labelOf(field);
    if (label === field) return violation;
    const rest = detail.startsWith(`${field} `) ? label + detail.slice(field.length) : detail;
    return { ...violation, field: label, detail: rest };
  }

  private skipColumns(count: number, batch: Batch<unknown>): void {
    batch.read += count - 1;
    batch.skip('no_value', count);
  }

  private finish<B extends Batch<unknown>>(
    row: string[],
    record: string[],
    line: number,
    column: UnpivotColumn | null,
    batch: B,
    hand: Hand<B>,
  ): void {
    const { target, months, periodAt, dateAt } = this;
    let period = target.defaultPeriod;
    if (periodAt >= 0 && row[periodAt] !== '') {
      const stored = this.periodOf(row[periodAt]!);
      if (stored === null) return batch.skip('longer_than_month');
      row[periodAt] = period = stored;
    }
    if (dateAt >= 0) {
      const date = this.dateOf(record, column);
      if (date !== null && isViolation(date)) {
        if (date.reason === 'longer_than_month') return batch.skip('longer_than_month');
        return batch.reject(line, date);
      }
      if (date !== null) {
        row[dateAt] = textOfDate(date, period);
        const value = Number(row[this.valueAt]);
        if (period !== 'monthly') months.addOther();
        else if (Number.isFinite(value)) {
          months.add(row, this.identity, date.month, value, line);
        }
      }
    }
    if (this.crossing === null) hand(row, line, column, batch);
    else {
      // It is counted where it is handed on.
      batch.read--;
      this.crossing.add(row, line, column);
    }
  }

  private periodOf(word: string): string | null {
    if (word !== this.lastWord) {
      this.lastPeriod = storedPeriod(word);
      this.lastWord = word;
    }
    return this.lastPeriod;
  }

  /** The date of a row; null where its cells are blank, which the format tells. */
  private dateOf(record: string[], column: UnpivotColumn | null): ReadDate | RowViolation | null {
    const { date, year, month } = this.parts;
    if (date !== undefined) {
      const text = this.textOf(date, record, column);
      return text === '' ? null : this.readDate(text, this.shownLabel(date, column));
    }
    if (year === undefined || month === undefined) return null;
    const yearText = this.textOf(year, record, column);
    const monthText = this.textOf(month, record, column);
    if (yearText === '' || monthText === '') return null;
    const yearLabel = this.shownLabel(year, column);
    const readYear = this.readYear(yearText, yearLabel);
    if (isViolation(readYear)) return readYear;
    const readMonth = this.readMonth(monthText, this.shownLabel(month, column));
    if (isViolation(readMonth)) return readMonth;
    return monthOfParts({ year: readYear, month: readMonth }, this.mapping.fields, yearLabel);
  }

  private readTexts(
    fields: readonly TextField[],
    record: string[],
    column: UnpivotColumn | null,
    row: string[],
  ): RowViolation | null {
    const areTyped = this.types !== null;
    for (const field of fields) {
      const isNumber = areTyped && this.isNumber(field, column);
      const cell = isNumber ? undefined : record[field.repeatedAt];
      if (cell !== undefined && cell === field.lastCell) {
        row[field.position] = field.lastText;
        continue;
      }
      const text = this.textOf(field, record, column);
      if (text === '' && field.origin.kind === 'list')
        return field.origin.list.without(field, column!.header);
      const read = isNumber ? field.readNumber! : field.read;
      const value = text === '' ? '' : read(text, this.shownLabel(field, column));
      if (typeof value !== 'string') return value;
      row[field.position] = value;
      field.lastCell = cell;
      field.lastText = value;
    }
    return null;
  }

  /** Whether a field of numbers is a cell that has one, and no text that looks like one. */
  private isNumber({ name, origin, readNumber }: TextField, column: UnpivotColumn | null): boolean {
    if (readNumber === null) return false;
    if (origin.kind === 'cell') return this.types![origin.index] === 'n';
    return (
      origin.kind === 'unpivot' && column!.texts[name] === undefined && this.types![column!.index] === 'n'
    );
  }

  /** The text of a field in a record; blank where it is missing. */
  private textOf(
    { name, origin, missing }: SourceField,
    record: string[],
    column: UnpivotColumn | null,
  ): string {
    let text = '';
    if (origin.kind === 'cell') {
      text = record[origin.index]?.trim() ?? '';
      if (text === '' && origin.fillDown) text = this.filled.get(origin.index) ?? '';
    } else if (origin.kind === 'text') return origin.text;
    else if (origin.kind === 'join') {
      const cells = origin.indexes.map((index) => record[index]?.trim() ?? '');
      return cells.filter((cell) => cell !== '' && !missing.has(cell)).join(origin.by);
    } else if (origin.kind === 'list') text = origin.list.textFor(record[origin.index] ?? '', column!.texts);
    else text = column!.texts[name] ?? record[column!.index]?.trim() ?? '';
    return text === '' || missing.has(text) ? '' : text;
  }

  private isMissing(cell: string | undefined): boolean {
    const text = cell?.trim() ?? '';
    return text === '' || this.missing.has(text);
  }

  /** Whether a row is a comment. */
  private isLeftOut(record: readonly string[], line: number): boolean {
    const { commentChar, comments } = this;
    return (
      (comments.size > 0 && comments.has(line)) ||
      (commentChar !== undefined && (record[0] ?? '').startsWith(commentChar))
    );
  }

  /** The violation of a record that lacks cells, or has more than the header. */
  private lengthViolation(record: readonly string[], isLastCut: boolean): RowViolation | null {
    const columns = this.source.length;
    if (columns === 0) return null;
    let { length } = record;
    while (length > columns && record[length - 1]!.trim() === '') length--;
    const isShort = length < (isLastCut ? columns : this.minimum);
    // Columns of a workbook need no name; a line of text has too many where a sign is not quoted.
    if ((length <= columns || this.types !== null) && !isShort) return null;
    const detail = `The line has ${length} ${length === 1 ? 'field' : 'fields'}, but the header has ${columns}.`;
    return { field: '', reason: 'columns', detail };
  }

  private conditionOf(condition: MappingCondition): (record: readonly string[]) => boolean {
    const index = this.indexOf(condition.column, 'a condition');
    const { equals, startsWith } = condition;
    const cell = (record: readonly string[]) => comparableText(record[index] ?? '');
    if (equals !== undefined) {
      const text = comparableText(equals);
      return (record) => cell(record) === text;
    }
    if (startsWith !== undefined) {
      const text = comparableText(startsWith);
      return (record) => cell(record).startsWith(text);
    }
    return (record) => cell(record) === '';
  }

  private originOf(
    name: string,
    field: MappingField,
    names: SourceNames,
    used: Set<number>,
  ): Pick<SourceField, 'origin' | 'label'> {
    const { column, join, file, sheet, value = '' } = field;
    const indexOf = (named: string | number) => {
      const index = this.indexOf(named, name);
      used.add(index);
      return index;
    };
    const labelOf = (index: number) => this.source[index] || `column ${index + 1}`;
    if (column !== undefined) {
      const index = indexOf(column);
      if (field.list !== undefined)
        return {
          origin: { kind: 'list', index, list: new ListedField(name, field.list) },
          label: labelOf(index),
        };
      return { origin: { kind: 'cell', index, fillDown: field.fillDown === true }, label: labelOf(index) };
    }
    if (join !== undefined) {
      const indexes = join.map(indexOf);
      return {
        origin: { kind: 'join', indexes, by: field.joinWith ?? ' ' },
        label: indexes.map(labelOf).join(', '),
      };
    }
    if (file !== undefined)
      return { origin: { kind: 'text', text: taken(name, file, names.file, 'file') }, label: name };
    if (sheet !== undefined)
      return { origin: { kind: 'text', text: taken(name, sheet, names.sheet, 'sheet') }, label: name };
    return { origin: { kind: 'text', text: value }, label: name };
  }

  /** @throws WrongFormat for a column that the header does not have, or has more than once */
  private indexOf(named: string | number, use: string): number {
    const { source, mapping } = this;
    if (typeof named === 'number') {
      if (source.length > 0 && named > source.length)
        throw new WrongFormat(
          `The mapping ${mapping.name} reads ${use} from column ${named}, but the header has ${source.length} columns.`,
        );
      return named - 1;
    }
    const name = comparableText(named);
    const index = source.indexOf(name);
    if (index >= 0 && source.indexOf(name, index + 1) < 0) return index;
    if (index >= 0)
      throw new WrongFormat(
        `The mapping ${mapping.name} reads ${use} from the column ${quoteValue(name)}, which the header has more than ` +
          'once: name it by its number.',
      );
    const near = closestMatches(name, [...new Set(source)], MAX_NEAR).map(quoteValue);
    const hint = near.length === 0 ? '' : ` Is ${near.join(' or ')} meant?`;
    const of = this.names.file === '' ? '' : ` of ${quoteValue(this.names.file)}`;
    throw new WrongFormat(
      `The mapping ${mapping.name} reads ${use} from the column ${quoteValue(name)}, which the header${of} does not have: ` +
        `it has ${shownHeader(source)}.${hint}`,
    );
  }

  /** The columns whose names fit, and whose dates are dates. */
  private columnsThatFit(
    pattern: Pattern,
    used: ReadonlySet<number>,
    except: ReadonlySet<string>,
  ): UnpivotColumn[] {
    const columns = this.source.flatMap((header, index): UnpivotColumn[] => {
      if (used.has(index) || header === '' || except.has(header)) return [];
      const texts = pattern.match(header);
      if (texts === null || !this.areDates(texts, header)) return [];
      const isKnown = this.unpivotTexts.every(
        ({ name, read }) => texts[name] === undefined || !isViolation(read(texts[name], header)),
      );
      if (!isKnown) this.unknownColumns.push(header);
      return isKnown ? [{ index, header, texts }] : [];
    });
    if (columns.length > 0) return columns;
    throw new WrongFormat(
      `The mapping ${this.mapping.name} reads columns like ${quoteValue(this.mapping.unpivot!.columns)}, of which the ` +
        `header has none: it has ${shownHeader(this.source)}.`,
    );
  }

  private areDates({ date, year, month }: Readonly<Record<string, string>>, label: string): boolean {
    return (
      (date === undefined || !isViolation(this.readDate(date, label))) &&
      (year === undefined || !isViolation(this.readYear(year, label))) &&
      (month === undefined || !isViolation(this.readMonth(month, label)))
    );
  }

  private isUnpivot(name: string): boolean {
    return [...this.unpivotTexts, ...Object.values(this.parts)].some(
      (field) => field?.name === name && field.origin.kind === 'unpivot',
    );
  }

  private labelOf(name: string): string {
    const field = [...this.texts, ...Object.values(this.parts)].find((one) => one?.name === name);
    return field?.label ?? this.parts.year?.label ?? name;
  }

  private shownLabel(field: SourceField, column: UnpivotColumn | null): string {
    return field.origin.kind === 'unpivot' && column !== null ? column.header : field.label;
  }
}

/** The first cell of a record that is not blank. */
function firstText(record: readonly string[]): string | undefined {
  for (const cell of record) if (cell !== '' && cell.trim() !== '') return cell;
  return undefined;
}

const markSet = (marks: readonly string[]): ReadonlySet<string> => new Set(marks.map((mark) => mark.trim()));

/** What a field takes from the name of the file or the sheet. @throws WrongFormat */
function taken(field: string, pattern: string, name: string, of: 'file' | 'sheet'): string {
  const text = patternOf(pattern).match(comparableText(name))?.[field];
  if (text !== undefined) return text;
  throw new WrongFormat(
    `The name of the ${of}, ${quoteValue(name)}, does not fit ${quoteValue(pattern)}, from which the mapping reads ${field}.`,
  );
}

const unknownNote = (columns: readonly string[]): string[] =>
  columns.length === 0
    ? []
    : [`Columns are not read, because the mapping has no value for their names: ${shownHeader(columns)}.`];

const shownHeader = (header: readonly string[]): string => {
  const names = header.filter((name) => name !== '').map(quoteValue);
  const more = names.length - MAX_NAMED;
  return names.slice(0, MAX_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
};

/**
 * Reads the header of a source.
 * @param headerRows numbers of its rows
 * @returns the header, and the rows below it
 * @throws ImportRejected for a source that ends before
 */
async function readHeader(
  batches: AsyncGenerator<TableRecords>,
  headerRows: readonly number[],
  join: string,
): Promise<{ header: string[]; rows: AsyncGenerator<TableRecords> }> {
  const last = headerRows.at(-1) ?? 0;
  const found = new Map<number, string[]>();
  // Cells with line breaks make a row of several lines, where rows are counted by these.
  let moreLines = 0;
  let rest: TableRecords | null = null;
  while (last > 0 && rest === null) {
    const next = await batches.next();
    if (next.done) break;
    const { records, lines, rejects, isCut, types } = next.value;
    for (const [index, record] of records.entries()) {
      const row = lines[index]! - moreLines;
      if (row > last) {
        rest = { records: records.slice(index), lines: lines.slice(index), rejects, isCut };
        if (types !== undefined) rest = { ...rest, types: types.slice(index) };
        break;
      }
      if (types === undefined) moreLines += record.join('').split('\n').length - 1;
      if (headerRows.includes(row)) found.set(row, record.map(comparableText));
    }
    if (rest === null && found.has(last)) rest = { records: [], lines: [], rejects, isCut };
  }
  if (last > 0 && !found.has(last))
    throw new WrongFormat(
      `The input has no row ${last}, in which the mapping has ${headerRows.length > 1 ? 'the end of ' : ''}its header.`,
    );
  const width = Math.max(0, ...[...found.values()].map(({ length }) => length));
  const rows = headerRows.map((row, index) => {
    const cells = found.get(row) ?? [];
    return index < headerRows.length - 1 ? filledRight(cells, width) : cells;
  });
  const header = Array.from({ length: width }, (_, column) => {
    const parts = rows.map((row) => row[column] ?? '').filter((part) => part !== '');
    return parts.filter((part, index) => part !== parts[index - 1]).join(join);
  });
  return { header: header.map(comparableText), rows: followedBy(rest, batches) };
}

/** Cells of which blank ones have the text to their left, as merged cells have. */
function filledRight(cells: readonly string[], width: number): string[] {
  let text = '';
  return Array.from({ length: width }, (_, column) => (text = (cells[column] ?? '') || text));
}

async function* followedBy(
  first: TableRecords | null,
  batches: AsyncGenerator<TableRecords>,
): AsyncGenerator<TableRecords> {
  if (first !== null && first.records.length + first.rejects.length > 0) yield first;
  yield* batches;
}
