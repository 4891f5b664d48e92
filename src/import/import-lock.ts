import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { ImportRunning } from '../common/errors/api-error.js';
import { UnitOfWork, type Transaction } from '../database/unit-of-work.js';

/** Milliseconds between two signs of life of a running import. */
const SIGN_OF_LIFE = 1000;
/** Milliseconds of silence after which an import counts as dead, and where its process is known to be gone. */
const SILENCE = 15_000;
const SILENCE_OF_THE_DEAD = 3000;

/** Milliseconds since 1970 by the database's clock, which all machines share. */
const now = (tx: Transaction) =>
  tx.embedded
    ? "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"
    : 'CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)';

interface LockRow {
  holder: string | null;
  host: string;
  process: number;
  silent: number;
}

/**
 * Lets one import run at a time, on however many machines. The holder gives signs of life, and each of its transactions makes
 * sure that it still holds the lock: so an import that was killed, or fell silent, is followed by the next, and never writes beside it.
 */
@Injectable()
export class ImportLock {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Takes the lock. Where its holder's process has just died, waits for as long as one cannot be sure of that.
   * @throws ImportRunning
   */
  async take(): Promise<HeldLock> {
    const holder = randomUUID();
    const deadline = performance.now() + SILENCE_OF_THE_DEAD + SIGN_OF_LIFE;
    for (;;) {
      const wait = await this.unitOfWork.run((tx) => tryToTake(tx, holder));
      if (wait === 0) return new HeldLock(this.unitOfWork, holder);
      if (wait === Infinity || performance.now() > deadline) throw new ImportRunning();
      await sleep(wait);
    }
  }
}

/** @returns 0 where the lock is taken, else milliseconds after which another try may help */
async function tryToTake(tx: Transaction, holder: string): Promise<number> {
  const lock = tx.embedded ? '' : ' FOR UPDATE';
  const [row] = await tx.rows<LockRow>(
    `SELECT holder, host, process, ${now(tx)} - seen_at AS silent FROM import_lock WHERE id = 1${lock}`,
  );
  const { host, process: id, silent } = row!;
  if (row!.holder !== null && silent < SILENCE) {
    if (!isGone(host, id)) return Infinity;
    // In another container the process may live under a number that is free here: then it gives signs of life.
    if (silent < SILENCE_OF_THE_DEAD) return SILENCE_OF_THE_DEAD - Number(silent);
  }
  await tx.execute(
    `UPDATE import_lock SET holder = ?, host = ?, process = ?, seen_at = ${now(tx)} WHERE id = 1`,
    [holder, hostname().slice(0, 255), process.pid],
  );
  return 0;
}

/** Whether a process of this machine has ended. */
function isGone(host: string, id: number): boolean {
  if (host !== hostname().slice(0, 255)) return false;
  try {
    process.kill(id, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** The lock was taken over, because this import had given no sign of life for too long. */
export class ImportLockLost extends Error {
  constructor() {
    super('Another import has taken over, because this one had stopped for too long.');
    this.name = 'ImportLockLost';
  }
}

/** A lock that is held. */
export class HeldLock {
  private lastSign = performance.now();
  private signing = false;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly holder: string,
  ) {
    this.timer = setInterval(() => void this.giveSign(), SIGN_OF_LIFE).unref();
  }

  /**
   * Makes sure, at the end of a transaction, that the lock is still held; that is a sign of life, too. At its end, because the row
   * stays locked until the commit, and whoever asks for the lock meanwhile should hear that it is taken.
   * @throws ImportLockLost
   */
  async confirm(tx: Transaction): Promise<void> {
    const { affected } = await tx.execute(
      `UPDATE import_lock SET seen_at = ${now(tx)} WHERE id = 1 AND holder = ?`,
      [this.holder],
    );
    if (affected === 0) throw new ImportLockLost();
    this.lastSign = performance.now();
  }

  /** Gives the lock back, as part of a transaction. */
  async giveBack(tx: Transaction): Promise<void> {
    await tx.execute('UPDATE import_lock SET holder = NULL WHERE id = 1 AND holder = ?', [this.holder]);
  }

  /** Stops giving signs of life. */
  stop(): void {
    clearInterval(this.timer);
  }

  /** For the time in which nothing is written: transactions tell by themselves that this import is alive. */
  private async giveSign(): Promise<void> {
    if (this.signing || performance.now() - this.lastSign < SIGN_OF_LIFE) return;
    this.signing = true;
    // A sign that fails is followed by another, and a lost lock is noticed by the next transaction.
    await this.unitOfWork.run((tx) => this.confirm(tx)).catch(() => undefined);
    this.signing = false;
  }
}
