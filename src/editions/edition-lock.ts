import { randomUUID } from 'node:crypto';
import { Heartbeats, Lease } from '../ledger/lease.js';
import type { Transaction, UnitOfWork } from '../ledger/unit-of-work.js';
import { EditionRunning } from '../platform/errors/api-error.js';

/** Another process took over, because this one sent no heartbeat for too long. */
export class EditionLockLost extends Error {
  constructor() {
    super('Another process has taken over, because this one did not respond for too long.');
    this.name = 'EditionLockLost';
  }
}

const lease = new Lease('edition_lock', [], () => new EditionLockLost());

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
  if (lease.isHeld(await lease.read(transaction))) throw new EditionRunning();
  const holder = randomUUID();
  const number = await next();
  await lease.take(transaction, holder, { edition: number });
  return { holder, number };
}

/** Renews the lock in a transaction. @throws EditionLockLost */
export const renewLock = (transaction: Transaction, holder: string) => lease.renew(transaction, holder);

/** Releases the lock in a transaction. @throws EditionLockLost */
export async function releaseLock(transaction: Transaction, holder: string): Promise<void> {
  if (!(await lease.release(transaction, holder))) throw new EditionLockLost();
}

/**
 * Sends heartbeats.
 * @param lost called when another process has taken over
 */
export const sendHeartbeats = (
  unitOfWork: UnitOfWork,
  holder: string,
  lost: (error: EditionLockLost) => void,
): Heartbeats =>
  new Heartbeats(
    unitOfWork,
    (transaction) => renewLock(transaction, holder),
    (error) => {
      if (error instanceof EditionLockLost) lost(error);
    },
  );
