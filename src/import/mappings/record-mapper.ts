import { closestMatches } from '../../lib/text/closest-match.js';
import { ImportRejected, type Batch, type RowViolation, WrongFormat } from '../formats/batch.js';
import { isTagRow } from '../formats/tag-row.js';
import { quoteValue } from '../formats/values.js';
import type { ReadDate } from './date-format.js';
import { ListedField } from './listed-field.js';
import type { MappedFields } from './mapped-columns.js';
import {
  comparableText,
  dateReader,
  isViolation,
  type MappedReader,
  monthOfParts,
  monthReader,
  storedNumberReader,
  storedPeriod,
  textOfDate,
  textReader,
  yearReader,
} from './mapped-fields.js';
import type { MappedMonths } from './mapped-months.js';
import type { Mapping, MappingCondition, MappingField } from './mapping.js';
import { type Pattern, patternOf } from './pattern.js';
import { RateCrossing } from './rate-crossing.js';

/** What a table is called where it comes from. */
export interface SourceNames {
  readonly file: string;
  /** Of a workbook. */
  readonly sheet: string;
}

/** Where the text of a field comes from. */
type Origin =
  /** The same in all records: stated, or a part of the name of the file or sheet. */
  | { readonly kind: 'constant'; readonly text: string }
  | { readonly kind: 'cell'; readonly index: number; readonly fillDown: boolean }
  | { readonly kind: 'join'; readonly indexes: readonly number[]; readonly separator: string }
  /** A cell that lists the values of all unpivoted columns. */
  | { readonly kind: 'list'; readonly index: number; readonly list: ListedField }
  /** An unpivoted column: its cell, or a part of its name. */
  | { readonly kind: 'unpivot' };

interface SourceField {
  readonly name: string;
  readonly origin: Origin;
  /** What it is called in the file. */
  readonly label: string;
  readonly missing: ReadonlySet<string>;
}

/** A field that is read as a text or a number, with its position in the mapped records. */
interface TextField extends SourceField {
  readonly position: number;
  readonly read: MappedReader<string>;
  /** Reads a cell that the file itself says is a number; null for a field of texts. */
  readonly readNumber: MappedReader<string> | null;
  /** Index of the cell if the text depends on that one alone, and can be kept; else -1. */
  readonly onlyCell: number;
  /** The cell that was read last and its text: the same one often follows. */
  lastCell: string | undefined;
  lastText: string;
}

/** A column each of whose cells becomes a row. */
export interface UnpivotedColumn {
  readonly index: number;
  readonly header: string;
  /** The fields in its name. */
  readonly texts: Readonly<Record<string, string>>;
}

/** A record of the source that is mapped. */
interface SourceRecord {
  readonly cells: readonly string[];
  readonly line: number;
  /** Types of its cells as in `TableRecords.types`; null where the file does not state them. */
  readonly types: string | null;
  /** Whether cells may be missing at its end, because the file ends within it. */
  readonly isCut: boolean;
}

/** Columns that a message lists. */
const MAX_LISTED = 12;
/** Columns that a message suggests in place of one that does not exist. */
const MAX_SUGGESTED = 3;

/** Passes a mapped record to the reader of the format. */
type Emit<B> = (record: string[], line: number, column: UnpivotedColumn | null, batch: B) => void;

/** Maps the records of a source to those of a format, one after the other. */
export class RecordMapper {
  readonly header: readonly string[];
  /** Columns that would be unpivoted if the mapping had a value for a text in their names. */
  readonly unknownColumns: readonly string[];
  /** Null unless the rates are for another currency than the dollar. */
  readonly crossing: RateCrossing<UnpivotedColumn | null> | null;
  private readonly texts: readonly TextField[];
  private readonly unpivotTexts: readonly TextField[];
  /** A record with the fields that are the same in all rows. */
  private readonly constants: readonly string[];
  /** The fields that a date is made of, those that the mapping has. */
  private readonly dateFields: Readonly<Record<'date' | 'year' | 'month', SourceField | undefined>>;
  private readonly readDate: MappedReader<ReadDate>;
  private readonly readYear: MappedReader<number>;
  private readonly readMonth: MappedReader<number>;
  /** Null for a table that is not unpivoted. */
  private readonly columns: readonly UnpivotedColumn[] | null;
  private readonly positions: ReadonlyMap<string, number>;
  /** The last text of each column that is filled down. */
  private readonly filled = new Map<number, string>();
  private readonly filledColumns: readonly number[];
  private readonly skips: readonly ((record: readonly string[]) => boolean)[];
  private readonly end: ((record: readonly string[]) => boolean) | null;
  private readonly comments: ReadonlySet<number>;
  private readonly commentChar: string | undefined;
  /** The word for a frequency that was read last, and its frequency: the same often follows. */
  private lastPeriodWord = '';
  private lastPeriod: string | null = '';
  /** Cells that a record must have: up to the last column that a field names. */
  private readonly minimumCells: number;
  /** Positions in the mapped records of the fields that tell series apart. */
  private readonly seriesPositions: readonly number[];
  /** Positions in the mapped records; -1 where no field has them. */
  private readonly dateAt: number;
  private readonly periodAt: number;
  private readonly valueAt: number;
  private readonly valueField: SourceField | null;
  /** Texts of cells that have no value. */
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
    const unpivoted = new Set(unpivot === undefined ? [] : [...pattern!.fields, unpivot.value]);
    const allFields = new Map<string, MappingField>(Object.entries(fields));
    for (const name of unpivoted) if (!allFields.has(name)) allFields.set(name, {});
    const isDated = allFields.has('date') || allFields.has('year');
    const named = [...allFields.keys()].filter((name) => !['date', 'year', 'month'].includes(name));
    this.header = isDated ? [...named, 'date'] : named;
    this.positions = new Map(this.header.map((name, position) => [name, position]));

    // The columns that fields name: the records must have them, and they are not unpivoted.
    const used = new Set<number>();
    const sources = [...allFields].map(([name, field]): SourceField => {
      const marks = marksOf(field);
      if (unpivoted.has(name)) return { name, origin: { kind: 'unpivot' }, label: name, missing: marks };
      return { name, missing: marks, ...this.originOf(name, field, names, used) };
    });
    const textFields = sources
      .filter(({ name }) => this.positions.has(name) && name !== 'date')
      .map((source) => this.textFieldOf(source, allFields.get(source.name)!));
    const differsByColumn = ({ origin }: SourceField) => origin.kind === 'unpivot' || origin.kind === 'list';
    this.unpivotTexts = textFields.filter(differsByColumn);
    this.texts = textFields.filter((field) => !differsByColumn(field) && field.origin.kind !== 'constant');
    this.constants = this.constantsOf(textFields);
    const sourceOf = (name: string) => sources.find((source) => source.name === name);
    this.dateFields = { date: sourceOf('date'), year: sourceOf('year'), month: sourceOf('month') };
    this.readDate = dateReader(allFields.get('date') ?? {}, 'date');
    this.readYear = yearReader(allFields.get('year') ?? {});
    this.readMonth = monthReader(allFields.get('month') ?? {});
    const except = new Set(unpivot?.except?.map(comparableText));
    const matching = pattern === null ? null : this.matchingColumns(pattern, used, except);
    this.columns = matching?.known ?? null;
    this.unknownColumns = matching?.unknown ?? [];
    this.filledColumns = sources.flatMap(({ origin }) =>
      origin.kind === 'cell' && origin.fillDown ? [origin.index] : [],
    );
    this.skips = (mapping.skip ?? []).map((condition) => this.conditionOf(condition));
    this.end = mapping.end === undefined ? null : this.conditionOf(mapping.end);
    this.comments = new Set(dialect.commentRows);
    this.commentChar = dialect.commentChar;
    this.minimumCells = Math.max(-1, ...used) + 1;
    const { value } = target;
    const positionOf = (name: string | null) => this.positions.get(name ?? '') ?? -1;
    this.dateAt = positionOf('date');
    this.periodAt = positionOf(target.period);
    this.valueAt = positionOf(value);
    this.valueField = this.texts.find(({ name }) => name === value) ?? null;
    this.seriesPositions = [...this.positions]
      .filter(([name]) => ![value, 'date', 'comment'].includes(name))
      .map(([, position]) => position);
    this.crossing = this.crossingOf(fields.rate, positionOf('currency'));
  }

  private textFieldOf(source: SourceField, field: MappingField): TextField {
    const { name, origin } = source;
    const content = this.target.content.get(name)!;
    return {
      ...source,
      position: this.positions.get(name)!,
      read: textReader(field, name, content),
      readNumber: content === 'number' ? storedNumberReader(field) : null,
      onlyCell: origin.kind === 'cell' && !origin.fillDown ? origin.index : -1,
      lastCell: undefined,
      lastText: '',
    };
  }

  /** A mapped record that has the constants alone. @throws ImportRejected for an invalid one */
  private constantsOf(textFields: readonly TextField[]): string[] {
    const record = new Array<string>(this.header.length).fill('');
    for (const { origin, position, read, label } of textFields) {
      if (origin.kind !== 'constant' || origin.text === '') continue;
      const text = read(origin.text, label);
      if (isViolation(text)) throw new ImportRejected(text.detail);
      record[position] = text;
    }
    return record;
  }

  private crossingOf(
    rate: MappingField | undefined,
    currencyAt: number,
  ): RateCrossing<UnpivotedColumn | null> | null {
    const { per, invert = false } = rate ?? {};
    if (per === undefined) return null;
    const positions = { currency: currencyAt, date: this.dateAt, rate: this.valueAt };
    return new RateCrossing(per, positions, invert, (column) => column?.header ?? this.labelOf('rate'));
  }

  isEnd(cells: readonly string[]): boolean {
    return this.end?.(cells) === true;
  }

  /** Maps a record to those of the format: one, or one for each unpivoted column. */
  map<B extends Batch<unknown>>(record: SourceRecord, batch: B, emit: Emit<B>): void {
    const { cells, line } = record;
    if (this.isComment(cells, line)) return batch.skip('left_out');
    const first = firstText(cells);
    if (first === undefined) return batch.skip('blank_line');
    if (first.startsWith('#') && isTagRow(cells)) return batch.skip('hxl_tags');
    if (this.skips.some((isSkipped) => isSkipped(cells))) return batch.skip('left_out');
    for (const index of this.filledColumns) {
      const cell = cells[index]?.trim() ?? '';
      if (cell !== '') this.filled.set(index, cell);
    }
    const wrongLength = this.lengthViolation(record);
    if (wrongLength !== null) return batch.reject(line, wrongLength);
    // Without a value, whatever else is in the cells is no reason to reject the record.
    if (this.columns === null) {
      const { valueField } = this;
      if (valueField !== null && this.textOf(valueField, cells, null) === '') return batch.skip('no_value');
    } else if (this.columns.every(({ index }) => this.isMissing(cells, index)))
      return this.skipColumns(this.columns.length, batch);
    const base = this.constants.slice();
    const violation = this.readTexts(this.texts, record, null, base);
    if (violation !== null) return batch.reject(line, violation);
    if (this.columns === null) return this.finish(base, record, null, batch, emit);
    batch.read += this.columns.length - 1;
    for (const column of this.columns) {
      if (this.isMissing(cells, column.index)) {
        batch.skip('no_value');
        continue;
      }
      const row = base.slice();
      const violation = this.readTexts(this.unpivotTexts, record, column, row);
      if (violation !== null) batch.reject(line, violation);
      else this.finish(row, record, column, batch, emit);
    }
  }

  /** A violation of a field of the format, with the name of the column that it comes from. */
  inSourceTerms(violation: RowViolation, column: UnpivotedColumn | null): RowViolation {
    const { field, detail } = violation;
    const label = column !== null && this.isUnpivoted(field) ? column.header : this.labelOf(field);
    if (label === field) return violation;
    const rest = detail.startsWith(`${field} `) ? label + detail.slice(field.length) : detail;
    return { ...violation, field: label, detail: rest };
  }

  private skipColumns(count: number, batch: Batch<unknown>): void {
    batch.read += count - 1;
    batch.skip('no_value', count);
  }

  /** Completes a row with its frequency and date, and emits it or holds it for the crossing. */
  private finish<B extends Batch<unknown>>(
    row: string[],
    record: SourceRecord,
    column: UnpivotedColumn | null,
    batch: B,
    emit: Emit<B>,
  ): void {
    const period = this.setPeriod(row);
    if (period === null) return batch.skip('longer_than_month');
    const violation = this.setDate(row, period, record, column);
    if (violation?.reason === 'longer_than_month') return batch.skip('longer_than_month');
    if (violation !== null) return batch.reject(record.line, violation);
    if (this.crossing === null) emit(row, record.line, column, batch);
    else {
      // It is counted with the batch in which it is emitted.
      batch.read--;
      this.crossing.add(row, record.line, column);
    }
  }

  /** @returns the frequency of a row; null for one that is longer than a month */
  private setPeriod(row: string[]): string | null {
    const word = this.periodAt < 0 ? '' : row[this.periodAt]!;
    if (word === '') return this.target.defaultPeriod;
    const period = this.periodOf(word);
    if (period !== null) row[this.periodAt] = period;
    return period;
  }

  private setDate(
    row: string[],
    period: string,
    { cells, line }: SourceRecord,
    column: UnpivotedColumn | null,
  ): RowViolation | null {
    if (this.dateAt < 0) return null;
    const date = this.dateOf(cells, column);
    if (date === null || isViolation(date)) return date;
    row[this.dateAt] = textOfDate(date, period);
    if (period !== 'monthly') this.months.addOther();
    else {
      const value = Number(row[this.valueAt]);
      if (Number.isFinite(value)) this.months.add(row, this.seriesPositions, date.month, value, line);
    }
    return null;
  }

  private periodOf(word: string): string | null {
    if (word !== this.lastPeriodWord) {
      this.lastPeriod = storedPeriod(word);
      this.lastPeriodWord = word;
    }
    return this.lastPeriod;
  }

  /** The date of a row; null where its cells are blank, which the reader of the format reports. */
  private dateOf(cells: readonly string[], column: UnpivotedColumn | null): ReadDate | RowViolation | null {
    const { date, year, month } = this.dateFields;
    if (date !== undefined) {
      const text = this.textOf(date, cells, column);
      return text === '' ? null : this.readDate(text, this.labelIn(date, column));
    }
    if (year === undefined || month === undefined) return null;
    const yearText = this.textOf(year, cells, column);
    const monthText = this.textOf(month, cells, column);
    if (yearText === '' || monthText === '') return null;
    const yearLabel = this.labelIn(year, column);
    const readYear = this.readYear(yearText, yearLabel);
    if (isViolation(readYear)) return readYear;
    const readMonth = this.readMonth(monthText, this.labelIn(month, column));
    if (isViolation(readMonth)) return readMonth;
    return monthOfParts({ year: readYear, month: readMonth }, this.mapping.fields, yearLabel);
  }

  private readTexts(
    fields: readonly TextField[],
    { cells, types }: SourceRecord,
    column: UnpivotedColumn | null,
    row: string[],
  ): RowViolation | null {
    for (const field of fields) {
      const isNumber = types !== null && isNumberCell(field, column, types);
      const cell = isNumber ? undefined : cells[field.onlyCell];
      if (cell !== undefined && cell === field.lastCell) {
        row[field.position] = field.lastText;
        continue;
      }
      const text = this.textOf(field, cells, column);
      if (text === '' && field.origin.kind === 'list')
        return field.origin.list.missingItem(field, column!.header);
      const read = isNumber ? field.readNumber! : field.read;
      const value = text === '' ? '' : read(text, this.labelIn(field, column));
      if (typeof value !== 'string') return value;
      row[field.position] = value;
      field.lastCell = cell;
      field.lastText = value;
    }
    return null;
  }

  /** The text of a field in a record; blank where it is missing. */
  private textOf(
    { name, origin, missing }: SourceField,
    cells: readonly string[],
    column: UnpivotedColumn | null,
  ): string {
    switch (origin.kind) {
      case 'constant':
        return origin.text;
      case 'join':
        return origin.indexes
          .map((index) => present(trimmedCell(cells, index), missing))
          .filter((text) => text !== '')
          .join(origin.separator);
      case 'cell': {
        const text = trimmedCell(cells, origin.index);
        const filled = text === '' && origin.fillDown ? this.filled.get(origin.index) : undefined;
        return present(filled ?? text, missing);
      }
      case 'list':
        return present(origin.list.textFor(cells[origin.index] ?? '', column!.texts), missing);
      case 'unpivot':
        return present(column!.texts[name] ?? trimmedCell(cells, column!.index), missing);
    }
  }

  private isMissing(cells: readonly string[], index: number): boolean {
    return present(trimmedCell(cells, index), this.missing) === '';
  }

  private isComment(cells: readonly string[], line: number): boolean {
    const { commentChar, comments } = this;
    return (
      (comments.size > 0 && comments.has(line)) ||
      (commentChar !== undefined && (cells[0] ?? '').startsWith(commentChar))
    );
  }

  /** The violation of a record that lacks cells, or has more than the header. */
  private lengthViolation({ cells, types, isCut }: SourceRecord): RowViolation | null {
    const columns = this.source.length;
    if (columns === 0) return null;
    let { length } = cells;
    while (length > columns && cells[length - 1]!.trim() === '') length--;
    const isShort = length < (isCut ? columns : this.minimumCells);
    // A workbook may have columns without a name. A line of text that is too long has a delimiter
    // within a cell, so that its cells are in wrong columns.
    if ((length <= columns || types !== null) && !isShort) return null;
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
        origin: { kind: 'join', indexes, separator: field.joinWith ?? ' ' },
        label: indexes.map(labelOf).join(', '),
      };
    }
    if (file !== undefined)
      return {
        origin: { kind: 'constant', text: textFromName(name, file, names.file, 'file') },
        label: name,
      };
    if (sheet !== undefined)
      return {
        origin: { kind: 'constant', text: textFromName(name, sheet, names.sheet, 'sheet') },
        label: name,
      };
    return { origin: { kind: 'constant', text: value }, label: name };
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
    const near = closestMatches(name, [...new Set(source)], MAX_SUGGESTED).map(quoteValue);
    const hint = near.length === 0 ? '' : ` Is ${near.join(' or ')} meant?`;
    const of = this.names.file === '' ? '' : ` of ${quoteValue(this.names.file)}`;
    throw new WrongFormat(
      `The mapping ${mapping.name} reads ${use} from the column ${quoteValue(name)}, which the header${of} does not have: ` +
        `it has ${listOfNames(source)}.${hint}`,
    );
  }

  /**
   * The columns to unpivot: their names match the pattern, with dates that can be read. Unknown are
   * those with a text in the name that the mapping has no value for.
   */
  private matchingColumns(
    pattern: Pattern,
    used: ReadonlySet<number>,
    except: ReadonlySet<string>,
  ): { known: UnpivotedColumn[]; unknown: string[] } {
    const known: UnpivotedColumn[] = [];
    const unknown: string[] = [];
    for (const [index, header] of this.source.entries()) {
      if (used.has(index) || header === '' || except.has(header)) continue;
      const texts = pattern.match(header);
      if (texts === null || !this.hasReadableDate(texts, header)) continue;
      const hasValues = this.unpivotTexts.every(
        ({ name, read }) => texts[name] === undefined || !isViolation(read(texts[name], header)),
      );
      if (hasValues) known.push({ index, header, texts });
      else unknown.push(header);
    }
    if (known.length > 0) return { known, unknown };
    throw new WrongFormat(
      `The mapping ${this.mapping.name} reads columns like ${quoteValue(this.mapping.unpivot!.columns)}, of which the ` +
        `header has none: it has ${listOfNames(this.source)}.`,
    );
  }

  private hasReadableDate({ date, year, month }: Readonly<Record<string, string>>, label: string): boolean {
    return (
      (date === undefined || !isViolation(this.readDate(date, label))) &&
      (year === undefined || !isViolation(this.readYear(year, label))) &&
      (month === undefined || !isViolation(this.readMonth(month, label)))
    );
  }

  private isUnpivoted(name: string): boolean {
    return [...this.unpivotTexts, ...Object.values(this.dateFields)].some(
      (field) => field?.name === name && field.origin.kind === 'unpivot',
    );
  }

  private labelOf(name: string): string {
    const field = [...this.texts, ...Object.values(this.dateFields)].find((one) => one?.name === name);
    return field?.label ?? this.dateFields.year?.label ?? name;
  }

  /** What the source calls a field: for an unpivoted one, the header of its column. */
  private labelIn(field: SourceField, column: UnpivotedColumn | null): string {
    return field.origin.kind === 'unpivot' && column !== null ? column.header : field.label;
  }
}

const trimmedCell = (cells: readonly string[], index: number): string => cells[index]?.trim() ?? '';

/** A text, or '' if it is a mark of a missing value. */
const present = (text: string, missing: ReadonlySet<string>): string => (missing.has(text) ? '' : text);

/** Whether a field of numbers is read from a cell that the file says is a number. */
function isNumberCell(
  { name, origin, readNumber }: TextField,
  column: UnpivotedColumn | null,
  types: string,
): boolean {
  if (readNumber === null) return false;
  if (origin.kind === 'cell') return types[origin.index] === 'n';
  const isInName = column?.texts[name] !== undefined;
  return origin.kind === 'unpivot' && !isInName && types[column!.index] === 'n';
}

/** The first cell of a record that is not blank. */
function firstText(record: readonly string[]): string | undefined {
  for (const cell of record) if (cell !== '' && cell.trim() !== '') return cell;
  return undefined;
}

const markSet = (marks: readonly string[]): ReadonlySet<string> => new Set(marks.map((mark) => mark.trim()));

/** What a field takes from the name of the file or the sheet. @throws WrongFormat */
function textFromName(field: string, pattern: string, name: string, of: 'file' | 'sheet'): string {
  const text = patternOf(pattern).match(comparableText(name))?.[field];
  if (text !== undefined) return text;
  throw new WrongFormat(
    `The name of the ${of}, ${quoteValue(name)}, does not fit ${quoteValue(pattern)}, from which the mapping reads ${field}.`,
  );
}

/** Names for a message, quoted; the number of the rest if there are many. */
export const listOfNames = (header: readonly string[]): string => {
  const names = header.filter((name) => name !== '').map(quoteValue);
  const more = names.length - MAX_LISTED;
  return names.slice(0, MAX_LISTED).join(', ') + (more > 0 ? ` and ${more} more` : '');
};
