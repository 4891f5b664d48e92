import type { Reads } from '../database/reads.js';
import { batchesOf } from '../lib/collections/batches.js';
import { placeholders } from '../database/sql.js';
import { selectByIds } from '../database/select-by-ids.js';
import type { StoredVersion } from '../ledger/states.js';
import { TableWithJsonVersions } from '../ledger/versions/versioned-table.js';

/** The columns of `price_serie` that refer to records, with the tables of these. */
export const REFERENCES = {
  commodity_id: 'commodity',
  price_type_id: 'price_type',
  market_id: 'market',
  source_id: 'source',
  measure_unit_id: 'measure_unit',
} as const;
export type Reference = keyof typeof REFERENCES;
export const REFERENCE_COLUMNS = Object.keys(REFERENCES) as Reference[];

/** Ids of one statement. */
const IDS_PER_STATEMENT = 500;

/** What a row of `price_serie` says of a series: its attributes. */
export type SeriesRowValues = Readonly<Record<Reference, number>> & {
  readonly uuid: string;
  readonly currency: string;
  readonly marked_periods: number;
  readonly status: number;
};
/** The columns of all attributes. */
export const SERIES_ATTRIBUTES = [
  'uuid',
  ...REFERENCE_COLUMNS,
  'currency',
  'marked_periods',
  'status',
] as const;

/** The series with all that they were. */
export const seriesVersions = new TableWithJsonVersions('price_serie', {
  id: 'id',
  key: 'uuid',
  numbers: [...REFERENCE_COLUMNS, 'marked_periods', 'status'],
  codes: ['currency'],
});

type VersionRow = SeriesRowValues & { id: number; since: number; until: number | null };

/** All versions of series. */
export async function readSeriesHistories(
  reads: Pick<Reads, 'rows'>,
  ids: readonly number[],
): Promise<Map<number, StoredVersion<SeriesRowValues>[]>> {
  const histories = new Map<number, StoredVersion<SeriesRowValues>[]>(ids.map((id) => [id, []]));
  for (const batch of batchesOf(ids, IDS_PER_STATEMENT)) {
    const where = `WHERE id IN (${placeholders(batch.length)})`;
    const rows = await reads.rows<VersionRow>(
      seriesVersions.selectVersions(`id, ${SERIES_ATTRIBUTES.join(', ')}`, where),
      [...batch, ...batch],
    );
    for (const { id, since, until, ...value } of rows) histories.get(id)!.push({ since, until, value });
  }
  return histories;
}

/** The attributes of some series, by their ids. */
export async function readAttributesOf(
  reads: Pick<Reads, 'rows'>,
  ids: readonly number[],
): Promise<Map<number, SeriesRowValues & { readonly id: number }>> {
  const rows = await selectByIds<SeriesRowValues & { readonly id: number }>(
    reads,
    `SELECT id, ${SERIES_ATTRIBUTES.join(', ')} FROM price_serie WHERE id IN ({ids})`,
    ids,
  );
  return new Map(rows.map((row) => [row.id, row]));
}
