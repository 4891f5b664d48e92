import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DISABLED, MAINTAINER } from '../list/accounts.js';
import { phases, type Phase } from '../list/phases.js';
import { newDatabase, type Engine } from '../service/databases.js';
import { Build, RunningService } from '../service/service.js';
import { Coverage } from './coverage.js';
import { Recorder } from './recorder.js';
import { RecordingFile, type RecordedReply } from './recording.js';

/** Milliseconds until a running service sees what another process has written. */
const VISIBLE_AFTER_MS = 1500;

type Log = (line: string) => void;

/** What the service runs on. */
export interface Setup {
  engine: Engine;
  /** `WORKERS` of the service. */
  workers: string;
}

/**
 * Records the built service of a folder, phase by phase, and logs the number of replies by kind.
 */
export async function recordService(folder: string, setup: Setup, out: string, log: Log): Promise<void> {
  const build = new Build(resolve(folder));
  const file = new RecordingFile(out);
  const coverage = new Coverage();
  const counts = new Map<string, number>();
  const add = (reply: RecordedReply) => {
    file.add(reply);
    coverage.add(reply);
    const kind = reply.id.replace(/:.*/s, '');
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  };
  try {
    for (const phase of phases()) {
      const began = performance.now();
      const unresolved = await recordPhase(phase, build, setup, add);
      log(`${phase.name}: ${Math.round((performance.now() - began) / 1000)} s`);
      if (unresolved.length > 0) log(`Variables without a value: ${unresolved.join(', ')}`);
    }
  } finally {
    file.close();
  }
  for (const operation of coverage.missing()) log(`Not covered: ${operation}`);
  for (const [kind, count] of counts) log(`${String(count).padStart(6)}  ${kind}`);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  log(`${String(total).padStart(6)}  replies in ${out}`);
}

/** @returns names of variables that no reply gave a value */
async function recordPhase(
  { settings, requests }: Phase,
  build: Build,
  { engine, workers }: Setup,
  add: (reply: RecordedReply) => void,
): Promise<string[]> {
  const url = await newDatabase(engine);
  await build.run('migrate', [], url);
  const service = await RunningService.start(build, url, { ...settings, WORKERS: workers });
  try {
    await makeAccounts(build, url);
    await sleep(VISIBLE_AFTER_MS);
    const recorder = new Recorder(service.port, add);
    for (const request of requests) {
      await recorder.record(request);
      if (service.ended) throw new Error(`The service ended at "${request.id}".${service.tail}`);
    }
    return [...recorder.variables.unresolved];
  } finally {
    await service.stop();
  }
}

async function makeAccounts(build: Build, url: string): Promise<void> {
  for (const { username, password } of [MAINTAINER, DISABLED]) {
    await build.run('user', ['add', username, '--role', 'maintainer'], url, `${password}\n`);
  }
  await build.run('user', ['disable', DISABLED.username], url);
}
