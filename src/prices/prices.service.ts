import { Injectable } from '@nestjs/common';
import { NotFound } from '../platform/errors/api-error.js';
import { TimeSlice } from '../lib/scheduling/time-slice.js';
import type { ExpectItems, PageInfo } from '../platform/formats/listing.js';
import { pageBounds, type PageRequest } from '../platform/listing/page.js';
import type { Sort } from '../platform/listing/sort.js';
import type { AsOf } from '../ledger/revision/as-of.js';
import { PastRevisions } from '../ledger/revision/past-revisions.js';
import { SeriesCatalogue } from '../price-series/catalogue/catalogue.js';
import type { CatalogueScope, SeriesScope } from '../price-series/series-status.js';
import type { CatalogueSnapshot } from '../price-series/catalogue/catalogue-snapshot.js';
import type { Criteria } from '../price-series/filters/criteria.js';
import { selectSeries, selectSorted } from '../price-series/catalogue/selection.js';
import type { PointContext } from './read/datapoint.view.js';
import { PointCoverage } from './read/point-coverage.js';
import type { PointKey } from './store/point-id.js';
import { PointWindow, estimatePoints } from './read/point-window.js';
import { PriceLoader, type LoadedPrices, type PastState, type PriceSnapshot } from './read/price-loader.js';
import { pointsSerializer, type PriceSerializer } from './read/price-serializers.js';

/** Limits of replies with prices. Tests lower them. */
@Injectable()
export class PriceLimits {
  /** Points of a reply that is loaded before its first byte, so that it shows one snapshot. */
  wholeReply = 400_000;
  /** Points that all replies under way may hold; with less left, a reply is loaded in batches. */
  capacity = 800_000;
  /** Points in one batch of a longer reply. */
  batch = 40_000;
  /** Bytes up to which short texts are joined before they are written. */
  chunkBytes = 64 * 1024;
}

/** A batch takes at most this fraction of the capacity that is left. */
const CAPACITY_SHARES = 20;
/** Most series in one batch. */
const BATCH_SERIES = 500;
/**
 * Series whose points are estimated between two looks at the sum: a reply that turns out to be
 * heavy should have cost little by then, because it may have to wait, or be rejected.
 */
const SERIES_PER_LOOK = 50;

/** Which prices are requested: of which series, and which points of each. */
export interface PriceQuery {
  criteria: Criteria;
  window: PointWindow;
  /** Null for all series. */
  page: PageRequest | null;
  view: PriceView;
  /** By columns of the lists of series; none for the order of these lists. */
  sort?: Sort;
  /** Fields of the series; all if they are left out. */
  fields?: readonly string[];
  extras?: PointExtras;
}

/** What a request asks for beside the members that every point has. */
export interface PointExtras {
  /** The rules with open findings about it. */
  readonly flags?: boolean;
  /** What its dollars are based on. */
  readonly rateBasis?: boolean;
  readonly indexBase?: boolean;
}

/** Which state of the data is requested. */
export interface PriceView {
  /** The newest if it is left out. */
  readonly asOf: AsOf | undefined;
  /** Of each stored point the value that was known first. */
  readonly firstPublished: boolean;
}

/** A list of prices, chosen and partly loaded. */
export interface PriceList {
  page: PageInfo | 'all';
  /** The revision of the data that it begins with. */
  revision: number;
  /** The prices of the list, a batch of series at a time. May be iterated once. */
  batches: AsyncIterable<LoadedPrices> | Iterable<LoadedPrices>;
  /** Frees what the list holds; it has to be called in the end. */
  close(): void;
}

/** The prices of series. Derived points, dollars and real terms are calculated on read. */
@Injectable()
export class PricesService {
  private readonly capacity: PointCapacity;

  constructor(
    private readonly loader: PriceLoader,
    private readonly catalogue: SeriesCatalogue,
    private readonly coverage: PointCoverage,
    private readonly pastRevisions: PastRevisions,
    private readonly limits: PriceLimits,
  ) {
    this.capacity = new PointCapacity(limits);
  }

  /**
   * The state of a view; null for the newest one.
   * @throws ValidationError for a revision that does not exist
   */
  async past({ asOf, firstPublished }: PriceView): Promise<PastState | null> {
    const revision = await this.pastRevisions.resolve(asOf ?? (firstPublished ? 'now' : undefined));
    return revision === null ? null : { revision, firstPublished };
  }

  /** Whether a reply about these series has the observed ones, or also others of them. */
  async scopeOf(scope: SeriesScope, past: PastState | null): Promise<CatalogueScope> {
    if (typeof scope === 'string') return scope;
    return (await this.catalogue.at(past?.revision ?? null, scope)).shows.scope;
  }

  /**
   * The prices of one series, of whatever status it is, unless a scope is given.
   * @throws NotFound where there is no such series, or the text is no uuid
   */
  async read(
    uuid: string,
    window: PointWindow,
    serializer: PriceSerializer,
    past: PastState | null,
    signal: AbortSignal,
    scope: SeriesScope = { uuids: [uuid] },
  ): Promise<LoadedPrices> {
    const load = this.loader.start(window, serializer, signal);
    return this.loader.consistently(
      signal,
      past,
      async (snapshot) => {
        const row = snapshot.catalogue.find(uuid);
        if (row === null) throw new NotFound('There is no price series with this uuid.');
        return load.loadSeries(snapshot, [row]);
      },
      () => load.progress,
      scope,
    );
  }

  /** One point of a series as a JSON object; null where there is no such series or point. */
  async readPoint(
    uuid: string,
    { serieId, period, day }: PointKey,
    past: PastState | null,
    signal: AbortSignal,
  ): Promise<{ json: Buffer; revision: number } | null> {
    const load = this.loader.start(new PointWindow([period], day, day), pointsSerializer, signal);
    const loaded = await this.loader.consistently(
      signal,
      past,
      async (snapshot) => {
        const row = snapshot.catalogue.find(uuid);
        const isOfSeries = row !== null && snapshot.catalogue.idAt(row) === serieId;
        return load.loadSeries(snapshot, isOfSeries ? [row] : []);
      },
      () => load.progress,
      { uuids: [uuid] },
    );
    if (loaded.rows.length === 0 || !loaded.hasPoints(0)) return null;
    return { json: loaded.text(0, true), revision: loaded.snapshot.revision };
  }

  /** What the points of a series are serialized with; null where there is no such series. */
  pointContext(uuid: string, serieId: number, signal: AbortSignal): Promise<PointContext | null> {
    return this.loader.pointContext(uuid, serieId, signal);
  }

  /** Checks that the requested page exists. @throws NotFound past the last page */
  async checkPage(
    { criteria, window, page }: PriceQuery,
    past: PastState | null,
    signal: AbortSignal,
    expectItems: ExpectItems,
  ): Promise<void> {
    if (page === null) return;
    const rows = await this.loader.consistently(
      signal,
      past,
      ({ catalogue }) =>
        this.coverage.rowsWithPoints(
          selectSeries(catalogue, criteria),
          window,
          new TimeSlice(),
          signal,
          expectItems,
        ),
      undefined,
      criteria.scope,
    );
    pageBounds(page, rows.length);
  }

  /**
   * How many points a list has at least, counted until there are more than `most`, without reading
   * any. Those of earlier states, of `latest` and of pages of a sorted list are not counted.
   * @throws NotFound past the last page
   */
  async countAtLeast(
    { criteria, window, page, sort = [] }: PriceQuery,
    past: PastState | null,
    most: number,
    signal: AbortSignal,
    expectItems: ExpectItems,
  ): Promise<number> {
    const isSortedPage = page !== null && sort.length > 0;
    if (past !== null || window.latest !== Infinity || isSortedPage) return 0;
    const count = async ({ catalogue }: PriceSnapshot) => {
      const selection = selectSeries(catalogue, criteria);
      const rows = await this.coverage.rowsWithPoints(
        selection,
        window,
        new TimeSlice(),
        signal,
        expectItems,
      );
      if (rows === null) return null;
      const bounds = page && pageBounds(page, rows.length);
      const counted = bounds ? rows.subarray(bounds.offset, bounds.offset + bounds.limit) : rows;
      const originals = await this.coverage.countOriginals(catalogue, counted, window, most, signal);
      if (originals > most) return originals;
      return originals + (await this.coverage.countDerived(catalogue, counted, window, most, signal));
    };
    return this.loader.consistently(signal, past, count, undefined, criteria.scope);
  }

  /**
   * Opens a list of prices, in the order of the lists of series. Series without a requested point
   * are left out.
   *
   * A list of up to some hundred thousand points shows one snapshot of the data. A longer one shows
   * one snapshot per batch of series, because a client may take hours to read it. In an earlier
   * state of the data, all batches are of the same.
   * @throws NotFound past the last page
   */
  async open(
    query: PriceQuery,
    serializer: PriceSerializer,
    past: PastState | null,
    signal: AbortSignal,
    expectItems: ExpectItems,
  ): Promise<PriceList> {
    const reservation = this.capacity.reservation();
    try {
      const list = await this.prepare(query, serializer, reservation, past, signal, expectItems);
      return {
        page: list.page,
        revision: list.revision,
        batches: list.loaded
          ? [list.loaded]
          : this.batches(list, query.window, serializer, reservation, past, signal),
        close: () => reservation.release(),
      };
    } catch (error) {
      reservation.release();
      throw error;
    }
  }

  /** Selects the series of a reply, and loads all of them where the capacity allows it. */
  private prepare(
    { criteria, window, page, sort = [] }: PriceQuery,
    serializer: PriceSerializer,
    reservation: Reservation,
    past: PastState | null,
    signal: AbortSignal,
    expectItems: ExpectItems,
  ): Promise<PreparedList> {
    const timeSlice = new TimeSlice();
    const load = this.loader.start(window, serializer, signal);
    return this.loader.consistently(
      signal,
      past,
      async (snapshot) => {
        const { catalogue, revision } = snapshot;
        const selection = await selectSorted(catalogue, criteria, sort);
        const covered = await this.coverage.rowsWithPoints(selection, window, timeSlice, signal, expectItems);
        if (covered === null) return null;
        const bounds = page && pageBounds(page, covered.length);
        const rows = bounds ? covered.subarray(bounds.offset, bounds.offset + bounds.limit) : covered;
        const points = await estimateTotal(catalogue, rows, window, this.limits.wholeReply, async (soFar) => {
          await expectItems(soFar);
          await timeSlice.yield();
        });
        const list = {
          catalogue,
          revision,
          rows,
          page:
            page && bounds ? { ...page, count: covered.length, lastPage: bounds.lastPage } : ('all' as const),
        };
        if (points > this.limits.wholeReply || !reservation.acquire(points)) return { ...list, loaded: null };
        const loaded = await load.loadSeries(snapshot, Array.from(rows));
        return loaded && { ...list, loaded };
      },
      () => load.progress,
      criteria.scope,
    );
  }

  /**
   * The series of a long reply in batches, each at the newest snapshot when it is loaded, or all in
   * the past state.
   */
  private async *batches(
    { catalogue, rows }: PreparedList,
    window: PointWindow,
    serializer: PriceSerializer,
    reservation: Reservation,
    past: PastState | null,
    signal: AbortSignal,
  ): AsyncGenerator<LoadedPrices> {
    for (let from = 0; from < rows.length;) {
      reservation.release();
      const most = Math.min(this.limits.batch, this.capacity.share);
      let to = from;
      let points = 0;
      // At least one series, however little capacity is left.
      do points += estimateSeries(catalogue, rows[to++]!, window);
      while (to < rows.length && to - from < BATCH_SERIES && points < most);
      reservation.acquire(points);
      const batch = Array.from(rows.subarray(from, to));
      const load = this.loader.start(window, serializer, signal);
      yield await this.loader.consistently(
        signal,
        past,
        (snapshot) => load.loadSeries(snapshot, currentRows(snapshot.catalogue, catalogue, batch), false),
        () => load.progress,
        catalogue.shows.scope,
      );
      from = to;
    }
  }
}

/** The series of a reply, at the snapshot that it begins with. */
interface PreparedList {
  page: PageInfo | 'all';
  revision: number;
  catalogue: CatalogueSnapshot;
  rows: Uint32Array;
  /** Their prices; null where they are too many to be loaded at once. */
  loaded: LoadedPrices | null;
}

/** The points that replies under way may hold together. Slow clients keep them for long. */
class PointCapacity {
  used = 0;

  constructor(private readonly limits: PriceLimits) {}

  get available(): number {
    return this.limits.capacity - this.used;
  }

  /** What one batch may take: it shrinks with what is left, so that every reply gets some. */
  get share(): number {
    return this.available / CAPACITY_SHARES;
  }

  reservation(): Reservation {
    return new Reservation(this);
  }
}

/** The capacity that one reply has reserved. */
class Reservation {
  private points = 0;

  constructor(private readonly capacity: PointCapacity) {}

  /**
   * Replaces what was reserved before.
   * @returns false where less is available; nothing is reserved then
   */
  acquire(points: number): boolean {
    this.release();
    if (points > this.capacity.available) return false;
    this.capacity.used += points;
    this.points = points;
    return true;
  }

  release(): void {
    this.capacity.used -= this.points;
    this.points = 0;
  }
}

/** An upper estimate of the points that a series has in a window. */
function estimateSeries(catalogue: CatalogueSnapshot, row: number, window: PointWindow): number {
  const items = catalogue.periodicityAt(row);
  const range = window.narrowed(items).storedRange(items);
  if (range === null) return 0;
  return Math.min(estimatePoints(items, range), window.latest * window.items(items).length);
}

/**
 * An upper estimate of the points that series have in a window; it stops once it exceeds `most`.
 * @param estimated awaited now and then, and in the end, with the estimate so far
 */
async function estimateTotal(
  catalogue: CatalogueSnapshot,
  rows: Uint32Array,
  window: PointWindow,
  most: number,
  estimated: (points: number) => Promise<void>,
): Promise<number> {
  let points = 0;
  for (let index = 0; index < rows.length && points <= most; index++) {
    points += estimateSeries(catalogue, rows[index]!, window);
    if (index % SERIES_PER_LOOK === 0) await estimated(points);
  }
  await estimated(points);
  return points;
}

/** The rows in a newer snapshot of series given by their earlier rows, except removed ones. */
function currentRows(now: CatalogueSnapshot, before: CatalogueSnapshot, rows: number[]): number[] {
  if (now === before) return rows;
  return rows.map((row) => now.find(before.uuidAt(row))).filter((row) => row !== null);
}
