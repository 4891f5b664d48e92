import type { AddressInfo } from 'node:net';
import { DataRevision } from '../../src/ledger/revision/data-revision.js';
import { ImportLock } from '../../src/ledger/import-lock/import-lock.js';
import { UnitOfWork } from '../../src/ledger/unit-of-work.js';
import { compareExports } from '../../src/mirror/compare-exports.js';
import { type MirrorOptions, MirrorRun } from '../../src/mirror/mirror-run.js';
import { Clock } from '../../src/platform/clock/clock.js';
import { ObservationStore } from '../../src/prices/store/observation-store.js';
import type { TestApp } from './test-app.js';
import { FindingsFollower } from '../../src/quality/findings-follower.js';
import { followed } from './followed.js';

/** The address at which a service listens. */
export const addressOf = ({ app }: TestApp) =>
  `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}/`;

/** The exports of a service that differ from those of its mirror. */
export async function differentExports(source: TestApp, copy: TestApp): Promise<string[]> {
  const lines: string[] = [];
  await copy.revision.refresh();
  await compareExports(addressOf(source), addressOf(copy), (line) => lines.push(line));
  return lines.filter((line) => !line.endsWith(': equal'));
}

/** Copies a service into the database of another one, as the command does in its own process. */
export function runMirror({ database }: TestApp, options: MirrorOptions): Promise<void> {
  const clock = new Clock();
  const unitOfWork = followed(new UnitOfWork(database, new DataRevision(database), clock));
  const lock = new ImportLock(unitOfWork, clock);
  return new MirrorRun(database, lock, new ObservationStore(), new FindingsFollower()).run(options);
}
