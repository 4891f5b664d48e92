import { ValidationError } from '../errors/api-error.js';
import { type Chunks, flatMap } from '../formats/chunks.js';
import type { CellValue, Column, Listing, Table } from '../formats/listing.js';

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * A list with the fields that a request has chosen, in the order of the record: members of the
 * record in JSON, columns in tables. A column that is part of a member stands for it in JSON, a
 * member for its columns in tables.
 */
export class ChosenFields implements Listing {
  readonly page: Listing['page'];
  readonly size: number | null;
  readonly etag?: string;
  readonly revision?: number;
  private readonly members: ReadonlySet<string>;

  /** @param fields names of members and columns */
  constructor(
    private readonly listing: Listing,
    private readonly fields: readonly string[],
  ) {
    const { page, size, etag, revision } = listing;
    this.page = page;
    this.size = size;
    this.etag = etag;
    this.revision = revision;
    this.members = new Set([
      ...fields,
      ...this.chosen(listing.table().columns).map(({ name, member = name }) => member),
    ]);
  }

  items(layout: 'array' | 'lines'): Chunks {
    if (layout === 'array' && this.page === 'single') return this.single();
    let rest = '';
    let first = true;
    return flatMap(this.listing.items('lines'), (chunk) => {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop()!;
      const items = lines.map((line) => JSON.stringify(this.pick(JSON.parse(line) as JsonObject)));
      if (items.length === 0) return [];
      if (layout === 'lines') return [`${items.join('\n')}\n`];
      const separator = first ? '' : ',';
      first = false;
      return [separator + items.join(',')];
    });
  }

  table(): Table {
    const table = this.listing.table();
    const columns = this.chosen(table.columns);
    if (columns.length === 0) throw noColumns(this.fields);
    const indices = columns.map((column) => table.columns.indexOf(column));
    const names = new Set(columns.map(({ name }) => name));
    return {
      columns,
      noted: table.noted?.filter((name) => names.has(name)),
      batches: () =>
        flatMap(table.batches(), (rows) => [
          rows.map((row) => indices.map((index): CellValue => row[index]!)),
        ]),
    };
  }

  close(): void {
    this.listing.close?.();
  }

  /** The one item of a resource, whose rows have the fields. */
  private *single(): Generator<string> {
    const text = [...(this.listing.items('array') as Iterable<string | Buffer>)].map(String).join('');
    const { rowsMember } = this.listing;
    const item = JSON.parse(text) as JsonObject;
    if (rowsMember === undefined) yield JSON.stringify(this.pick(item));
    else {
      const rows = (item[rowsMember] as JsonObject[]).map((row) => this.pick(row));
      yield JSON.stringify({ ...item, [rowsMember]: rows });
    }
  }

  private chosen(columns: readonly Column[]): Column[] {
    return columns.filter(({ name, member }) => this.fields.includes(name) || this.fields.includes(member!));
  }

  private pick(record: JsonObject): JsonObject {
    return Object.fromEntries(Object.entries(record).filter(([name]) => this.members.has(name)));
  }
}

const noColumns = (fields: readonly string[]) =>
  new ValidationError([
    {
      in: 'query',
      name: 'fields',
      code: 'contradiction',
      detail: `The table of this request has no column ${fields.join(' and no column ')}.`,
    },
  ]);
