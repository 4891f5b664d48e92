import { Injectable } from '@nestjs/common';
import { Database, type SqlValue } from '../../database/database.js';
import type { Reads } from '../../database/reads.js';
import { assignments, quoteIdentifiers } from '../../database/sql.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import { UnitOfWork } from '../../ledger/unit-of-work.js';
import { Clock, instantText } from '../../platform/clock/clock.js';
import { NotFound } from '../../platform/errors/api-error.js';
import { type Decision, type FileIdentity, heldDigest, type HeldRun } from '../held/held-run.dto.js';
import type { HarvestRow, HarvestRunRow } from '../records/harvest.entity.js';
import { findHarvest } from '../records/harvests.service.js';
import { removeHeldFiles, supersedeHeldRuns } from '../records/removed-runs.js';
import { nextDueTime } from '../records/schedule.js';
import { harvestLease } from './harvest-lease.js';
import type { HarvestCounts, HarvestRunRecord, RunState } from './harvest-run.dto.js';

/** Milliseconds after which a run is tried again that has failed, by the number of the attempt. */
const RETRY_DELAYS_MS = [1, 5, 25].map((minutes) => minutes * 60_000);
/** Runs of a harvest that are kept: of days if it comes every 5 minutes, of years if daily. */
const KEPT_RUNS = 1000;
/** Runs that begin when their time has come. */
const IS_TO_COME = "state IN ('waiting', 'approved')";
const IS_LAST_IMPORTED = "harvest_id = ? AND state = 'done'";
const INTERRUPTED = 'The process that ran it has ended.';

const COLUMNS = quoteIdentifiers([
  'id',
  'harvest_id',
  'state',
  'attempt',
  'due_at',
  'not_before',
  'started_at',
  'ended_at',
  'bytes',
  'counts',
  'change_set_id',
  'error',
  'held',
  'decision',
]);

/** How a run has ended. */
export interface RunOutcome {
  readonly state: Extract<RunState, 'done' | 'unchanged' | 'failed' | 'held'>;
  readonly bytes?: number;
  readonly counts?: HarvestCounts;
  readonly changeSetId?: number | null;
  /** Why it has failed. */
  readonly error?: string;
  /** Milliseconds for which the server asks to wait. */
  readonly retryAfterMs?: number;
  /** What identifies the file that is imported now. */
  readonly imported?: FileIdentity;
  /** Why it is held. */
  readonly held?: HeldRun;
  /** Whether the file is unchanged since it was held, and not since one was imported. */
  readonly isKnownHeld?: boolean;
}

/** A run that has begun, with its harvest as it is then. */
export interface BegunRun {
  readonly run: HarvestRunRow;
  readonly harvest: HarvestRow;
  /** Of the file that was imported last; null where none was. */
  readonly lastCounts: HarvestCounts | null;
}

/** How the runs of a harvest stand. */
export interface RunStates {
  /** The newest one that has begun. */
  readonly last: HarvestRunRecord | null;
  /** The one that waits for its time. */
  readonly waiting: HarvestRunRecord | null;
  /** The one whose file waits for a decision. */
  readonly held: HarvestRunRecord | null;
}

/** The runs of harvests: those that were, and which comes next. */
@Injectable()
export class HarvestRuns {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Those of a harvest, newest first. @throws NotFound */
  async list(harvest: string, limit: number | null = null): Promise<HarvestRunRecord[]> {
    const { id } = await findHarvest(this.database, harvest);
    const rows = await this.database.rows<HarvestRunRow>(
      `SELECT ${COLUMNS} FROM harvest_run WHERE harvest_id = ? ORDER BY id DESC` +
        (limit === null ? '' : ` LIMIT ${limit}`),
      [id],
    );
    return rows.map(toRunRecord);
  }

  /** How the runs of all harvests stand, by the ids of the harvests; none that has never run. */
  async states(): Promise<ReadonlyMap<number, RunStates>> {
    const rows = await this.database.rows<HarvestRunRow>(
      `SELECT ${COLUMNS} FROM harvest_run WHERE state IN ('waiting', 'held') OR id IN` +
        " (SELECT MAX(id) FROM harvest_run WHERE state <> 'waiting' GROUP BY harvest_id) ORDER BY id",
    );
    const states = new Map<number, RunStates>();
    for (const row of rows) {
      const run = toRunRecord(row);
      const before = states.get(row.harvest_id) ?? { last: null, waiting: null, held: null };
      states.set(row.harvest_id, {
        last: run.state === 'waiting' ? before.last : run,
        waiting: run.state === 'waiting' ? run : before.waiting,
        held: run.state === 'held' ? run : before.held,
      });
    }
    return states;
  }

  /** @throws NotFound */
  async read(
    harvest: string,
    id: number,
    reads: Pick<Reads, 'rows'> = this.database,
  ): Promise<HarvestRunRecord> {
    const { id: harvestId } = await findHarvest(reads, harvest);
    const run = Number.isNaN(id) ? null : await findRun(reads, 'id = ? AND harvest_id = ?', id, harvestId);
    if (run === null) throw new NotFound('There is no such run.');
    return toRunRecord(run);
  }

  /**
   * Asks for a run, or for the one that waits to come at once.
   * @returns the run and the id of its harvest
   * @throws NotFound
   */
  request(harvest: string, deadline: number): Promise<{ run: HarvestRunRecord; harvestId: number }> {
    return this.unitOfWork.run(async (transaction) => {
      const { id: harvestId } = await findHarvest(transaction, harvest);
      const now = instantText(this.clock.now());
      const run = await this.plan(transaction, harvestId, now, true);
      return { run: toRunRecord(run), harvestId };
    }, deadline);
  }

  /** Whether a run is due, or one was left by a process that was killed. */
  async isAnyDue(): Promise<boolean> {
    const now = instantText(this.clock.now());
    const due = await this.database.rows<{ state: string }>(
      "SELECT 'due' AS state FROM harvest WHERE enabled = 1 AND next_run_at <= ?" +
        ` UNION SELECT state FROM harvest_run WHERE ${IS_TO_COME} AND not_before <= ?` +
        " UNION SELECT state FROM harvest_run WHERE state = 'running'",
      [now, now],
    );
    if (due.length === 0) return false;
    return (
      due.some(({ state }) => state !== 'running') || (await harvestLease.readHeld(this.database)) === null
    );
  }

  /**
   * Ends the runs that a process has left which was killed, and has them tried again. Only for who
   * has just acquired the lock.
   */
  async endInterrupted(transaction: Transaction): Promise<void> {
    const rows = await transaction.rows<HarvestRunRow>(
      `SELECT ${COLUMNS} FROM harvest_run WHERE state = 'running'`,
    );
    for (const run of rows) {
      if (run.held !== null) {
        await this.retryApproved(transaction, run, INTERRUPTED);
        continue;
      }
      await this.save(transaction, run.id, {
        state: 'interrupted',
        ended_at: instantText(this.clock.now()),
        error: INTERRUPTED,
      });
      await removeHeldFiles(transaction, run.id);
      await this.retry(transaction, run, 0);
    }
  }

  /** Begins the run that is due first; null where none is. Only for who has the lock. */
  async beginNext(transaction: Transaction): Promise<BegunRun | null> {
    const now = this.clock.now();
    const due = await transaction.rows<Pick<HarvestRow, 'id' | 'next_run_at' | 'schedule' | 'time_zone'>>(
      'SELECT id, next_run_at, schedule, time_zone FROM harvest WHERE enabled = 1 AND next_run_at <= ?',
      [instantText(now)],
    );
    for (const { id, next_run_at: dueAt, schedule, time_zone } of due) {
      await this.plan(transaction, id, dueAt!, false);
      const next = nextDueTime(schedule, time_zone, now);
      await transaction.execute('UPDATE harvest SET next_run_at = ? WHERE id = ?', [
        next === null ? null : instantText(next),
        id,
      ]);
    }
    const run = await findRun(
      transaction,
      `${IS_TO_COME} AND not_before <= ? ORDER BY not_before, id LIMIT 1`,
      instantText(now),
    );
    if (run === null) return null;
    await this.save(transaction, run.id, { state: 'running', started_at: instantText(now) });
    const last = await findRun(transaction, `${IS_LAST_IMPORTED} ORDER BY id DESC LIMIT 1`, run.harvest_id);
    return {
      run,
      harvest: await findHarvest(transaction, String(run.harvest_id)),
      lastCounts: last === null ? null : (JSON.parse(last.counts!) as HarvestCounts),
    };
  }

  /** Whether a run is there, and its harvest was not deleted meanwhile. */
  async isThere(reads: Pick<Reads, 'rows'>, id: number): Promise<boolean> {
    return (await findRun(reads, 'id = ?', id)) !== null;
  }

  /**
   * Ends a run, and has one that has failed tried again.
   * @returns whether it is still there
   */
  async end(transaction: Transaction, { run, harvest }: BegunRun, outcome: RunOutcome): Promise<boolean> {
    if (!(await this.isThere(transaction, run.id))) return false;
    const { state, bytes = null, counts = null, changeSetId = null, error = '', imported, held } = outcome;
    if (run.held !== null && state === 'failed') {
      await this.retryApproved(transaction, run, error, outcome.retryAfterMs);
      return true;
    }
    await this.save(transaction, run.id, {
      ...{ state, bytes, change_set_id: changeSetId, error: shortened(error) },
      counts: counts === null ? null : JSON.stringify(counts),
      ended_at: instantText(this.clock.now()),
      ...(held && { held: JSON.stringify(held) }),
    });
    // Where it was changed meanwhile, the file has been read in another way.
    const known = imported ?? (held && { held_digest: heldDigest(held.file) });
    if (known !== undefined)
      await transaction.execute(
        `UPDATE harvest SET ${assignments(Object.keys(known))} WHERE id = ? AND version = ?`,
        [...(Object.values(known) as SqlValue[]), harvest.id, harvest.version],
      );
    // What the source has now is in order, or is held in place of what was.
    if (state !== 'failed' && !outcome.isKnownHeld)
      await supersedeHeldRuns(transaction, harvest.id, state === 'held' ? run.id : undefined);
    if (state === 'failed') await this.retry(transaction, run, outcome.retryAfterMs ?? 0);
    await this.removeOld(transaction, harvest.id);
    return true;
  }

  /** Has a run that was stopped come again, as the same attempt. */
  stop(transaction: Transaction, { run }: BegunRun): Promise<void> {
    return this.save(transaction, run.id, { state: run.state, started_at: run.started_at });
  }

  /**
   * Has a harvest run. One run of a harvest waits at most: a due time that comes while a retry
   * waits is met by it.
   * @param atOnce whether it also begins where a retry is to wait
   */
  private async plan(
    transaction: Transaction,
    harvestId: number,
    dueAt: string,
    atOnce: boolean,
  ): Promise<HarvestRunRow> {
    const waiting = await findRun(transaction, "harvest_id = ? AND state = 'waiting'", harvestId);
    if (waiting !== null)
      await this.save(transaction, waiting.id, {
        ...{ attempt: 1, due_at: dueAt },
        ...(atOnce ? { not_before: dueAt } : {}),
      });
    const id =
      waiting?.id ??
      (await insertRun(transaction, { harvest_id: harvestId, attempt: 1, due_at: dueAt, not_before: dueAt }));
    return (await findRun(transaction, 'id = ?', id))!;
  }

  private async retry(transaction: Transaction, run: HarvestRunRow, retryAfterMs: number): Promise<void> {
    const { harvest_id, attempt, due_at } = run;
    const delay = RETRY_DELAYS_MS[attempt - 1];
    const waiting = await findRun(transaction, "harvest_id = ? AND state = 'waiting'", harvest_id);
    // One that somebody has asked for meanwhile comes anyway.
    if (delay === undefined || waiting !== null) return;
    const notBefore = instantText(this.clock.now() + Math.max(delay, retryAfterMs));
    await insertRun(transaction, { harvest_id, attempt: attempt + 1, due_at, not_before: notBefore });
  }

  /** Has a held run imported again that has failed, and has it held again at last. */
  private async retryApproved(
    transaction: Transaction,
    run: HarvestRunRow,
    error: string,
    retryAfterMs = 0,
  ): Promise<void> {
    const delay = RETRY_DELAYS_MS[run.attempt - 1];
    const values: Partial<HarvestRunRow> =
      delay === undefined
        ? { state: 'held', attempt: 1, decision: null }
        : {
            ...{ state: 'approved', attempt: run.attempt + 1 },
            not_before: instantText(this.clock.now() + Math.max(delay, retryAfterMs)),
          };
    await this.save(transaction, run.id, { ...values, error: shortened(error) });
  }

  /** Changes columns of a run. */
  async save(
    transaction: Transaction,
    id: number,
    values: Partial<Omit<HarvestRunRow, 'id' | 'harvest'>>,
  ): Promise<void> {
    const set = assignments(Object.keys(values));
    await transaction.execute(`UPDATE harvest_run SET ${set} WHERE id = ?`, [...Object.values(values), id]);
  }

  private async removeOld(transaction: Transaction, harvestId: number): Promise<void> {
    const [oldest] = await transaction.rows<{ id: number }>(
      `SELECT id FROM harvest_run WHERE harvest_id = ? ORDER BY id DESC LIMIT 1 OFFSET ${KEPT_RUNS - 1}`,
      [harvestId],
    );
    if (oldest === undefined) return;
    // The next file is compared with that of the run that has imported last.
    const last = await findRun(transaction, `${IS_LAST_IMPORTED} ORDER BY id DESC LIMIT 1`, harvestId);
    await transaction.execute(
      "DELETE FROM harvest_run WHERE harvest_id = ? AND id < ? AND id <> ? AND state NOT IN ('held', 'approved')",
      [harvestId, oldest.id, last?.id ?? 0],
    );
  }
}

async function findRun(
  reads: Pick<Reads, 'rows'>,
  condition: string,
  ...values: (string | number)[]
): Promise<HarvestRunRow | null> {
  const [row] = await reads.rows<HarvestRunRow>(
    `SELECT ${COLUMNS} FROM harvest_run WHERE ${condition}`,
    values,
  );
  return row ?? null;
}

async function insertRun(
  transaction: Transaction,
  {
    harvest_id,
    attempt,
    due_at,
    not_before,
  }: Pick<HarvestRunRow, 'harvest_id' | 'attempt' | 'due_at' | 'not_before'>,
): Promise<number> {
  const { insertId } = await transaction.execute(
    'INSERT INTO harvest_run (harvest_id, state, attempt, due_at, not_before) VALUES (?, ?, ?, ?, ?)',
    [harvest_id, 'waiting', attempt, due_at, not_before],
  );
  return insertId;
}

function toRunRecord(row: HarvestRunRow): HarvestRunRecord {
  const { counts, held, decision, ...run } = row;
  const { by, reason } = decision === null ? { by: '', reason: '' } : (JSON.parse(decision) as Decision);
  const { id, attempt, due_at, not_before, started_at, ended_at, change_set_id, error } = run;
  return {
    ...{ id, attempt, due_at, not_before, started_at, ended_at, change_set_id, error },
    state: run.state as RunState,
    bytes: run.bytes === null ? null : Number(run.bytes),
    counts: counts === null ? null : (JSON.parse(counts) as HarvestCounts),
    held: held === null ? [] : (JSON.parse(held) as HeldRun).reasons,
    ...{ decided_by: by, reason },
  };
}

/** An error as its column holds it. */
const shortened = (text: string) => Array.from(text.replace(/\s+/g, ' ')).slice(0, 500).join('');
