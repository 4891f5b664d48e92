import { randomUUID } from 'node:crypto';
import { HOLDER_TIMEOUT_MS, databaseTime } from '../ledger/import-lock/import-lock-time.js';
import type { Transaction, UnitOfWork } from '../ledger/unit-of-work.js';
import { EditionRunning } from '../platform/errors/api-error.js';

/** Milliseconds between two heartbeats of the maker. */
const HEARTBEAT_INTERVAL = 1000;

/**
 * Acquires the lock in a transaction, for one edition at a time over all machines. A holder that
 * has sent no heartbeat for long is taken over.
 * @param next creates the edition. @returns its number
 * @throws EditionRunning
 */
export async function acquireLock(
  transaction: Transaction,
  next: () => Promise<number>,
): Promise<{ holder: string; number: number }> {
  const now = databaseTime(transaction.embedded);
  const [lock] = await transaction.rows<{ holder: string | null; age: number }>(
    `SELECT holder, ${now} - seen_at AS age FROM edition_lock WHERE id = 1` +
      (transaction.embedded ? '' : ' FOR UPDATE'),
  );
  if (lock!.holder !== null && Number(lock!.age) < HOLDER_TIMEOUT_MS) throw new EditionRunning();
  const holder = randomUUID();
  const number = await next();
  await transaction.execute(
    `UPDATE edition_lock SET holder = ?, edition = ?, seen_at = ${now} WHERE id = 1`,
    [holder, number],
  );
  return { holder, number };
}

/** Renews the lock in a transaction. @throws EditionLockLost */
export async function renewLock(transaction: Transaction, holder: string): Promise<void> {
  const { affected } = await transaction.execute(
    `UPDATE edition_lock SET seen_at = ${databaseTime(transaction.embedded)} WHERE id = 1 AND holder = ?`,
    [holder],
  );
  if (affected === 0) throw new EditionLockLost();
}

/** Releases the lock in a transaction. @throws EditionLockLost */
export async function releaseLock(transaction: Transaction, holder: string): Promise<void> {
  const { affected } = await transaction.execute(
    'UPDATE edition_lock SET holder = NULL WHERE id = 1 AND holder = ?',
    [holder],
  );
  if (affected === 0) throw new EditionLockLost();
}

/** Another process took over, because this one sent no heartbeat for too long. */
export class EditionLockLost extends Error {
  constructor() {
    super('Another process has taken over, because this one did not respond for too long.');
    this.name = 'EditionLockLost';
  }
}

/**
 * Sends heartbeats.
 * @param lost called when another process has taken over
 * @returns what ends them
 */
export function sendHeartbeats(
  unitOfWork: UnitOfWork,
  holder: string,
  lost: (error: EditionLockLost) => void,
): () => void {
  let pending = false;
  const timer = setInterval(() => {
    if (pending) return;
    pending = true;
    // After any other failure the next heartbeat tries again.
    unitOfWork
      .run((transaction) => renewLock(transaction, holder))
      .catch((error: unknown) => error instanceof EditionLockLost && lost(error))
      .finally(() => (pending = false));
  }, HEARTBEAT_INTERVAL).unref();
  return () => clearInterval(timer);
}
