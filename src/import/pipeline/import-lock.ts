import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { ImportRunning } from '../../platform/errors/api-error.js';
import { UnitOfWork, type Transaction } from '../../database/unit-of-work.js';

/** Interval between two heartbeats of a running import. */
const HEARTBEAT_INTERVAL_MS = 1000;
/** Time without a heartbeat after which the lock may be taken over. */
const HOLDER_TIMEOUT_MS = 15_000;
/** The same where the holder's process is found to have exited. */
const EXITED_HOLDER_TIMEOUT_MS = 3000;

/** SQL for milliseconds since 1970 by the database's clock, which all machines share. */
const databaseTime = (transaction: Transaction) =>
  transaction.embedded
    ? "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"
    : 'CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)';

interface LockRow {
  holder: string | null;
  host: string;
  process: number;
  /** Milliseconds since the last heartbeat. */
  heartbeat_age: number;
}

/**
 * Lets one import run at a time, over all processes and machines. The holder sends heartbeats, and
 * each of its transactions renews the lock. So the next import can take over from one that was
 * killed or hangs, and the former holder can no longer write.
 */
@Injectable()
export class ImportLock {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Acquires the lock. Where the holder's process has just exited, waits until its timeout passes.
   * @throws ImportRunning
   */
  async acquire(): Promise<HeldLock> {
    const holder = randomUUID();
    const deadline = performance.now() + EXITED_HOLDER_TIMEOUT_MS + HEARTBEAT_INTERVAL_MS;
    for (;;) {
      const wait = await this.unitOfWork.run((transaction) => tryAcquire(transaction, holder));
      if (wait === 0) return new HeldLock(this.unitOfWork, holder);
      if (wait === Infinity || performance.now() > deadline) throw new ImportRunning();
      await sleep(wait);
    }
  }
}

/**
 * @returns 0 if the lock was acquired, else milliseconds to wait before a retry; Infinity for no
 * retry
 */
async function tryAcquire(transaction: Transaction, holder: string): Promise<number> {
  const lock = transaction.embedded ? '' : ' FOR UPDATE';
  const [row] = await transaction.rows<LockRow>(
    `SELECT holder, host, process, ${databaseTime(transaction)} - seen_at AS heartbeat_age FROM import_lock WHERE id = 1${lock}`,
  );
  const { host, process: pid, heartbeat_age: age } = row!;
  if (row!.holder !== null && age < HOLDER_TIMEOUT_MS) {
    if (!hasExited(host, pid)) return Infinity;
    // The process may run in another container with the same host name: then it sends heartbeats.
    if (age < EXITED_HOLDER_TIMEOUT_MS) return EXITED_HOLDER_TIMEOUT_MS - Number(age);
  }
  await transaction.execute(
    `UPDATE import_lock SET holder = ?, host = ?, process = ?, seen_at = ${databaseTime(transaction)} WHERE id = 1`,
    [holder, hostname().slice(0, 255), process.pid],
  );
  return 0;
}

/** Whether a process of this machine has exited. */
function hasExited(host: string, pid: number): boolean {
  if (host !== hostname().slice(0, 255)) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Another import took over the lock, because this one sent no heartbeat for too long. */
export class ImportLockLost extends Error {
  constructor() {
    super('Another import took over the lock, because this one did not respond for too long.');
    this.name = 'ImportLockLost';
  }
}

/** An acquired lock. Sends heartbeats until `stopHeartbeat`. */
export class HeldLock {
  private lastHeartbeat = performance.now();
  private heartbeatPending = false;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly holder: string,
  ) {
    this.timer = setInterval(() => void this.heartbeat(), HEARTBEAT_INTERVAL_MS).unref();
  }

  /**
   * Verifies that the lock is still held and counts as a heartbeat. Call it at the end of a
   * transaction: the row stays locked until the commit, and others that try to acquire the lock
   * would wait for the row instead of being rejected.
   * @throws ImportLockLost
   */
  async renew(transaction: Transaction): Promise<void> {
    const { affected } = await transaction.execute(
      `UPDATE import_lock SET seen_at = ${databaseTime(transaction)} WHERE id = 1 AND holder = ?`,
      [this.holder],
    );
    if (affected === 0) throw new ImportLockLost();
    this.lastHeartbeat = performance.now();
  }

  /** Releases the lock as part of a transaction. */
  async release(transaction: Transaction): Promise<void> {
    await transaction.execute('UPDATE import_lock SET holder = NULL WHERE id = 1 AND holder = ?', [
      this.holder,
    ]);
  }

  stopHeartbeat(): void {
    clearInterval(this.timer);
  }

  /** For times without writes: each transaction of the import renews the lock by itself. */
  private async heartbeat(): Promise<void> {
    if (this.heartbeatPending || performance.now() - this.lastHeartbeat < HEARTBEAT_INTERVAL_MS) return;
    this.heartbeatPending = true;
    // After a failure the next heartbeat retries, and the next transaction detects a lost lock.
    await this.unitOfWork.run((transaction) => this.renew(transaction)).catch(() => undefined);
    this.heartbeatPending = false;
  }
}
