import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { json, type Reply } from '../../faults/support/http.js';
import type { MariaDb } from '../../faults/support/mariadb.js';
import { runCommand, type Service } from '../../faults/support/service.js';
import { uuidOf, writePricesFile } from '../../faults/support/prices-file.js';

/** Answers with which the service says, as it is documented to, that it cannot do something now. */
const REFUSALS = [503, 504];

/** Fills a database with series, one for each of so many commodities. @returns the commodities' ids, by series */
export async function fill(service: Service, series: number): Promise<number[]> {
  const file = writePricesFile(series, 30);
  const { code, output } = await runCommand(
    'import/import.command.js',
    ['prices', file],
    service.databaseUrl,
  );
  if (code !== 0) throw new Error(`The import ended with ${code}.\n${output}`);
  // The command is another process: the service hears of it within a fifth of a second.
  await sleep(1000);
  await service.login();
  const ids: number[] = [];
  for (let number = 0; number < series; number++) {
    const reply = await service.ask(`/api/v1/PriceSerie/${uuidOf(number)}/`);
    ids.push(json<{ commodity_id: number }>(reply).commodity_id);
  }
  return ids;
}

/** What clients saw. */
export interface Witnessed {
  /** Writes that were acknowledged, by the last one of each record. */
  writes: number;
  last: Map<number, string>;
  reads: number;
  /** Answers that were older than an acknowledged write of the same client. */
  stale: string[];
  /** Refusals, by what was asked and the status. */
  refused: Record<string, number>;
  /** Answers that nobody has documented. */
  undocumented: string[];
  slowestWrite: number;
  slowestRead: number;
}

export interface Clients {
  stop(): Promise<Witnessed>;
}

/**
 * Clients that each rename a commodity of their own and read it back at once, in three ways: the record, which is read from a
 * server; a list, which may be a kept page; and a series, which is read from memory. Every request has a connection of its own, so
 * it reaches any of the workers.
 * @param pause milliseconds that a client waits between two renamings
 */
export function startClients(service: Service, commodities: readonly number[], pause = 0): Clients {
  const witnessed: Witnessed = {
    writes: 0,
    last: new Map(),
    reads: 0,
    stale: [],
    refused: {},
    undocumented: [],
    slowestWrite: 0,
    slowestRead: 0,
  };
  let going = true;
  const client = async (id: number) => {
    for (let count = 1; going; count++) {
      const name = `Renamed ${id} ${count}`;
      const write = await service.write('PATCH', `/api/v1/Commodity/${id}/`, { name });
      if (!accepted(write, 'write', witnessed)) {
        await sleep(50);
        continue;
      }
      witnessed.writes++;
      witnessed.last.set(id, name);
      witnessed.slowestWrite = Math.max(witnessed.slowestWrite, write.ms);
      for (const [path, nameIn] of [
        [`/api/v1/Commodity/${id}/`, nameOfRecord],
        [`/api/v1/Commodity/?id=${id}`, nameInList],
        [`/api/v1/PriceSerie/?commodity_ids=${id}`, nameInSeries],
      ] as const) {
        const read = await service.ask(path);
        if (!accepted(read, 'read', witnessed)) continue;
        witnessed.reads++;
        witnessed.slowestRead = Math.max(witnessed.slowestRead, read.ms);
        const found = nameIn(read);
        if (found !== name) witnessed.stale.push(`${path}: ${found} after ${name}`);
      }
      if (pause > 0) await sleep(pause);
    }
  };
  const done = Promise.all(commodities.map(client));
  return {
    stop: async () => {
      going = false;
      await done;
      return witnessed;
    },
  };
}

function accepted(reply: Reply, what: 'read' | 'write', witnessed: Witnessed): boolean {
  if (reply.status === 200 && !reply.cut) return true;
  if (
    REFUSALS.includes(reply.status) &&
    reply.headers['content-type']?.startsWith('application/problem+json')
  ) {
    const key = `${what} ${reply.status} ${json<{ code: string }>(reply).code}`;
    witnessed.refused[key] = (witnessed.refused[key] ?? 0) + 1;
  } else
    witnessed.undocumented.push(`${what}: ${reply.status} ${reply.error ?? ''} ${reply.text.slice(0, 200)}`);
  return false;
}

const nameOfRecord = (reply: Reply) => json<{ name: string }>(reply).name;
const nameInList = (reply: Reply) => json<{ name: string }[]>(reply)[0]?.name;
const nameInSeries = (reply: Reply) =>
  json<{ results: { commodity: string }[] }>(reply).results[0]?.commodity;

/** Waits until a write is accepted. @returns milliseconds it took */
export async function untilWritten(service: Service, id: number, patience = 20_000): Promise<number> {
  const began = performance.now();
  for (;;) {
    const reply = await service.write('PATCH', `/api/v1/Commodity/${id}/`, {
      category: `at ${Math.round(began)}`,
    });
    if (reply.status === 200) return performance.now() - began;
    if (performance.now() - began > patience)
      throw new Error(`${reply.status} after ${patience} ms: ${reply.text}${service.tail()}`);
    await sleep(50);
  }
}

/** Ends a service as its supervisor would, and its database servers at once. */
export async function endInOrder(service: Service, servers: MariaDb[] = []): Promise<void> {
  service.signal('SIGTERM');
  assert.equal(await service.end(), 0, `The service did not end in order.${service.tail()}`);
  await Promise.all(servers.map((server) => server.kill()));
}

/** In one word for the table. */
export const refusals = ({ refused }: Witnessed): string =>
  Object.entries(refused)
    .map(([key, count]) => `${key}×${count}`)
    .join(' ') || 'none';
