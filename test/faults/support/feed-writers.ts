import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FeedItem } from '../../../src/history/feed/feed-item.js';
import { assertOrder, factsOf, pointFact, recordFact } from './feed.js';
import { jsonBody, type HttpReply } from './http.js';
import { generatedUuid, PRICES_HEADER } from './prices-file.js';

const START = Date.UTC(2015, 0, 1);
const DAY = 86_400_000;
/** Series whose points two clients correct. */
const SERIES = 5;

/** A service, which may be away now and then. */
export interface WrittenService {
  /** Sends a request of an administrator, to a path below `/api/v1/`. */
  write(method: string, path: string, body: unknown, type?: string): Promise<HttpReply>;
}

/** Clients that write records, corrections and imports, each write with values of its own. */
export class FeedWriters {
  /** What the feed must tell, by acknowledged writes. */
  readonly acknowledged: string[] = [];
  imports = 0;

  constructor(private readonly service: WrittenService) {}

  /** A client that makes and renames records, and sets and removes points. */
  async correct(writer: number, writing: () => boolean): Promise<void> {
    for (let round = 0; writing(); round++) {
      const name = `Writer ${writer} round ${round}`;
      const created = await this.send('POST', 'Commodity/', { name });
      if (created !== null) {
        this.acknowledged.push(recordFact('Commodity', 'created', name));
        const { id } = jsonBody<{ id: number }>(created);
        if ((await this.send('PATCH', `Commodity/${id}/`, { name: `${name} renamed` })) !== null)
          this.acknowledged.push(
            recordFact('Commodity', 'changed', `${name} renamed`),
            recordFact('Alias', 'created', name),
          );
      }
      const uuid = generatedUuid(SERIES * (writer >> 1) + (round % SERIES));
      const day = 2 * Math.floor(round / SERIES) + (writer & 1);
      const date = new Date(START + day * DAY).toISOString().slice(0, 10);
      const set = await this.setPoint(uuid, date, 10_000 + round);
      if (set && round % 2 === 0) await this.setPoint(uuid, date, null);
    }
  }

  private async setPoint(uuid: string, date: string, price: number | null): Promise<boolean> {
    const correction = { uuid, periodicity: 'daily', date, price_value: price };
    if ((await this.send('POST', 'Correction/', [correction])) === null) return false;
    this.acknowledged.push(pointFact(uuid, date, price));
    return true;
  }

  /** A client that imports, each time one price of a new series in a new market. */
  async import(writing: () => boolean): Promise<void> {
    for (let number = 0; writing(); number++) {
      const uuid = generatedUuid(10_000 + number);
      const line = `${uuid},KEN,Commodity 0,RETAIL,Imported ${number},Faults,USD,Kg,2020-01-01,daily,${number + 1}`;
      const csv = Buffer.from(`${PRICES_HEADER}\r\n${line}\r\n`);
      const reply = await this.service.write('POST', 'Import/?format=prices', csv, 'text/csv');
      // Imports wait until the lock of one that was killed is silent.
      if (isLost(reply) || reply.status === 409) await sleep(200);
      else {
        assert.equal(reply.status, 200, reply.text);
        this.imports++;
        this.acknowledged.push(
          recordFact('Market', 'created', `Imported ${number}`),
          pointFact(uuid, '2020-01-01', number + 1),
        );
      }
    }
  }

  /** @returns null for a write that was not acknowledged */
  private async send(method: string, path: string, body: unknown): Promise<HttpReply | null> {
    const reply = await this.service.write(method, path, body);
    if (isLost(reply)) return null;
    assert.ok(
      reply.status === 200 || reply.status === 201,
      `${method} ${path}: ${reply.status} ${reply.text}`,
    );
    return reply;
  }
}

/** Whether it is unknown what became of a write, or the service could not take it. */
const isLost = ({ error, status }: HttpReply) => error !== null || status === 503;

/** Asserts that items tell each acknowledged change once, and in order. */
export function assertComplete(items: readonly FeedItem[], { acknowledged, imports }: FeedWriters): void {
  assert.ok(imports > 0, 'No import was acknowledged.');
  assertOrder(items);
  const occurrences = new Map<string, number>();
  for (const fact of factsOf(items)) occurrences.set(fact, (occurrences.get(fact) ?? 0) + 1);
  const others = acknowledged
    .filter((fact) => occurrences.get(fact) !== 1)
    .map((fact) => `${fact}: ${occurrences.get(fact) ?? 0} times`);
  assert.deepEqual(others.slice(0, 10), [], 'The feed does not have these once.');
}
