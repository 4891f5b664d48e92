import type BetterSqlite3 from 'better-sqlite3';
import type { DataSourceOptions, MixedList } from 'typeorm';
import type { Environment } from '../config/environment.js';
import { migrations } from './migrations/index.js';

export type Entities = MixedList<new () => object>;

/** Milliseconds that the embedded engine may wait for a lock: it waits on the event loop, so the unit of work retries instead. */
const SQLITE_BUSY_WAIT = 100;

/** What a server connection is told first: strict mode and bounds, so that no statement and no lock wait is endless. */
export const SESSION_SETTINGS = [
  "sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'",
  "time_zone = '+00:00'",
  'innodb_lock_wait_timeout = 5',
];

/**
 * TypeORM's options for a role. The embedded engine has two connections: the `writer` belongs to the unit of work alone, the
 * `reader` refuses to write; a server has one pool for both.
 */
export function dataSourceOptions(
  environment: Environment,
  entities: Entities,
  role: 'writer' | 'reader',
): DataSourceOptions {
  const common = { entities, migrations, synchronize: false, migrationsRun: false, logging: false } as const;
  if (environment.embedded) {
    return {
      ...common,
      type: 'better-sqlite3',
      database: environment.sqlitePath,
      enableWAL: role === 'writer',
      timeout: SQLITE_BUSY_WAIT,
      prepareDatabase: (database: BetterSqlite3.Database) => {
        // The driver's default in WAL mode is NORMAL, which may lose acknowledged commits at a power cut.
        database.pragma('synchronous = FULL');
        if (role === 'reader') database.pragma('query_only = ON');
      },
    };
  }
  return {
    ...common,
    type: environment.databaseUrl.startsWith('mariadb:') ? 'mariadb' : 'mysql',
    url: environment.databaseUrl,
    charset: 'utf8mb4',
    timezone: 'Z',
    dateStrings: ['DATE'],
    supportBigNumbers: true,
    bigNumberStrings: false,
    poolSize: environment.databasePoolSize,
    connectTimeout: 5000,
    extra: { queueLimit: 100 },
  };
}
