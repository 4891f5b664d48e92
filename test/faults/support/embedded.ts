import BetterSqlite3 from 'better-sqlite3';

/** The file path of a `sqlite:` URL. */
export const pathOf = (databaseUrl: string): string => databaseUrl.slice('sqlite:'.length);

/** Opens the file of an embedded database, also while the service runs. */
export function inspect<T>(databaseUrl: string, task: (handle: BetterSqlite3.Database) => T): T {
  const handle = new BetterSqlite3(pathOf(databaseUrl), { fileMustExist: true, timeout: 2000 });
  try {
    return task(handle);
  } finally {
    handle.close();
  }
}
