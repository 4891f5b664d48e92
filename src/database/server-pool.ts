import { Logger } from '@nestjs/common';
import { createPool, type Connection, type Pool, type PoolConnection, type PoolOptions } from 'mysql2';
import { PoolExhaustedError, driverErrorKind, type DriverErrorKind } from './driver-errors.js';

/** Milliseconds that a request may wait for a connection of a full pool. */
const POOL_WAIT = 2000;
/** Requests that may wait for a connection at the same time. */
const POOL_QUEUE = 100;
/**
 * Milliseconds after which a statement without an answer costs its connection. A little more than the server's own limit in
 * `SESSION_SETTINGS`, so that a slow statement is ended by the server and a silent server by this.
 */
const STATEMENT_WAIT = 5700;

/** What a server connection is told first: strict mode, UTC, and bounds, so that no statement and no lock wait is endless. */
const SESSION_SETTINGS = [
  "sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'",
  "time_zone = '+00:00'",
];
/** Seconds that a statement waits for a lock of a row or of a table. */
export const LOCK_WAIT = 5;
/**
 * The bounds on statements. MariaDB (`M!`) and MySQL (`50708`, which MariaDB skips) name the limit differently; it lies above
 * the lock wait, because a lock wait that ends first is told as such and the transaction is done again.
 */
const SESSION_LIMITS = `, innodb_lock_wait_timeout = ${LOCK_WAIT}, lock_wait_timeout = ${LOCK_WAIT} /*M!100101 , max_statement_time = 5.2 */ /*!50708 , max_execution_time = 5200 */`;

/** How a pool is used now. */
export interface PoolMetrics {
  /** Connections that are open or being opened. */
  open: number;
  /** Connections at work. */
  busy: number;
  /** Requests that wait for a connection. */
  waiting: number;
}

/**
 * mysql2 as TypeORM is to use it. By itself the driver waits for ever: for a connection, for an answer, for a lock. Pools made
 * here bound each of them, and tell every new connection its session settings before anybody else can use it.
 * `unlimited` leaves out the bounds on statements: migrations change whole tables.
 */
export function boundedDriver(unlimited = false) {
  return {
    createPool: (options: PoolOptions) =>
      new BoundedPool(createPool({ ...options, queueLimit: POOL_QUEUE }), unlimited).pool,
  };
}

/** How the pool behind a TypeORM data source is used now. */
export function poolMetrics(pool: Pool): PoolMetrics {
  return bounded.get(pool)?.figures() ?? { open: 0, busy: 0, waiting: 0 };
}

/** Ends all connections of a pool at once: what is under way on them fails as if they were lost. The pool makes new ones. */
export function breakOffAll(pool: Pool): void {
  bounded.get(pool)?.breakOff();
}

/** Ends the connections of a pool, those at work when they have done it; the pool makes new ones. */
export function renewAll(pool: Pool): void {
  bounded.get(pool)?.renew();
}

const bounded = new WeakMap<Pool, BoundedPool>();

class BoundedPool {
  private readonly logger = new Logger('Database');
  private readonly connections = new Set<PoolConnection>();
  private readonly inUse = new Set<PoolConnection>();
  /** Connections that end with the work that they are at. */
  private readonly outdated = new WeakSet<PoolConnection>();
  private waiting = 0;
  private lastComplaint = -Infinity;
  private unreported = 0;

  constructor(
    readonly pool: Pool,
    private readonly unlimited: boolean,
  ) {
    bounded.set(pool, this);
    pool.on('connection', (connection: PoolConnection) => this.prepare(connection));
    pool.on('acquire', (connection: PoolConnection) => this.inUse.add(connection));
    pool.on('release', (connection: PoolConnection) => {
      this.inUse.delete(connection);
      if (this.outdated.has(connection)) connection.destroy();
    });
    this.boundWaiting();
  }

  figures(): PoolMetrics {
    return { open: this.connections.size, busy: this.inUse.size, waiting: this.waiting };
  }

  breakOff(): void {
    for (const connection of this.connections) {
      const reason = new Error('The connection was given up with its server.');
      breakOff(connection, Object.assign(reason, { code: 'PROTOCOL_CONNECTION_LOST' }));
    }
  }

  renew(): void {
    for (const connection of this.connections) {
      if (this.inUse.has(connection)) this.outdated.add(connection);
      else connection.destroy();
    }
  }

  private prepare(connection: PoolConnection): void {
    this.connections.add(connection);
    const forget = () => (this.connections.delete(connection), this.inUse.delete(connection));
    // Stays for good: an error that nobody listens for would end the process.
    connection.on('error', forget);
    connection.once('end', forget);
    guards.set(connection, new ConnectionGuard(connection, this.unlimited ? null : STATEMENT_WAIT));
    const settings = SESSION_SETTINGS.join(', ') + (this.unlimited ? '' : SESSION_LIMITS);
    connection.query(`SET ${settings}`, (error) => {
      if (!error) return;
      // Whoever got this connection must not work in a session that is not strict.
      if (driverErrorKind(error) !== 'unavailable')
        this.logger.error('The session settings are refused.', error);
      breakOff(connection, error);
    });
  }

  /** Waiting ends after a while: the driver by itself would leave a request in the queue for ever. */
  private boundWaiting(): void {
    const getConnection = this.pool.getConnection.bind(this.pool);
    type Callback = Parameters<Pool['getConnection']>[0];
    this.pool.getConnection = (callback: Callback) => {
      let timer: NodeJS.Timeout | undefined;
      let givenUp = false;
      const wait = () => {
        this.waiting++;
        timer = setTimeout(() => {
          givenUp = true;
          this.waiting--;
          this.complain();
          callback(new PoolExhaustedError(), undefined as unknown as PoolConnection);
        }, POOL_WAIT);
      };
      // The driver says within the call whether it queues the request.
      this.pool.once('enqueue', wait);
      getConnection((error, connection) => {
        if (givenUp) return connection?.release();
        if (timer) {
          clearTimeout(timer);
          this.waiting--;
        }
        if (connection) this.inUse.add(connection);
        else if (/queue limit/i.test(error?.message ?? '')) this.complain();
        callback(error, connection);
      });
      this.pool.removeListener('enqueue', wait);
    };
  }

  /** At most one line a second, whatever the load. */
  private complain(): void {
    this.unreported++;
    const now = performance.now();
    if (now - this.lastComplaint < 1000) return;
    this.logger.warn(`All database connections are busy: ${this.unreported} request(s) turned away.`);
    this.lastComplaint = now;
    this.unreported = 0;
  }
}

/** Errors after which a transaction is over, whatever the server says to later statements. */
const ENDS_TRANSACTION: ReadonlySet<DriverErrorKind | null> = new Set(['busy', 'timeout', 'unavailable']);

/** A query command of mysql2, as far as it matters here. */
interface Command {
  onResult?: (error: Error | null, ...results: unknown[]) => void;
  once(event: 'end', listener: () => void): void;
}

const guards = new WeakMap<Connection, ConnectionGuard>();

/** The guard of a connection; a pooled one has it from its beginning. */
export function guardOf(connection: Connection): ConnectionGuard {
  let guard = guards.get(connection);
  if (guard === undefined) guards.set(connection, (guard = new ConnectionGuard(connection, STATEMENT_WAIT)));
  return guard;
}

/**
 * Watches the statements of one connection. A statement without an answer costs the connection: its answer could still come,
 * and would be taken for the next statement's. In a transaction nothing is sent after an error that may have ended it: such
 * a statement could succeed outside it.
 */
export class ConnectionGuard {
  private inTransaction = false;
  private over: Error | null = null;
  private readonly send: (...args: unknown[]) => Command;

  constructor(
    private readonly connection: Connection,
    private readonly patience: number | null,
  ) {
    this.send = connection.query.bind(connection) as unknown as ConnectionGuard['send'];
    connection.query = ((...args: unknown[]) => this.query(args)) as unknown as Connection['query'];
  }

  beginTransaction(): void {
    this.inTransaction = true;
    this.over = null;
  }

  endTransaction(): void {
    this.inTransaction = false;
    this.over = null;
  }

  private query(args: unknown[]): Command | undefined {
    if (this.over !== null) {
      const callback = args.at(-1) as (error: Error) => void;
      process.nextTick(callback, this.over);
      return undefined;
    }
    const command = this.send(...args);
    const timer = this.patience === null ? undefined : setTimeout(() => this.expire(), this.patience).unref();
    const { onResult } = command;
    if (onResult) {
      command.onResult = (error, ...results) => {
        clearTimeout(timer);
        if (error && this.inTransaction && ENDS_TRANSACTION.has(driverErrorKind(error))) this.over ??= error;
        onResult(error, ...results);
      };
    }
    command.once('end', () => clearTimeout(timer));
    return command;
  }

  private expire(): void {
    breakOff(
      this.connection,
      Object.assign(new Error('The database did not answer in time.'), { code: 'PROTOCOL_SEQUENCE_TIMEOUT' }),
    );
  }
}

/**
 * Ends a connection at once and tells the statement under way why. `destroy()` would say goodbye politely, to a server that
 * does not listen, and never call back.
 */
export function breakOff(connection: Connection, reason: Error): void {
  (connection as unknown as { stream: { destroy(reason: Error): void } }).stream.destroy(reason);
}
