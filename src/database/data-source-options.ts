import type BetterSqlite3 from 'better-sqlite3';
import type { DataSourceOptions, MixedList } from 'typeorm';
import type { Environment } from '../config/environment.js';
import { migrations } from './migrations/index.js';
import { boundedDriver } from './server-pool.js';

export type Entities = MixedList<new () => object>;

/** Milliseconds that the embedded engine may wait for a lock: it waits on the event loop, so the unit of work retries instead. */
export const SQLITE_BUSY_WAIT = 100;

/**
 * TypeORM's options for a role. The embedded engine has two connections: the `writer` belongs to the unit of work alone, the
 * `reader` refuses to write; a server has one pool for both. The `migrator` is a writer whose statements may take long.
 */
export function dataSourceOptions(
  environment: Environment,
  entities: Entities,
  role: 'writer' | 'reader' | 'migrator',
): DataSourceOptions {
  const common = { entities, migrations, synchronize: false, migrationsRun: false, logging: false } as const;
  if (environment.embedded) {
    return {
      ...common,
      type: 'better-sqlite3',
      database: environment.sqlitePath,
      enableWAL: role !== 'reader',
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
    driver: boundedDriver(role === 'migrator'),
  };
}
