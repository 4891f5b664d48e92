import { createHash } from 'node:crypto';
import type { Database } from '../../src/database/database.js';

/** The digest of every table: all rows, all columns, in the order of the primary key. */
export async function checksums(database: Database): Promise<Record<string, string>> {
  const tables = await tablesOf(database);
  const sums: Record<string, string> = {};
  for (const table of tables) {
    const columns = await columnsOf(database, table);
    const quoted = columns.map((column) => `\`${column}\``).join(', ');
    const rows = await database.arrays(`SELECT ${quoted} FROM \`${table}\``);
    // Sorted here, because the engines sort texts differently.
    const lines = rows.map((row) => JSON.stringify(row)).sort();
    sums[table] = createHash('sha256').update(lines.join('\n')).digest('hex');
  }
  return sums;
}

async function tablesOf(database: Database): Promise<string[]> {
  const sql = database.embedded
    ? "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
    : 'SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()';
  return (await database.arrays<[string]>(sql)).map(([name]) => name).sort();
}

async function columnsOf(database: Database, table: string): Promise<string[]> {
  if (database.embedded) {
    return (await database.rows<{ name: string }>(`PRAGMA table_info(\`${table}\`)`))
      .map(({ name }) => name)
      .sort();
  }
  const sql =
    'SELECT column_name FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = ?';
  return (await database.arrays<[string]>(sql, [table])).map(([name]) => name).sort();
}
