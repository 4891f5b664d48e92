import type { FormatRequest } from '../list-format.js';
import type { CellValue, Table } from '../listing.js';

/** A line of the sheet of notes: what it is about, and its values. */
export type Note = readonly [label: string, ...values: string[]];

/** The values that the rows have in the columns that a table wants noted, each combination once. */
export class NotedValues {
  private readonly indices: readonly number[];
  private readonly combinations = new Map<string, string[]>();

  constructor({ columns, noted = [] }: Table) {
    this.indices = noted.map((name) => columns.findIndex((column) => column.name === name));
    if (noted.length > 0) this.label = noted.join(', ');
  }

  /** The names of the columns. */
  readonly label: string = '';

  add(row: readonly CellValue[]): void {
    if (this.indices.length === 0) return;
    const values = this.indices.map((index) => String(row[index] ?? ''));
    const key = values.join('\0');
    if (!this.combinations.has(key)) this.combinations.set(key, values);
  }

  get notes(): Note[] {
    return [...this.combinations.values()].map((values): Note => [this.label, ...values]);
  }
}

/** What the sheet of notes says: where the rows come from, and who has published them. */
export function notesOf({ address, revision, sources, notice }: FormatRequest, noted: NotedValues): Note[] {
  return [
    ['address', address],
    ['Data-Revision', revision ?? ''],
    ['sources and licences', sources],
    ...(notice === null ? [] : [['notice', notice] as const]),
    ...noted.notes,
  ];
}
