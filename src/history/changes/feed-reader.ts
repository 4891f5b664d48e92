import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { SnapshotReader } from '../../database/reads.js';
import { DataRevision } from '../../database/revision/data-revision.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import type { Criteria } from '../../price-series/filters/criteria.js';
import { entryOf } from '../../price-series/price-serie.view.js';
import { PriceSeriesService } from '../../price-series/price-series.service.js';
import { changeBatches } from './change-batches.js';
import { recordItem, seriesItem, type FeedItem } from './feed-item.js';
import { tokenOf, type FeedPosition } from './feed-position.js';
import { readPointChanges } from './point-changes.js';
import { readRecords } from './record-values.js';
import { readRelations } from './series-relations.js';
import { readAttributes, readCountries } from './series-values.js';
import {
  positionAfter,
  type RecordChangeRow,
  type SeriesChangeRow,
  type StoredChange,
} from './stored-change.js';

/** Points of one answer, but for those of its last item. */
const MAX_POINTS = 100_000;
/** Changes that one answer looks at: a filter may select few of many. */
const MAX_CHANGES = 20_000;
/** Series whose points one statement reads, on a server. */
const SERIES_PER_STATEMENT = 100;

/** What a client wants to know. */
export interface FeedRequest {
  /** Null for everything from the first revision on. */
  readonly since: FeedPosition | null;
  /** Most items of an answer. */
  readonly limit: number;
  /** Whether items have their points, entries and records. */
  readonly points: boolean;
  /** Of the series, as they are now. */
  readonly criteria: Criteria;
}

/** A part of the feed. */
export interface FeedPage {
  /** With the token to go on after each of them. */
  readonly items: readonly { readonly item: FeedItem; readonly token: string }[];
  readonly next: FeedPosition;
  /** Whether there was more than this at once. */
  readonly more: boolean;
  /** The newest revision that was looked for. */
  readonly upTo: number;
}

/** The position is of another history than that of the database. */
export class UnknownPosition extends Error {}

/** Which changes a request is about, by the series as they are now. */
interface Scope {
  readonly catalogue: CatalogueSnapshot;
  includes(change: StoredChange): boolean;
}

/** Reads the change feed. */
@Injectable()
export class FeedReader {
  constructor(
    private readonly database: Database,
    private readonly revision: DataRevision,
    private readonly series: PriceSeriesService,
  ) {}

  /** The position behind all that has happened. */
  async now(): Promise<FeedPosition> {
    const { all } = await this.revision.fresh();
    const sql = 'SELECT number, mark FROM revision WHERE number <= ? ORDER BY number DESC LIMIT 1';
    const [row] = await this.database.anyServer.arrays<[number | string, string]>(sql, [all]);
    return { revision: Number(row![0]), mark: row![1], after: null };
  }

  /**
   * A part of the feed.
   * @param expect called with how many items and points are about to be read
   * @throws UnknownPosition
   */
  async read(request: FeedRequest, expect: (items: number) => Promise<void> = noWait): Promise<FeedPage> {
    const { since } = request;
    let { all } = await this.revision.fresh();
    // Another process may have given out the token.
    if (since !== null && since.revision > all) all = (await this.revision.refresh()).all;
    // After the revision: so no series that is newer than the catalogue is among the changes.
    const scope = await this.scopeOf(request.criteria);
    const found = await this.database.anyServer.readSnapshot((query) => collect(query, request, scope, all));
    if (found === null) {
      // A replica may be behind the server that gave out the token.
      await this.assertKnown(since!);
      return { items: [], next: since!, more: false, upTo: all };
    }
    const { changes, next, more } = found;
    await expect(changes.reduce((sum, change) => sum + 1 + (request.points ? pointsOf(change) : 0), 0));
    const items = await this.database.anyServer.readSnapshot((query) =>
      this.itemsOf(query, changes, request.points ? scope.catalogue : null),
    );
    return {
      items: items.map((item, index) => ({ item, token: tokenOf(positionAfter(changes[index]!)) })),
      next,
      more,
      upTo: all,
    };
  }

  private async scopeOf(criteria: Criteria): Promise<Scope> {
    const selection = await this.series.select(criteria);
    const { catalogue } = selection;
    if (criteria.key === '') return { catalogue, includes: () => true };
    const ids = new Set(Array.from(selection.slice(), (row) => catalogue.idAt(row)));
    // A series that is no longer listed meets no filter: its removal is sent to everybody. What is
    // written to one that is shown by another still counts.
    const includes = (change: StoredChange) =>
      change.type === 'record' ||
      ids.has(catalogue.joined.joins.become(change.id)) ||
      (change.action === 'removed' && listedRow(catalogue, change) === null);
    return { catalogue, includes };
  }

  /** @throws UnknownPosition */
  private async assertKnown({ revision, mark }: FeedPosition): Promise<void> {
    const found = await this.database.arrays('SELECT 1 FROM revision WHERE number = ? AND mark = ?', [
      revision,
      mark,
    ]);
    if (found.length === 0) throw new UnknownPosition();
  }

  /** @param catalogue for the entries, if items are to have their points; otherwise null */
  private async itemsOf(
    query: SnapshotReader,
    changes: readonly StoredChange[],
    catalogue: CatalogueSnapshot | null,
  ): Promise<FeedItem[]> {
    const series = changes.filter((change) => change.type === 'series');
    const countries = await readCountries(query, series);
    const details = catalogue === null ? null : await this.detailsOf(query, changes, series, catalogue);
    return changes.map((change) =>
      change.type === 'record'
        ? { ...recordItem(change), ...details?.ofRecord(change) }
        : { ...seriesItem(change, countries.get(change.marketId) ?? ''), ...details?.ofSeries(change) },
    );
  }

  private async detailsOf(
    query: SnapshotReader,
    changes: readonly StoredChange[],
    series: readonly SeriesChangeRow[],
    catalogue: CatalogueSnapshot,
  ) {
    const records = await readRecords(
      query,
      changes.filter((change) => change.type === 'record'),
    );
    const relations = await readRelations(query, series);
    const attributes = await readAttributes(query, series);
    const points = await readPointChanges(query, series, this.database.embedded ? 1 : SERIES_PER_STATEMENT);
    return {
      ofRecord: (change: RecordChangeRow) => ({ record: records.get(change) ?? null }),
      ofSeries: (change: SeriesChangeRow) => {
        const row = change.action === 'created' ? listedRow(catalogue, change) : null;
        const entry = row === null ? null : entryOf(catalogue, row);
        const own = attributes.get(change);
        return {
          ...(own === undefined ? {} : { attributes: own }),
          ...(change.action === 'created' ? { entry } : {}),
          ...relations.get(change),
          changes: points.get(change) ?? [],
        };
      },
    };
  }
}

/** The row of a series, if it is listed itself: its uuid may lead to another one. */
function listedRow(catalogue: CatalogueSnapshot, { id, uuid }: SeriesChangeRow): number | null {
  const row = catalogue.find(uuid);
  return row !== null && catalogue.idAt(row) === id ? row : null;
}

const noWait = () => Promise.resolve();

const pointsOf = (change: StoredChange) =>
  change.type === 'record' ? 0 : change.added + change.changed + change.removed;

/** The changes of an answer; null if the database does not know the token. */
async function collect(
  query: SnapshotReader,
  { since, limit, points }: FeedRequest,
  scope: Scope,
  upTo: number,
): Promise<{ changes: StoredChange[]; next: FeedPosition; more: boolean } | null> {
  if (since !== null) {
    const [row] = await query<[string]>('SELECT mark FROM revision WHERE number = ?', [since.revision]);
    if (row?.[0] !== since.mark) return null;
  }
  const changes: StoredChange[] = [];
  let next = since;
  let seen = 0;
  let pointsSeen = 0;
  for await (const batch of changeBatches(query, since, upTo)) {
    for (const change of batch.changes) {
      const full = changes.length >= limit || (points && pointsSeen >= MAX_POINTS) || seen >= MAX_CHANGES;
      if (full) return { changes, next: next!, more: true };
      seen++;
      next = positionAfter(change);
      if (!scope.includes(change)) continue;
      changes.push(change);
      pointsSeen += pointsOf(change);
    }
    next = batch.end;
  }
  return { changes, next: next!, more: false };
}
