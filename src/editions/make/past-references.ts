import type { Database } from '../../database/database.js';
import { PAST_RECORDS_PER_STATEMENT, readPastRecords } from '../../reference/base/past-records.js';
import {
  SERIES_REFERENCE_TABLES,
  type SeriesReferences,
  type SeriesReferenceTable,
} from '../../price-series/catalogue/reference-dictionaries.js';

/** The values that records of series had at a revision, where they have others now. */
export class PastReferences {
  private constructor(private readonly past: ReadonlyMap<string, Readonly<Record<string, unknown>>>) {}

  static async read(database: Database, revision: number): Promise<PastReferences> {
    const past = new Map<string, Readonly<Record<string, unknown>>>();
    for (const table of SERIES_REFERENCE_TABLES) {
      for (let after = 0; ;) {
        const records = await readPastRecords(database.anyServer, table, revision, after);
        for (const { id, attributes } of records) past.set(`${table} ${id}`, attributes);
        if (records.length < PAST_RECORDS_PER_STATEMENT) break;
        after = records.at(-1)!.id;
      }
    }
    return new PastReferences(past);
  }

  /** The record as it was. */
  of<T extends SeriesReferenceTable>(table: T, record: SeriesReferences[T]): SeriesReferences[T] {
    const attributes = this.past.get(`${table} ${record.id}`);
    return attributes === undefined ? record : { ...record, ...attributes };
  }
}
