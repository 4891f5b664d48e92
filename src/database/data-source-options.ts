import type BetterSqlite3 from 'better-sqlite3';
import type { DataSourceOptions, MixedList } from 'typeorm';
import type { Pool } from 'mysql2';
import type { Socket } from 'node:net';
import type { Environment } from '../config/environment.js';
import { migrations } from './migrations/index.js';
import type { ServerAccount } from '../config/server-account.js';
import { boundedDriver } from './server-pool.js';

export type Entities = MixedList<new () => object>;

/** Milliseconds that the embedded engine may wait for a lock: it waits on the event loop, so the unit of work retries instead. */
export const SQLITE_BUSY_WAIT = 100;

/** What a server's driver is told on every way to a server, so that all of them give the same values. */
const DRIVER_OPTIONS = {
  charset: 'utf8mb4',
  timezone: 'Z',
  dateStrings: ['DATE'] as 'DATE'[],
  supportBigNumbers: true,
  bigNumberStrings: false,
};
/** Milliseconds that a server has to accept a connection; a replica has less, because another can be asked instead. */
const CONNECT_WAIT = 5000;
const REPLICA_CONNECT_WAIT = 2000;

/**
 * TypeORM's options for a role. The embedded engine has two connections: the `writer` belongs to the unit of work alone, the
 * `reader` refuses to write; a server has one pool for both. The `migrator` is a writer whose statements may take long.
 * @param connect makes the sockets, where the server is chosen among several
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
      timeout: SQLITE_BUSY_WAIT,
      prepareDatabase: (database: BetterSqlite3.Database) => {
        // The driver's default in WAL mode is NORMAL, which may lose acknowledged commits at a power cut.
        database.pragma('synchronous = FULL');
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
    connectTimeout: CONNECT_WAIT,
    driver: boundedDriver(role === 'migrator'),
    extra: connect ? { stream: connect } : {},
  };
}

/** A pool of connections to a replica. */
export function replicaPool(environment: Environment, account: ServerAccount): Pool {
  return boundedDriver().createPool({
    ...DRIVER_OPTIONS,
    ...account,
    connectionLimit: environment.databasePoolSize,
    connectTimeout: REPLICA_CONNECT_WAIT,
  });
}
