import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertSameItems, FeedClient } from '../../faults/support/feed.js';
import { assertComplete, FeedWriters } from '../../faults/support/feed-writers.js';
import type { HttpReply } from '../../faults/support/http.js';
import { writePricesFile } from '../../faults/support/prices-file.js';
import type { Rule } from '../../faults/support/rule.js';
import { Service, runBuiltCommand } from '../../faults/support/service.js';
import { stopAll } from '../support/clients.js';
import { Galera } from '../support/galera.js';
import { needed } from './galera.js';

const WRITERS = 8;

/** The service of a cluster, which writes to the first healthy node, and one of each other node. */
async function start() {
  const galera = await Galera.start();
  const { nodes } = galera;
  await runBuiltCommand('migrate', [], nodes[0]!.url);
  await runBuiltCommand('import', ['prices', writePricesFile(40, 30)], nodes[0]!.url);
  const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`).join(',');
  const cluster = await startService(`mariadb://root@${hosts}/prices`);
  const others: Service[] = [];
  for (const { url } of nodes.slice(1)) others.push(await startService(url));
  await cluster.login();
  return { galera, nodes, cluster, others };
}

/** Starts a service beside a cluster under load. */
async function startService(databaseUrl: string): Promise<Service> {
  const service = await Service.launch({ databaseUrl });
  await service.waitUntilReady(60_000);
  return service;
}

/** A client that reads the whole feed from some services, by turns. */
function feedOf(...services: Service[]): FeedClient {
  let next = 0;
  const read = (path: string): Promise<HttpReply> =>
    services[next++ % services.length]!.request(`/api/v1/${path}`);
  return new FeedClient(read, 500);
}

export const feedOfCluster: Rule = {
  id: 'C10',
  title: 'H6, Galera: the node that is written to is killed: the feed of each node tells all, once, in order',
  ...needed,
  async run({ short }) {
    const { galera, nodes, cluster, others } = await start();
    let going = true;
    const writing = () => going;
    const writers = new FeedWriters({
      write: (method, path, body, type = 'application/json') =>
        cluster.write(method, `/api/v1/${path}`, body, { headers: { 'Content-Type': type } }),
    });
    // One reader of each node, and one whose tokens go from node to node.
    const readers = [...others.map((service) => feedOf(service)), feedOf(cluster, ...others)];
    const clients = Promise.all([
      ...readers.map((reader) => reader.read(writing)),
      writers.import(writing),
      ...Array.from({ length: WRITERS }, (_, writer) => writers.correct(writer, writing)),
    ]);
    // Whatever fails is thrown below.
    clients.catch(() => undefined);
    const seconds = short ? 8 : 30;
    let before = 0;
    try {
      await sleep(1000 * seconds);
      before = writers.acknowledged.length;
      await nodes[0]!.kill();
      // The others go on when they have evicted it.
      await sleep(6000 + 1000 * seconds);
    } finally {
      going = false;
    }
    await clients;
    const after = writers.acknowledged.length - before;
    assert.ok(before > 0 && after > 0, `${before} changes before the node was killed, ${after} after.`);
    // The readers may have ended before the last of the writers; other processes hear of a write
    // within a second.
    await sleep(3000);
    for (const reader of readers) {
      await reader.read(writing);
      assertComplete(reader.items, writers);
      assertSameItems(reader.items, readers[0]!.items);
    }
    await nodes[0]!.start();
    await galera.waitUntilSynced(nodes[0]!);
    const first = await startService(nodes[0]!.url);
    const late = feedOf(first);
    await late.read(writing);
    assertSameItems(late.items, readers[0]!.items);
    for (const service of [first, ...others, cluster]) await stopAll(service);
    await Promise.all(nodes.map((node) => node.kill()));
    return {
      'acknowledged before the kill': before,
      after,
      imports: writers.imports,
      items: late.items.length,
    };
  },
};
