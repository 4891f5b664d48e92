import { isMissingValue } from '../../../lib/text/missing-values.js';
import { isFormatName, type Mapping } from '../mapping.js';
import type { Level } from './columns/levels.js';
import { foldWords } from './columns/words.js';
import { findDates } from './dates/date-patterns.js';
import type { Evidence, KnownNames, Proposal, ProposedColumn, Question } from './proposal.js';
import { quoted } from './sentences.js';
import { columnNames, headerParts, isNumber, languagesIn, type Layout } from './table/layout.js';
import type { SampleRow, TableSample } from './table/sample.js';

type MappingField = Mapping['fields'][string];
type MappingCondition = NonNullable<Mapping['end']>;

/** A column with its values. */
export interface ValuedColumn {
  readonly index: number;
  readonly ref: string | number;
  readonly header: string;
  /** Cells of the header, or parts of the only one. */
  parts: readonly string[];
  /** Of the rows of the table, in order; '' where blank or missing. */
  readonly cells: readonly string[];
  /** Those that are not blank. */
  readonly values: readonly string[];
  readonly distinct: readonly string[];
  readonly isNumeric: boolean;
  /** The field of the mapping that it has; null where it is not read. */
  role: string | null;
}

/** Thrown where no mapping can be proposed, with the reason as a sentence. */
export class NoProposal extends Error {}

/** A proposal as it is made, step by step: what is found, said and asked of a table. */
export class Draft {
  /** The table that is proposed, and its field of values. */
  readonly table: string = 'prices';
  readonly value: string = 'price_value';

  /** What a value is called in questions, and which ones can be stored. */
  readonly noun: string = 'price';
  readonly nouns: string = 'prices';
  readonly storable: string = 'daily, weekly and monthly prices';
  readonly fields: Record<string, { -readonly [K in keyof MappingField]: MappingField[K] }> = {};
  readonly evidence: Evidence[] = [];
  readonly questions: Question[] = [];
  readonly skip: MappingCondition[] = [];
  end: MappingCondition | undefined;
  unpivot: Mapping['unpivot'];
  join = ' ';

  /** The pattern of headers that are taken apart, as the names of one thing; null for others. */
  whole: string | null = null;
  columns: ValuedColumn[] = [];

  /** Columns whose cells become rows. */
  unpivoted: ValuedColumn[] = [];

  /** Those of a row of the header each. */
  levels: Level[] = [];
  rows: SampleRow[];
  readonly languages: string[];

  /** Whether signs of money around numbers are read over; otherwise such cells are rejected. */
  readsSigns = true;

  /** Texts above and below the table, and the names of file and sheet. */
  readonly context: string[];
  missing = new Set<string>();

  constructor(
    readonly sample: TableSample,
    readonly known: KnownNames,
    readonly layout: Layout,
    readonly encoding: string | undefined,
  ) {
    this.rows = [...layout.body];
    const texts = (rows: readonly SampleRow[]) =>
      rows.flatMap(({ cells }) => cells.map((cell) => cell.trim())).filter(Boolean);
    this.languages = languagesIn(texts([...layout.titles, ...layout.header]));
    this.context = [...texts(layout.titles), ...texts(layout.notes)];
  }

  say(control: string, text: string): void {
    this.evidence.push({ control, text });
  }

  ask(question: Omit<Question, 'because' | 'proposed'> & Partial<Question>): void {
    if (this.questions.some(({ control }) => control === question.control)) return;
    this.questions.push({ proposed: null, because: null, ...question });
  }

  confirm(name: string, text: string): void {
    this.ask({ control: `confirm.${name}`, text, answers: [{ value: 'yes', label: 'I have checked this' }] });
  }

  names = () => columnNames(this.layout.header, this.layout.width, this.join);

  /** How a mapping names columns: by their names, or by their numbers where these are not clear. */
  refs(names: readonly string[]): (string | number)[] {
    return names.map((name, index) =>
      name === '' || names.filter((other) => other === name).length > 1 ? index + 1 : name,
    );
  }

  readColumns(): void {
    const names = this.names();
    const refs = this.refs(names);
    const parts = headerParts(this.layout.header, this.layout.width);
    this.columns = names.map((header, index): ValuedColumn => {
      const cells = this.rows.map((row) => {
        const text = (row.cells[index] ?? '').trim();
        if (!isMissingValue(text) && !this.layout.marks.all.has(text)) return text;
        this.missing.add(text);
        return '';
      });
      const values = cells.filter((cell) => cell !== '');
      const numbers = values.filter(isNumber).length;
      return {
        index,
        ref: refs[index]!,
        header,
        parts: parts[index]!,
        cells,
        values,
        distinct: [...new Set(values)],
        isNumeric: values.length > 0 && numbers >= values.length * MIN_NUMERIC,
        role: null,
      };
    });
    this.leaveOutBeside();
  }

  /** Leaves out a table beside this one: behind a blank column the first header stands again. */
  private leaveOutBeside(): void {
    const { columns } = this;
    const isBlank = ({ header, values }: ValuedColumn) => header === '' && values.length === 0;
    const first = columns.find((column) => !isBlank(column))?.header ?? '';
    const gap = columns.findIndex(
      (column, at) =>
        at > 0 && isBlank(column) && columns.slice(at).find((one) => !isBlank(one))?.header === first,
    );
    if (first === '' || gap < 0) return;
    this.columns = columns.slice(0, gap);
    const beside = columns.slice(gap).find((column) => !isBlank(column))!;
    this.confirm(
      'beside',
      `Another table stands beside the first one, from column ${beside.index + 1} on. Only the first one is read.`,
    );
  }

  free = () => this.columns.filter(({ role, values }) => role === null && values.length > 0);

  of = (role: string): ValuedColumn | undefined => this.columns.find((column) => column.role === role);

  has = (field: string) => Object.hasOwn(this.fields, field) || this.inHeader(field);

  inHeader = (field: string) => this.unpivot?.columns.includes(`{${field}}`) ?? false;

  assign(column: ValuedColumn, field: string, why: string): void {
    column.role = field;
    this.fields[field] = { column: column.ref };
    this.say(`fields.${field}`, why);
  }

  release(column: ValuedColumn, field: string): void {
    column.role = null;
    delete this.fields[field];
    const at = this.evidence.findIndex(({ control }) => control === `fields.${field}`);
    if (at >= 0) this.evidence.splice(at, 1);
    const asked = this.questions.findIndex(({ control }) => control.startsWith(`fields.${field}.`));
    if (asked >= 0) this.questions.splice(asked, 1);
  }

  isAsked = (field: string) => this.questions.some(({ control }) => control === `fields.${field}`);

  /** Whether the texts of a column are dates. */
  hasDates = (column: ValuedColumn) => findDates(column.values, this.languages) !== null;

  /** The columns of prices, also those that are asked about. */
  priceColumns(): ValuedColumn[] {
    const taken = this.columns.filter(({ role }) => role === this.value);
    if (taken.length > 0) return taken;
    const asked = this.questions.find(({ control }) => control === `fields.${this.value}`)?.answers ?? [];
    return this.columns.filter(({ index }) => asked.some(({ value }) => value === `column:${index + 1}`));
  }

  hasValue(at: number): boolean {
    const prices = this.priceColumns();
    const columns = prices.length > 0 ? prices : this.columns.filter(({ isNumeric }) => isNumeric);
    return columns.some(({ cells }) => cells[at] !== '');
  }

  result(): Proposal {
    const { delimiter, sheetName, fileName } = this.sample;
    const { header, numbered } = this.layout;
    const numbers = header.map(({ number }) => number);
    const marks = [...this.missing].sort();
    if (marks.length > 0)
      this.say('missingValues', `Marks for missing values: ${marks.map(quoted).join(', ')}.`);
    if (delimiter !== null && delimiter !== ',')
      this.say(
        'dialect.delimiter',
        `Columns are separated by ${DELIMITER_WORDS[delimiter] ?? quoted(delimiter)}.`,
      );
    const usesMonth = this.has('month');
    if (!usesMonth) delete this.fields.year;
    const mapping: Mapping = {
      name: slugOf(fileName, this.table),
      table: this.table,
      ...(this.encoding === undefined ? {} : { encoding: this.encoding }),
      ...(marks.length > 0 ? { missingValues: ['', ...marks] } : {}),
      dialect: {
        ...(delimiter === null || delimiter === ',' ? {} : { delimiter }),
        ...(header.length === 0
          ? { header: false }
          : numbers.length === 1 && numbers[0] === 1
            ? {}
            : { headerRows: numbers }),
        ...(this.join === ' ' || header.length < 2 ? {} : { headerJoin: this.join }),
        ...(numbered.length === 0 ? {} : { commentRows: numbered.map(({ number }) => number) }),
        ...(sheetName === null ? {} : { sheetName }),
      },
      ...(this.skip.length === 0 ? {} : { skip: this.skip }),
      ...(this.end === undefined ? {} : { end: this.end }),
      ...(this.unpivot === undefined ? {} : { unpivot: this.unpivot }),
      fields: this.fields,
    };
    const columns = this.columns.map((column): ProposedColumn => ({
      ref: column.ref,
      header: column.header,
      examples: column.distinct.slice(0, 3),
      isUnpivoted: this.unpivoted.includes(column),
    }));
    return { mapping, evidence: this.evidence, questions: this.questions, columns };
  }
}

const MIN_NUMERIC = 0.6;

const DELIMITER_WORDS: Readonly<Record<string, string>> = {
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'vertical bars',
};

/** The name of a mapping for a file, which must not be that of a format. */
function slugOf(fileName: string, table: string): string {
  const words = foldWords(fileName.replace(/(?:\.\w{2,5})+$/, ''))
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 50)
    .replace(/^[^a-z]+/, '')
    .replace(/-+$/, '');
  return words === '' ? `${table}-file` : isFormatName(words) ? `${words}-file` : words;
}
