import type { Database } from '../database/database.js';
import { quoteIdentifier } from '../database/sql.js';
import type { Transaction } from '../ledger/unit-of-work.js';
import type { FeedItem, SeriesItem } from '../history/feed/feed-item.js';
import { recordTables } from '../history/feed/record-tables.js';
import { hasSeries } from '../price-series/series-store.js';
import type { FindingsFollower } from '../quality/findings-follower.js';
import type { HeldLock } from '../ledger/import-lock/import-lock.js';
import type { ObservationStore } from '../prices/store/observation-store.js';
import { checkItem } from './checked-items.js';
import { copyRecord, removeCopy } from './copied-records.js';
import { canJoin, copyJoins, copySeries, missingRecord, removeCopiedSeries } from './copied-series.js';
import { type MirrorSource, SourceRejected } from './mirror-source.js';

/** Seconds for which the source holds its answer where nothing is new. */
const WAIT = 30;
/** Most items that are read until the end of a revision in which records go. */
const MAX_ITEMS = 100_000;

/** What is reported while a mirror runs. */
export interface MirrorListener {
  /** A transaction has copied so many items. */
  onCopied(items: number): void;
  /** Something was left out, because the API would reject it; a sentence that says what and why. */
  onRejected(problem: string): void;
}

/** The database cannot become a mirror of the source. */
export class NoMirror extends Error {}

/**
 * Keeps this database equal to another service, by that service's change feed alone. How far it has
 * come is stored with the data, so it can be killed at any time and goes on where it was.
 */
export class Mirror {
  constructor(
    private readonly database: Database,
    private readonly store: ObservationStore,
    private readonly source: MirrorSource,
    private readonly findings: FindingsFollower,
  ) {}

  /**
   * The token to go on from; null for the first part.
   * @throws NoMirror when the database has data of its own, or is the mirror of another service
   */
  async position(): Promise<string | null> {
    const [row] = await this.database.rows<{ address: string; token: string | null }>(
      'SELECT address, token FROM mirror WHERE id = 1',
    );
    if (row !== undefined && row.address !== this.source.address)
      throw new NoMirror(`This database is a mirror of ${row.address}.`);
    if (row === undefined && !(await this.isEmpty()))
      throw new NoMirror('A mirror begins with an empty database; this one has data.');
    return row?.token ?? null;
  }

  /** Whether there is nothing but what the migrations have inserted. */
  private async isEmpty(): Promise<boolean> {
    for (const table of recordTables().keys()) {
      const rows = await this.database.rows(
        `SELECT 1 FROM ${quoteIdentifier(table)} WHERE since > 0 LIMIT 1`,
      );
      if (rows.length > 0) return false;
    }
    return !(await hasSeries(this.database));
  }

  /**
   * Copies until the source has nothing more, or for ever.
   * @param once whether to stop when everything is copied
   * @throws SourceRejected, NoMirror, LeaseLost; AbortError when the source's is aborted
   */
  async run(lock: HeldLock, once: boolean, listener: MirrorListener): Promise<void> {
    let token = await this.position();
    for (;;) {
      const { items, next, more } = await this.readPart(token, once ? 0 : WAIT);
      if (next !== token) {
        const checked = items.map(checkItem);
        const good = checked.flatMap(({ item }) => item ?? []);
        const missing = await lock.transact(async (transaction) => {
          const problems: string[] = [];
          for (const group of byRevision(good)) await this.copy(transaction, group, problems);
          await this.savePosition(transaction, next);
          await this.findings.followOwn(transaction);
          return problems;
        });
        listener.onCopied(good.length);
        for (const problem of [...checked.flatMap(({ problems }) => problems), ...missing])
          listener.onRejected(problem);
      }
      token = next;
      if (once && !more) return;
    }
  }

  /**
   * A part of the feed. One in which records go is read up to the end of their revision: what
   * refers to them goes in the same transaction.
   */
  private async readPart(token: string | null, wait: number) {
    let page = await this.source.read(token, wait);
    const items = page.results;
    while (page.more && removesRecords(items, items.at(-1)?.revision)) {
      if (items.length >= MAX_ITEMS) throw new SourceRejected('It sends a revision that does not end.');
      page = await this.source.read(page.next, 0);
      for (const item of page.results) items.push(item);
    }
    return { items, next: page.next, more: page.more };
  }

  /** Copies what one revision has done: what series refer to comes before them, and goes after. */
  private async copy(
    transaction: Transaction,
    items: readonly FeedItem[],
    problems: string[],
  ): Promise<void> {
    const records = items.filter((item) => item.type === 'record');
    for (const item of records) if (item.record) await copyRecord(transaction, item);
    const series: SeriesItem[] = [];
    for (const item of items.filter((each) => each.type === 'series')) {
      const missing = await missingRecord(transaction, item);
      if (missing === null) series.push(item);
      else problems.push(`Series ${item.uuid}, revision ${item.revision}: ${missing}`);
    }
    for (const item of series) await copySeries(transaction, this.store, item);
    const joined: SeriesItem[] = [];
    for (const item of series) {
      if (await canJoin(transaction, item)) joined.push(item);
      else
        problems.push(`Series ${item.uuid}, revision ${item.revision}: it joins a series that is not there.`);
    }
    await copyJoins(transaction, this.store, joined);
    for (const item of series) await removeCopiedSeries(transaction, item);
    for (const item of records) if (!item.record) await removeCopy(transaction, item);
  }

  private async savePosition(transaction: Transaction, token: string): Promise<void> {
    await transaction.execute('DELETE FROM mirror WHERE id = 1');
    await transaction.execute('INSERT INTO mirror (id, address, token) VALUES (1, ?, ?)', [
      this.source.address,
      token,
    ]);
  }
}

const removesRecords = (items: readonly FeedItem[], revision: number | undefined) =>
  items.some((item) => item.type === 'record' && item.action === 'removed' && item.revision === revision);

function byRevision(items: readonly FeedItem[]): FeedItem[][] {
  const groups: FeedItem[][] = [];
  for (const item of items) {
    const last = groups.at(-1);
    if (last?.[0]!.revision === item.revision) last.push(item);
    else groups.push([item]);
  }
  return groups;
}
