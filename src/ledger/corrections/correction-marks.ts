import type { Reads } from '../../database/reads.js';
import { selectByIds } from '../../database/select-by-ids.js';

/** A correction, as far as it tells who gave values. */
export interface CorrectionMark {
  readonly id: number;
  readonly record_key: string;
  readonly serie_id: number | null;
  readonly period: number | null;
  readonly day: number;
  /** The revision that created it; 0 where that was before there were versions. */
  readonly since: number;
  readonly value: number | null;
  readonly base_value: number | null;
  readonly base_comment: string | null;
  readonly calculated: number | boolean;
  /** The kind and the first and last revision of the change set that ended it, after it. */
  readonly kind: string | null;
  readonly first: number | string | null;
  readonly last: number | string | null;
}

const ofEnd = (aggregate: string) =>
  `(SELECT ${aggregate}(r.number) FROM revision r` +
  ' WHERE r.change_set_id = c.ended_change_set_id AND r.number > c.since)';
const SELECT =
  'SELECT c.id, c.record_key, c.serie_id, c.period, c.day, c.since, c.value, c.base_value, c.base_comment,' +
  ` c.calculated, s.kind, ${ofEnd('MIN')} AS first, ${ofEnd('MAX')} AS last` +
  ' FROM correction c LEFT JOIN change_set s ON s.id = c.ended_change_set_id WHERE ';

/** The corrections of the points of some series, oldest first. */
export const markedPoints = (
  reads: Pick<Reads, 'rows'>,
  serieIds: readonly number[],
): Promise<CorrectionMark[]> =>
  selectByIds(
    reads,
    `${SELECT} c.record_key = '' AND c.serie_id IN ({ids}) ORDER BY c.since, c.id`,
    serieIds,
  );

/** The corrections of records, by their keys as corrections have them, oldest first. */
export const markedRecords = (
  reads: Pick<Reads, 'rows'>,
  table: string,
  keys: readonly string[],
): Promise<CorrectionMark[]> =>
  selectByIds(reads, `${SELECT} c.table_name = ? AND c.record_key IN ({ids}) ORDER BY c.since, c.id`, keys, [
    table,
  ]);
