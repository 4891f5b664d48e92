import { placeholders, quoteIdentifier } from '../../database/sql.js';
import { batchesOf } from '../../lib/collections/batches.js';
import { RECORD_VERSIONS } from '../../ledger/versions/record-versions.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import type { ReferenceEntity } from './reference.entity.js';
import type { RecordValues, TableStatements } from './table-statements.js';

/** Ids of one statement. */
const IDS_PER_STATEMENT = 500;

/** A record that was removed. */
interface FormerRecord {
  readonly id: number;
  /** The number of its last version. */
  readonly version: number;
}

/** The removed records of a table. */
interface FormerTable {
  /** The revision up to which they are known. */
  revision: number;
  /** By their ids, in the order in which they were removed. */
  readonly records: Map<number, FormerRecord & { readonly key: string }>;
  /** The ids that had a unique key when they were removed, in the same order. */
  readonly idsOf: Map<string, number[]>;
}

/**
 * The records that were removed, by the unique keys that they had last. One that is created anew
 * gets its id again: so its history is one, and what returns finds it. An import keeps them for all
 * of its transactions, because reading all versions of a table anew for each takes as long as a
 * large file: only what has been removed since is read again.
 */
export class FormerRecords {
  private readonly tables = new Map<string, FormerTable>();

  /**
   * The removed records that had unique keys, by the keys.
   * @param keyOf makes the key of a record
   */
  async find<E extends ReferenceEntity>(
    transaction: Transaction,
    table: TableStatements<E>,
    keys: readonly string[],
    keyOf: (record: RecordValues) => string,
  ): Promise<Map<string, FormerRecord>> {
    const { records, idsOf } = await this.read(transaction, table, keyOf);
    const candidates = new Map(
      keys.flatMap((key) => {
        const ids = (idsOf.get(key) ?? []).filter((id) => records.get(id)!.key === key);
        return ids.length === 0 ? [] : [[key, ids]];
      }),
    );
    const stored = await storedIds(transaction, table.name, [...candidates.values()].flat());
    const found = new Map<string, FormerRecord>();
    for (const [key, ids] of candidates) {
      const last = ids.filter((id) => !stored.has(id)).at(-1);
      if (last !== undefined) found.set(key, records.get(last)!);
    }
    return found;
  }

  private async read<E extends ReferenceEntity>(
    transaction: Transaction,
    table: TableStatements<E>,
    keyOf: (record: RecordValues) => string,
  ): Promise<FormerTable> {
    const { revision } = transaction;
    const former: FormerTable = this.tables.get(table.name) ?? {
      revision: 0,
      records: new Map(),
      idsOf: new Map(),
    };
    this.tables.set(table.name, former);
    if (former.revision === revision) return former;
    const rows = await transaction.rows<FormerRecord & { attributes: string }>(
      `SELECT v.record_id AS id, v.version, v.attributes FROM ${RECORD_VERSIONS}` +
        ` LEFT JOIN ${quoteIdentifier(table.name)} t ON t.id = v.record_id` +
        ' WHERE v.table_name = ? AND v.until >= ? AND t.id IS NULL ORDER BY v.until',
      [table.name, former.revision],
    );
    const last = new Map<number, (typeof rows)[number]>();
    for (const row of rows) {
      // In the order in which they were removed.
      last.delete(row.id);
      last.set(row.id, row);
    }
    for (const { id, version, attributes } of last.values()) {
      const key = keyOf(table.withDefaults(JSON.parse(attributes) as RecordValues));
      former.records.set(id, { id, version, key });
      former.idsOf.set(key, [...(former.idsOf.get(key) ?? []).filter((other) => other !== id), id]);
    }
    former.revision = revision;
    return former;
  }
}

/** Those of some ids that a table has. */
async function storedIds(
  transaction: Transaction,
  table: string,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  for (const batch of batchesOf(ids, IDS_PER_STATEMENT)) {
    const rows = await transaction.rows<{ id: number }>(
      `SELECT id FROM ${quoteIdentifier(table)} WHERE id IN (${placeholders(batch.length)})`,
      batch,
    );
    for (const { id } of rows) found.add(id);
  }
  return found;
}
