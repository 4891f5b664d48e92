import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { jsonBody, type HttpReply } from '../../faults/support/http.js';
import type { MariaDb } from '../../faults/support/mariadb.js';
import { runBuiltCommand, type Service } from '../../faults/support/service.js';
import { generatedUuid, writePricesFile } from '../../faults/support/prices-file.js';

/** Documented statuses for temporary unavailability. */
const UNAVAILABLE = [503, 504];

/**
 * Imports series, one per commodity.
 * @returns the ids of the commodities, by series
 */
export async function importSeries(service: Service, series: number): Promise<number[]> {
  const file = writePricesFile(series, 30);
  const { code, output } = await runBuiltCommand('import', ['prices', file], service.databaseUrl);
  if (code !== 0) throw new Error(`The import exited with ${code}.\n${output}`);
  // The service sees writes of another process within a fifth of a second.
  await sleep(1000);
  await service.login();
  const ids: number[] = [];
  for (let number = 0; number < series; number++) {
    const reply = await service.request(`/api/v1/PriceSerie/${generatedUuid(number)}/`);
    ids.push(jsonBody<{ commodity_id: number }>(reply).commodity_id);
  }
  return ids;
}

/** What the clients have observed. */
export interface ClientResults {
  /** Acknowledged writes; `last` has the last name of each record. */
  writes: number;
  last: Map<number, string>;
  reads: number;
  /** Replies older than an acknowledged write of the same client. */
  stale: string[];
  /** Rejected requests by kind, status and code. */
  rejected: Record<string, number>;
  /** Replies that are not documented. */
  undocumented: string[];
  slowestWrite: number;
  slowestRead: number;
}

export interface Clients {
  stop(): Promise<ClientResults>;
}

/**
 * Clients that each rename their own commodity and read it back at once in three ways: the record,
 * which is read from a server; a list, which may be a cached page; and a series, which is read from
 * memory. Every request uses a new connection, so that it reaches any of the workers.
 * @param pause milliseconds between two writes of a client
 */
export function startClients(service: Service, commodities: readonly number[], pause = 0): Clients {
  const results: ClientResults = {
    writes: 0,
    last: new Map(),
    reads: 0,
    stale: [],
    rejected: {},
    undocumented: [],
    slowestWrite: 0,
    slowestRead: 0,
  };
  let going = true;
  const client = async (id: number) => {
    for (let count = 1; going; count++) {
      const name = `Renamed ${id} ${count}`;
      const write = await service.write('PATCH', `/api/v1/Commodity/${id}/`, { name });
      if (!accepted(write, 'write', results)) {
        await sleep(50);
        continue;
      }
      results.writes++;
      results.last.set(id, name);
      results.slowestWrite = Math.max(results.slowestWrite, write.ms);
      for (const [path, nameIn] of [
        [`/api/v1/Commodity/${id}/`, nameOfRecord],
        [`/api/v1/Commodity/?id=${id}`, nameInList],
        [`/api/v1/PriceSerie/?commodity_ids=${id}`, nameInSeries],
      ] as const) {
        const read = await service.request(path);
        if (!accepted(read, 'read', results)) continue;
        results.reads++;
        results.slowestRead = Math.max(results.slowestRead, read.ms);
        const found = nameIn(read);
        if (found !== name) results.stale.push(`${path}: ${found} after ${name}`);
      }
      if (pause > 0) await sleep(pause);
    }
  };
  const done = Promise.all(commodities.map(client));
  return {
    stop: async () => {
      going = false;
      await done;
      return results;
    },
  };
}

function accepted(reply: HttpReply, what: 'read' | 'write', results: ClientResults): boolean {
  if (reply.status === 200 && !reply.truncated) return true;
  if (
    UNAVAILABLE.includes(reply.status) &&
    reply.headers['content-type']?.startsWith('application/problem+json')
  ) {
    const key = `${what} ${reply.status} ${jsonBody<{ code: string }>(reply).code}`;
    results.rejected[key] = (results.rejected[key] ?? 0) + 1;
  } else
    results.undocumented.push(`${what}: ${reply.status} ${reply.error ?? ''} ${reply.text.slice(0, 200)}`);
  return false;
}

const nameOfRecord = (reply: HttpReply) => jsonBody<{ name: string }>(reply).name;
const nameInList = (reply: HttpReply) => jsonBody<{ name: string }[]>(reply)[0]?.name;
const nameInSeries = (reply: HttpReply) =>
  jsonBody<{ results: { commodity: string }[] }>(reply).results[0]?.commodity;

/**
 * Waits until a write succeeds.
 * @returns the milliseconds it took
 */
export async function waitUntilWritable(service: Service, id: number, timeoutMs = 20_000): Promise<number> {
  const began = performance.now();
  for (;;) {
    const reply = await service.write('PATCH', `/api/v1/Commodity/${id}/`, {
      category: `at ${Math.round(began)}`,
    });
    if (reply.status === 200) return performance.now() - began;
    if (performance.now() - began > timeoutMs)
      throw new Error(`${reply.status} after ${timeoutMs} ms: ${reply.text}${service.tail()}`);
    await sleep(50);
  }
}

/** Shuts a service down gracefully, and kills its database servers. */
export async function stopAll(service: Service, servers: MariaDb[] = []): Promise<void> {
  service.signal('SIGTERM');
  assert.equal(await service.waitForExit(), 0, `The service did not shut down gracefully.${service.tail()}`);
  await Promise.all(servers.map((server) => server.kill()));
}

/** Rejected requests in one line, for the table. */
export const formatRejections = ({ rejected }: ClientResults): string =>
  Object.entries(rejected)
    .map(([key, count]) => `${key}×${count}`)
    .join(' ') || 'none';
