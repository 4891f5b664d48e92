import { Injectable } from '@nestjs/common';
import { accessSync, constants } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Environment } from '../config/environment.js';
import { DataRevision } from '../database/data-revision.js';
import { DatabaseConnector } from '../database/database-connector.js';
import { Database } from '../database/database.js';
import { driverErrorKind } from '../database/driver-errors.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { Draining } from './draining.js';

/** `degraded`: reading works, writing does not. */
export type ReadinessState = 'ok' | 'degraded' | 'unavailable';

/** Milliseconds that a result is shared. */
const SHARED_FOR = 1000;
/** Milliseconds after which a check that has no result counts as failed. */
const PATIENCE = 900;
/** Milliseconds between two tries to write, while the storage refuses writes. */
const PROBE_EVERY = 5000;

/**
 * Whether the service can do its work now. However often it is asked, the database is asked at most once a second, by one check at
 * a time, and the answer comes within a second.
 */
@Injectable()
export class Readiness {
  private last: ReadinessState = 'unavailable';
  private lastAt = -Infinity;
  private running: Promise<ReadinessState> | null = null;
  /** When the storage may be tried again; null while it accepts writes. */
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
    if (performance.now() - this.lastAt < SHARED_FOR) return this.last;
    // A check that hangs stays the only one; who asks meanwhile is told what that means.
    this.running ??= this.check().finally(() => (this.running = null));
    const state = await Promise.race([this.running, sleep(PATIENCE, 'unavailable' as const, { ref: false })]);
    return this.draining.active ? 'unavailable' : state;
  }

  private async check(): Promise<ReadinessState> {
    this.checks++;
    const began = performance.now();
    let state: ReadinessState;
    try {
      state = await this.look();
    } catch {
      state = 'unavailable';
    }
    // A result that came too late was answered for already: it says nothing of now.
    if (performance.now() - began <= PATIENCE) {
      this.last = state;
      this.lastAt = performance.now();
    }
    return state;
  }

  private async look(): Promise<ReadinessState> {
    if (!this.connector.served) return 'unavailable';
    await this.revision.ask();
    this.probe();
    const readOnly = this.database.embedded ? this.fileIsReadOnly() : await this.serverIsReadOnly();
    return readOnly || this.database.storageRefused ? 'degraded' : 'ok';
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
      // The revision was told all the same, so by a replica, and replicas are read while the writing server is away.
      if (this.database.replicaFigures !== null && driverErrorKind(error) === 'unavailable') return true;
      throw error;
    }
  }

  /** Storage that has refused a write is tried again now and then, so that the service recovers by itself when nobody writes. */
  private probe(): void {
    const now = performance.now();
    if (!this.database.storageRefused) this.probeAt = null;
    else if (this.probeAt === null) this.probeAt = now + PROBE_EVERY;
    else if (now >= this.probeAt) {
      this.probeAt = now + PROBE_EVERY;
      this.unitOfWork.run(async () => undefined).catch(() => undefined);
    }
  }
}
