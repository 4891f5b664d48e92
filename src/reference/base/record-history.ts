import type { Reads } from '../../database/reads.js';
import { RECORD_VERSIONS } from '../../ledger/versions/record-versions.js';
import { readRevisionOperations } from '../../ledger/revision/stored-revisions.js';
import type { ReferenceEntity } from './reference.entity.js';
import { type DatabaseRow, type RecordValues, type TableStatements } from './table-statements.js';

/** What a record was from one revision until it was changed. */
export interface RecordState {
  /** The record's own version number. */
  readonly version: number;
  /** The values of the table's own columns. */
  readonly values: RecordValues;
  /** When it became known: an instant in ISO 8601. Null for what is older than versions. */
  readonly knownFrom: string | null;
  /** The change set that made it known, its kind and reason; null for what is older. */
  readonly changeSet: { readonly id: number; readonly kind: string; readonly reason: string } | null;
}

type StateRow = [version: number, since: number, attributes: string];

/**
 * The states of a record, newest first: the present one, if it is still there, and those that it
 * had before.
 * @param most states, because the record of a daily import may have very many
 */
export async function readRecordHistory<E extends ReferenceEntity>(
  reads: Reads,
  table: TableStatements<E>,
  id: number,
  most: number,
): Promise<RecordState[]> {
  const [row] = await reads.rows<DatabaseRow>(table.select('WHERE id = ?'), [id]);
  const past = await reads.arrays<StateRow>(
    `SELECT version, since, attributes FROM ${RECORD_VERSIONS} WHERE table_name = ? AND record_id = ?` +
      ` ORDER BY until DESC LIMIT ${most}`,
    [table.name, id],
  );
  const states = past.map(([version, since, attributes]) => ({
    ...table.pastRecord({ id, version, attributes: JSON.parse(attributes) as RecordValues }),
    since,
  }));
  if (row !== undefined) states.unshift({ ...table.record(row) });
  const shown = states.slice(0, most);
  const revisions = await readRevisionOperations(reads, [...new Set(shown.map(({ since }) => since))]);
  return shown.map((record) => {
    const operation = revisions.get(record.since);
    const values = record as unknown as RecordValues;
    return {
      version: record.version,
      values: Object.fromEntries(table.ownColumns.map((column) => [column, values[column]])),
      knownFrom: operation?.at ?? null,
      changeSet: operation?.changeSet ?? null,
    };
  });
}
