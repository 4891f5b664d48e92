import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from '../support/embedded.js';
import { assertSameItems, FeedClient } from '../support/feed.js';
import { assertComplete, FeedWriters } from '../support/feed-writers.js';
import { KilledService } from '../support/killed-service.js';
import { MariaDb } from '../support/mariadb.js';
import { writePricesFile } from '../support/prices-file.js';
import { createFolder } from '../support/resources.js';
import type { Measurements, Rule, RunMode } from '../support/rule.js';
import { Service, runBuiltCommand } from '../support/service.js';

const WRITERS = 8;
const MIRROR = 'mirror';

/** Where a mirror is kept. */
interface Copy {
  readonly url: string;
  /** How far it has read, as it is stored; null at first. */
  position(): Promise<string | null>;
}

export const changeFeed: Rule = {
  id: 'H6',
  title:
    'kill -9 of a service that is written to, and of its mirror: its change feed tells all, once and in order',
  timeoutMs: 300_000,
  async run(mode) {
    const copy = `sqlite:${join(createFolder(), 'mirror.sqlite')}`;
    const sql = 'SELECT token FROM mirror';
    return prove(mode, `sqlite:${join(createFolder(), 'prices.sqlite')}`, {
      url: copy,
      position: async () =>
        inspect(copy, (handle) => (handle.prepare(sql).pluck().get() as string | undefined) ?? null),
    });
  },
};

export const changeFeedOnServer: Rule = {
  id: 'H6D',
  title: 'the same on MariaDB',
  needsMariadb: true,
  timeoutMs: 300_000,
  async run(mode) {
    const server = await MariaDb.start();
    await server.query('CREATE DATABASE mirror CHARACTER SET utf8mb4');
    const measurements = await prove(mode, server.url, {
      url: server.url.replace(/prices$/, 'mirror'),
      position: async () =>
        (await server.query<{ token: string | null }>('SELECT token FROM mirror', 'mirror'))[0]?.token ??
        null,
    });
    await server.stop();
    return measurements;
  },
};

/** Lets clients write for 60 seconds, in a short run for 8; kills the service and its mirror. */
async function prove({ short }: RunMode, databaseUrl: string, copy: Copy): Promise<Measurements> {
  for (const url of [databaseUrl, copy.url]) await run('migrate', [], url);
  await run('import', ['prices', writePricesFile(40, 30)], databaseUrl);
  const service = await KilledService.start(databaseUrl);
  const writers = new FeedWriters(service);
  const reader = new FeedClient((path) => service.request(path), 100);
  const [periods, milliseconds] = short ? [3, 2700] : [8, 7500];
  let going = true;
  const writing = () => going;
  const clients = Promise.all([
    killMirrors(service.url, copy, writing),
    reader.read(writing),
    writers.import(writing),
    ...Array.from({ length: WRITERS }, (_, writer) => writers.correct(writer, writing)),
  ]);
  // Whatever fails is thrown below.
  clients.catch(() => undefined);
  try {
    for (let period = 1; period < periods; period++) await service.killAfter(milliseconds);
    await sleep(milliseconds);
  } finally {
    going = false;
  }
  const [mirrorKills] = await clients;
  // The reader may have ended before the last of the writers.
  await reader.read(writing);
  assertComplete(reader.items, writers);
  const whole = new FeedClient((path) => service.request(path), 10_000);
  await whole.read(writing);
  assertSameItems(reader.items, whole.items);
  assert.ok(mirrorKills > 0, 'No mirror was killed after it had copied something.');
  await assertEqualMirror(service.url, copy);
  await service.stop();
  return {
    kills: service.kills,
    'kills of the mirror': mirrorKills,
    'acknowledged changes': writers.acknowledged.length,
    imports: writers.imports,
    items: reader.items.length,
  };
}

/**
 * Kills a mirror each time it has copied something.
 * @returns how often
 */
async function killMirrors(source: string, copy: Copy, writing: () => boolean): Promise<number> {
  let kills = 0;
  while (writing()) {
    const before = await copy.position();
    const hasCopied = async () => (await copy.position()) !== before;
    const copied = (async () => {
      while (writing() && !(await hasCopied())) await sleep(20);
      await sleep(200 * Math.random());
    })();
    const { code, output } = await runBuiltCommand(MIRROR, [source], copy.url, { killAfter: copied });
    assert.equal(code, 'SIGKILL', output);
    if (await hasCopied()) kills++;
  }
  return kills;
}

/** Asserts that a mirror has the same exports, byte for byte, once it has copied the rest. */
async function assertEqualMirror(source: string, copy: Copy): Promise<void> {
  await run(MIRROR, [source, '--once'], copy.url);
  const mirror = await Service.start({ databaseUrl: copy.url });
  await run(MIRROR, [source, '--check', `http://127.0.0.1:${mirror.port}`], copy.url);
  await mirror.stop();
}

async function run(command: string, args: string[], databaseUrl: string): Promise<void> {
  const { code, output } = await runBuiltCommand(command, args, databaseUrl);
  assert.equal(code, 0, output);
}
