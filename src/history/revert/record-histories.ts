import type { RevisionArea } from '../../ledger/revision/data-revision.js';
import type { SqlValue } from '../../database/database.js';
import { recordVersions } from '../../reference/base/past-records.js';
import type { ReferenceEntity } from '../../reference/base/reference.entity.js';
import type { ReinstatedByImports } from '../../reference/base/reinstated-aliases.js';
import { correctionKey } from '../../reference/base/record-corrections.js';
import type { DatabaseRow, RecordValues, TableStatements } from '../../reference/base/table-statements.js';
import { maintainersRevisions, recordMarks, withMaintainers } from './correction-ends.js';
import type { CorrectionMark } from '../../ledger/corrections/correction-marks.js';
import { selectByIds } from '../../database/select-by-ids.js';
import { equalities, quoteIdentifier } from '../../database/sql.js';
import type { Reader } from './reading.js';
import { statesOf, type State, type StoredVersion } from '../../ledger/states.js';

/** A table whose records have versions. */
export interface RecordTable {
  readonly statements: TableStatements<ReferenceEntity>;
  /** The area of the data that its records belong to. */
  readonly area: RevisionArea;
  /** The column with the value that a source gives; null where there is none. */
  readonly correctedColumn: string | null;
}

interface RecordHistory {
  stored: ReferenceEntity | null;
  version: number;
  versions: StoredVersion<RecordValues>[];
  /** The same, oldest first, with what the ends of corrections say. */
  states: State<RecordValues>[];
}

/**
 * All versions of records, and what is stored of them.
 * @param reinstated what imports have reinstated; where it is not given, that says nothing
 */
export async function readRecordHistories(
  reader: Reader,
  table: RecordTable,
  ids: readonly number[],
  reinstated?: ReinstatedByImports,
): Promise<Map<number, RecordHistory>> {
  const { statements, correctedColumn: column } = table;
  const histories = new Map<number, RecordHistory>(
    ids.map((id) => [id, { stored: null, version: 0, versions: [], states: [] }]),
  );
  for (const { id, since, until, version, attributes } of await recordVersions(
    reader,
    statements.name,
    ids,
  )) {
    const history = histories.get(id)!;
    history.version = Math.max(history.version, version);
    history.versions.push({ since, until, value: statements.withDefaults(attributes) });
  }
  const stored = await selectByIds<DatabaseRow>(reader, statements.select('WHERE id IN ({ids})'), ids);
  for (const row of stored) {
    const record = statements.record(row);
    const history = histories.get(record.id)!;
    history.stored = record;
    history.version = record.version;
    const value = statements.withDefaults(record as unknown as RecordValues);
    history.versions.push({ since: record.since, until: null, value });
  }
  const marks = await marksOf(reader, table, histories);
  const isReinstated = (id: number, since: number) => reinstated?.has(statements.name, id, since) ?? false;
  for (const [id, history] of histories)
    history.states = statesOf(history.versions).map((state) =>
      isReinstated(id, state.since) ? { ...state, isReinstated: true } : state,
    );
  const corrected = [...marks.keys()].map((id) => histories.get(id)!.states);
  const maintainers = await maintainersRevisions(reader, corrected);
  for (const [id, own] of marks) {
    const history = histories.get(id)!;
    const same = (one: RecordValues, other: RecordValues) => one[column!] === other[column!];
    history.states = withMaintainers(history.states, own, maintainers, { same, column: column! });
  }
  return histories;
}

/** The corrections of records, by the ids of those that have any: of all keys that each has had. */
async function marksOf(
  reader: Reader,
  { statements, correctedColumn }: RecordTable,
  histories: ReadonlyMap<number, RecordHistory>,
): Promise<Map<number, CorrectionMark[]>> {
  const found = new Map<number, CorrectionMark[]>();
  if (correctedColumn === null) return found;
  const keys = new Map(
    [...histories].map(([id, { versions }]) => [
      id,
      new Set(versions.map(({ value }) => correctionKey(statements, value))),
    ]),
  );
  const marks = await recordMarks(
    reader,
    statements.name,
    new Set([...keys.values()].flatMap((own) => [...own])),
  );
  for (const [id, own] of keys) {
    const ofRecord = [...own].flatMap((key) => marks.get(key) ?? []);
    if (ofRecord.length > 0)
      found.set(
        id,
        ofRecord.sort((one, other) => one.since - other.since || one.id - other.id),
      );
  }
  return found;
}

/** The id of the stored record with a unique key; none where there is no such record or no key. */
export async function idsWithKey(
  reader: Reader,
  { name, uniqueKey }: RecordTable['statements'],
  key: readonly SqlValue[],
): Promise<number[]> {
  if (uniqueKey.length === 0) return [];
  const isKey = equalities(uniqueKey);
  const rows = await reader.rows<{ id: number }>(
    `SELECT id FROM ${quoteIdentifier(name)} WHERE ${isKey}`,
    key,
  );
  return rows.map(({ id }) => id);
}
