import type { ChildProcess } from 'node:child_process';
import { Injectable } from '@nestjs/common';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Environment } from '../../config/environment.js';
import { Database } from '../../database/database.js';
import { toApiErrorFromDriver } from '../../database/errors/driver-api-errors.js';
import { DataRevision } from '../../ledger/revision/data-revision.js';
import { ImportLock } from '../../ledger/import-lock/import-lock.js';
import { TurnQueue } from '../../lib/scheduling/turn-queue.js';
import { ApiError, ImportRunning } from '../../platform/errors/api-error.js';
import { startOwnProcess } from '../../platform/workers/own-process.js';
import { ImportRejected } from '../formats/batch.js';
import { InputTooLarge } from '../containers/unpack.js';
import type { InputHeads } from '../pipeline/input-heads.js';
import type { ImportReport } from '../pipeline/import-report.dto.js';
import type { SeriesComparison } from '../pipeline/series-comparison.js';
import type { ProposedTable } from '../mappings/propose/proposed-table.js';
import type {
  ComparisonTask,
  HeadTask,
  ImportTask,
  ProposalTask,
  TaskFailure,
  TaskMessage,
  TaskProgress,
} from './import-task.js';

/**
 * Arguments of Node.js that keep the process near 300 MB for a file of 200 MB: V8 would let
 * garbage of a few times that pile up. The bound of the heap, of each of its two threads, is for
 * files that need more than others; where it does not suffice, the process ends.
 */
const NODE_ARGUMENTS = ['--max-old-space-size=256', '--max-semi-space-size=4'];

/** Signals of a process whose memory did not suffice: of the kernel, and of V8. */
const MEMORY_SIGNALS: readonly (string | null)[] = ['SIGKILL', 'SIGABRT'];
/** What a process without a signal exits with after SIGABRT, as a shell has it. */
const ABORTED = 134;

type AnyTask = ImportTask | ProposalTask | ComparisonTask | HeadTask;

/** How a process has ended. */
type LastMessage = Exclude<TaskMessage, { kind: 'progress' }>;

/** How a task is done. */
interface TaskOptions {
  /** The input of a task without a path. */
  readonly bytes?: Iterable<Uint8Array>;
  /** Ends a task that waits for its turn; and one that runs, unless it is stored as a whole. */
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: TaskProgress) => void;
}

/**
 * Checks and imports inputs in a process of their own, one at a time, so that neither their memory
 * nor their work is that of the service. It ends with its task, and gives all of it back.
 */
@Injectable()
export class ImportProcess {
  /** Imports that this process has started, and the rows they read and rejected. */
  readonly totals = { imports: 0, rows: 0, rejected: 0 };
  private readonly turns = new TurnQueue(1);
  private isStoring = false;

  constructor(
    private readonly environment: Environment,
    private readonly database: Database,
    private readonly revision: DataRevision,
    private readonly lock: ImportLock,
  ) {}

  /**
   * Does a task. What it has stored is seen by all replies that begin after it.
   * @throws ImportRunning, also where another one of this process is to store its input
   * @throws ImportRejected, InputTooLarge as the readers do
   * @throws ApiError also where the process was ended from outside, or its memory did not suffice
   */
  async run(task: ImportTask, options: TaskOptions): Promise<ImportReport> {
    const { dryRun } = task.request;
    if (!dryRun && this.isStoring) throw new ImportRunning();
    if (!dryRun) this.isStoring = true;
    try {
      await this.turns.acquire(options.signal);
      try {
        return await this.runNow(task, options);
      } finally {
        this.turns.release();
      }
    } finally {
      if (!dryRun) this.isStoring = false;
    }
  }

  /**
   * The begins of the tables of a file, as CSV or JSON.
   * @throws ImportRejected as `inputHeads`
   * @throws ApiError as `run`
   */
  heads(task: HeadTask, signal: AbortSignal): Promise<InputHeads> {
    return this.replyTo(task, 'heads', signal);
  }

  /**
   * Proposes a mapping for a file.
   * @throws ImportRejected where none can be proposed
   * @throws ApiError as `run` does
   */
  async propose(task: ProposalTask, signal: AbortSignal): Promise<ProposedTable> {
    return (await this.replyTo(task, 'proposal', signal)).proposed;
  }

  /**
   * Compares the series of a file by two mappings.
   * @throws ImportRejected where the new one does not read the file
   * @throws ApiError as `run` does
   */
  async compare(task: ComparisonTask, signal: AbortSignal): Promise<SeriesComparison> {
    return (await this.replyTo(task, 'comparison', signal)).comparison;
  }

  /** The reply to a task that stores nothing. */
  private async replyTo<K extends LastMessage['kind']>(
    task: AnyTask,
    kind: K,
    signal: AbortSignal,
  ): Promise<LastMessage & { kind: K }> {
    await this.turns.acquire(signal);
    try {
      const message = await this.outcome(task, { signal });
      if (message.kind === 'failure') throw toError(message.failure, true);
      if (message.kind !== kind) throw new Error('The process of an import has replied to another task.');
      return message as LastMessage & { kind: K };
    } finally {
      this.turns.release();
    }
  }

  private async runNow(task: ImportTask, options: TaskOptions): Promise<ImportReport> {
    try {
      this.database.assertInPlace();
      const message = await this.outcome(task, options);
      this.database.assertInPlace();
      this.totals.imports++;
      if (message.kind === 'failure') throw toError(message.failure, task.request.dryRun);
      if (message.kind !== 'report') throw new Error('The process of an import has replied to another task.');
      const { report } = message;
      this.totals.rows += report.read;
      this.totals.rejected += report.rejected;
      return report;
    } catch (error) {
      const known = toApiErrorFromDriver(error) ?? error;
      if (known instanceof ApiError && known.code === 'storage_unavailable')
        this.database.storageUnavailable = true;
      throw known;
    } finally {
      // If the database is unavailable, replies read the revision before they use what is cached.
      if (!task.request.dryRun) await this.revision.publishNewest().catch(() => undefined);
    }
  }

  /** Starts the process. @returns its last message, or why there is none */
  async outcome(task: AnyTask, { bytes = [], signal, onProgress }: TaskOptions): Promise<LastMessage> {
    const child = startOwnProcess(new URL('../../commands/import-task.command.js', import.meta.url), {
      node: NODE_ARGUMENTS,
      env: this.environment.variables,
      isControlled: true,
    });
    const last: { message: LastMessage | null } = { message: null };
    child.on('message', (message: TaskMessage) => {
      if (message.kind === 'progress') onProgress?.(message);
      else last.message = message;
    });
    const stop = () => void child.kill('SIGTERM');
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    try {
      const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
      // It rejects where no process could be started.
      ended.catch(() => undefined);
      child.send(task, () => undefined);
      // Where the process ends before its input, the way it has ended says why.
      await pipeline(Readable.from(bytes, { objectMode: false }), child.stdin!).catch(() => undefined);
      const [code, name] = await ended;
      if ('request' in task && !task.request.dryRun && last.message?.kind !== 'report')
        await this.endLock(child);
      if (last.message !== null) return last.message;
      const failure: TaskFailure =
        MEMORY_SIGNALS.includes(name) || code === ABORTED
          ? { kind: 'memory' }
          : { kind: 'internal', stack: `The process of an import has ended: ${name ?? `exit ${code}`}.` };
      return { kind: 'failure', failure };
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /**
   * Ends what a process has left that was killed, or could not store its end. Where this fails, the
   * next import takes the lock over from a process that has exited.
   */
  private async endLock({ pid }: ChildProcess): Promise<void> {
    if (pid !== undefined) await this.lock.endOf(pid).catch(() => undefined);
  }
}

function toError(failure: TaskFailure, dryRun: boolean): Error {
  switch (failure.kind) {
    case 'rejected':
      return new (failure.isTooLarge ? InputTooLarge : ImportRejected)(failure.message, failure.choices);
    case 'api':
      return new ApiError(failure.code, failure.detail, failure);
    case 'memory':
      return new ImportStopped(dryRun);
    case 'internal': {
      const error = new Error('The process of an import has failed.');
      error.stack = failure.stack;
      return error;
    }
  }
}

/** 503: the process of an import was killed, mostly by the kernel. */
class ImportStopped extends ApiError {
  constructor(dryRun: boolean) {
    const stored = dryRun ? 'Nothing was stored.' : 'What was stored until then stays.';
    super(
      dryRun ? 'unavailable' : 'outcome_unknown',
      `It was stopped: not enough memory was free for this file. ${stored} Try again, or divide the file.`,
      { headers: { 'Retry-After': '60' } },
    );
  }
}
