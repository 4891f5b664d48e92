import type { INestApplication } from '@nestjs/common';
import { readdirSync, readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { AuditTrail } from '../../src/ledger/audit/audit-trail.js';
import { ImportLock } from '../../src/ledger/import-lock/import-lock.js';
import { UnitOfWork } from '../../src/ledger/unit-of-work.js';
import { ImportService } from '../../src/import/import.service.js';
import { Database } from '../../src/database/database.js';
import { NamesOfRecords } from '../../src/import/mappings/names-of-records.js';
import { SeriesComparer } from '../../src/import/pipeline/series-comparison.js';
import { ImportProcess } from '../../src/import/process/import-process.js';
import type { TaskMessage } from '../../src/import/process/import-task.js';
import { runComparison, runHeadTask, runProposal, runTask } from '../../src/import/process/run-task.js';
import { Clock } from '../../src/platform/clock/clock.js';
import { FindingsFollower } from '../../src/quality/findings-follower.js';
import { ObservationStore } from '../../src/prices/store/observation-store.js';

type Outcome = Exclude<TaskMessage, { kind: 'progress' }>;

/**
 * Has an application import files in the process of the test, which takes no time to start, and
 * whose clock and failures a test can set. What is sent is copied as it is between processes.
 */
export function importInProcess(app: INestApplication): void {
  const clock = app.get(Clock);
  const service = new ImportService(
    app.get(UnitOfWork),
    new ObservationStore(),
    new AuditTrail(clock),
    app.get(ImportLock),
    app.get(FindingsFollower),
    clock,
  );
  const replaced = app.get(ImportProcess);
  replaced.outcome = async (task, { bytes = [], signal, onProgress }) => {
    let last: Outcome | null = null;
    const input = Readable.from(bytes, { objectMode: false });
    const tell = (message: TaskMessage) => {
      const received = structuredClone(message);
      if (received.kind === 'progress') onProgress?.(received);
      else last = received;
    };
    const copy = structuredClone(task);
    if ('request' in copy) await runTask(service, copy, input, signal, tell);
    else if ('headsOf' in copy) await runHeadTask(copy, tell);
    else if ('compared' in copy)
      await runComparison(new SeriesComparer(app.get(UnitOfWork)), copy, signal, tell);
    else await runProposal(() => new NamesOfRecords(app.get(Database)).read(), copy, signal, tell);
    return last!;
  };
}

/** Has an application import files in processes of their own again, as in production. */
export function importInOwnProcess(app: INestApplication): void {
  Reflect.deleteProperty(app.get(ImportProcess), 'outcome');
}

/** The numbers of the processes that import files for this one. */
export function importProcesses(): number[] {
  const children = readdirSync('/proc/self/task').flatMap((thread) =>
    readText(`/proc/self/task/${thread}/children`).split(' '),
  );
  return children
    .filter((pid) => pid !== '' && readText(`/proc/${pid}/cmdline`).includes('import-task.command'))
    .map(Number);
}

/** The text of a file; '' where it has just gone. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
