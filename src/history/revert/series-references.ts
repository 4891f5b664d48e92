import { countSeriesOf } from '../../price-series/series-store.js';
import type { Reader } from './reading.js';
import { REFERENCE_COLUMNS, REFERENCES, type SeriesRowValues } from '../../price-series/series-attributes.js';
import type { SeriesRevert } from './series-revert.js';

/** A record by its table and id. */
export interface RecordKey {
  readonly table: string;
  readonly id: number;
}

/** A text that tells a record from all others. */
export const recordKeyText = ({ table, id }: RecordKey): string => `${table} ${id}`;

/** The records that series refer to, each once. */
export function referencesOf(series: readonly SeriesRowValues[]): RecordKey[] {
  const keys = series.flatMap((attributes) =>
    REFERENCE_COLUMNS.map((column) => ({ table: REFERENCES[column], id: attributes[column] })),
  );
  return [...new Map(keys.map((key) => [recordKeyText(key), key])).values()];
}

/** Whether series refer to a record, when some are changed as planned. */
export async function isReferred(
  reader: Reader,
  { table, id }: RecordKey,
  planned: readonly SeriesRevert[],
): Promise<boolean> {
  for (const column of REFERENCE_COLUMNS) {
    if (REFERENCES[column] !== table) continue;
    const uses = (await countSeriesOf(reader, table, [id])).get(id) ?? 0;
    const refers = (series: SeriesRowValues | null) => (series?.[column] === id ? 1 : 0);
    const more = planned.reduce((sum, { stored, values }) => sum + refers(values) - refers(stored), 0);
    if (uses + more > 0) return true;
  }
  return false;
}
