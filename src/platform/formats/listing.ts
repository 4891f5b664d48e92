import type { Chunks, Sequence } from './chunks.js';
import type { ListFormat } from './list-format.js';

/** A value in a table. Texts of dates are ISO 8601. */
export type CellValue = string | number | boolean | null;

/** What a column of a table holds, besides nulls. */
export type ColumnType = 'string' | 'integer' | 'number' | 'boolean' | 'date';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** The member of the record that it shows a part of, if that has another name. */
  readonly member?: string;
  /** It shows an object or a list as JSON or joined text: no list is sorted by it. */
  readonly nested?: true;
}

/** A list as rows of values: for CSV and other formats that know no nesting. */
export interface Table {
  readonly columns: readonly Column[];
  /** Rows in batches of a few hundred, each with a value for every column. */
  batches(): Sequence<readonly (readonly CellValue[])[]>;
  /** Columns whose values are listed beside the rows, by formats that can. */
  readonly noted?: readonly string[];
  /** The rows as CSV lines, for lists with a faster way than through their values. */
  csvLines?(): Chunks;
}

/** Which items of the whole list a reply has. */
export interface PageInfo {
  /** Items of the whole list. */
  readonly count: number;
  readonly page: number;
  readonly lastPage: number;
}

/** What surrounds the items in formats that have an envelope. */
export type Frame =
  | { readonly kind: 'page'; count: number; next: string | null; previous: string | null }
  | { readonly kind: 'array' }
  | { readonly kind: 'single' };

/**
 * What the handler of a list returns: its items, as JSON and as a table. The pagination interceptor
 * makes the reply, in the format that the request asks for.
 */
export interface Listing {
  /** A page of the list, all of it, or the one item of a resource that has the formats of lists. */
  readonly page: PageInfo | 'all' | 'single';
  /** Items of this reply, or of a single one its rows; null where that is not known. */
  readonly size: number | null;
  /** Entity tag, if it is not to be a digest of the body. */
  readonly etag?: string;
  /** The number of the revision of the data that it shows. */
  readonly revision?: number;
  /** Of a single item: its member with the rows of the table, which `fields` is about. */
  readonly rowsMember?: string;
  /** The items as JSON: with commas between them, or each with a line feed after it. */
  items(layout: 'array' | 'lines'): Chunks;
  table(): Table;
  /** Frees what the list holds; called once the reply has ended. */
  close?(): void;
}

/** Waits until a reply of so many rows or points may be made. */
export type ExpectItems = (items: number) => Promise<void>;

/** A list that is loaded only when its reply is written, because it is long or costly. */
export class DeferredListing {
  constructor(
    /**
     * Loads what the format encodes.
     * @param expectItems awaited before the work, with the number of rows or points it is about
     * @throws NotFound past the last page
     */
    readonly open: (format: ListFormat, expectItems: ExpectItems) => Promise<Listing>,
    /**
     * Checks what `open` rejects before it loads anything, for replies without a body.
     * @throws NotFound past the last page
     */
    readonly check: (expectItems: ExpectItems, format: ListFormat) => Promise<void>,
    /** The revision that it shows, where that is known before it is opened. */
    readonly revision?: number,
  ) {}

  /** One that rejects nothing before it is loaded, so that a check loads it, too. */
  static loadedBy(load: (expectItems: ExpectItems) => Promise<Listing>, revision?: number): DeferredListing {
    return new DeferredListing(
      (_, expectItems) => load(expectItems),
      async (expectItems) => void (await load(expectItems)),
      revision,
    );
  }
}
