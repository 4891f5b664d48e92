import { selectByIds } from '../../database/select-by-ids.js';
import type { Reader } from './reading.js';
import type { StoredVersion } from '../../ledger/states.js';

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

/** What a row of `price_serie` says of a series: its attributes. */
export type SeriesRowValues = Readonly<Record<Reference, number>> & {
  readonly uuid: string;
  readonly currency: string;
  readonly marked_periods: number;
};
export const COLUMNS = ['uuid', ...REFERENCE_COLUMNS, 'currency', 'marked_periods'] as const;

/** What a revert does to a series. */
export interface SeriesRevert {
  readonly id: number;
  /** Null where the series has gone. */
  readonly stored: SeriesRowValues | null;
  /** Null where it is to go. */
  readonly values: SeriesRowValues | null;
}

type VersionRow = SeriesRowValues & { id: number; since: number; until: number | null };

/** All versions of series. */
export async function readSeriesHistories(
  reader: Reader,
  ids: readonly number[],
): Promise<Map<number, StoredVersion<SeriesRowValues>[]>> {
  const histories = new Map<number, StoredVersion<SeriesRowValues>[]>(ids.map((id) => [id, []]));
  for (const [table, until] of [
    ['price_serie_version', 'until'],
    ['price_serie', 'NULL AS until'],
  ]) {
    const rows = await selectByIds<VersionRow>(
      reader,
      `SELECT id, since, ${until}, ${COLUMNS.join(', ')} FROM ${table} WHERE id IN ({ids})`,
      ids,
    );
    for (const { id, since, until: last, ...value } of rows)
      histories.get(id)!.push({ since, until: last, value });
  }
  return histories;
}
