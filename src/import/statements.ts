import type { SqlValue } from '../database/database.js';
import type { Transaction } from '../database/unit-of-work.js';

/** Rows that one statement takes: the most that a cluster should be sent at once. */
export const ROWS_PER_STATEMENT = 1000;

/** An array in pieces of a statement's length. */
export function* pieces<T>(all: readonly T[], length = ROWS_PER_STATEMENT): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += length) yield all.slice(from, from + length);
}

/** `(?,?),(?,?)`: places for so many rows. */
export function places(rows: number, columns: number): string {
  const row = `(${Array(columns).fill('?').join(',')})`;
  return Array(rows).fill(row).join(',');
}

/** A condition that some columns together have one of the given values. */
export function isOneOf(tx: Transaction, columns: readonly string[], rows: number): string {
  const names = columns.map((column) => `\`${column}\``);
  if (names.length === 1) return `${names[0]} IN (${Array(rows).fill('?').join(',')})`;
  // SQLite takes a list of row values as a table only.
  return `(${names.join(',')}) IN (${tx.embedded ? 'VALUES ' : ''}${places(rows, names.length)})`;
}

/** Adds rows to a table. */
export async function insertRows(
  tx: Transaction,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly SqlValue[])[],
): Promise<void> {
  const names = columns.map((column) => `\`${column}\``).join(',');
  for (const piece of pieces(rows)) {
    await tx.execute(
      `INSERT INTO \`${table}\` (${names}) VALUES ${places(piece.length, columns.length)}`,
      piece.flat(),
    );
  }
}
