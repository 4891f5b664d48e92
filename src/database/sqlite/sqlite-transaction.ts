import type BetterSqlite3 from 'better-sqlite3';
import type { EntityManager } from 'typeorm';
import type { SqlValue } from '../reads.js';
import type { WriteResult, WriteTransaction } from '../write-transaction.js';
import { bindable, preparedStatement } from './prepared-statement.js';
import { beginImmediate } from './sqlite-lock.js';

/** A transaction on the writing connection of the embedded engine: there is one at a time. */
export class SqliteTransaction implements WriteTransaction {
  readonly embedded = true;
  /** A COMMIT has ended when it returns. */
  readonly isCommitting = false;

  constructor(
    private readonly handle: BetterSqlite3.Database,
    readonly manager: EntityManager,
  ) {}

  begin(timeoutMs: number): Promise<void> {
    return beginImmediate(this.handle, timeoutMs);
  }

  async savepoint(name: string): Promise<void> {
    this.handle.exec(`SAVEPOINT ${name}`);
  }

  async rollbackTo(name: string): Promise<void> {
    this.handle.exec(`ROLLBACK TO ${name}`);
  }

  get isEnded(): boolean {
    return !this.handle.inTransaction;
  }

  async commit(): Promise<void> {
    this.handle.exec('COMMIT');
  }

  async rollback(): Promise<unknown> {
    try {
      if (this.handle.inTransaction) this.handle.exec('ROLLBACK');
      return null;
    } catch (error) {
      return error;
    }
  }

  abort(): void {}

  async release(): Promise<void> {}

  async rows<T>(sql: string, values: readonly SqlValue[] = []): Promise<T[]> {
    return preparedStatement(this.handle, sql).all(...bindable(values)) as T[];
  }

  async arrays<T extends unknown[]>(sql: string, values: readonly SqlValue[] = []): Promise<T[]> {
    return preparedStatement(this.handle, sql, true).all(...bindable(values)) as T[];
  }

  async execute(sql: string, values: readonly SqlValue[] = []): Promise<WriteResult> {
    const { changes, lastInsertRowid } = preparedStatement(this.handle, sql).run(...bindable(values));
    return { affected: changes, insertId: Number(lastInsertRowid) };
  }

  async executeWithNext(sql: string, values: readonly SqlValue[] = []): Promise<void> {
    await this.execute(sql, values);
  }
}
