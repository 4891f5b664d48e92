import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { HEARTBEAT_INTERVAL_MS, Heartbeats, Lease, type LeaseRow } from '../../database/lease.js';
import type { Statements } from '../../database/write-transaction.js';
import { ImportRunning } from '../../platform/errors/api-error.js';
import { Clock, instantText } from '../../platform/clock/clock.js';
import { insertChangeSet, updateChangeSet, type ChangeSetRow } from '../changes/change-set.js';
import { UnitOfWork, type Transaction } from '../unit-of-work.js';

/** Time without a heartbeat after which the lock of a process that has exited is taken over. */
const EXITED_HOLDER_TIMEOUT_MS = 3000;

/**
 * Holders of this process that have ended without releasing the lock, because the database accepted
 * no writes.
 */
const abandoned = new Set<string>();

interface LockRow extends LeaseRow {
  readonly host: string;
  readonly process: number;
  readonly change_set_id: number | null;
}

const lease = new Lease<LockRow>('import', {
  lost: 'Another import took over the lock, because this one did not respond for too long.',
  columns: ['host', 'process', 'change_set_id'],
  table: 'import_lock',
});

/** The change set of an import, when it begins. */
export type ImportChangeSet = Pick<ChangeSetRow, 'kind' | 'reason' | 'input' | 'format' | 'source'>;

/**
 * Lets one import run at a time, over all processes and machines. The holder sends heartbeats, and
 * each of its transactions renews the lock. So the next import can take over from one that was
 * killed or hangs, and the former holder can no longer write.
 */
@Injectable()
export class ImportLock {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Acquires the lock and begins a change set, or goes on with an interrupted one. Where the
   * holder's process has just exited, waits until its timeout passes.
   * @param changeSet a new one, or the id of one that was interrupted
   * @throws ImportRunning
   */
  async acquire(changeSet: ImportChangeSet | number): Promise<HeldLock> {
    const holder = randomUUID();
    const deadline = performance.now() + EXITED_HOLDER_TIMEOUT_MS + HEARTBEAT_INTERVAL_MS;
    for (;;) {
      const startedAt = instantText(this.clock.now());
      const row: ChangeSetRow | number =
        typeof changeSet === 'number'
          ? changeSet
          : { ...changeSet, state: 'running', startedAt, endedAt: null };
      const { wait, changeSetId } = await this.unitOfWork.run((transaction) =>
        tryAcquire(transaction, holder, row),
      );
      if (changeSetId !== null) return new HeldLock(this.unitOfWork, this.clock, holder, changeSetId);
      if (wait === Infinity || performance.now() > deadline) throw new ImportRunning();
      await sleep(wait);
    }
  }

  /**
   * Ends what a process of this machine, which has exited, has left: its lock, and its change set
   * as `interrupted`.
   * @param pid the number that the process had
   */
  async endOf(pid: number): Promise<void> {
    await this.unitOfWork.run(async (transaction) => {
      const { holder, host, process: holding } = await lease.read(transaction);
      if (holder === null || Number(holding) !== pid || host !== ownHost()) return;
      await interruptRunning(transaction, this.clock.now());
      await lease.release(transaction, holder);
    });
  }

  /**
   * Does some work under the lock, which ends its change set as its last part. Where it fails, the
   * change set is `failed`.
   * @param changeSet as for `acquire`
   * @param afterFailure a part of the transaction that ends the change set of work that has failed
   * @throws ImportRunning, and what the work throws
   */
  async hold<T>(
    changeSet: ImportChangeSet | number,
    work: (lock: HeldLock) => Promise<T>,
    afterFailure?: LastPart,
  ): Promise<T> {
    const lock = await this.acquire(changeSet);
    try {
      return await work(lock);
    } catch (error) {
      // If the database is unavailable this fails as well.
      await lock.end('failed', afterFailure).catch(() => lock.abandon());
      throw error;
    } finally {
      lock.stopHeartbeat();
    }
  }
}

/** What the transaction that ends a change set does before. */
type LastPart = (transaction: Transaction) => Promise<void>;

/** Whether the lock was acquired. */
interface Attempt {
  /** Null if it was not. */
  readonly changeSetId: number | null;
  /** Milliseconds to wait before a retry; Infinity for no retry. */
  readonly wait: number;
}

async function tryAcquire(
  transaction: Transaction,
  holder: string,
  row: ChangeSetRow | number,
): Promise<Attempt> {
  const lock = await lease.read(transaction);
  const { host, process: pid, seen_at: seenAt, heartbeat_age: age } = lock;
  if (isHeld(lock)) {
    if (!hasExited(host, pid)) return { changeSetId: null, wait: Infinity };
    // The process may run in another container with the same host name: then it sends heartbeats.
    if (age < EXITED_HOLDER_TIMEOUT_MS)
      return { changeSetId: null, wait: EXITED_HOLDER_TIMEOUT_MS - Number(age) };
  }
  // One import runs at a time, so any other that has not ended was interrupted.
  await interruptRunning(transaction, Number(seenAt));
  const changeSetId = typeof row === 'number' ? row : await insertChangeSet(transaction, row);
  if (typeof row === 'number') await updateChangeSet(transaction, row, { state: 'running', ended_at: null });
  await lease.take(transaction, holder, {
    host: ownHost(),
    process: process.pid,
    change_set_id: changeSetId,
  });
  return { changeSetId, wait: 0 };
}

/** Ends the change set of an import that was interrupted: one runs at a time. */
async function interruptRunning(transaction: Transaction, endedAt: number): Promise<void> {
  await transaction.execute(
    "UPDATE change_set SET state = 'interrupted', ended_at = ? WHERE state = 'running'",
    [instantText(endedAt)],
  );
}

/** The change set of the import that is running; none can begin before the transaction ends. */
export async function runningImport(transaction: Transaction): Promise<number | null> {
  const lock = await lease.read(transaction);
  return isHeld(lock) ? lock.change_set_id : null;
}

/** Whether the holder, if there is one, may still be at work. */
const isHeld = (lock: LockRow): boolean => lease.isHeld(lock) && !abandoned.has(lock.holder!);

/** The name of this machine, as the lock has it. */
const ownHost = () => hostname().slice(0, 255);

/** Whether a process of this machine has exited. */
function hasExited(host: string, pid: number): boolean {
  if (host !== ownHost()) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** An acquired lock. Sends heartbeats until `stopHeartbeat`. */
export class HeldLock {
  /** For times without writes: each transaction of the import renews the lock by itself. */
  private readonly heartbeats: Heartbeats;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly holder: string,
    /** The change set of what is imported under this lock. */
    readonly changeSetId: number,
  ) {
    // After a failure the next transaction detects a lost lock.
    this.heartbeats = new Heartbeats(unitOfWork, (transaction) => this.renew(transaction));
  }

  /**
   * Runs a transaction of the change set.
   * @throws LeaseLost
   */
  transact<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.unitOfWork.change(this.changeSetId, async (transaction) => {
      const result = await work(transaction);
      await this.renew(transaction);
      return result;
    });
  }

  /** Ends the change set in a last transaction of its own, then releases the lock. */
  async end(state: 'done' | 'failed', lastPart?: LastPart): Promise<void> {
    await this.transact(async (transaction) => {
      await lastPart?.(transaction);
      const ended_at = instantText(this.clock.now());
      await updateChangeSet(transaction, this.changeSetId, { state, ended_at });
    });
    await this.unitOfWork.run((transaction) => this.release(transaction));
  }

  /**
   * Verifies that the lock is still held and counts as a heartbeat. Call it at the end of a
   * transaction: the row stays locked until the commit, and others that try to acquire the lock
   * would wait for the row instead of being rejected.
   * @throws LeaseLost
   */
  async renew(transaction: Statements): Promise<void> {
    await lease.renew(transaction, this.holder);
    this.heartbeats.hasBeaten();
  }

  /** Releases the lock as part of a transaction. */
  async release(transaction: Statements): Promise<void> {
    await lease.release(transaction, this.holder);
  }

  /**
   * Ends the lock where the database does not accept its release: other imports of this process can
   * take it over at once, those of others once this process has exited, or the lock times out.
   */
  abandon(): void {
    this.stopHeartbeat();
    abandoned.add(this.holder);
  }

  stopHeartbeat(): void {
    this.heartbeats.stop();
  }
}
