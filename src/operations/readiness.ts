import { Injectable } from '@nestjs/common';
import { accessSync, constants } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Environment } from '../config/environment.js';
import { DataRevision } from '../ledger/revision/data-revision.js';
import { DatabaseConnector } from '../database/database-connector.js';
import { Database } from '../database/database.js';
import { driverErrorKind } from '../database/errors/driver-errors.js';
import { UnitOfWork } from '../ledger/unit-of-work.js';
import { Draining } from '../platform/shutdown/draining.js';

/** `degraded`: reading works, writing does not. */
type ReadinessState = 'ok' | 'degraded' | 'unavailable';

/** Milliseconds for which a result is reused. */
const CACHE_TTL = 1000;
/** Milliseconds after which a check counts as failed. */
const CHECK_TIMEOUT = 900;
/** Milliseconds between two test writes while the storage is unavailable. */
const STORAGE_PROBE_INTERVAL = 5000;

/**
 * Whether the service can serve requests. However many readiness requests arrive, the database is
 * queried at most once a second, by one check at a time, and the result is returned within a
 * second.
 */
@Injectable()
export class Readiness {
  private lastState: ReadinessState = 'unavailable';
  private lastCheckedAt = -Infinity;
  private running: Promise<ReadinessState> | null = null;
  /** When to test the storage again; null while it accepts writes. */
  private probeAt: number | null = null;
  /** Checks since the start. */
  checks = 0;

  constructor(
    private readonly environment: Environment,
    private readonly database: Database,
    private readonly connector: DatabaseConnector,
    private readonly revision: DataRevision,
    private readonly unitOfWork: UnitOfWork,
    private readonly draining: Draining,
  ) {}

  async state(): Promise<ReadinessState> {
    if (this.draining.active) return 'unavailable';
    if (performance.now() - this.lastCheckedAt < CACHE_TTL) return this.lastState;
    // While a check hangs, no other is started and the service is unavailable.
    this.running ??= this.check().finally(() => (this.running = null));
    const state = await Promise.race([
      this.running,
      sleep(CHECK_TIMEOUT, 'unavailable' as const, { ref: false }),
    ]);
    return this.draining.active ? 'unavailable' : state;
  }

  private async check(): Promise<ReadinessState> {
    this.checks++;
    const began = performance.now();
    let state: ReadinessState;
    try {
      state = await this.determineState();
    } catch {
      state = 'unavailable';
    }
    // A late result is outdated, and was reported as unavailable already.
    if (performance.now() - began <= CHECK_TIMEOUT) {
      this.lastState = state;
      this.lastCheckedAt = performance.now();
    }
    return state;
  }

  private async determineState(): Promise<ReadinessState> {
    if (!this.connector.initialized) return 'unavailable';
    await this.revision.refresh();
    this.database.assertInPlace();
    if (this.database.embedded) this.database.checkFile();
    this.probeStorage();
    const readOnly = this.database.embedded ? this.fileIsReadOnly() : await this.serverIsReadOnly();
    const writable = this.revision.writable && !this.database.storageUnavailable && !readOnly;
    return writable ? 'ok' : 'degraded';
  }

  private fileIsReadOnly(): boolean {
    try {
      accessSync(this.environment.sqlitePath, constants.W_OK);
      return false;
    } catch {
      return true;
    }
  }

  private async serverIsReadOnly(): Promise<boolean> {
    try {
      const [row] = await this.database.rows<{ setting: number | string }>(
        'SELECT @@GLOBAL.read_only AS setting',
      );
      return !['0', 'OFF'].includes(String(row?.setting ?? 0));
    } catch (error) {
      // A replica has returned the revision, so reads are served while the primary is unreachable.
      if (this.database.replicaMetrics !== null && driverErrorKind(error) === 'unavailable') return true;
      throw error;
    }
  }

  /**
   * Tests unavailable storage with a write, so that the service recovers even if nobody
   * writes.
   */
  private probeStorage(): void {
    const now = performance.now();
    if (!this.database.storageUnavailable) this.probeAt = null;
    else if (this.probeAt === null) this.probeAt = now + STORAGE_PROBE_INTERVAL;
    else if (now >= this.probeAt) {
      this.probeAt = now + STORAGE_PROBE_INTERVAL;
      this.unitOfWork.probeStorage().catch(() => undefined);
    }
  }
}
