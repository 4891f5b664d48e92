import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FeedItem } from '../../../src/history/feed/feed-item.js';
import { jsonBody, type HttpReply } from './http.js';

/** Statuses after which a client tries again. */
const UNAVAILABLE = [503, 504];

/** Reads a change feed from its start, and goes on by its tokens when the service was away. */
export class FeedClient {
  readonly items: FeedItem[] = [];
  private token: string | null = null;

  constructor(
    private readonly request: (path: string) => Promise<HttpReply>,
    private readonly limit: number,
  ) {}

  /** Reads until nobody writes any more and all is read. */
  async read(writing: () => boolean): Promise<void> {
    for (let more = true; more;) {
      const wait = writing() ? 2 : 0;
      const since = this.token === null ? '' : `&since=${this.token}`;
      const reply = await this.request(`Changes/?points=true&limit=${this.limit}&wait=${wait}${since}`);
      if (reply.error !== null || UNAVAILABLE.includes(reply.status)) {
        await sleep(20);
        continue;
      }
      assert.equal(reply.status, 200, reply.text);
      const page = jsonBody<{ results: FeedItem[]; next: string; more: boolean }>(reply);
      this.items.push(...page.results);
      this.token = page.next;
      more = page.more || wait > 0;
    }
  }
}

/** Asserts that items are in the order that the API document promises, each once. */
export function assertOrder(items: readonly FeedItem[]): void {
  for (const [index, item] of items.entries())
    if (index > 0)
      assert.ok(
        isBefore(keyOf(items[index - 1]!), keyOf(item)),
        `Out of order: ${JSON.stringify(items.slice(index - 1, index + 1))}`,
      );
}

type Key = readonly (number | string)[];

const keyOf = (item: FeedItem): Key =>
  item.type === 'record' ? [item.revision, 0, item.table, item.id] : [item.revision, 1, item.uuid];

function isBefore(one: Key, other: Key): boolean {
  const index = one.findIndex((part, at) => part !== other[at]);
  return index >= 0 && one[index]! < other[index]!;
}

/** Asserts that two readers received the same, apart from what items say about today. */
export function assertSameItems(one: readonly FeedItem[], other: readonly FeedItem[]): void {
  assert.equal(one.length, other.length);
  for (const [index, item] of other.entries()) assert.deepEqual(asItWas(one[index]!), asItWas(item));
}

const asItWas = (item: FeedItem): object => ({ ...item, entry: undefined, aliases: undefined });

/** What items tell about records and points. */
export const factsOf = (items: readonly FeedItem[]): string[] =>
  items.flatMap((item) =>
    item.type === 'record'
      ? [recordFact(item.table, item.action, item.record?.name)]
      : item.changes!.map(({ date, after }) => pointFact(item.uuid, date, after?.price_value ?? null)),
  );

/** That a record was created, changed or removed, with its name after that. */
export const recordFact = (table: string, action: string, name: unknown): string =>
  `${table} ${action}: ${String(name)}`;

/** That a point has a price since, or is gone. */
export const pointFact = (uuid: string, date: string, price: number | null): string =>
  `${uuid} of ${date}: ${price}`;
