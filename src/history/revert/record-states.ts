import { recordsAffectedBy } from '../../ledger/changes/stored-changes.js';
import type { StoredPoint } from '../../prices/store/point-merging.js';
import { correctionKey } from '../../reference/base/record-corrections.js';
import { maintainersRevisions, recordMarks, withMaintainers } from './correction-ends.js';
import { POINTS, samePoint } from './point-changes.js';
import { type Reader } from './reading.js';
import { idsWithKey, readRecordHistories, type RecordTable } from './record-histories.js';
import { sameOrNothing, statesOf, type State, type StoredVersion } from '../../ledger/states.js';

/**
 * The values that rates or indices have had, by their keys as corrections have them. Records with
 * other ids may have had the same key, one after the other.
 * @param changeSetIds change sets that have affected them
 * @param corrected the ids of records that were corrected
 */
export async function recordStates(
  reader: Reader,
  changeSetIds: readonly number[],
  table: RecordTable,
  keys: readonly string[],
  corrected: readonly number[],
): Promise<Map<string, State<StoredPoint>[]>> {
  const { statements, correctedColumn } = table;
  const affected = await recordsAffectedBy(reader, changeSetIds, statements.name);
  const ids = new Set([...corrected, ...affected.map(({ id }) => id)]);
  for (const key of keys)
    for (const id of await idsWithKey(reader, statements, JSON.parse(key) as string[])) ids.add(id);
  const versions = new Map<string, StoredVersion<StoredPoint>[]>(keys.map((key) => [key, []]));
  for (const { versions: all } of (await readRecordHistories(reader, table, [...ids])).values())
    for (const { since, until, value: record } of all) {
      const value = { value: record[correctedColumn!] as number, calculated: false, comment: null };
      versions.get(correctionKey(statements, record))?.push({ since, until, value });
    }
  const marks = await recordMarks(reader, statements.name, keys);
  const states = [...versions].map(([key, all]) => [key, changesOf(statesOf(all))] as const);
  const maintainers = await maintainersRevisions(
    reader,
    states.map(([, all]) => all),
  );
  return new Map(
    states.map(([key, all]) => [key, withMaintainers(all, marks.get(key) ?? [], maintainers, POINTS)]),
  );
}

/** The states with another value than the one before: other fields of a record may change. */
const changesOf = (states: readonly State<StoredPoint>[]): State<StoredPoint>[] =>
  states.filter(
    ({ value }, index) => index === 0 || !sameOrNothing(states[index - 1]!.value, value, samePoint),
  );
