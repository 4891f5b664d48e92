import { Injectable } from '@nestjs/common';
import { shownRevision } from '../ledger/revision/past-revisions.js';
import { TimeSlice } from '../lib/scheduling/time-slice.js';
import { ValidationError } from '../platform/errors/api-error.js';
import type { CatalogueSnapshot } from '../price-series/catalogue/catalogue-snapshot.js';
import { selectSeries } from '../price-series/catalogue/selection.js';
import type { Criteria } from '../price-series/filters/criteria.js';
import type { MonthlyIndices } from '../prices/derive/conversion.js';
import { PricesService, type PriceView } from '../prices/prices.service.js';
import { estimatePoints, type PointWindow } from '../prices/read/point-window.js';
import { type PastState, PriceLoader, type SeriesPoints } from '../prices/read/price-loader.js';
import { columnsSerializer } from './price-columns.js';

/** Most series whose points are loaded together. */
const SERIES_PER_LOAD = 100;
/** About how many points are loaded together at most, unless one series has more. */
const POINTS_PER_LOAD = 20_000;

/** Series of one state of the data, before their points are loaded. */
export interface SelectedSeries {
  readonly catalogue: CatalogueSnapshot;
  /** The revision of all data, as replies show it. */
  readonly revision: number;
  /** Catalogue rows, in the order of the lists. */
  readonly rows: Uint32Array;
  /** The state that their points are read at. */
  readonly state: PastState;
}

/** A series with its points and what they are converted by. */
interface RowPoints {
  /** Its row in the catalogue of the selection. */
  readonly row: number;
  readonly series: SeriesPoints;
}

/** Loads the points of many series for calculations, all of one state of the data. */
@Injectable()
export class SeriesLoader {
  constructor(
    private readonly prices: PricesService,
    private readonly loader: PriceLoader,
  ) {}

  /**
   * The series that meet the criteria. Without `as_of`, the state is the one when this is called:
   * later writes change nothing of what is loaded.
   * @throws ValidationError for a revision that does not exist
   */
  async select(criteria: Criteria, view: PriceView, signal: AbortSignal): Promise<SelectedSeries> {
    const state = (await this.prices.past({ ...view, asOf: view.asOf ?? 'now' }))!;
    const { catalogue, revision } = await this.loader.consistently(signal, state, (snapshot) =>
      Promise.resolve(snapshot),
    );
    return { catalogue, revision, rows: selectSeries(catalogue, criteria).slice(), state };
  }

  /**
   * The revision that a reply shows, also one without a body; undefined for the newest one.
   * @throws ValidationError for a revision that does not exist
   */
  async shownRevision({ asOf, firstPublished }: PriceView): Promise<number | undefined> {
    if (asOf === undefined) return undefined;
    return shownRevision((await this.prices.past({ asOf, firstPublished }))!.revision);
  }

  /**
   * The general consumer price indices of countries, at the state of a selection.
   * @throws Unavailable where the data change too fast
   */
  indices(
    { state }: SelectedSeries,
    countries: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<Map<string, MonthlyIndices>> {
    return this.loader.consistently(signal, state, (snapshot) => this.loader.indices(snapshot, countries));
  }

  /**
   * The points of the series, in the order of `rows`. They are loaded in batches as the caller gets
   * on, and other work gets a turn between two series.
   * @throws Unavailable where the data change too fast
   */
  async *load(
    { catalogue, rows, state }: SelectedSeries,
    window: PointWindow,
    signal: AbortSignal,
  ): AsyncGenerator<RowPoints> {
    const timeSlice = new TimeSlice();
    for (const batch of loadBatches(catalogue, rows, window)) {
      const load = this.loader.start(window, columnsSerializer, signal);
      const loaded = await this.loader.consistently(
        signal,
        state,
        (snapshot) =>
          load.loadSeries(
            snapshot,
            batch.map((row) => snapshot.catalogue.find(catalogue.uuidAt(row))!),
          ),
        () => load.progress,
      );
      for (const [index, row] of batch.entries()) {
        yield { row, series: loaded.points(index) };
        await timeSlice.yield();
        signal.throwIfAborted();
      }
    }
  }
}

/**
 * Divides rows into those whose points are loaded together. Their number is bounded, so that memory
 * does not depend on how long series are.
 */
export function* loadBatches(
  catalogue: CatalogueSnapshot,
  rows: Iterable<number>,
  window: PointWindow,
): Generator<number[]> {
  let batch: number[] = [];
  let points = 0;
  for (const row of rows) {
    const ofRow = estimatedPoints(catalogue, row, window);
    if (batch.length > 0 && (batch.length === SERIES_PER_LOAD || points + ofRow > POINTS_PER_LOAD)) {
      yield batch;
      batch = [];
      points = 0;
    }
    batch.push(row);
    points += ofRow;
  }
  if (batch.length > 0) yield batch;
}

/** An upper estimate of the points of a series that those of a window are made of. */
export function estimatedPoints(catalogue: CatalogueSnapshot, row: number, window: PointWindow): number {
  const items = catalogue.periodicityAt(row);
  const range = (Number.isFinite(window.latest) ? window.narrowed(items) : window).storedRange(items);
  return range === null ? 0 : estimatePoints(items, range);
}

/**
 * Rejects a selection of more series than the limit.
 * @param names of the parameters that the caller can change
 * @param when the limit holds only then, such as `with month or as_of`; empty where it always does
 * @throws ValidationError
 */
export function requireAtMost(limit: number, count: number, names: readonly string[], when = ''): void {
  if (count <= limit) return;
  const allowed = when === '' ? `at most ${limit} are possible` : `${when}, at most ${limit}`;
  const detail = `The parameters select ${count} series; ${allowed}. Select fewer of them by filters.`;
  throw new ValidationError(
    names.map((name) => ({ in: 'query', name, code: 'too_many_items', detail, max: limit, count })),
  );
}
