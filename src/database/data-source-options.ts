import type BetterSqlite3 from 'better-sqlite3';
import type { DataSourceOptions, MixedList } from 'typeorm';
import type { Pool } from 'mysql2';
import type { Socket } from 'node:net';
import type { Environment } from '../config/environment.js';
import { migrations } from './migrations/index.js';
import type { ServerAccount } from '../config/server-account.js';
import { boundedDriver } from './server/server-pool.js';
import { addPairList } from './sqlite/pair-list.js';

export type Entities = MixedList<new () => object>;

/**
 * Milliseconds that the embedded engine waits for a lock. It blocks the event loop meanwhile, so it
 * waits briefly and the unit of work retries.
 */
export const SQLITE_BUSY_TIMEOUT = 100;

/** Options of every connection to a server, so that all of them return the same values. */
const DRIVER_OPTIONS = {
  charset: 'utf8mb4',
  timezone: 'Z',
  dateStrings: ['DATE'] as 'DATE'[],
  supportBigNumbers: true,
  bigNumberStrings: false,
};
/**
 * Connect timeouts in milliseconds. Shorter for a replica, as another server can be read instead.
 */
const CONNECT_TIMEOUT = 5000;
const REPLICA_CONNECT_TIMEOUT = 2000;

/**
 * TypeORM options for a role. The embedded engine has two connections: only the unit of work uses
 * the `writer`, and the `reader` is read-only; a server has one pool for both. The `migrator` is a
 * writer without statement timeouts.
 * @param connect opens the sockets when `DATABASE_URL` names several servers
 */
export function dataSourceOptions(
  environment: Environment,
  entities: Entities,
  role: 'writer' | 'reader' | 'migrator',
  connect?: () => Socket,
): DataSourceOptions {
  const common = { entities, migrations, synchronize: false, migrationsRun: false, logging: false } as const;
  if (environment.embedded) {
    return {
      ...common,
      type: 'better-sqlite3',
      database: environment.sqlitePath,
      enableWAL: role !== 'reader',
      timeout: SQLITE_BUSY_TIMEOUT,
      prepareDatabase: (database: BetterSqlite3.Database) => {
        // The default in WAL mode is NORMAL, which may lose acknowledged commits on power loss.
        database.pragma('synchronous = FULL');
        addPairList(database);
        if (role === 'reader') database.pragma('query_only = ON');
      },
    };
  }
  const [server] = environment.databaseServers;
  return {
    ...common,
    ...DRIVER_OPTIONS,
    type: environment.databaseUrl.startsWith('mariadb:') ? 'mariadb' : 'mysql',
    host: server!.host,
    port: server!.port,
    username: server!.user,
    password: server!.password,
    database: server!.database,
    poolSize: environment.databasePoolSize,
    connectTimeout: CONNECT_TIMEOUT,
    driver: boundedDriver(role === 'migrator'),
    // Statements of a write travel together (`executeWithNext`), and no others.
    multipleStatements: role === 'writer',
    extra: connect ? { stream: connect } : {},
  };
}

/** Creates the connection pool of a replica. */
export function createReplicaPool(environment: Environment, account: ServerAccount): Pool {
  return boundedDriver().createPool({
    ...DRIVER_OPTIONS,
    ...account,
    connectionLimit: environment.databasePoolSize,
    connectTimeout: REPLICA_CONNECT_TIMEOUT,
  });
}
