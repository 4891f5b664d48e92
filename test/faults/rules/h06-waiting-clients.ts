import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertDuration, assertStatuses } from '../support/assertions.js';
import { startWithPrices } from '../support/data-size.js';
import { jsonBody, measureLoad, quantile, sendRequest, type HttpReply } from '../support/http.js';
import { ms, SkipRule, type Rule } from '../support/rule.js';
import type { Service } from '../support/service.js';

const CLIENTS = 200;
/** One address alone does not get all places for requests in work, and all at once are too many. */
const ADDRESSES = 4;
const AT_ONCE = 50;
/** How often a load is measured without and with waiting clients, and these are woken. */
const PAIRS = 5;
const WRITES = 30;
/** Milliseconds of a measurement; clients wait longer. */
const DURATION = 8000;
/** Milliseconds by which others may become slower, and until clients are woken. */
const SLOWER = 5;
const WOKEN = 250;

export const waitingClients: Rule = {
  id: 'H6W',
  title: `${CLIENTS} clients that wait for changes slow no other request, and are woken by a write`,
  timeoutMs: 240_000,
  async run(mode) {
    if (mode.short) throw new SkipRule('Differences of milliseconds need a whole run.');
    const service = await startWithPrices({ series: 5000, days: 10 }, { MAX_CONNECTIONS_PER_ADDRESS: '0' });
    await service.login();
    const agents = Array.from(
      { length: ADDRESSES },
      (_, at) => new Agent({ keepAlive: true, maxSockets: CLIENTS, localAddress: `127.0.1.${at + 1}` }),
    );
    const differences: number[] = [];
    for (let pair = 0; pair < PAIRS; pair++) {
      const alone = await listsP50(service);
      const waiting = await beginWaiting(service, agents);
      const beside = await listsP50(service);
      differences.push(beside - alone);
      await write(service, `Pair ${pair}`);
      await Promise.all(waiting);
    }
    const times: number[] = [];
    for (let number = 0; number < WRITES; number++) {
      const waiting = await beginWaiting(service, agents);
      const wokenAt = waiting.map((reply) => reply.then(assertItem).then(() => performance.now()));
      const sentAt = performance.now();
      await write(service, `Write ${number}`);
      for (const at of await Promise.all(wokenAt)) times.push(at - sentAt);
    }
    for (const agent of agents) agent.destroy();
    await service.stop();
    for (const values of [differences, times]) values.sort((one, other) => one - other);
    const slower = quantile(differences, 0.5);
    const woken = quantile(times, 0.99);
    assertDuration(mode, slower, SLOWER, 'What waiting clients add to the p50 of others');
    assertDuration(mode, woken, WOKEN, 'From a write to the answers of clients that wait, at p99,');
    return {
      clients: CLIENTS,
      'p50 longer ms': Math.round(100 * slower) / 100,
      'woken p50 ms': ms(quantile(times, 0.5)),
      'woken p99 ms': ms(woken),
    };
  },
};

let lists = 0;

/** The median latency of lists that no cache holds. */
async function listsP50(service: Service): Promise<number> {
  const list = () => {
    const date = new Date(Date.UTC(1900, 0, ++lists)).toISOString().slice(0, 10);
    return `/api/v1/PriceSerie/?page_size=100&newerThan=${date}`;
  };
  const load = await measureLoad(service.port, list, { clients: 8, rate: 100, duration: DURATION });
  assertStatuses(load, [200]);
  return load.p50;
}

/** Lets all clients wait for what comes next; resolves once they do. */
async function beginWaiting(service: Service, agents: readonly Agent[]): Promise<Promise<HttpReply>[]> {
  const { next } = jsonBody<{ next: string }>(await service.request('/api/v1/Changes/?since=now'));
  const replies: Promise<HttpReply>[] = [];
  const began = performance.now();
  while (replies.length < CLIENTS) {
    for (const until = replies.length + AT_ONCE; replies.length < until;) {
      const client = replies.length;
      // Few of them ask for the same.
      const path = `/api/v1/Changes/?since=${next}&wait=60&limit=${100 + (client % 50)}`;
      const agent = agents[client % ADDRESSES]!;
      replies.push(sendRequest(service.port, path, { agent, timeoutMs: 70_000 }));
    }
    while ((await service.metric('pds_waiting_clients')) < replies.length) {
      assert.ok(performance.now() - began < 10_000, 'Not all clients wait.');
      await sleep(20);
    }
  }
  return replies;
}

async function write(service: Service, name: string): Promise<void> {
  const reply = await service.write('POST', '/api/v1/Commodity/', { name });
  assert.equal(reply.status, 201, reply.text);
}

function assertItem(reply: HttpReply): void {
  assert.equal(reply.status, 200, `${reply.error} ${reply.text}`);
  assert.equal(jsonBody<{ results: unknown[] }>(reply).results.length, 1);
}
