import assert from 'node:assert/strict';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FeedWriters } from '../support/feed-writers.js';
import { jsonBody } from '../support/http.js';
import { KilledService } from '../support/killed-service.js';
import { MariaDb } from '../support/mariadb.js';
import { writePricesFile } from '../support/prices-file.js';
import { createFolder } from '../support/resources.js';
import type { Measurements, Rule, RunMode } from '../support/rule.js';
import { Service, runBuiltCommand } from '../support/service.js';

const WRITERS = 8;
const IMPORT = 'import';
const MIRROR = 'mirror';
const REVERT = 'revert';

export const mirror: Rule = {
  id: 'H7',
  title: 'a mirror is equal after 8 writers, imports, and reverts of imports (10 minutes; short: 10 seconds)',
  timeoutMs: 1_200_000,
  run: (mode) =>
    prove(
      mode,
      `sqlite:${join(createFolder(), 'prices.sqlite')}`,
      `sqlite:${join(createFolder(), 'mirror.sqlite')}`,
    ),
};

export const mirrorOnServer: Rule = {
  id: 'H7D',
  title: 'the same on MariaDB',
  needsMariadb: true,
  timeoutMs: 1_200_000,
  async run(mode) {
    const server = await MariaDb.start();
    await server.query('CREATE DATABASE mirror CHARACTER SET utf8mb4');
    const measurements = await prove(mode, server.url, server.url.replace(/prices$/, 'mirror'));
    await server.stop();
    return measurements;
  },
};

/** Lets clients write while a mirror copies, then compares what both export. */
async function prove({ short }: RunMode, databaseUrl: string, copyUrl: string): Promise<Measurements> {
  for (const url of [databaseUrl, copyUrl]) await run('migrate', [], url);
  await run(IMPORT, ['prices', writePricesFile(40, 30)], databaseUrl);
  const service = await KilledService.start(databaseUrl);
  const writers = new FeedWriters(service);
  const file = writePricesFile(short ? 60 : 400, short ? 60 : 200);
  let going = true;
  const writing = () => going;
  const copied = runBuiltCommand(MIRROR, [service.url], copyUrl, { killAfter: waitWhile(writing) });
  const clients = Promise.all([
    importAndRevert(service, databaseUrl, file, writing),
    writers.import(writing),
    ...Array.from({ length: WRITERS }, (_, writer) => writers.correct(writer, writing)),
  ]);
  // Whatever fails is thrown below.
  clients.catch(() => undefined);
  await Promise.race([sleep(short ? 10_000 : 600_000), clients]);
  going = false;
  const [reverts] = await clients;
  const { code, output } = await copied;
  assert.equal(code, 'SIGKILL', `The mirror has ended by itself: ${output}`);
  await run(MIRROR, [service.url, '--once'], copyUrl);
  const copy = await Service.start({ databaseUrl: copyUrl });
  await run(MIRROR, [service.url, '--check', `http://127.0.0.1:${copy.port}`], copyUrl);
  await copy.stop();
  await service.stop();
  assert.ok(reverts > 0, 'No import was reverted.');
  return {
    'acknowledged changes': writers.acknowledged.length,
    'small imports': writers.imports,
    'imports reverted': reverts,
  };
}

/** Imports a file and reverts it, over and over, with the commands. @returns how often */
async function importAndRevert(
  service: KilledService,
  databaseUrl: string,
  file: string,
  writing: () => boolean,
): Promise<number> {
  let reverts = 0;
  while (writing()) {
    await whenFree(IMPORT, ['prices', file], databaseUrl);
    const { results } = jsonBody<{ results: { id: number; input: string | null }[] }>(
      await service.request('ChangeSet/?kind=import&state=done&page_size=100'),
    );
    const { id } = results.find(({ input }) => input === basename(file))!;
    await whenFree(REVERT, [String(id)], databaseUrl);
    reverts++;
  }
  return reverts;
}

/** Runs a command again while another import runs. */
async function whenFree(command: string, args: string[], databaseUrl: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    const { code, output } = await runBuiltCommand(command, args, databaseUrl);
    if (code === 0) return;
    assert.ok(tries < 50 && output.includes('import is running'), output);
    await sleep(100 + 200 * Math.random());
  }
}

async function waitWhile(condition: () => boolean): Promise<void> {
  while (condition()) await sleep(50);
}

async function run(command: string, args: string[], databaseUrl: string): Promise<void> {
  const { code, output } = await runBuiltCommand(command, args, databaseUrl);
  assert.equal(code, 0, output);
}
