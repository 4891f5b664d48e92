import { ImportRejected, type RejectedRow, WrongFormat } from '../formats/batch.js';
import { quoteValue } from '../formats/values.js';
import { columnName } from './header-row.js';
import { type JsonElement, jsonElements, NotJsonObjects } from './json-elements.js';
import { elementFault } from './json-fault.js';
import { TableFile, type TableRecords } from './table-file.js';

/** What an envelope may call its array of records. */
const LISTS = ['data', 'items', 'observations', 'records', 'results', 'value'];

/** Records by whose names the columns are known, and the length of their text. */
const MAX_HEADER_RECORDS = 200;
const MAX_HEADER_CHARACTERS = 1024 * 1024;

/** Whether a text begins as JSON of records does. */
export const isJson = (head: Uint8Array): boolean =>
  /^\ufeff?\s*[[{]/.test(Buffer.from(head.subarray(0, 1024)).toString());

type JsonRecord = Readonly<Record<string, string | number | boolean | object | null>>;

/**
 * Records in JSON: an array of objects, by itself or in an envelope, or one object after another.
 * The columns are the names that the first records have. Lines are the numbers of records.
 */
export class JsonFile extends TableFile {
  readonly delimiter = null;
  readonly header: readonly string[];
  override readonly notes: readonly string[] = [];
  private line = 0;
  /** The index of each column by its name in the records; null for one that is left out. */
  private readonly columns = new Map<string, number | null>();
  private lastTypes = '';

  private constructor(
    private readonly first: readonly JsonElement[],
    private readonly rest: AsyncIterable<JsonElement[]>,
  ) {
    super();
    const records = first.map(recordOf).filter((record) => record !== null);
    const [one] = first;
    if (one !== undefined && records.length === 0) throw notRecords(one);
    const header: string[] = [];
    const nested: string[] = [];
    for (const name of new Set(records.flatMap((record) => Object.keys(record)))) {
      const values = records.map((record) => record[name] ?? null).filter((value) => value !== null);
      const isNested = values.length > 0 && values.every((value) => typeof value === 'object');
      if (isNested) nested.push(name);
      this.columns.set(name, isNested ? null : header.push(columnName(name)) - 1);
    }
    this.header = header;
    if (nested.length > 0)
      this.notes = [`Lists and objects within records are not read: ${nested.join(', ')}.`];
  }

  /** Reads the first records. @throws ImportRejected for JSON that has none */
  static async open(chunks: AsyncIterable<Uint8Array>): Promise<JsonFile> {
    const batches = asTable(jsonElements(chunks, LISTS));
    const first: JsonElement[] = [];
    let length = 0;
    while (first.length < MAX_HEADER_RECORDS && length < MAX_HEADER_CHARACTERS) {
      const next = await batches.next();
      if (next.done) break;
      for (const element of next.value) {
        first.push(element);
        length += element.text.length;
      }
    }
    if (first.length === 0) throw new ImportRejected('The input is empty, or a list without elements.');
    return new JsonFile(first, batches);
  }

  async *batches(): AsyncGenerator<TableRecords> {
    yield this.recordsOf(this.first);
    for await (const elements of this.rest) yield this.recordsOf(elements);
  }

  private recordsOf(elements: readonly JsonElement[]): TableRecords {
    const records: string[][] = [];
    const lines: number[] = [];
    const types: string[] = [];
    const rejects: RejectedRow[] = [];
    for (const element of elements) {
      const line = ++this.line;
      const record = recordOf(element);
      const fields = record === null ? notRecord(element, line) : this.fieldsOf(record, line);
      if (!('texts' in fields)) rejects.push(fields);
      else {
        records.push(fields.texts);
        lines.push(line);
        types.push(fields.types);
      }
    }
    return { records, lines, types, rejects, isCut: false };
  }

  private fieldsOf(record: JsonRecord, line: number): { texts: string[]; types: string } | RejectedRow {
    const texts = this.header.map(() => '');
    const types = this.header.map(() => 't');
    for (const [name, value] of Object.entries(record)) {
      const index = this.columns.get(name);
      if (index === null || value === null) continue;
      if (index === undefined) return unknownName(line, name);
      if (typeof value === 'object') return nestedValue(line, this.header[index]!);
      texts[index] = String(value);
      if (typeof value === 'number') types[index] = 'n';
    }
    const joined = types.join('');
    // Nearly all records have the same.
    if (joined !== this.lastTypes) this.lastTypes = joined;
    return { texts, types: this.lastTypes };
  }
}

async function* asTable(batches: AsyncIterable<JsonElement[]>): AsyncGenerator<JsonElement[]> {
  try {
    yield* batches;
  } catch (error) {
    throw error instanceof NotJsonObjects
      ? new WrongFormat(`The JSON has no records: it must be an array of objects, or have one in ${listed}.`)
      : error;
  }
}

const listed = `${LISTS.slice(0, -1).join(', ')} or ${LISTS.at(-1)}`;

/** The record of an element; null where it is not JSON, or none. */
function recordOf({ text }: JsonElement): JsonRecord | null {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonRecord)
      : null;
  } catch {
    return null;
  }
}

function notRecord(element: JsonElement, line: number): RejectedRow {
  const isArray = element.text.startsWith('[');
  const detail = isArray
    ? 'The element is a list, not an object.'
    : `The element is not valid JSON: ${elementFault(element)}`;
  return { line, field: '', reason: 'invalid_json', detail };
}

const notRecords = (element: JsonElement): ImportRejected =>
  element.text.startsWith('[')
    ? new WrongFormat('The JSON has no records: it is a list of lists, not of objects.')
    : new ImportRejected(`The JSON is not valid: ${elementFault(element)}`);

const unknownName = (line: number, name: string): RejectedRow => ({
  line,
  field: name,
  reason: 'columns',
  detail: `The record has ${quoteValue(name)}, which none of the first records has.`,
});

const nestedValue = (line: number, field: string): RejectedRow => ({
  line,
  field,
  reason: 'nested',
  detail: `${field} must be one value, not a list or an object.`,
});
