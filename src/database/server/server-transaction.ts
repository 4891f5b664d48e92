import type { Connection, ResultSetHeader, RowDataPacket } from 'mysql2';
import type { EntityManager, QueryRunner } from 'typeorm';
import { toCommitError } from '../errors/driver-errors.js';
import type { SqlValue } from '../reads.js';
import type { WriteResult, WriteTransaction } from '../write-transaction.js';
import { abortConnection, guardOf, type ConnectionGuard } from './server-pool.js';

/**
 * Characters of waiting statements from which the next one is sent at once with them. All in a
 * packet share the time that one statement may take, and servers limit the size of packets.
 */
const MAX_WAITING = 32_768;

/** A transaction on a connection of the pool, which is given back after it. */
export class ServerTransaction implements WriteTransaction {
  readonly embedded = false;
  isCommitting = false;
  private readonly guard: ConnectionGuard;

  private constructor(
    private readonly runner: QueryRunner,
    private readonly connection: Connection,
  ) {
    this.guard = guardOf(connection);
  }

  /** Takes a connection. @throws PoolExhaustedError */
  static async open(runner: QueryRunner): Promise<ServerTransaction> {
    try {
      return new ServerTransaction(runner, (await runner.connect()) as Connection);
    } catch (error) {
      await runner.release();
      throw error;
    }
  }

  get manager(): EntityManager {
    return this.runner.manager;
  }

  async begin(): Promise<void> {
    this.guard.beginTransaction();
    await this.executeWithNext('START TRANSACTION');
  }

  async savepoint(name: string): Promise<void> {
    await this.execute(`SAVEPOINT ${name}`);
  }

  async rollbackTo(name: string): Promise<void> {
    this.guard.discardWaiting();
    await this.execute(`ROLLBACK TO SAVEPOINT ${name}`);
  }

  get isEnded(): boolean {
    return this.guard.hasFailed;
  }

  async commit(): Promise<void> {
    // What failed before, if the work has ignored it, has ended the transaction.
    this.guard.assertOpen();
    this.isCommitting = true;
    await this.execute('COMMIT').catch((error: unknown) => {
      throw toCommitError(error);
    });
    this.guard.endTransaction();
  }

  /** If it fails, closing the connection makes the server roll back. */
  async rollback(): Promise<null> {
    this.guard.endTransaction();
    await new Promise<void>((resolve) =>
      this.connection.query('ROLLBACK', (error) => (error && this.connection.destroy(), resolve())),
    );
    return null;
  }

  abort(reason: Error): void {
    abortConnection(this.connection, reason);
  }

  async release(): Promise<void> {
    await this.runner.release();
  }

  async rows<T>(sql: string, values: readonly SqlValue[] = []): Promise<T[]> {
    return (await this.send(sql, values)) as T[];
  }

  arrays<T extends unknown[]>(sql: string, values: readonly SqlValue[] = []): Promise<T[]> {
    return new Promise((resolve, reject) =>
      this.connection.query<RowDataPacket[]>({ sql, rowsAsArray: true }, [...values], (error, rows) =>
        error ? reject(error) : resolve(rows as unknown as T[]),
      ),
    );
  }

  async execute(sql: string, values: readonly SqlValue[] = []): Promise<WriteResult> {
    const { affectedRows, insertId } = (await this.send(sql, values)) as ResultSetHeader;
    return { affected: affectedRows, insertId };
  }

  async executeWithNext(sql: string, values: readonly SqlValue[] = []): Promise<void> {
    if (this.guard.waitingLength >= MAX_WAITING) await this.execute(sql, values);
    else this.guard.sendWithNext(this.connection.format(sql, [...values]));
  }

  private send(sql: string, values: readonly SqlValue[]): Promise<RowDataPacket[] | ResultSetHeader> {
    return new Promise((resolve, reject) =>
      this.connection.query<RowDataPacket[] | ResultSetHeader>(sql, [...values], (error, result) =>
        error ? reject(error) : resolve(result),
      ),
    );
  }
}
