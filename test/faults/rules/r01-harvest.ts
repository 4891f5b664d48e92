import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { jsonBody } from '../support/http.js';
import { createFolder } from '../support/resources.js';
import { type Measurements, ms, type Rule, SkipRule } from '../support/rule.js';
import { Service } from '../support/service.js';
import { SourceServer } from '../support/source-server.js';
import { watchWithChildren } from '../support/watched-memory.js';
import { writeWfpContent } from '../support/wfp-file.js';

const FILE_BYTES = 200 * 1024 * 1024;
/** By how many MB the service may grow. */
const GROWTH = 50;
/** What the unit and the container may have in all (`deploy/`). */
const TOGETHER = 700;

/** A run of a harvest, as the API shows it. */
interface Run {
  readonly state: string;
  readonly bytes: number | null;
  readonly counts: { readonly read: number; readonly new: number } | null;
  readonly error: string;
}

export const memoryOfHarvest: Rule = {
  id: 'R1',
  title: 'memory while a file of 200 MB is fetched, tried out and imported by a harvest',
  timeoutMs: 900_000,
  async run({ short }) {
    if (short) throw new SkipRule('A file of 200 MB needs a whole run.');
    return measureHarvest();
  },
};

async function measureHarvest(): Promise<Measurements> {
  const path = join(createFolder(), 'prices.csv');
  const { content, rows } = writeWfpContent(FILE_BYTES);
  writeFileSync(path, content);
  const source = await SourceServer.start({ '/prices.csv': path });
  const settings = { OUTGOING_ALLOW: '127.0.0.1', TMPDIR: createFolder() };
  const service = await Service.start({ settings });
  const harvest = {
    ...{ name: 'large', address: source.address('/prices.csv'), format: 'wfp', options: { country: 'KEN' } },
    schedule: '0 0 1 1 *',
  };
  assert.equal((await service.write('POST', '/api/v1/Harvest/', harvest)).status, 201);
  const before = service.residentMemory();
  const most = watchWithChildren(service);
  assert.equal((await service.write('POST', '/api/v1/Harvest/large/run/')).status, 202);
  const run = await ended(service);
  most.stop();
  const { service: alone, together } = most();
  await service.stop();
  source.stop();
  const { state, error, bytes, counts } = run;
  assert.deepEqual(
    [state, error, bytes, counts?.read, counts?.new],
    ['done', '', content.length, rows, rows],
  );
  const growth = alone - before;
  assert.ok(growth <= GROWTH, `The service grew by ${growth} MB.`);
  assert.ok(together <= TOGETHER, `Both took ${together} MB.`);
  return {
    rows,
    'memory before MB': ms(before),
    'at most MB': ms(alone),
    'with its process MB': ms(together),
  };
}

/** The run once it has ended. */
async function ended(service: Service): Promise<Run> {
  for (;;) {
    const reply = await service.write('GET', '/api/v1/Harvest/large/run/', undefined, { timeoutMs: 60_000 });
    const [run] = jsonBody<{ results: Run[] }>(reply).results;
    if (run !== undefined && !['waiting', 'running'].includes(run.state)) return run;
    await sleep(500);
  }
}
