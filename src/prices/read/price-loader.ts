import { Injectable } from '@nestjs/common';
import type { CellValue } from '../../platform/formats/listing.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { Unavailable } from '../../platform/errors/api-error.js';
import { Database } from '../../database/database.js';
import { ByteWriter } from '../../lib/text/byte-writer.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import { shownRevision } from '../../ledger/revision/past-revisions.js';
import { PointFlagReader, PointFlags } from '../../ledger/findings/point-flags.js';
import { DataRevision } from '../../ledger/revision/data-revision.js';
import { SeriesCatalogue } from '../../price-series/catalogue/catalogue.js';
import type { SeriesScope } from '../../price-series/series-status.js';
import { readConvertedSeries } from '../../price-series/series-store.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { Conversion, type MonthlyIndices } from '../derive/conversion.js';
import { joinedPoints } from '../joins/joined-points.js';
import { StoredPoints, derive, type ServedSeries } from '../derive/derivation.js';
import { MAX_LIST_IDS } from './id-list.js';
import { PointReader, type PointState } from '../store/point-reader.js';
import { originalCoverageOf, estimatePoints, type PointWindow, type StoredRange } from './point-window.js';
import { PriceFragmentCache, type FragmentRevisions } from './price-fragment-cache.js';
import type { PointContext } from './datapoint.view.js';
import type { PriceContext, PriceSerializer } from './price-serializers.js';
import type { RateState } from '../derive/rate-records.js';
import { RateTables, type Rates } from '../derive/rate-tables.js';

/** About how many stored points are read together. */
const POINTS_PER_READ = 2500;
/** Days by which the ranges of series that are read together may differ. */
const RANGE_BUCKET = 256;
/** Series that are processed between two yields to the event loop. */
const SERIES_PER_YIELD = 200;
/** Points that are derived between two yields to the event loop. */
const DERIVED_PER_YIELD = 2000;

/**
 * Series of a reply whose texts are stored for others. Those of long lists would evict all that are
 * requested again and again.
 */
const MAX_STORED = 100;

/** Attempts in a row without any progress before a request fails. */
const MAX_STALLED_ATTEMPTS = 25;
/** Milliseconds by which the delay grows with each such attempt. */
const RETRY_DELAY = 2;

/** One state of the data: series with their points, and the rates and indices valid with them. */
export interface PriceSnapshot {
  readonly catalogue: CatalogueSnapshot;
  readonly points: PointState;
  readonly rates: RateState;
  /** The revision of the findings. */
  readonly findings: number;
  /** The revision of all data that it belongs to. */
  readonly revision: number;
}

/** An earlier state that a request asks for. */
export interface PastState {
  /** -1 before the first one. */
  readonly revision: number;
  /** Of each point the value that was known first. */
  readonly firstPublished: boolean;
}

/** The points of one series. */
interface LoadedSeries {
  /** The revision of the series at which they were read. */
  revision: number;
  points: ServedSeries;
}

/** Prices of some series at one snapshot, with everything in memory that serializing them needs. */
export interface LoadedPrices {
  readonly snapshot: PriceSnapshot;
  readonly rows: readonly number[];
  /**
   * The serialized prices of the series at an index of `rows`, with the serializer's separator
   * before them unless it is the first. Can be called once per index: the points are released.
   */
  text(index: number, first: boolean): Buffer;
  /** The points of the series at an index of `rows` as rows of a table, once per index. */
  cells(index: number): CellValue[][];
  /** The points of the series at an index of `rows`, for calculations; once per index. */
  points(index: number): SeriesPoints;
  /** Whether the series at an index of `rows` has any requested point. */
  hasPoints(index: number): boolean;
  /** The requested points of the series at an index of `rows`, before they are serialized. */
  served(index: number): { points: ServedSeries; context: PriceContext };
}

/** The served points of a series, and what they are converted by. */
export interface SeriesPoints {
  readonly points: ServedSeries;
  readonly context: PriceContext;
  /** The general consumer price index of a country that the serializer has named. */
  indicesOf(country: string): MonthlyIndices;
}

/** Loads the prices of replies, so that each reply shows one consistent snapshot of the data. */
@Injectable()
export class PriceLoader {
  private readonly fragments = new PriceFragmentCache();
  private readonly writer = new ByteWriter();

  constructor(
    private readonly database: Database,
    private readonly catalogue: SeriesCatalogue,
    private readonly revision: DataRevision,
    private readonly reader: PointReader,
    private readonly rates: RateTables,
    private readonly flags: PointFlagReader,
  ) {}

  /**
   * Runs work against one snapshot of the data. The work returns null if it finds the database at
   * another revision, and is then repeated with a newer snapshot. It should keep what is still
   * valid of its results, so that it completes however often the data change.
   * @param past null for the newest state
   * @param progress grows as the work gets on; attempts without progress are limited
   * @param scope the series that the snapshot has; observed ones if it is left out
   * @throws Unavailable where the data change too fast
   */
  async consistently<T>(
    signal: AbortSignal,
    past: PastState | null,
    work: (snapshot: PriceSnapshot) => Promise<T | null>,
    progress?: () => number,
    scope?: SeriesScope,
  ): Promise<T> {
    const attempt = async () => {
      const snapshot = await this.snapshot(past, scope);
      return snapshot && work(snapshot);
    };
    return this.untilConsistent(signal, attempt, progress);
  }

  /**
   * What the points of a series are serialized with; null where there is no such series. Read from
   * the tables, because a catalogue that is up to date costs a writer more; it knows the uuids that
   * have become other series.
   */
  async pointContext(uuid: string, serieId: number, signal: AbortSignal): Promise<PointContext | null> {
    const series =
      (await readConvertedSeries(this.database, uuid, serieId)) ??
      (await this.readJoinedSeries(uuid, serieId));
    if (series === null) return null;
    const { currency, country, conversionFactor } = series;
    const rates = await this.untilConsistent(signal, async () => {
      const revisions = await this.revision.fresh();
      return this.rates.atRevision(revisions.rates, [currency], [country], new TimeSlice());
    });
    const conversion = new Conversion(rates.ratesOf(currency), rates.indicesOf(country), conversionFactor);
    return { serieId, conversionFactor, conversion };
  }

  /**
   * The general consumer price index of countries, by month, at a snapshot.
   * @returns null where the database is at another revision
   */
  async indices(
    snapshot: PriceSnapshot,
    countries: ReadonlySet<string>,
  ): Promise<Map<string, MonthlyIndices> | null> {
    const rates = await ratesAt(this.rates, snapshot, [], countries, new TimeSlice());
    return rates && new Map(Array.from(countries, (country) => [country, rates.indicesOf(country)]));
  }

  /** What the prices of a series are converted by, which a uuid has become. */
  private async readJoinedSeries(uuid: string, serieId: number) {
    const catalogue = await this.catalogue.current({ uuids: [uuid] });
    const row = catalogue.find(uuid);
    if (row === null || catalogue.idAt(row) !== serieId) return null;
    return readConvertedSeries(this.database, catalogue.uuidAt(row), serieId);
  }

  private async untilConsistent<T>(
    signal: AbortSignal,
    attempt: () => Promise<T | null>,
    progress: () => number = () => 0,
  ): Promise<T> {
    let reached = progress();
    for (let stalled = 0; stalled < MAX_STALLED_ATTEMPTS;) {
      signal.throwIfAborted();
      const result = await attempt();
      if (result !== null) return result;
      // The revision that came with the rows may be newer than the one this process has seen.
      await this.revision.refresh();
      if (progress() > reached) {
        reached = progress();
        stalled = 0;
      } else {
        await sleep(RETRY_DELAY * stalled++, undefined, { signal });
      }
    }
    throw new Unavailable('The data are changing too fast for a consistent answer. Try again in a moment.');
  }

  /** Starts the load of one reply. */
  start(window: PointWindow, serializer: PriceSerializer, signal: AbortSignal): PriceLoad {
    const { reader, rates, flags, fragments, writer } = this;
    return new PriceLoad(reader, rates, flags, fragments, writer, window, serializer, signal);
  }

  /** A snapshot; null where catalogue and current revision do not belong together. */
  private async snapshot(past: PastState | null, scope?: SeriesScope): Promise<PriceSnapshot | null> {
    const catalogue = await this.catalogue.at(past?.revision ?? null, scope);
    const current = await this.revision.fresh();
    const { series, references } = catalogue.revisions;
    const isPast = catalogue.asOf !== null;
    if (references !== current.references || (!isPast && series !== current.series)) return null;
    return {
      catalogue,
      points:
        past !== null && (isPast || past.firstPublished)
          ? { asOf: past.revision, firstPublished: past.firstPublished }
          : { newest: series },
      rates:
        past !== null && past.revision < current.rates ? { asOf: past.revision } : { newest: current.rates },
      findings: current.findings,
      revision: shownRevision(past && past.revision) ?? current.all,
    };
  }
}

/** The load of one reply. It outlives snapshots: series that did not change are not read again. */
class PriceLoad {
  private readonly series = new Map<number, LoadedSeries>();
  private readonly variant: string;
  private readonly timeSlice = new TimeSlice();
  /** By series; null where they are not asked for. */
  private flags: ReadonlyMap<number, PointFlags> | null = null;
  /** Series read so far, as a measure of progress. */
  progress = 0;

  constructor(
    private readonly reader: PointReader,
    private readonly rates: RateTables,
    private readonly flagReader: PointFlagReader,
    private readonly fragments: PriceFragmentCache,
    private readonly writer: ByteWriter,
    private readonly window: PointWindow,
    private readonly serializer: PriceSerializer,
    private readonly signal: AbortSignal,
  ) {
    this.variant = `${serializer.cacheName} ${window.key}`;
  }

  /**
   * Loads the prices of some series of a snapshot.
   * @param storesTexts whether their texts are stored for other replies
   * @returns null where the database is at another revision
   */
  async loadSeries(
    snapshot: PriceSnapshot,
    rows: readonly number[],
    storesTexts = rows.length <= MAX_STORED,
  ): Promise<LoadedPrices | null> {
    const { catalogue } = snapshot;
    const fragments: (Buffer | null)[] = [];
    const uncached: number[] = [];
    const unread: number[] = [];
    for (const [index, row] of rows.entries()) {
      const fragment = this.cachedFragment(snapshot, row);
      fragments.push(fragment);
      if (fragment !== null) continue;
      uncached.push(row);
      const revision = this.series.get(catalogue.idAt(row))?.revision;
      if (revision !== catalogue.revisionAt(row)) unread.push(row);
      if (index % SERIES_PER_YIELD === 0) await this.timeSlice.yield();
    }
    if (!(await this.read(snapshot, unread))) return null;
    const currencies = new Set(uncached.map((row) => catalogue.currencyAt(row)));
    const countries = new Set(uncached.map((row) => catalogue.referenceAt('market', row).iso3_country_code));
    for (const country of this.serializer.countries ?? []) countries.add(country);
    const rates = await ratesAt(this.rates, snapshot, currencies, countries, this.timeSlice);
    if (this.serializer.flags === true) {
      const ids = rows.map((row) => catalogue.idAt(row));
      this.flags = await this.flagReader.read(ids, snapshot.findings);
      if (this.flags === null) return null;
    }
    return rates && this.loadedPrices(snapshot, rows, fragments, rates, storesTexts);
  }

  private loadedPrices(
    snapshot: PriceSnapshot,
    rows: readonly number[],
    fragments: (Buffer | null)[],
    rates: Rates,
    storesTexts: boolean,
  ): LoadedPrices {
    const { catalogue } = snapshot;
    return {
      snapshot,
      rows,
      hasPoints: (index) =>
        fragments[index] !== null || hasPoints(this.series.get(catalogue.idAt(rows[index]!))!),
      text: (index, first) => {
        const text = fragments[index] ?? this.serialize(snapshot, rows[index]!, rates, storesTexts);
        fragments[index] = null;
        return first ? text.subarray(this.serializer.separator.length) : text;
      },
      served: (index) => ({
        points: this.series.get(catalogue.idAt(rows[index]!))!.points,
        context: this.contextOf(snapshot, rows[index]!, rates),
      }),
      cells: (index) => {
        const serieId = catalogue.idAt(rows[index]!);
        const { points } = this.series.get(serieId)!;
        this.series.delete(serieId);
        return this.serializer.cells(points, this.contextOf(snapshot, rows[index]!, rates));
      },
      points: (index) => {
        const serieId = catalogue.idAt(rows[index]!);
        const { points } = this.series.get(serieId)!;
        this.series.delete(serieId);
        const context = this.contextOf(snapshot, rows[index]!, rates);
        return { points, context, indicesOf: (country) => rates.indicesOf(country) };
      },
    };
  }

  private serialize(snapshot: PriceSnapshot, row: number, rates: Rates, storesText: boolean): Buffer {
    const serieId = snapshot.catalogue.idAt(row);
    const series = this.series.get(serieId)!;
    this.writer.ascii(this.serializer.separator);
    this.serializer.write(this.writer, series.points, this.contextOf(snapshot, row, rates));
    const text = this.writer.take();
    this.series.delete(serieId);
    const revisions = storesText ? fragmentRevisions(snapshot, row) : null;
    if (this.serializer.cacheName !== null && revisions !== null && hasPoints(series))
      this.fragments.set(serieId, this.variantIn(snapshot), revisions, text);
    return text;
  }

  private contextOf({ catalogue }: PriceSnapshot, row: number, rates: Rates): PriceContext {
    const { iso3_country_code } = catalogue.referenceAt('market', row);
    const unit = catalogue.referenceAt('measure_unit', row);
    return {
      catalogue,
      row,
      serieId: catalogue.idAt(row),
      conversionFactor: this.serializer.conversionFactor(unit),
      conversion: new Conversion(
        rates.ratesOf(catalogue.currencyAt(row)),
        rates.indicesOf(iso3_country_code),
        unit.conversion_factor,
      ),
      ...(this.flags === null ? {} : { flags: this.flags.get(catalogue.idAt(row)) ?? PointFlags.none }),
    };
  }

  /** Entries of series of every status say theirs. */
  private variantIn({ catalogue }: PriceSnapshot): string {
    return `${this.variant} ${catalogue.shows.scope}`;
  }

  /** The cached text of a series; only series with points are cached. */
  private cachedFragment(snapshot: PriceSnapshot, row: number): Buffer | null {
    if (this.serializer.cacheName === null) return null;
    const revisions = fragmentRevisions(snapshot, row);
    if (revisions === null) return null;
    return this.fragments.get(snapshot.catalogue.idAt(row), this.variantIn(snapshot), revisions);
  }

  /** Reads the points of series, those together that need about the same range of the table. */
  private async read({ catalogue, points }: PriceSnapshot, rows: readonly number[]): Promise<boolean> {
    const narrow = Number.isFinite(this.window.latest);
    const series: SeriesWindow[] = [];
    for (const [index, row] of rows.entries()) {
      const window = narrow ? this.window.narrowed(catalogue.periodicityAt(row)) : this.window;
      series.push({ row, window });
      if (index % SERIES_PER_YIELD === 0) await this.timeSlice.yield();
    }
    for (const batch of readBatches(catalogue, series)) {
      const incomplete = await this.readBatch(catalogue, points, batch);
      if (incomplete === null) return false;
      // Gaps put some of the newest points before the narrowed window: the whole window is read.
      for (const whole of readBatches(
        catalogue,
        incomplete.map((row) => ({ row, window: this.window })),
      )) {
        if ((await this.readBatch(catalogue, points, whole)) === null) return false;
      }
    }
    return true;
  }

  /**
   * Reads the points of a few series.
   * @returns the rows of the series whose narrowed window did not hold all requested points; null
   * where the database is at another revision
   */
  private async readBatch(
    catalogue: CatalogueSnapshot,
    state: PointState,
    { range, series }: ReadBatch,
  ): Promise<number[] | null> {
    const ids = series.map(({ row }) => catalogue.idAt(row));
    const stored = range && (await this.readStored(ids, range, state));
    if (range !== null && stored === null) return null;
    const joined = range && (await this.readJoined(catalogue, state, series, range));
    if (range !== null && joined === null) return null;
    const incomplete: number[] = [];
    let derived = 0;
    for (const [index, { row, window }] of series.entries()) {
      const items = catalogue.periodicityAt(row);
      const id = ids[index]!;
      const read = joined?.get(id) ?? stored?.get(id) ?? new StoredPoints();
      const points = derive(read, originalCoverageOf(items));
      window.applyTo(points);
      if (!this.window.isSatisfiedBy(window, items, points)) {
        incomplete.push(row);
        continue;
      }
      this.series.set(id, { revision: catalogue.revisionAt(row), points });
      this.progress++;
      derived += points.reduce((total, { length }) => total + length, 0);
      if (derived > DERIVED_PER_YIELD) {
        await this.timeSlice.yield();
        derived = 0;
      }
    }
    return incomplete;
  }

  private readStored(ids: readonly number[], range: StoredRange, state: PointState) {
    const { reader, serializer, timeSlice, signal } = this;
    return serializer.valuesOnly === true
      ? reader.readValues(ids, range, state, timeSlice, signal)
      : reader.read(ids, range, state, timeSlice, signal);
  }

  /**
   * The points of the series to which others were joined, by their ids; null where the database is
   * at another revision.
   */
  private async readJoined(
    catalogue: CatalogueSnapshot,
    state: PointState,
    series: readonly SeriesWindow[],
    range: StoredRange,
  ): Promise<Map<number, StoredPoints> | null> {
    const joined = new Map<number, StoredPoints>();
    for (const { row } of series) {
      const members = catalogue.membersAt(row);
      if (members === null) continue;
      const stored = new Map<number, StoredPoints>();
      for (const { serieId } of members) {
        const read = await this.reader.read([serieId], range, state, this.timeSlice, this.signal);
        if (read === null) return null;
        stored.set(serieId, read.get(serieId)!);
      }
      joined.set(catalogue.idAt(row), joinedPoints(members, stored));
    }
    return joined;
  }
}

const hasPoints = ({ points }: LoadedSeries) => points.some(({ length }) => length > 0);

/** What the text of a series depends on; null in earlier states, whose texts are not cached. */
function fragmentRevisions(
  { catalogue, points, rates }: PriceSnapshot,
  row: number,
): FragmentRevisions | null {
  if ('asOf' in points || 'asOf' in rates) return null;
  const { references } = catalogue.revisions;
  return { series: catalogue.revisionAt(row), references, rates: rates.newest };
}

/** A series and the window of it that is read first. */
interface SeriesWindow {
  row: number;
  window: PointWindow;
}

/** Series whose points are read together; a null range means that they have none. */
interface ReadBatch {
  range: StoredRange | null;
  series: SeriesWindow[];
}

/** Groups series whose points lie in about the same range, a few thousand points per batch. */
function* readBatches(catalogue: CatalogueSnapshot, series: readonly SeriesWindow[]): Iterable<ReadBatch> {
  const open = new Map<string, { batch: ReadBatch; points: number }>();
  for (const one of series) {
    const items = catalogue.periodicityAt(one.row);
    const range = one.window.storedRange(items);
    const bucket = range === null ? '' : Math.floor(range.firstDay / RANGE_BUCKET);
    const key = range === null ? '' : `${range.firstPeriod} ${range.lastPeriod} ${bucket}`;
    let group = open.get(key);
    if (group === undefined) open.set(key, (group = { batch: { range, series: [] }, points: 0 }));
    group.batch.series.push(one);
    if (range !== null) {
      group.batch.range = union(group.batch.range!, range);
      group.points += estimatePoints(items, range);
    }
    if (group.points < POINTS_PER_READ && group.batch.series.length < MAX_LIST_IDS) continue;
    open.delete(key);
    yield group.batch;
  }
  for (const { batch } of open.values()) yield batch;
}

const union = (one: StoredRange, other: StoredRange): StoredRange => ({
  ...one,
  firstDay: Math.min(one.firstDay, other.firstDay),
  lastDay: Math.max(one.lastDay, other.lastDay),
});

/** The rates and indices of a snapshot; null where the database is at another revision. */
function ratesAt(
  tables: RateTables,
  { rates }: PriceSnapshot,
  currencies: Iterable<string>,
  countries: Iterable<string>,
  timeSlice: TimeSlice,
): Promise<Rates | null> {
  return 'asOf' in rates
    ? tables.asOf(rates.asOf, currencies, countries, timeSlice)
    : tables.atRevision(rates.newest, currencies, countries, timeSlice);
}
