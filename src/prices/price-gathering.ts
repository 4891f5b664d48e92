import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { Unavailable } from '../common/errors/api-error.js';
import { ByteWriter } from '../common/formats/byte-writer.js';
import { TimeSlice } from '../common/scheduling/time-slice.js';
import { DataRevision } from '../database/data-revision.js';
import { SeriesCatalogue } from '../price-series/catalogue.js';
import type { CatalogueSnapshot } from '../price-series/catalogue-snapshot.js';
import { Conversion } from './conversion.js';
import { StoredPoints, derive, type ServedSeries } from './derivation.js';
import { LONGEST_ID_LIST } from './id-list.js';
import { PointReader } from './point-reader.js';
import { evidenceOf, expectedPoints, type PointWindow, type StoredRange } from './point-window.js';
import { PriceFragments, type FragmentState } from './price-fragments.js';
import type { PriceShape } from './price-shape.js';
import { RateTables, type Rates } from './rate-tables.js';

/** Series that are read together hold about so many stored points. */
const POINTS_AT_ONCE = 2500;
/** Days by which the ranges of series that are read together may differ. */
const RANGE_STEP = 256;
/** Series that are looked at between two turns of others. */
const SERIES_AT_ONCE = 200;
/** Points that are derived between two turns of others. */
const DERIVED_AT_ONCE = 2000;

/** Tries in a row that bring nothing new before an answer is given up. */
const FRUITLESS_TRIES = 25;
/** First wait (ms) after such a try; it grows with each. */
const WAIT = 2;

/** One state of the data: the series and their points, and the revision of the rates and indices that belong to it. */
export interface PriceState {
  readonly catalogue: CatalogueSnapshot;
  readonly ratesRevision: number;
}

/** The prices of one series, read or found finished. */
interface Held {
  /** The revision of the series that they are of. */
  revision: number;
  series: ServedSeries;
}

/** What an answer is made of: some series of one state, all that is needed of them in memory. */
export interface Gathered {
  readonly state: PriceState;
  readonly places: readonly number[];
  /**
   * The text of the prices of the series at an index of `places`, with the shape's separator before it unless it is the first. What
   * it was made of is let go.
   */
  text(index: number, first: boolean): Buffer;
  /** Whether the series at an index of `places` has any point that was asked for. */
  hasPoints(index: number): boolean;
}

/** Gathers what answers about prices are made of, so that all of one answer is of one state of the data. */
@Injectable()
export class PriceGathering {
  private readonly fragments = new PriceFragments();
  private readonly writer = new ByteWriter();

  constructor(
    private readonly catalogue: SeriesCatalogue,
    private readonly revision: DataRevision,
    private readonly reader: PointReader,
    private readonly rates: RateTables,
  ) {}

  /**
   * Does some work in one state of the data. The work says by null that the database is at another state; then it is done again in
   * that one. It should keep what still holds, so that it comes to an end however often data change.
   * @param gone stops the work: the client has left
   * @throws Unavailable where the data change too fast
   */
  async consistently<T>(
    gone: AbortSignal,
    work: (state: PriceState) => Promise<T | null>,
    progress: () => number = () => 0,
  ): Promise<T> {
    let reached = progress();
    for (let fruitless = 0; fruitless < FRUITLESS_TRIES;) {
      gone.throwIfAborted();
      const state = await this.state();
      const result = state && (await work(state));
      if (result !== null) return result;
      // The next state is asked of the database: what it told with the rows may not be known here yet.
      await this.revision.ask();
      if (progress() > reached) {
        reached = progress();
        fruitless = 0;
      } else {
        await sleep(WAIT * fruitless++, undefined, { signal: gone });
      }
    }
    throw new Unavailable('The data are changing too fast for this answer. Try again in a moment.');
  }

  /** A gathering for one answer. */
  begin(window: PointWindow, shape: PriceShape, gone: AbortSignal): Gathering {
    return new Gathering(this.reader, this.rates, this.fragments, this.writer, window, shape, gone);
  }

  /** The newest state; null where the series and the revision that are known belong to different ones. */
  private async state(): Promise<PriceState | null> {
    const catalogue = await this.catalogue.current();
    const known = await this.revision.fresh();
    const agrees =
      known.series === catalogue.revisions.series && known.references === catalogue.revisions.references;
    return agrees ? { catalogue, ratesRevision: known.rates } : null;
  }
}

/** What one answer has gathered so far. It outlives the states of the data: what did not change is not read again. */
export class Gathering {
  private readonly held = new Map<number, Held>();
  private readonly form: string;
  private readonly pace = new TimeSlice();
  /** Series read so far, as a measure of progress. */
  progress = 0;

  constructor(
    private readonly reader: PointReader,
    private readonly rates: RateTables,
    private readonly fragments: PriceFragments,
    private readonly writer: ByteWriter,
    private readonly window: PointWindow,
    private readonly shape: PriceShape,
    private readonly gone: AbortSignal,
  ) {
    this.form = `${shape.keptAs} ${window.key}`;
  }

  /**
   * The prices of some series of a state.
   * @returns null where the database is at another state
   */
  async gather(state: PriceState, places: readonly number[]): Promise<Gathered | null> {
    const { catalogue } = state;
    const fragments: (Buffer | null)[] = [];
    const written: number[] = [];
    const unread: number[] = [];
    for (const [index, place] of places.entries()) {
      const fragment = this.fragment(state, place);
      fragments.push(fragment);
      if (fragment !== null) continue;
      written.push(place);
      const revision = this.held.get(catalogue.idAt(place))?.revision;
      if (revision !== catalogue.revisionAt(place)) unread.push(place);
      if (index % SERIES_AT_ONCE === 0) await this.pace.yield();
    }
    if (!(await this.read(catalogue, unread))) return null;
    const rates = await this.rates.at(
      state.ratesRevision,
      new Set(written.map((place) => catalogue.currencyAt(place))),
      new Set(written.map((place) => catalogue.recordAt('market', place).iso3_country_code)),
      this.pace,
    );
    return rates && this.gathered(state, places, fragments, rates);
  }

  private gathered(
    state: PriceState,
    places: readonly number[],
    fragments: (Buffer | null)[],
    rates: Rates,
  ): Gathered {
    const { catalogue } = state;
    return {
      state,
      places,
      hasPoints: (index) =>
        fragments[index] !== null || hasPoints(this.held.get(catalogue.idAt(places[index]!))!),
      text: (index, first) => {
        const text = fragments[index] ?? this.write(state, places[index]!, rates);
        fragments[index] = null;
        return first ? text.subarray(this.shape.separator.length) : text;
      },
    };
  }

  private write(state: PriceState, place: number, rates: Rates): Buffer {
    const { catalogue } = state;
    const serieId = catalogue.idAt(place);
    const held = this.held.get(serieId)!;
    const { iso3_country_code } = catalogue.recordAt('market', place);
    this.writer.ascii(this.shape.separator);
    this.shape.write(this.writer, held.series, {
      catalogue,
      place,
      serieId,
      conversionFactor: this.shape.conversionFactor(catalogue.recordAt('measure_unit', place)),
      conversion: new Conversion(
        rates.ratesOf(catalogue.currencyAt(place)),
        rates.indicesOf(iso3_country_code),
      ),
    });
    const text = this.writer.take();
    this.held.delete(serieId);
    if (this.shape.keptAs !== null && hasPoints(held)) {
      this.fragments.keep(serieId, this.form, fragmentState(state, place), text);
    }
    return text;
  }

  /** The finished text of a series that has points. */
  private fragment(state: PriceState, place: number): Buffer | null {
    if (this.shape.keptAs === null) return null;
    return this.fragments.get(state.catalogue.idAt(place), this.form, fragmentState(state, place));
  }

  /** Reads the points of series, those together that need about the same of the table. */
  private async read(catalogue: CatalogueSnapshot, places: readonly number[]): Promise<boolean> {
    const narrow = Number.isFinite(this.window.latest);
    const wanted: Wanted[] = [];
    for (const [index, place] of places.entries()) {
      const window = narrow ? this.window.narrowed(catalogue.itemsAt(place)) : this.window;
      wanted.push({ place, window });
      if (index % SERIES_AT_ONCE === 0) await this.pace.yield();
    }
    for (const job of jobs(catalogue, wanted)) {
      const short = await this.readJob(catalogue, job);
      if (short === null) return false;
      // Gaps hid some of the newest points: the whole window is read instead.
      for (const whole of jobs(
        catalogue,
        short.map((place) => ({ place, window: this.window })),
      )) {
        if ((await this.readJob(catalogue, whole)) === null) return false;
      }
    }
    return true;
  }

  /**
   * Reads the points of a few series.
   * @returns those of which the narrowed window did not hold all that is asked for; null where the database is at another state
   */
  private async readJob(catalogue: CatalogueSnapshot, { range, wanted }: Job): Promise<number[] | null> {
    const ids = wanted.map(({ place }) => catalogue.idAt(place));
    const stored =
      range && (await this.reader.read(ids, range, catalogue.revisions.series, this.pace, this.gone));
    if (range !== null && stored === null) return null;
    const short: number[] = [];
    let derived = 0;
    for (const [index, { place, window }] of wanted.entries()) {
      const items = catalogue.itemsAt(place);
      const series = derive(stored?.get(ids[index]!) ?? new StoredPoints(), evidenceOf(items));
      window.cut(series);
      if (!this.window.isMetBy(window, items, series)) {
        short.push(place);
        continue;
      }
      this.held.set(ids[index]!, { revision: catalogue.revisionAt(place), series });
      this.progress++;
      derived += series.reduce((points, { length }) => points + length, 0);
      if (derived > DERIVED_AT_ONCE) {
        await this.pace.yield();
        derived = 0;
      }
    }
    return short;
  }
}

const hasPoints = ({ series }: Held) => series.some(({ length }) => length > 0);

const fragmentState = ({ catalogue, ratesRevision }: PriceState, place: number): FragmentState => ({
  series: catalogue.revisionAt(place),
  references: catalogue.revisions.references,
  rates: ratesRevision,
});

/** A series and what of it is read at first. */
interface Wanted {
  place: number;
  window: PointWindow;
}

/** Series whose points are read together; without a range they have none. */
interface Job {
  range: StoredRange | null;
  wanted: Wanted[];
}

/** Puts together series whose points lie in about the same range, a few thousand points at a time. */
function* jobs(catalogue: CatalogueSnapshot, wanted: readonly Wanted[]): Iterable<Job> {
  const open = new Map<string, { job: Job; points: number }>();
  for (const one of wanted) {
    const items = catalogue.itemsAt(one.place);
    const range = one.window.stored(items);
    const step = range === null ? '' : Math.floor(range.firstDay / RANGE_STEP);
    const key = range === null ? '' : `${range.firstPeriod} ${range.lastPeriod} ${step}`;
    let group = open.get(key);
    if (group === undefined) open.set(key, (group = { job: { range, wanted: [] }, points: 0 }));
    group.job.wanted.push(one);
    if (range !== null) {
      group.job.range = union(group.job.range!, range);
      group.points += expectedPoints(items, range);
    }
    if (group.points < POINTS_AT_ONCE && group.job.wanted.length < LONGEST_ID_LIST) continue;
    open.delete(key);
    yield group.job;
  }
  for (const { job } of open.values()) yield job;
}

const union = (one: StoredRange, other: StoredRange): StoredRange => ({
  ...one,
  firstDay: Math.min(one.firstDay, other.firstDay),
  lastDay: Math.max(one.lastDay, other.lastDay),
});
