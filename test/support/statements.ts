import type { Database } from '../../src/database/database.js';

/** How `DataRevision` looks for other processes' writes: at its own pace, for no request in particular. */
const POLL = /^SELECT revision,.* FROM data_revision/;

/** The statements that reading sends while `work` runs, in order. Beginning and ending a transaction are none. */
export async function statementsOf(database: Database, work: () => PromiseLike<unknown>): Promise<string[]> {
  const statements: string[] = [];
  const note = (sql: string) => void (POLL.test(sql) || statements.push(sql.replace(/\s+/g, ' ').trim()));
  const { rows, arrays, view } = database;
  database.rows = (sql, values) => (note(sql), rows.call(database, sql, values) as never);
  database.arrays = (sql, values) => (note(sql), arrays.call(database, sql, values) as never);
  database.view = (read) =>
    view.call(database, (inView) => read((sql, values) => (note(sql), inView(sql, values)))) as never;
  try {
    await work();
  } finally {
    // Uncovers the methods of the class again.
    for (const method of ['rows', 'arrays', 'view'] as const) delete (database as Partial<Database>)[method];
  }
  return statements;
}
