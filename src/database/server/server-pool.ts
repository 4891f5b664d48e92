import { Logger } from '@nestjs/common';
import {
  createPool,
  type Connection,
  type Pool,
  type PoolConnection,
  type PoolOptions,
  type QueryError,
  type QueryOptions,
} from 'mysql2';
import { PoolExhaustedError, driverErrorKind, type DriverErrorKind } from '../errors/driver-errors.js';

/** Milliseconds that a request waits for a connection of an exhausted pool. */
const ACQUIRE_TIMEOUT = 2000;
/** Requests that may wait for a connection. */
const QUEUE_LIMIT = 100;
/**
 * Milliseconds after which a connection is aborted for a statement without a response. Slightly
 * more than the server's limit in `SESSION_LIMITS`, so that the server ends slow statements and
 * this timeout handles an unresponsive server.
 */
const STATEMENT_TIMEOUT = 5700;

/** Bytes that `GROUP_CONCAT` returns at most. Beyond, servers cut texts off without an error. */
const GROUP_CONCAT_MAX_LEN = 2 ** 20;

/** Session settings of every connection: strict mode, UTC, and MariaDB's default for MySQL too. */
const SESSION_SETTINGS = [
  "sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'",
  "time_zone = '+00:00'",
  `group_concat_max_len = ${GROUP_CONCAT_MAX_LEN}`,
];
/** Seconds that a statement waits for a row lock or a table lock. */
const LOCK_WAIT_TIMEOUT = 5;
/**
 * Timeouts of statements. MariaDB (`M!`) and MySQL (`50708`, which MariaDB skips) name the setting
 * differently. The limit exceeds the lock wait timeout, so that a lock wait is reported as such and
 * the transaction is retried.
 */
const SESSION_LIMITS = `, innodb_lock_wait_timeout = ${LOCK_WAIT_TIMEOUT}, lock_wait_timeout = ${LOCK_WAIT_TIMEOUT} /*M!100101 , max_statement_time = 5.2 */ /*!50708 , max_execution_time = 5200 */`;

/** The current use of a pool. */
export interface PoolMetrics {
  /** Open connections, including those being opened. */
  open: number;
  /** Connections in use. */
  busy: number;
  /** Requests waiting for a connection. */
  waiting: number;
}

/**
 * The mysql2 driver for TypeORM, with timeouts. The driver itself waits forever for a connection, a
 * response or a lock. These pools limit each of them, and apply the session settings to every new
 * connection before it is used.
 * @param unlimited omits the statement timeouts: migrations may rewrite whole tables
 */
export function boundedDriver(unlimited = false) {
  return {
    createPool: (options: PoolOptions) =>
      new BoundedPool(createPool({ ...options, queueLimit: QUEUE_LIMIT }), unlimited).pool,
  };
}

/** The current use of a pool; zeros for a pool that `boundedDriver` has not created. */
export function poolMetrics(pool: Pool): PoolMetrics {
  return boundedPools.get(pool)?.metrics() ?? { open: 0, busy: 0, waiting: 0 };
}

/**
 * Aborts all connections of a pool: statements in progress fail. The pool opens new ones on demand.
 */
export function abortConnections(pool: Pool): void {
  boundedPools.get(pool)?.abort();
}

/**
 * Closes the connections of a pool, those in use after their work. The pool opens new ones on
 * demand.
 */
export function recycleConnections(pool: Pool): void {
  boundedPools.get(pool)?.recycle();
}

const boundedPools = new WeakMap<Pool, BoundedPool>();

class BoundedPool {
  private readonly logger = new Logger('Database');
  private readonly connections = new Set<PoolConnection>();
  private readonly inUse = new Set<PoolConnection>();
  /** Connections to close when they are released. */
  private readonly outdated = new WeakSet<PoolConnection>();
  private waiting = 0;
  private lastLoggedAt = -Infinity;
  private unreported = 0;

  constructor(
    readonly pool: Pool,
    private readonly unlimited: boolean,
  ) {
    boundedPools.set(pool, this);
    pool.on('connection', (connection: PoolConnection) => this.prepare(connection));
    pool.on('acquire', (connection: PoolConnection) => this.inUse.add(connection));
    pool.on('release', (connection: PoolConnection) => {
      this.inUse.delete(connection);
      if (this.outdated.has(connection)) connection.destroy();
    });
    this.limitWaiting();
  }

  metrics(): PoolMetrics {
    return { open: this.connections.size, busy: this.inUse.size, waiting: this.waiting };
  }

  abort(): void {
    for (const connection of this.connections) {
      const reason = new Error('The connection was aborted because its server is no longer used.');
      abortConnection(connection, Object.assign(reason, { code: 'PROTOCOL_CONNECTION_LOST' }));
    }
  }

  recycle(): void {
    for (const connection of this.connections) {
      if (this.inUse.has(connection)) this.outdated.add(connection);
      else connection.destroy();
    }
  }

  private prepare(connection: PoolConnection): void {
    this.connections.add(connection);
    const remove = () => (this.connections.delete(connection), this.inUse.delete(connection));
    // Never removed: an unhandled `error` event would end the process.
    connection.on('error', remove);
    connection.once('end', remove);
    guards.set(connection, new ConnectionGuard(connection, this.unlimited ? null : STATEMENT_TIMEOUT));
    const settings = SESSION_SETTINGS.join(', ') + (this.unlimited ? '' : SESSION_LIMITS);
    connection.query(`SET ${settings}`, (error) => {
      if (!error) return;
      // The connection must not be used without strict mode.
      if (driverErrorKind(error) !== 'unavailable')
        this.logger.error('The database server rejected the session settings.', error);
      abortConnection(connection, error);
    });
  }

  /** Adds a timeout to the queue: the driver itself would let requests wait forever. */
  private limitWaiting(): void {
    const getConnection = this.pool.getConnection.bind(this.pool);
    type Callback = Parameters<Pool['getConnection']>[0];
    this.pool.getConnection = (callback: Callback) => {
      let timer: NodeJS.Timeout | undefined;
      let timedOut = false;
      const wait = () => {
        this.waiting++;
        timer = setTimeout(() => {
          timedOut = true;
          this.waiting--;
          this.logExhausted();
          callback(new PoolExhaustedError(), undefined as unknown as PoolConnection);
        }, ACQUIRE_TIMEOUT);
      };
      // The driver emits `enqueue` synchronously if it queues the request.
      this.pool.once('enqueue', wait);
      getConnection((error, connection) => {
        if (timedOut) return connection?.release();
        if (timer) {
          clearTimeout(timer);
          this.waiting--;
        }
        if (connection) this.inUse.add(connection);
        else if (/queue limit/i.test(error?.message ?? '')) this.logExhausted();
        callback(error, connection);
      });
      this.pool.removeListener('enqueue', wait);
    };
  }

  /** Logs at most one line per second. */
  private logExhausted(): void {
    this.unreported++;
    const now = performance.now();
    if (now - this.lastLoggedAt < 1000) return;
    this.logger.warn(`All database connections are busy: ${this.unreported} request(s) rejected.`);
    this.lastLoggedAt = now;
    this.unreported = 0;
  }
}

/** Errors after which a transaction may have ended, even if later statements succeed. */
const TRANSACTION_ENDING_ERRORS: ReadonlySet<DriverErrorKind | null> = new Set([
  'busy',
  'timeout',
  'unavailable',
]);

/** The parts of mysql2's query command that are used here. */
interface Command {
  onResult?: (error: Error | null, ...results: unknown[]) => void;
  once(event: 'end', listener: () => void): void;
}

type QueryCallback = (error: QueryError | null, result?: unknown, fields?: unknown) => void;

const guards = new WeakMap<Connection, ConnectionGuard>();

/** The guard of a connection, created on first use for one that is not from a `BoundedPool`. */
export function guardOf(connection: Connection): ConnectionGuard {
  let guard = guards.get(connection);
  if (guard === undefined)
    guards.set(connection, (guard = new ConnectionGuard(connection, STATEMENT_TIMEOUT)));
  return guard;
}

/**
 * Supervises the statements of one connection. A statement that times out aborts the connection:
 * its response could still arrive and be taken for that of the next statement. After an error that
 * may have ended the transaction nothing more is sent: a statement could succeed outside of it.
 */
export class ConnectionGuard {
  private inTransaction = false;
  private failure: Error | null = null;
  /** Statements of the transaction that are sent with the next one. */
  private waiting: string[] = [];
  private readonly send: (...args: unknown[]) => Command;

  constructor(
    private readonly connection: Connection,
    private readonly timeoutMs: number | null,
  ) {
    this.send = connection.query.bind(connection) as unknown as ConnectionGuard['send'];
    connection.query = ((...args: unknown[]) => this.query(args)) as unknown as Connection['query'];
  }

  beginTransaction(): void {
    this.inTransaction = true;
    this.failure = null;
    this.discardWaiting();
  }

  endTransaction(): void {
    this.inTransaction = false;
    this.failure = null;
    this.discardWaiting();
  }

  /** Sends a statement in the packet of the next one, whoever sends that. */
  sendWithNext(sql: string): void {
    this.waiting.push(sql);
  }

  /** Characters of what waits. */
  get waitingLength(): number {
    return this.waiting.reduce((sum, sql) => sum + sql.length, 0);
  }

  discardWaiting(): void {
    this.waiting = [];
  }

  /** Whether an error has been met that may have ended the transaction. */
  get hasFailed(): boolean {
    return this.failure !== null;
  }

  /** @throws that error */
  assertOpen(): void {
    if (this.failure !== null) throw this.failure;
  }

  private query(args: unknown[]): Command | undefined {
    if (this.failure !== null) {
      const callback = args.at(-1) as (error: Error) => void;
      process.nextTick(callback, this.failure);
      return undefined;
    }
    const command = this.send(...(this.waiting.length === 0 ? args : this.withWaiting(args)));
    const timer =
      this.timeoutMs === null ? undefined : setTimeout(() => this.expire(), this.timeoutMs).unref();
    const { onResult } = command;
    if (onResult) {
      command.onResult = (error, ...results) => {
        clearTimeout(timer);
        if (error && this.inTransaction && TRANSACTION_ENDING_ERRORS.has(driverErrorKind(error)))
          this.failure ??= error;
        onResult(error, ...results);
      };
    }
    command.once('end', () => clearTimeout(timer));
    return command;
  }

  /** The arguments of a query that executes what waits before it, and has its own result. */
  private withWaiting(args: unknown[]): unknown[] {
    const [query, ...rest] = args as [string | QueryOptions, ...unknown[]];
    const callback = rest.at(-1) as QueryCallback;
    const { sql, values, ...options } = typeof query === 'string' ? { sql: query, values: undefined } : query;
    const statement = this.connection.format(sql, rest.length > 1 ? rest[0] : values);
    const joined = [...this.waiting, statement].join(';\n');
    this.discardWaiting();
    return [
      { ...options, sql: joined },
      (error: QueryError | null, results: unknown[], fields: unknown[] | undefined) =>
        error ? callback(error) : callback(null, results.at(-1), fields?.at(-1)),
    ];
  }

  private expire(): void {
    abortConnection(
      this.connection,
      Object.assign(new Error('The database did not answer in time.'), { code: 'PROTOCOL_SEQUENCE_TIMEOUT' }),
    );
  }
}

/**
 * Closes the socket of a connection, so that the statement in progress fails with `reason`.
 * mysql2's `destroy()` would never call back its statement.
 */
export function abortConnection(connection: Connection, reason: Error): void {
  (connection as unknown as { stream: { destroy(reason: Error): void } }).stream.destroy(reason);
}
