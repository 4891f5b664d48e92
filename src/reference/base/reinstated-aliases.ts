import { equalities, placeholders } from '../../database/sql.js';
import type { SqlValue } from '../../database/database.js';
import { batchesOf } from '../../lib/collections/batches.js';
import {
  existenceStates,
  effectiveState,
  statesOf,
  type StoredVersion,
  type RevertedRevisions,
} from '../../ledger/states.js';
import { REVISIONS } from '../../ledger/revision/stored-revisions.js';
import { RECORD_VERSIONS } from '../../ledger/versions/record-versions.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import { findAlias } from './aliases.js';
import { ALIAS_COLUMNS, aliasKey, aliasStatements, type AliasedTable } from './alias-key.js';
import { reinsertRecord } from './record-versions.js';
import type { ReferenceEntity } from './reference.entity.js';
import type { DatabaseRow, RecordValues, TableStatements } from './table-statements.js';

/** Numbers of one statement. */
const BATCH = 500;

/** A version of an alias, or of a record, that has gone. */
interface VersionRow {
  id: number;
  since: number;
  until: number;
  version: number;
  attributes: string;
}

/** An alias as it was when it went. */
interface FormerAlias {
  readonly id: number;
  readonly version: number;
  readonly values: RecordValues;
}

/** Reads a transaction, or the database where a revert is tried out. */
type Reader = Pick<Transaction, 'rows'>;

/**
 * Brings back aliases that went with their records because nothing used these, and the records: an
 * import names them again. So a merge that counts leads imports as before.
 * @param records that an input names, none of which is stored under its key
 * @returns whether any came back
 */
export async function reinstateAliases<E extends ReferenceEntity>(
  transaction: Transaction,
  table: TableStatements<E>,
  records: readonly RecordValues[],
): Promise<boolean> {
  const keys = new Set(records.map((record) => aliasKey(table, record).join('\n')));
  let any = false;
  for (const versions of await formerAliases(transaction, table, keys)) {
    const alias = await countingAlias(transaction, versions);
    if (alias === null || (await findAlias(transaction, table, alias.values)) !== null) continue;
    if (!(await reinstateRecord(transaction, table, recordOf(alias.values)))) continue;
    const last = Math.max(
      ...versions.filter(({ value: { id } }) => id === alias.id).map(({ value }) => value.version),
    );
    await reinsertRecord(transaction, aliasStatements, alias.id, last, alias.values);
    transaction.markModified('references');
    any = true;
  }
  return any;
}

const recordOf = ({ record_id: id }: RecordValues): number => id as number;

/** The versions of the aliases that had some keys, by key. */
async function formerAliases(
  transaction: Transaction,
  table: AliasedTable,
  keys: ReadonlySet<string>,
): Promise<Iterable<StoredVersion<FormerAlias>[]>> {
  const rows = await transaction.rows<VersionRow>(
    `SELECT record_id AS id, since, until, version, attributes FROM ${RECORD_VERSIONS} WHERE table_name = ?`,
    [aliasStatements.name],
  );
  const found = new Map<string, StoredVersion<FormerAlias>[]>();
  for (const { id, since, until, version, attributes } of rows) {
    const values = JSON.parse(attributes) as RecordValues;
    const key = ALIAS_COLUMNS.map((column) => values[column]).join('\n');
    if (values.table_name !== table.name || !keys.has(key)) continue;
    found.set(key, [...(found.get(key) ?? []), { since, until, value: { id, version, values } }]);
  }
  return found.values();
}

/** The alias of a key that counts, by all versions of it; null where none does. */
async function countingAlias(
  transaction: Transaction,
  versions: readonly StoredVersion<FormerAlias>[],
): Promise<FormerAlias | null> {
  const states = statesOf(versions);
  const revisions = await readRevertedRevisions(
    transaction,
    states.map(({ since }) => since),
  );
  const counts = (effectiveState(existenceStates(states), revisions)?.value ?? null) !== null;
  return counts ? effectiveState(states, revisions)!.value : null;
}

/**
 * Which of some revisions are reverted. Imports give no aliases: those that have brought some
 * back are as reverts.
 */
async function readRevertedRevisions(reader: Reader, numbers: readonly number[]): Promise<RevertedRevisions> {
  const taken = new Set<number>();
  const reinstated = new Set<number>();
  for (const batch of batchesOf(numbers, BATCH)) {
    const rows = await reader.rows<{ number: number | string; kind: string; by: number | null }>(
      `SELECT r.number, c.kind, c.reverted_by AS \`by\` FROM ${REVISIONS}` +
        ` WHERE r.number IN (${placeholders(batch.length)})`,
      batch,
    );
    for (const { number, kind, by } of rows) {
      if (by !== null) taken.add(Number(number));
      if (kind === 'revert' || kind === 'import') reinstated.add(Number(number));
    }
  }
  return { isVoid: (number) => taken.has(number), isRevert: (number) => reinstated.has(number) };
}

/**
 * Brings a record back that a revert has removed because nothing used it.
 * @returns whether it is there now
 */
async function reinstateRecord<E extends ReferenceEntity>(
  transaction: Transaction,
  table: TableStatements<E>,
  id: number,
): Promise<boolean> {
  const [stored] = await transaction.rows<DatabaseRow>(table.select('WHERE id = ?'), [id]);
  if (stored !== undefined) return true;
  const [row] = await transaction.rows<VersionRow & { kind: string }>(
    'SELECT v.record_id AS id, v.since, v.until, v.version, v.attributes, c.kind' +
      ` FROM ${REVISIONS} JOIN ${RECORD_VERSIONS} ON v.until = r.number` +
      ' WHERE v.table_name = ? AND v.record_id = ? ORDER BY v.until DESC LIMIT 1',
    [table.name, id],
  );
  if (row?.kind !== 'revert') return false;
  const values = table.withDefaults(JSON.parse(row.attributes) as RecordValues);
  const isKey = equalities(table.uniqueKey);
  const key = table.uniqueKey.map((column) => values[column] as SqlValue);
  const others = await transaction.rows<DatabaseRow>(table.select(`WHERE ${isKey}`), key);
  if (others.length > 0) return false;
  await reinsertRecord(transaction, table, id, row.version, values);
  return true;
}

/** An alias that an import has brought back. */
interface ReinstatedAlias {
  readonly id: number;
  readonly since: number;
  readonly table_name: string;
  readonly record_id: number;
  readonly format: string;
}

/** The records and aliases that imports have brought back, and in which revisions. */
export class ReinstatedByImports {
  private constructor(private readonly revisions: ReadonlyMap<string, ReadonlySet<number>>) {}

  static async read(reader: Reader): Promise<ReinstatedByImports> {
    const stored = await reader.rows<ReinstatedAlias>(
      'SELECT a.id, a.since, a.table_name, a.record_id, c.format' +
        ` FROM ${REVISIONS} JOIN alias a ON a.since = r.number WHERE c.kind = 'import'`,
    );
    const former = await reader.rows<VersionRow & { format: string }>(
      'SELECT v.record_id AS id, v.since, v.attributes, c.format' +
        ` FROM ${REVISIONS} JOIN ${RECORD_VERSIONS} ON v.since = r.number` +
        " WHERE c.kind = 'import' AND v.table_name = ?",
      [aliasStatements.name],
    );
    const found = new Map<string, Set<number>>();
    const add = (table: string, id: number, revision: number) => {
      const name = `${table} ${id}`;
      found.set(name, (found.get(name) ?? new Set()).add(revision));
    };
    const ofFormer = former.map(({ id, since, attributes, format }): ReinstatedAlias => {
      const values = JSON.parse(attributes) as Pick<ReinstatedAlias, 'table_name' | 'record_id'>;
      return { ...values, id, since, format };
    });
    for (const { id, since, table_name: table, record_id: record, format } of [...stored, ...ofFormer]) {
      add(aliasStatements.name, id, since);
      // An import of the table gives its records also where it finds them by an alias.
      if (format.toLowerCase() !== table.replaceAll('_', '')) add(table, record, since);
    }
    return new ReinstatedByImports(found);
  }

  /** Whether an import has brought a record back in a revision, which gives nothing anew. */
  has(table: string, id: number, revision: number): boolean {
    return this.revisions.get(`${table} ${id}`)?.has(revision) ?? false;
  }
}
