import type { Database } from '../../src/database/database.js';

/**
 * The query with which `DataRevision` polls for other processes' writes, independent of requests.
 */
const POLL = /^SELECT revision,.* FROM data_revision/;

/**
 * The statements of reads while `work` runs, in order, without those that begin or end a
 * transaction.
 */
export async function statementsOf(database: Database, work: () => PromiseLike<unknown>): Promise<string[]> {
  const statements: string[] = [];
  const record = (sql: string) => void (POLL.test(sql) || statements.push(sql.replace(/\s+/g, ' ').trim()));
  const { rows, arrays, readSnapshot } = database;
  database.rows = (sql, values) => (record(sql), rows.call(database, sql, values) as never);
  database.arrays = (sql, values) => (record(sql), arrays.call(database, sql, values) as never);
  database.readSnapshot = (read) =>
    readSnapshot.call(database, (query) => read((sql, values) => (record(sql), query(sql, values)))) as never;
  try {
    await work();
  } finally {
    // Uncovers the methods of the class again.
    for (const method of ['rows', 'arrays', 'readSnapshot'] as const)
      delete (database as Partial<Database>)[method];
  }
  return statements;
}
