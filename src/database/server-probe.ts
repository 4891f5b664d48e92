import { createConnection, type Connection } from 'mysql2';
import { ConnectionGuard, breakOff } from './server-pool.js';
import type { ServerAccount } from '../config/server-account.js';

/** Milliseconds that a server has for a connection, and for an answer: more than a busy one needs, less than its readers have. */
const CONNECT_WAIT = 1000;
const ANSWER_WAIT = 2000;

/**
 * A connection for short questions to one server, apart from the pools: a pool whose connections are all at work must not look
 * like a server that is gone. It is opened when needed, and again after a failure.
 */
export class ServerProbe {
  private connection: Connection | null = null;

  constructor(readonly account: ServerAccount) {}

  /**
   * Asks for rows, as arrays of columns.
   * @throws the driver's error
   */
  async ask<T extends unknown[]>(sql: string): Promise<T[]> {
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
    if (this.connection) breakOff(this.connection, new Error('The connection was given up.'));
    this.connection = null;
  }

  private open(): Connection {
    const connection = createConnection({ ...this.account, connectTimeout: CONNECT_WAIT });
    // Stays for good: an error that nobody listens for would end the process.
    connection.on('error', () => undefined);
    new ConnectionGuard(connection, ANSWER_WAIT);
    return connection;
  }
}
