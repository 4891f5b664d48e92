import type { Database } from './database.js';
import type { UnitOfWork } from './unit-of-work.js';

/** Rows that one statement removes at most. */
const CHUNK = 1000;

/** Where rows stop to matter: a table with its key, and the instant that tells when. */
export interface ExpiringRows {
  table: string;
  key: string;
  instant: string;
}

/** Removes the rows whose instant is before the given one; many small transactions, so that no write waits for it. */
export async function removeExpired(
  database: Database,
  unitOfWork: UnitOfWork,
  { table, key, instant }: ExpiringRows,
  before: string,
): Promise<void> {
  for (;;) {
    const rows = await database.arrays<[string | number]>(
      `SELECT ${key} FROM ${table} WHERE ${instant} < ? LIMIT ${CHUNK}`,
      [before],
    );
    if (rows.length === 0) return;
    const keys = rows.map(([value]) => value);
    const places = keys.map(() => '?').join(',');
    await unitOfWork.run((transaction) =>
      transaction.execute(`DELETE FROM ${table} WHERE ${key} IN (${places})`, keys),
    );
  }
}
