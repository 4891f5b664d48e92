import { rowPlaceholders } from '../../database/sql.js';
import { batchesOf } from '../../lib/collections/batches.js';
import type { Transaction } from '../unit-of-work.js';

/** The superseded rows of the tables that keep them as JSON, as `v`, for a FROM clause. */
export const RECORD_VERSIONS = 'record_version v';

/** Rows of one statement. */
const ROWS_PER_STATEMENT = 250;

/** What a row is, which a transaction replaces or removes. */
interface SupersededRow {
  readonly id: number;
  /** The uuid that it is found by. */
  readonly key?: string;
  readonly since: number;
  /** Its own version number. */
  readonly version?: number;
  /** Its other columns. */
  readonly attributes: Readonly<Record<string, unknown>>;
}

/**
 * Keeps what rows of a table are, which this transaction replaces or removes: as versions, known
 * until the transaction's revision. What the transaction itself has written was never committed.
 */
export async function keepVersions(
  transaction: Transaction,
  table: string,
  rows: readonly SupersededRow[],
): Promise<void> {
  const { revision } = transaction;
  const committed = rows.filter(({ since }) => since !== revision);
  for (const batch of batchesOf(committed, ROWS_PER_STATEMENT)) {
    await transaction.executeWithNext(
      'INSERT INTO record_version (table_name, record_id, record_key, since, until, version, attributes)' +
        ` VALUES ${rowPlaceholders(batch.length, 7)}`,
      batch.flatMap(({ id, key = '', since, version = 0, attributes }) => [
        ...[table, id, key, since, revision, version],
        JSON.stringify(attributes),
      ]),
    );
  }
}
