import type BetterSqlite3 from 'better-sqlite3';
import { setTimeout as sleep } from 'node:timers/promises';
import { driverErrorKind } from '../errors/driver-errors.js';

/**
 * Begins a write transaction on the embedded engine. While another process holds the write lock,
 * the driver would block the event loop, so this retries with pauses instead.
 * @param timeoutMs milliseconds after which the driver's `SQLITE_BUSY` is thrown
 */
export async function beginImmediate(handle: BetterSqlite3.Database, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      handle.exec('BEGIN IMMEDIATE');
      return;
    } catch (error) {
      if (driverErrorKind(error) !== 'busy' || performance.now() > deadline) throw error;
      await sleep(5 + Math.random() * 20);
    }
  }
}
