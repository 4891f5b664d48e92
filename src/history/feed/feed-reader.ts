import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import type { SnapshotReader } from '../../database/reads.js';
import { lastRevisionUpTo, markOf } from '../../ledger/revision/stored-revisions.js';
import { DataRevision } from '../../ledger/revision/data-revision.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { evaluate } from '../../price-series/catalogue/selection.js';
import { Criteria } from '../../price-series/filters/criteria.js';
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
/** Items looked for at once. What has more is a long reply, which waits for its turn first. */
const FIRST_ITEMS = 1000;
/** Changes that one answer looks at: a filter may select few of many. */
const MAX_CHANGES = 20_000;
/** Items and points of a part that all waiting clients share: it is kept until the next one. */
const SHARED_ITEMS = 1000;
const SHARED_POINTS = 20_000;
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

/** An item with the token to go on after it. */
class FeedEntry {
  private text: string | null = null;

  constructor(
    private readonly item: FeedItem,
    readonly token: string,
    /** Whether it is sent to several clients. */
    private readonly isShared = false,
  ) {}

  /** The item as JSON. */
  json(): string {
    if (this.text !== null) return this.text;
    const text = JSON.stringify(this.item);
    if (this.isShared) this.text = text;
    return text;
  }
}

/** A part of the feed. */
export interface FeedPage {
  readonly items: readonly FeedEntry[];
  readonly next: FeedPosition;
  /** Whether there was more than this at once. */
  readonly more: boolean;
  /** The newest revision that was looked for. */
  readonly upTo: number;
}

/** A part of the feed with all changes, of which each client that waits gets those it asks for. */
export interface SharedPart extends FeedPage {
  readonly changes: readonly StoredChange[];
  readonly catalogue: CatalogueSnapshot;
  /** By the key of criteria: which changes they include. */
  readonly included: Map<string, readonly boolean[]>;
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
  /** The position behind all that was read last. */
  private end: FeedPosition | null = null;

  constructor(
    private readonly database: Database,
    private readonly revision: DataRevision,
    private readonly series: PriceSeriesService,
  ) {}

  /** The position behind all that has happened. */
  async now(): Promise<FeedPosition> {
    const { all } = await this.revision.fresh();
    const { number, mark } = await lastRevisionUpTo(this.database.anyServer, all);
    return { revision: number, mark, after: null };
  }

  /**
   * A part of the feed.
   * @param expect called with how many items and points are about to be read
   * @throws UnknownPosition
   */
  async read(request: FeedRequest, expect: (items: number) => Promise<void> = noWait): Promise<FeedPage> {
    const { since } = request;
    let { all } = await this.revision.fresh();
    if (since !== null && this.isEnd(since, all)) return { items: [], next: since, more: false, upTo: all };
    // Another process may have given out the token.
    if (since !== null && since.revision > all) all = (await this.revision.refresh()).all;
    // After the revision: so no series that is newer than the catalogue is among the changes.
    const scope = await this.scopeOf(request.criteria);
    const first = { ...request, limit: Math.min(request.limit, FIRST_ITEMS) };
    const found = await this.find(first, scope, all, MAX_POINTS);
    if (found === null) return { items: [], next: since!, more: false, upTo: all };
    let { changes, next, more } = found;
    const sizeOf = (change: StoredChange) => 1 + (request.points ? pointsOf(change) : 0);
    const size = changes.reduce((sum, change) => sum + sizeOf(change), 0);
    const left = more && changes.length === first.limit ? request.limit - first.limit : 0;
    await expect(size + left);
    if (left > 0 && size < MAX_POINTS) {
      const rest = await this.find({ ...request, since: next, limit: left }, scope, all, MAX_POINTS - size);
      if (rest !== null) ({ changes, next, more } = { ...rest, changes: [...changes, ...rest.changes] });
    }
    return { items: await this.entriesOf({ changes }, request.points, scope), next, more, upTo: all };
  }

  /**
   * What has happened since a position, read once for all clients that wait there.
   * @throws UnknownPosition
   */
  async readShared(since: FeedPosition, points: boolean): Promise<SharedPart> {
    const { all } = await this.revision.fresh();
    const scope = await this.scopeOf(Criteria.none);
    const request = { since, limit: SHARED_ITEMS, points, criteria: Criteria.none };
    const found = await this.find(request, scope, all, SHARED_POINTS);
    const { changes, next, more } = found ?? { changes: [], next: since, more: false };
    const items = found === null ? [] : await this.entriesOf(found, points, scope, true);
    return { items, next, more, upTo: all, changes, catalogue: scope.catalogue, included: new Map() };
  }

  /** What a client that waits gets of a shared part. */
  pageOf(
    { items, changes, next, more, upTo, ...part }: SharedPart,
    { criteria, limit }: FeedRequest,
  ): FeedPage {
    const included = includedIn({ changes, ...part }, criteria);
    const places = [...changes.keys()].filter((place) => included === null || included[place]);
    const page = { items: places.slice(0, limit).map((place) => items[place]!), upTo };
    if (places.length <= limit) return { ...page, next, more };
    return { ...page, next: positionAfter(changes[places[limit - 1]!]!), more: true };
  }

  /** Whether nothing has happened since a position, as far as that is known without a statement. */
  private isEnd({ revision, mark, after }: FeedPosition, all: number): boolean {
    const { end } = this;
    return after === null && revision === all && revision === end?.revision && mark === end.mark;
  }

  /** The changes of a part; null where a replica does not know the position yet. */
  private async find(request: FeedRequest, scope: Scope, upTo: number, maxPoints: number) {
    const found = await this.database.anyServer.readSnapshot((query) =>
      collect(query, request, scope, upTo, maxPoints),
    );
    // A replica may be behind the server that gave out the token.
    if (found === null) await this.assertKnown(request.since!);
    else if (!found.more && found.next.after === null) this.end = found.next;
    return found;
  }

  private async entriesOf(
    { changes }: { changes: readonly StoredChange[] },
    points: boolean,
    { catalogue }: Scope,
    isShared = false,
  ): Promise<FeedEntry[]> {
    if (changes.length === 0) return [];
    const itemOf = await this.database.anyServer.readSnapshot((query) =>
      this.itemsOf(query, changes, points ? catalogue : null),
    );
    const entries: FeedEntry[] = [];
    const slice = new TimeSlice();
    for (const change of changes) {
      entries.push(new FeedEntry(itemOf(change), tokenOf(positionAfter(change)), isShared));
      await slice.yield();
    }
    return entries;
  }

  private async scopeOf(criteria: Criteria): Promise<Scope> {
    const selection = await this.series.select(criteria);
    const { catalogue } = selection;
    const shows = (change: StoredChange) => isShown(change, criteria);
    if (criteria.key === '') return { catalogue, includes: shows };
    let ids: Set<number> | null = null;
    const isSelected = (id: number) =>
      (ids ??= new Set(Array.from(selection.slice(), (row) => catalogue.idAt(row)))).has(id);
    return { catalogue, includes: (change) => shows(change) && includes(catalogue, change, isSelected) };
  }

  /** @throws UnknownPosition */
  private async assertKnown({ revision, mark }: FeedPosition): Promise<void> {
    if ((await markOf(this.database, revision)) !== mark) throw new UnknownPosition();
  }

  /**
   * What makes the items of changes.
   * @param catalogue for the entries, if items are to have their points; otherwise null
   */
  private async itemsOf(
    query: SnapshotReader,
    changes: readonly StoredChange[],
    catalogue: CatalogueSnapshot | null,
  ): Promise<(change: StoredChange) => FeedItem> {
    const series = changes.filter((change) => change.type === 'series');
    const countries = await readCountries(query, series);
    const details = catalogue === null ? null : await this.detailsOf(query, changes, series, catalogue);
    return (change) =>
      change.type === 'record'
        ? { ...recordItem(change), ...details?.ofRecord(change) }
        : { ...seriesItem(change, countries.get(change.marketId) ?? ''), ...details?.ofSeries(change) };
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

/** Whether a request may see a change: of estimates and forecasts only where it asks for them. */
const isShown = (change: StoredChange, { scope }: Criteria) =>
  change.type === 'record' || change.status === 0 || scope !== 'observed';

/**
 * Whether a change is among those of some series. A series that is no longer listed meets no
 * filter: its removal is sent to everybody. What is written to one that is shown by another still
 * counts.
 */
const includes = (catalogue: CatalogueSnapshot, change: StoredChange, isSelected: (id: number) => boolean) =>
  change.type === 'record' ||
  isSelected(catalogue.joined.joins.become(change.id)) ||
  (change.action === 'removed' && listedRow(catalogue, change) === null);

/**
 * Which changes of a part some criteria include; null for all. Only the changed series are tested.
 */
function includedIn(
  { changes, catalogue, included }: Pick<SharedPart, 'changes' | 'catalogue' | 'included'>,
  criteria: Criteria,
): readonly boolean[] | null {
  if (criteria.key === '') return null;
  let found = included.get(criteria.key);
  if (found === undefined) {
    const rows = changes.flatMap((change) =>
      change.type === 'record' ? [] : [catalogue.find(change.uuid) ?? []].flat(),
    );
    const changed = criteria.and('rows', rows, (wanted, query) => query.filterRows(wanted));
    const ids = new Set(Array.from(evaluate(catalogue, changed).slice(), (row) => catalogue.idAt(row)));
    found = changes.map((change) => includes(catalogue, change, (id) => ids.has(id)));
    included.set(criteria.key, found);
  }
  return found;
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
  maxPoints: number,
): Promise<{ changes: StoredChange[]; next: FeedPosition; more: boolean } | null> {
  if (since !== null) {
    if ((await markOf({ arrays: query }, since.revision)) !== since.mark) return null;
  }
  const changes: StoredChange[] = [];
  let next = since;
  let seen = 0;
  let pointsSeen = 0;
  const slice = new TimeSlice();
  for await (const batch of changeBatches(query, since, upTo)) {
    for (const change of batch.changes) {
      const full = changes.length >= limit || (points && pointsSeen >= maxPoints) || seen >= MAX_CHANGES;
      if (full) return { changes, next: next!, more: true };
      seen++;
      next = positionAfter(change);
      if (!scope.includes(change)) continue;
      changes.push(change);
      pointsSeen += pointsOf(change);
    }
    next = batch.end;
    await slice.yield();
  }
  return { changes, next: next!, more: false };
}
