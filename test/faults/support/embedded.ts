import BetterSqlite3 from 'better-sqlite3';

/** The file of an embedded database's address. */
export const fileOf = (databaseUrl: string): string => databaseUrl.slice('sqlite:'.length);

/** Looks into the file of an embedded database, beside the service or after it. */
export function look<T>(databaseUrl: string, task: (handle: BetterSqlite3.Database) => T): T {
  const handle = new BetterSqlite3(fileOf(databaseUrl), { fileMustExist: true, timeout: 2000 });
  try {
    return task(handle);
  } finally {
    handle.close();
  }
}
