import type { SqlValue } from './reads.js';
import { assignments, quoteIdentifiers } from './sql.js';
import type { Statements } from './write-transaction.js';

/** Time without a heartbeat after which a lease may be taken over. */
export const HOLDER_TIMEOUT_MS = 15_000;
/** Interval between two heartbeats of a holder. */
export const HEARTBEAT_INTERVAL_MS = 1000;
/** Time without a heartbeat after which the row of a lease is removed. */
const KEPT_MS = 24 * 3600 * 1000;

/** SQL for milliseconds since 1970 by the database's clock, which all machines share. */
const databaseTime = (embedded: boolean) =>
  embedded
    ? "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"
    : 'CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)';

/**
 * SQL for whether the row of a lease has a holder that may still be at work; never NULL.
 * @param alias of the table of the lease, which may be joined
 */
export const isHeldSql = (embedded: boolean, alias: string) =>
  `(${alias}.holder IS NOT NULL AND ${databaseTime(embedded)} - ${alias}.seen_at < ${HOLDER_TIMEOUT_MS})`;

/** The row of a lease, as a transaction reads it. */
export interface LeaseRow {
  /** Null while nobody holds it. */
  readonly holder: string | null;
  /** The last heartbeat, in milliseconds since 1970. */
  readonly seen_at: number;
  /** Milliseconds since the last heartbeat. */
  readonly heartbeat_age: number;
}

/** What a lease has besides its name. */
interface LeaseOptions<Row extends LeaseRow> {
  /** The message for a holder whose lease another one has taken over. */
  readonly lost: string;
  /** Columns of the row besides those of every lease. */
  readonly columns?: readonly Exclude<keyof Row & string, keyof LeaseRow>[];
  /**
   * A table of one row, with the id 1, that has this lease alone: releases with which this one may
   * share a database look for it there.
   */
  readonly table?: string;
}

/** Another process has taken over a lease, because its holder sent no heartbeat for too long. */
export class LeaseLost extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'LeaseLost';
  }
}

/**
 * A lease has one holder at a time, over all processes and machines. Who holds it sends heartbeats,
 * so that another one can take it over from a process that was killed or hangs, and the former
 * holder finds it lost.
 */
export class Lease<Row extends LeaseRow = LeaseRow> {
  private readonly columns: string;
  /** The table of the row, and which of its rows it is. */
  private readonly table: string;
  private readonly isRow: string;
  private readonly key: SqlValue;

  constructor(
    private readonly name: string,
    private readonly options: LeaseOptions<Row>,
  ) {
    const { columns = [], table } = options;
    this.columns = quoteIdentifiers(['holder', 'seen_at', ...columns]);
    this.table = table ?? 'lease';
    this.isRow = table === undefined ? 'name = ?' : 'id = ?';
    this.key = table === undefined ? name : 1;
  }

  /**
   * Reads the row, which stays locked until the transaction ends. The INSERT locks a row that is
   * there for an update: with IGNORE, several transactions would share its lock, and each wait for
   * the others in the SELECT, a deadlock.
   */
  async read(transaction: Statements): Promise<Row> {
    const { embedded } = transaction;
    if (this.options.table === undefined)
      await transaction.execute(
        'INSERT INTO lease (name) VALUES (?)' +
          (embedded ? ' ON CONFLICT DO NOTHING' : ' ON DUPLICATE KEY UPDATE name = name'),
        [this.name],
      );
    const [row] = await this.rows(transaction, embedded ? '' : ' FOR UPDATE');
    return row!;
  }

  /** The row while somebody holds the lease, read without a lock; else null. */
  async readHeld(reads: Pick<Statements, 'embedded' | 'rows'>): Promise<Row | null> {
    const [row] = await this.rows(reads, '');
    return row !== undefined && this.isHeld(row) ? row : null;
  }

  private rows(reads: Pick<Statements, 'embedded' | 'rows'>, locking: string): Promise<Row[]> {
    return reads.rows<Row>(
      `SELECT ${this.columns}, ${databaseTime(reads.embedded)} - seen_at AS heartbeat_age` +
        ` FROM ${this.table} WHERE ${this.isRow}${locking}`,
      [this.key],
    );
  }

  /** Whether the holder, if there is one, may still be at work. */
  isHeld({ holder, heartbeat_age: age }: LeaseRow): boolean {
    return holder !== null && Number(age) < HOLDER_TIMEOUT_MS;
  }

  /** Gives the lease to a holder, after it was read in the transaction. */
  async take(
    transaction: Statements,
    holder: string,
    values: Readonly<Record<string, SqlValue>> = {},
  ): Promise<void> {
    await this.update(transaction, { holder, ...values }, null);
  }

  /**
   * Counts as a heartbeat, and may give other columns other values.
   * @throws LeaseLost for who does not hold the lease
   */
  async renew(
    transaction: Statements,
    holder: string,
    values: Readonly<Record<string, SqlValue>> = {},
  ): Promise<void> {
    if (!(await this.update(transaction, values, holder))) throw new LeaseLost(this.options.lost);
  }

  /** Does nothing for who does not hold the lease. */
  async release(transaction: Statements, holder: string): Promise<void> {
    await this.update(transaction, { holder: null }, holder);
  }

  /** @param holder who has to hold the lease; null for anyone. @returns whether that is so */
  private async update(
    transaction: Statements,
    values: Readonly<Record<string, SqlValue>>,
    holder: string | null,
  ): Promise<boolean> {
    const set = Object.keys(values).length === 0 ? '' : `${assignments(Object.keys(values))}, `;
    const { affected } = await transaction.execute(
      `UPDATE ${this.table} SET ${set}seen_at = ${databaseTime(transaction.embedded)}` +
        ` WHERE ${this.isRow}${holder === null ? '' : ' AND holder = ?'}`,
      [...Object.values(values), this.key, ...(holder === null ? [] : [holder])],
    );
    return affected > 0;
  }
}

/**
 * Removes the rows of leases that nobody has held for a day. They are looked for without locks, and
 * removed by their names: a DELETE that reads the whole table locks the rows of every lease, in an
 * order that leads to deadlocks.
 */
export async function removeUnusedLeases(transaction: Statements): Promise<void> {
  const isUnused = `${databaseTime(transaction.embedded)} - seen_at > ${KEPT_MS}`;
  for (const { name } of await transaction.rows<{ name: string }>(`SELECT name FROM lease WHERE ${isUnused}`))
    await transaction.execute(`DELETE FROM lease WHERE name = ? AND ${isUnused}`, [name]);
}

/** Runs transactions, as the unit of work does. */
interface TransactionRunner {
  run(work: (transaction: Statements) => Promise<void>): Promise<void>;
}

/** Renews a lease from its acquisition on, until it is stopped. */
export class Heartbeats {
  private last = performance.now();
  private isPending = false;
  private readonly timer: NodeJS.Timeout;

  /**
   * @param renew a transaction that renews the lease
   * @param onFailure called with what it throws; the next heartbeat tries again
   */
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly renew: (transaction: Statements) => Promise<void>,
    private readonly onFailure: (error: unknown) => void = () => undefined,
  ) {
    this.timer = setInterval(() => void this.send(), HEARTBEAT_INTERVAL_MS).unref();
  }

  /** Another transaction has renewed the lease: the next heartbeat can wait. */
  hasBeaten(): void {
    this.last = performance.now();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async send(): Promise<void> {
    if (this.isPending || performance.now() - this.last < HEARTBEAT_INTERVAL_MS) return;
    this.isPending = true;
    await this.transactions.run(this.renew).catch(this.onFailure);
    this.isPending = false;
  }
}
