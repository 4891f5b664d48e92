import { type Reads } from '../../database/reads.js';
import type { TimeSlice } from '../../lib/scheduling/time-slice.js';
import { PAST_RECORDS_PER_STATEMENT, readPastRecords } from '../../reference/base/past-records.js';
import { generalIndices } from '../../reference/cpi/stored-indices.js';
import { officialRates } from '../../reference/fx-rate/stored-rates.js';
import { NAMES_PLACEHOLDERS, nameBatches } from './name-batches.js';

/** A record of a rate or an index. `kind` is the period of a rate, the base period of an index. */
export type RateRow = [id: number, name: string, kind: string, date: string, value: number, source: string];

/** A table of rates or indices: its records as rows of the statement of its earlier states. */
export interface RateTable {
  readonly name: string;
  /** What is known of names since a revision or earlier, and has not been changed since. */
  readonly selectSince: string;
  /** The row of a record that is no longer so; null if it is of no use for prices. */
  readonly rowOf: (id: number, attributes: Readonly<Record<string, unknown>>) => RateRow | null;
}

/** The values of a `RateRow`, of each table. */
export const RATE_ROW = 'f.id, f.currency, f.period, f.date, f.rate, f.source';
export const INDEX_ROW = 'c.id, c.iso3_country_code, c.base_period, c.date, c.value, c.source';

export const RATE_TABLE: RateTable = {
  name: 'fx_rate',
  selectSince: `SELECT ${RATE_ROW} FROM ${officialRates('WHERE', NAMES_PLACEHOLDERS)} AND f.since <= ?`,
  rowOf: (id, { rate_type, currency, period, date, rate, source = '' }) =>
    rate_type === 'official' ? ([id, currency, period, date, rate, source] as RateRow) : null,
};
export const INDEX_TABLE: RateTable = {
  name: 'cpi',
  selectSince: `SELECT ${INDEX_ROW} FROM ${generalIndices('WHERE', NAMES_PLACEHOLDERS)} AND c.since <= ?`,
  rowOf: (id, { item, iso3_country_code, base_period, date, value, source = '' }) =>
    item === 'general' ? ([id, iso3_country_code, base_period, date, value, source] as RateRow) : null,
};

/** The rows of some currencies or countries at an earlier revision, by name. */
export async function readPastRates(
  reads: Reads,
  table: RateTable,
  names: readonly string[],
  revision: number,
  timeSlice: TimeSlice,
): Promise<Map<string, RateRow[]>> {
  // By id: what is changed between the statements is found twice.
  const rowsByName = new Map(names.map((name) => [name, new Map<number, RateRow>()]));
  if (names.length === 0) return new Map();
  for (const batch of nameBatches(names)) {
    for (const row of await reads.arrays<RateRow>(table.selectSince, [...batch, revision]))
      rowsByName.get(row[1])!.set(row[0], row);
    await timeSlice.yield();
  }
  for (let after = 0; ;) {
    const records = await readPastRecords(reads, table.name, revision, after);
    for (const { id, attributes } of records) {
      const row = table.rowOf(id, attributes);
      if (row !== null) rowsByName.get(row[1])?.set(id, row);
    }
    if (records.length < PAST_RECORDS_PER_STATEMENT) break;
    after = records.at(-1)!.id;
    await timeSlice.yield();
  }
  return new Map([...rowsByName].map(([name, rows]) => [name, [...rows.values()]]));
}
