import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Heartbeats, LeaseLost } from '../../database/lease.js';
import type { Reads } from '../../database/reads.js';
import { type Transaction, UnitOfWork } from '../../ledger/unit-of-work.js';
import { HarvestAlarms } from '../alarms/harvest-alarms.js';
import { harvestLease } from './harvest-lease.js';
import { HarvestRunner } from './harvest-runner.js';
import { HarvestRuns } from './harvest-runs.js';

/** Milliseconds between two looks at what is due. Schedules count minutes. */
const CHECK_INTERVAL_MS = 10_000;
/** Milliseconds between two looks at the alarms where nothing was run: lateness depends on days. */
const ALARM_INTERVAL_MS = 60_000;
/**
 * Milliseconds for which a shutdown waits for a run to stop. It has 700 in all; the next process
 * takes over what takes longer, as that of a process that was killed.
 */
const SHUTDOWN_MS = 500;

/** The harvest of a run was deleted meanwhile, and the run with it. */
class RunRemoved extends Error {}

/**
 * Runs harvests that are due, one after the other. Every process looks for them; one of all holds
 * the lease, and does what is due. A process that is stopped leaves its run to the next one, and
 * what a process that was killed has left is tried again.
 */
@Injectable()
export class HarvestScheduler implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Harvests');
  private readonly stopped = new AbortController();
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;
  /** When the alarms are looked at next, although nothing was run (`performance.now()`). */
  private nextAlarms = 0;
  /** The run that is in work, and what stops it once it is removed. */
  private current: { readonly id: number; readonly removed: AbortController } | null = null;

  constructor(
    private readonly runs: HarvestRuns,
    private readonly runner: HarvestRunner,
    private readonly alarms: HarvestAlarms,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Begins, once the database is open. A service that is never started, as in tests, runs none. */
  start(): void {
    this.timer ??= setInterval(() => this.wake(), CHECK_INTERVAL_MS).unref();
    this.wake();
  }

  /** Looks at once, in a service that was started: something was asked for. */
  wake(): void {
    if (this.timer !== null && this.running === null)
      this.runDue().catch((error: unknown) => {
        // The next look tries again.
        this.logger.warn(`Harvests are not run: ${(error as Error).message}`);
      });
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    this.stopped.abort(new Error('The service is shut down.'));
    const ended = this.running?.catch(() => undefined);
    await Promise.race([ended, sleep(SHUTDOWN_MS, undefined, { ref: false })]);
  }

  /**
   * Runs all that is due, unless another process does, and keeps the alarms in step. One call at a
   * time does it.
   */
  runDue(): Promise<void> {
    return (this.running ??= this.runAll()
      .then(() => (performance.now() < this.nextAlarms ? undefined : this.refreshAlarms()))
      .finally(() => (this.running = null)));
  }

  private async refreshAlarms(): Promise<void> {
    if (this.stopped.signal.aborted) return;
    this.nextAlarms = performance.now() + ALARM_INTERVAL_MS;
    await this.alarms.refresh();
  }

  private async runAll(): Promise<void> {
    if (this.stopped.signal.aborted || !(await this.runs.isAnyDue())) return;
    const holder = randomUUID();
    const isHolder = await this.unitOfWork.run(async (transaction) => {
      if (harvestLease.isHeld(await harvestLease.read(transaction))) return false;
      await harvestLease.take(transaction, holder);
      await this.runs.endInterrupted(transaction);
      return true;
    });
    if (!isHolder) return;
    const lost = new AbortController();
    const heartbeats = new Heartbeats(
      this.unitOfWork,
      async (transaction) => {
        await harvestLease.renew(transaction, holder);
        await this.stopRemoved(transaction);
      },
      (error) => {
        if (error instanceof LeaseLost) lost.abort(error);
      },
    );
    try {
      await this.runner.removeAbandoned();
      const signal = AbortSignal.any([this.stopped.signal, lost.signal]);
      while (await this.runNext(holder, signal)) await this.refreshAlarms();
    } finally {
      heartbeats.stop();
    }
  }

  /** @returns whether there may be another; false once the lease is released */
  private async runNext(holder: string, signal: AbortSignal): Promise<boolean> {
    const begun = await this.unitOfWork.run(async (transaction) => {
      await harvestLease.renew(transaction, holder);
      const next = signal.aborted ? null : await this.runs.beginNext(transaction);
      if (next === null) await harvestLease.release(transaction, holder);
      return next;
    });
    if (begun === null) return false;
    const { name } = begun.harvest;
    this.logger.log(`${name} begins.`);
    const removed = new AbortController();
    this.current = { id: begun.run.id, removed };
    try {
      const outcome = await this.runner.run(begun, AbortSignal.any([signal, removed.signal]));
      const isThere = await this.end(holder, (transaction) => this.runs.end(transaction, begun, outcome));
      if (!isThere) this.logger.log(`${name} was deleted during its run.`);
      else if (outcome.state === 'failed') this.logger.warn(`${name} has failed: ${outcome.error}`);
      else this.logger.log(`${name} is ${outcome.state}.`);
    } catch (error) {
      if (error instanceof RunRemoved) this.logger.log(`${name} was deleted during its run.`);
      else if (!signal.aborted || signal.reason instanceof LeaseLost) throw error;
      else await this.end(holder, (transaction) => this.runs.stop(transaction, begun));
    } finally {
      this.current = null;
    }
    return true;
  }

  /** Stops the run in work where its harvest was deleted. */
  private async stopRemoved(reads: Pick<Reads, 'rows'>): Promise<void> {
    const { current } = this;
    if (current !== null && !(await this.runs.isThere(reads, current.id)))
      current.removed.abort(new RunRemoved('The harvest was deleted.'));
  }

  /** Records what became of a run, as long as no other process has taken over. */
  private end<T>(holder: string, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.unitOfWork.run(async (transaction) => {
      await harvestLease.renew(transaction, holder);
      return work(transaction);
    });
  }
}
