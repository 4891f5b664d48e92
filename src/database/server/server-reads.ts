import type { Pool, QueryOptions } from 'mysql2';
import type { Pool as PromisePool, RowDataPacket } from 'mysql2/promise';
import type { Reads, SnapshotReader, SqlValue } from '../reads.js';

/** Reads from one server through its pool. */
export class ServerReads implements Reads {
  /** @param pool called on every read, as the pool may not exist yet */
  constructor(private readonly pool: () => Pool) {}

  rows<T>(sql: string, values: readonly SqlValue[] = []): Promise<T[]> {
    return this.read<T[]>({ sql }, values);
  }

  arrays<T extends unknown[]>(sql: string, values: readonly SqlValue[] = []): Promise<T[]> {
    return this.read<T[]>({ sql, rowsAsArray: true }, values);
  }

  async readSnapshot<T>(work: (arrays: SnapshotReader) => Promise<T>): Promise<T> {
    const connection = await this.promisePool.getConnection();
    const send = (sql: string, values: readonly SqlValue[] = []) =>
      connection.query<RowDataPacket[][]>({ sql, rowsAsArray: true }, [...values]);
    try {
      await send('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
      await send('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY');
      const result = await work(async <T>(sql: string, values?: readonly SqlValue[]) => {
        const [rows] = await send(sql, values);
        return rows as unknown as T[];
      });
      await send('COMMIT');
      connection.release();
      return result;
    } catch (error) {
      // The transaction may still be open, so the connection must not be reused.
      connection.destroy();
      throw error;
    }
  }

  private async read<T>(options: QueryOptions, values: readonly SqlValue[]): Promise<T> {
    return (await this.promisePool.query(options, [...values]))[0] as T;
  }

  private get promisePool(): PromisePool {
    return this.pool().promise();
  }
}
