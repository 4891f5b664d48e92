import { Injectable } from '@nestjs/common';
import { DataRevision } from '../../database/revision/data-revision.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import { Unavailable } from '../../platform/errors/api-error.js';
import { SeriesCatalogue } from '../../price-series/catalogue/catalogue.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { PriceLoader } from '../../prices/read/price-loader.js';
import { columnsSerializer, type PriceColumns, priceColumns } from '../price-columns.js';
import { ALL_MONTHS } from './indicators.service.js';

/** Series whose prices are loaded together. */
const SERIES_PER_LOAD = 100;
/** How often all of it is brought up to date before a request fails, while data change. */
const MAX_ATTEMPTS = 10;
const NO_ABORT = new AbortController().signal;

/** Where a result is, and what it was calculated from. */
interface Known {
  place: number;
  revision: number;
  rates: number;
  country: string;
}

/** The results of all series of a catalogue. */
export interface CalculatedSeries<R> {
  readonly catalogue: CatalogueSnapshot;
  readonly revision: number;
  readonly results: R;
  /** The place of the result of each row of the catalogue. */
  readonly places: Uint32Array;
}

/**
 * Keeps what is calculated from the prices of each series in memory. After a change, only the
 * series that have changed are calculated anew; after a change of rates or indices, all are. The
 * work is done when it is asked for, in steps that hold nothing up, and once for all who wait.
 *
 * `R` holds the results, each at a place; `size` counts the places, also of replaced results.
 */
@Injectable()
export abstract class SeriesCalculationStore<R extends { readonly size: number }> {
  private known = new Map<number, Known>();
  private results = this.empty();
  private refreshing: Promise<CalculatedSeries<R>> | null = null;
  private newest: (CalculatedSeries<R> & { readonly rates: number }) | null = null;
  /** Series that were calculated so far. */
  calculated = 0;

  constructor(
    private readonly catalogue: SeriesCatalogue,
    private readonly revision: DataRevision,
    private readonly loader: PriceLoader,
  ) {}

  /** No results yet. */
  protected abstract empty(): R;

  /** Calculates and adds the result of a series, and returns its place. */
  protected abstract add(results: R, prices: PriceColumns): number;

  /** The results, with every write whose revision this process has seen. */
  protected async refreshed(): Promise<CalculatedSeries<R>> {
    const catalogue = await this.catalogue.current();
    const { rates } = this.revision.current() ?? (await this.revision.fresh());
    if (this.isCurrent(catalogue, rates)) return this.newest!;
    // A running refresh may have begun before these revisions were seen.
    await this.refreshing?.catch(() => undefined);
    if (this.isCurrent(catalogue, rates)) return this.newest!;
    this.refreshing ??= this.refresh().finally(() => (this.refreshing = null));
    return this.refreshing;
  }

  private isCurrent(catalogue: CatalogueSnapshot, rates: number): boolean {
    const { newest } = this;
    if (newest === null || newest.rates < rates) return false;
    const { series, references } = newest.catalogue.revisions;
    return series >= catalogue.revisions.series && references >= catalogue.revisions.references;
  }

  private async refresh(): Promise<CalculatedSeries<R>> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const catalogue = await this.catalogue.current();
      const { rates, all } = await this.revision.fresh();
      this.dropReplaced(catalogue.size);
      const outdated = await this.outdated(catalogue, rates);
      for (let from = 0; from < outdated.length; from += SERIES_PER_LOAD)
        await this.calculate(catalogue, outdated.slice(from, from + SERIES_PER_LOAD));
      if (outdated.length > 0 && (await this.outdated(catalogue, rates)).length > 0) continue;
      // Replies may still read them after the next refresh, which gives changed series new places.
      const places = await this.placesOf(catalogue);
      this.newest = { catalogue, rates, revision: all, results: this.results, places };
      return this.newest;
    }
    throw new Unavailable('The data are changing too fast for a consistent answer. Try again in a moment.');
  }

  private async placesOf(catalogue: CatalogueSnapshot): Promise<Uint32Array> {
    const timeSlice = new TimeSlice();
    const places = new Uint32Array(catalogue.size);
    for (let row = 0; row < catalogue.size; row++) {
      places[row] = this.known.get(catalogue.idAt(row))!.place;
      if (row % 500 === 0) await timeSlice.yield();
    }
    return places;
  }

  /** Begins anew where most places are of results that were replaced, or of removed series. */
  private dropReplaced(series: number): void {
    if (this.results.size <= 2 * series + 1000) return;
    this.known = new Map();
    this.results = this.empty();
  }

  /** The rows whose result is not of this state. */
  private async outdated(catalogue: CatalogueSnapshot, rates: number): Promise<number[]> {
    const timeSlice = new TimeSlice();
    const rows: number[] = [];
    for (let row = 0; row < catalogue.size; row++) {
      const known = this.known.get(catalogue.idAt(row));
      if (
        known?.revision !== catalogue.revisionAt(row) ||
        known.rates < rates ||
        known.country !== countryAt(catalogue, row)
      )
        rows.push(row);
      if (row % 500 === 0) await timeSlice.yield();
    }
    return rows;
  }

  private async calculate(before: CatalogueSnapshot, rows: readonly number[]): Promise<void> {
    const timeSlice = new TimeSlice();
    const load = this.loader.start(ALL_MONTHS, columnsSerializer, NO_ABORT);
    const loaded = await this.loader.consistently(
      NO_ABORT,
      null,
      (snapshot) => {
        const found = rows.map((row) => snapshot.catalogue.find(before.uuidAt(row)));
        return load.loadSeries(snapshot, [...new Set(found.filter((row) => row !== null))]);
      },
      () => load.progress,
    );
    const { catalogue, rates } = loaded.snapshot;
    for (const [index, row] of loaded.rows.entries()) {
      this.known.set(catalogue.idAt(row), {
        place: this.add(this.results, priceColumns(loaded.points(index), 'nominal', 'unit')),
        revision: catalogue.revisionAt(row),
        rates: 'newest' in rates ? rates.newest : 0,
        country: countryAt(catalogue, row),
      });
      this.calculated++;
      await timeSlice.yield();
    }
  }
}

const countryAt = (catalogue: CatalogueSnapshot, row: number) =>
  catalogue.referenceAt('market', row).iso3_country_code;
