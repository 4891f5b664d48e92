import type BetterSqlite3 from 'better-sqlite3';
import { setTimeout as sleep } from 'node:timers/promises';
import { driverErrorKind } from './driver-errors.js';

/**
 * Opens a write transaction on the embedded engine. Another process may hold the write lock for a while; the driver would
 * wait for it on the event loop, so this asks without waiting and asks again.
 * @param patience milliseconds after which the driver's `SQLITE_BUSY` is thrown
 */
export async function beginImmediate(handle: BetterSqlite3.Database, patience: number): Promise<void> {
  const deadline = performance.now() + patience;
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
