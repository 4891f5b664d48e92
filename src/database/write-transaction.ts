import type { EntityManager } from 'typeorm';
import type { SqlValue } from './reads.js';

/** The result of a statement that changes rows. `affected` counts the matched rows. */
export interface WriteResult {
  affected: number;
  insertId: number;
}

/** Executes statements on a connection that writes. They use `?` placeholders on every engine. */
export interface Statements {
  /**
   * TypeORM on the writing connection: for `update`, `delete` and query builders. Not for `save()`
   * and `remove()`, which begin transactions of their own.
   */
  readonly manager: EntityManager;
  /** True on SQLite, for the few statements that differ between engines. */
  readonly embedded: boolean;
  rows<T>(sql: string, values?: readonly SqlValue[]): Promise<T[]>;
  /** As `rows`, each row as an array of its values: in half the time where there are many. */
  arrays<T extends unknown[]>(sql: string, values?: readonly SqlValue[]): Promise<T[]>;
  execute(sql: string, values?: readonly SqlValue[]): Promise<WriteResult>;
  /**
   * Executes a statement whose result nobody needs, and which only a fault can make fail: on a
   * server it is sent with the next one, in order, and an error is that of the next one, too. Where
   * much waits already, it is sent at once.
   */
  executeWithNext(sql: string, values?: readonly SqlValue[]): Promise<void>;
}

/** A transaction of an engine, from before it begins. */
export interface WriteTransaction extends Statements {
  /** Milliseconds for which it may wait for the lock of the embedded engine's file. */
  begin(timeoutMs: number): Promise<void>;
  savepoint(name: string): Promise<void>;
  rollbackTo(name: string): Promise<void>;
  /** Whether an error may have ended it: then nothing more is sent. */
  readonly isEnded: boolean;
  /** Whether its COMMIT has been sent, so that nobody knows its outcome until there is a reply. */
  readonly isCommitting: boolean;
  /** @throws OutcomeUnknownError where the server has not confirmed it */
  commit(): Promise<void>;
  /** Rolls back, where the engine has not done so. @returns why it could not; else null */
  rollback(): Promise<unknown>;
  /** Closes its connection at once: no COMMIT can follow. */
  abort(reason: Error): void;
  /** Gives its connection back. */
  release(): Promise<void>;
}
