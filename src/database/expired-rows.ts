import type { Database } from './database.js';
import type { UnitOfWork } from './unit-of-work.js';

/** Rows removed per transaction. */
const BATCH_SIZE = 1000;

/** A table whose rows expire. */
export interface ExpiringRows {
  table: string;
  keyColumn: string;
  /** Compared with the cutoff. */
  timeColumn: string;
}

/**
 * Removes the rows older than a cutoff, in small transactions so that other writes need not wait.
 */
export async function removeExpired(
  database: Database,
  unitOfWork: UnitOfWork,
  { table, keyColumn: key, timeColumn: instant }: ExpiringRows,
  before: string,
): Promise<void> {
  for (;;) {
    const rows = await database.arrays<[string | number]>(
      `SELECT ${key} FROM ${table} WHERE ${instant} < ? LIMIT ${BATCH_SIZE}`,
      [before],
    );
    if (rows.length === 0) return;
    const keys = rows.map(([value]) => value);
    const placeholders = keys.map(() => '?').join(',');
    await unitOfWork.run((transaction) =>
      transaction.execute(`DELETE FROM ${table} WHERE ${key} IN (${placeholders})`, keys),
    );
  }
}
