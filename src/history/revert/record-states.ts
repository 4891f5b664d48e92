import type { StoredPoint } from '../../prices/store/point-merging.js';
import { correctionKey } from '../../reference/base/record-corrections.js';
import { samePoint } from './point-changes.js';
import type { Reader } from './reading.js';
import { idsWithKey, readRecordHistories, type RecordTable } from './record-histories.js';
import type { ChangeSetState } from './revert-act.js';
import { sameOrNothing, statesOf, type State, type StoredVersion } from './states.js';

/**
 * The values that rates or indices have had, by their keys as corrections have them. Records with
 * other ids may have had the same key, one after the other.
 * @param corrected the ids of records that were corrected
 */
export async function recordStates(
  reader: Reader,
  target: ChangeSetState,
  table: RecordTable,
  keys: readonly string[],
  corrected: readonly number[],
): Promise<Map<string, State<StoredPoint>[]>> {
  const { statements, correctedColumn } = table;
  const ids = new Set([...corrected, ...(await touchedIds(reader, target, table))]);
  for (const key of keys)
    for (const id of await idsWithKey(reader, statements, JSON.parse(key) as string[])) ids.add(id);
  const versions = new Map<string, StoredVersion<StoredPoint>[]>(keys.map((key) => [key, []]));
  for (const { versions: all } of (await readRecordHistories(reader, table, [...ids])).values())
    for (const { since, until, value: record } of all) {
      const value = { value: record[correctedColumn!] as number, calculated: false, comment: null };
      versions.get(correctionKey(statements, record))?.push({ since, until, value });
    }
  return new Map([...versions].map(([key, all]) => [key, changesOf(statesOf(all))]));
}

/** The records that a change set, or the one that it takes back, has touched. */
async function touchedIds(
  reader: Reader,
  { id, reverts }: ChangeSetState,
  { statements }: RecordTable,
): Promise<number[]> {
  const rows = await reader.rows<{ id: number }>(
    'SELECT DISTINCT c.record_id AS id FROM revision r JOIN record_change c ON c.revision = r.number' +
      ' WHERE r.change_set_id IN (?, ?) AND c.table_name = ?',
    [id, reverts ?? 0, statements.name],
  );
  return rows.map((row) => row.id);
}

/** The states with another value than the one before: other fields of a record may change. */
const changesOf = (states: readonly State<StoredPoint>[]): State<StoredPoint>[] =>
  states.filter(
    ({ value }, index) => index === 0 || !sameOrNothing(states[index - 1]!.value, value, samePoint),
  );
