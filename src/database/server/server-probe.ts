import { createConnection, type Connection } from 'mysql2';
import { ConnectionGuard, abortConnection } from './server-pool.js';
import type { ServerAccount } from '../../config/server-account.js';

/** Timeouts in milliseconds: more than a busy server needs, less than its readers wait. */
const CONNECT_TIMEOUT = 1000;
const QUERY_TIMEOUT = 2000;

/**
 * A connection for health queries to one server, separate from its pool: an exhausted pool must not
 * look like an unreachable server. Opened on demand, and again after a failure.
 */
export class ServerProbe {
  private connection: Connection | null = null;

  constructor(readonly account: ServerAccount) {}

  /**
   * Runs a query.
   * @returns the rows as arrays of column values
   * @throws the driver's error
   */
  async query<T extends unknown[]>(sql: string): Promise<T[]> {
    const connection = (this.connection ??= this.open());
    try {
      return await new Promise<T[]>((resolve, reject) =>
        connection.query({ sql, rowsAsArray: true }, (error: Error | null, rows: unknown) =>
          error ? reject(error) : resolve(rows as T[]),
        ),
      );
    } catch (error) {
      if (this.connection === connection) this.close();
      throw error;
    }
  }

  close(): void {
    if (this.connection) abortConnection(this.connection, new Error('The connection was closed.'));
    this.connection = null;
  }

  private open(): Connection {
    const connection = createConnection({ ...this.account, connectTimeout: CONNECT_TIMEOUT });
    // Never removed: an unhandled `error` event would end the process.
    connection.on('error', () => undefined);
    new ConnectionGuard(connection, QUERY_TIMEOUT);
    return connection;
  }
}
