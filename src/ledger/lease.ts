import type { SqlValue } from '../database/database.js';
import { assignments } from '../database/sql.js';
import type { Transaction, UnitOfWork } from './unit-of-work.js';

/** Time without a heartbeat after which a lease may be taken over. */
export const HOLDER_TIMEOUT_MS = 15_000;
/** Interval between two heartbeats of a holder. */
export const HEARTBEAT_INTERVAL_MS = 1000;

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

/**
 * A lease has one holder at a time, over all processes and machines: a table of one row with
 * `holder` and `seen_at`. Who holds it sends heartbeats, so that another one can take it over from
 * a process that was killed or hangs, and the former holder finds it lost.
 */
export class Lease<Row extends LeaseRow = LeaseRow> {
  private readonly select: string;

  /**
   * @param table of one row
   * @param columns of the row besides those of every lease
   * @param lost makes the error of a holder whose lease another one has taken over
   */
  constructor(
    private readonly table: string,
    columns: readonly (keyof Row & string)[],
    private readonly lost: () => Error,
  ) {
    this.select = ['holder', 'seen_at', ...columns].join(', ');
  }

  /** Reads the row, which stays locked until the transaction ends. */
  async read(transaction: Transaction): Promise<Row> {
    const forUpdate = transaction.embedded ? '' : ' FOR UPDATE';
    const [row] = await transaction.rows<Row>(
      `SELECT ${this.select}, ${databaseTime(transaction.embedded)} - seen_at AS heartbeat_age` +
        ` FROM ${this.table} WHERE id = 1${forUpdate}`,
    );
    return row!;
  }

  /** Whether the holder, if there is one, may still be at work. */
  isHeld({ holder, heartbeat_age: age }: LeaseRow): boolean {
    return holder !== null && Number(age) < HOLDER_TIMEOUT_MS;
  }

  /** Gives the lease to a holder, after it was read in the transaction. */
  async take(
    transaction: Transaction,
    holder: string,
    values: Readonly<Record<string, SqlValue>>,
  ): Promise<void> {
    const set = assignments(['holder', ...Object.keys(values)]);
    await transaction.execute(
      `UPDATE ${this.table} SET ${set}, seen_at = ${databaseTime(transaction.embedded)} WHERE id = 1`,
      [holder, ...Object.values(values)],
    );
  }

  /** Counts as a heartbeat. @throws what `lost` makes, for who does not hold the lease */
  async renew(transaction: Transaction, holder: string): Promise<void> {
    const { affected } = await transaction.execute(
      `UPDATE ${this.table} SET seen_at = ${databaseTime(transaction.embedded)} WHERE id = 1 AND holder = ?`,
      [holder],
    );
    if (affected === 0) throw this.lost();
  }

  /** @returns false for who does not hold the lease */
  async release(transaction: Transaction, holder: string): Promise<boolean> {
    const { affected } = await transaction.execute(
      `UPDATE ${this.table} SET holder = NULL WHERE id = 1 AND holder = ?`,
      [holder],
    );
    return affected > 0;
  }
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
    private readonly unitOfWork: UnitOfWork,
    private readonly renew: (transaction: Transaction) => Promise<void>,
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
    await this.unitOfWork.run(this.renew).catch(this.onFailure);
    this.isPending = false;
  }
}
