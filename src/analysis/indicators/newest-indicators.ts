import { Injectable } from '@nestjs/common';
import { DataRevision } from '../../database/revision/data-revision.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import { Unavailable } from '../../platform/errors/api-error.js';
import { SeriesCatalogue } from '../../price-series/catalogue/catalogue.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { PriceLoader } from '../../prices/read/price-loader.js';
import { columnsSerializer, priceColumns } from '../price-columns.js';
import { IndicatorCalculation, type Observation } from './indicator-calculation.js';
import { IndicatorColumns } from './indicator-columns.js';
import { INDICATOR_FIELDS } from './indicator-fields.js';
import { DEFAULT_SETTINGS } from './indicator-settings.js';
import { ALL_MONTHS } from './indicators.service.js';

/** Series whose prices are loaded together. */
const SERIES_PER_LOAD = 100;
/** How often all of it is brought up to date before a request fails, while data change. */
const MAX_ATTEMPTS = 10;
const NO_ABORT = new AbortController().signal;

/** What an observation was calculated from. */
interface Known {
  at: number;
  revision: number;
  rates: number;
  country: string;
}

/** The newest observation of each series of a catalogue. */
export interface NewestIndicators {
  readonly catalogue: CatalogueSnapshot;
  readonly revision: number;
  /** The observation of a row; null where no month with a price is over. */
  at(row: number): Observation | null;
}

/**
 * Keeps the newest observation of each series in memory, with the default settings. After a change,
 * only the series that have changed are calculated anew; after a change of rates or indices, all
 * are. The work is done when it is asked for, in steps that hold nothing up, and once for all who
 * wait.
 */
@Injectable()
export class NewestIndicatorStore {
  private known = new Map<number, Known>();
  private columns = new IndicatorColumns();
  private refreshing: Promise<NewestIndicators> | null = null;
  private newest: (NewestIndicators & { readonly rates: number }) | null = null;
  /** Series that were calculated so far. */
  calculated = 0;

  constructor(
    private readonly catalogue: SeriesCatalogue,
    private readonly revision: DataRevision,
    private readonly loader: PriceLoader,
  ) {}

  /** The newest observations, with every write whose revision this process has seen. */
  async current(): Promise<NewestIndicators> {
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

  private async refresh(): Promise<NewestIndicators> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const catalogue = await this.catalogue.current();
      const { rates, all } = await this.revision.fresh();
      this.dropReplaced(catalogue.size);
      const outdated = await this.outdated(catalogue, rates);
      for (let from = 0; from < outdated.length; from += SERIES_PER_LOAD)
        await this.calculate(catalogue, outdated.slice(from, from + SERIES_PER_LOAD));
      if (outdated.length > 0 && (await this.outdated(catalogue, rates)).length > 0) continue;
      const { columns } = this;
      // Replies may still read them after the next refresh, which gives changed series new places.
      const places = await this.placesOf(catalogue);
      const at = (row: number) => (columns.monthAt(places[row]!) === 0 ? null : columns.get(places[row]!));
      this.newest = { catalogue, rates, revision: all, at };
      return this.newest;
    }
    throw new Unavailable('The data are changing too fast for a consistent answer. Try again in a moment.');
  }

  /** The place of the observation of each row. */
  private async placesOf(catalogue: CatalogueSnapshot): Promise<Uint32Array> {
    const timeSlice = new TimeSlice();
    const places = new Uint32Array(catalogue.size);
    for (let row = 0; row < catalogue.size; row++) {
      places[row] = this.known.get(catalogue.idAt(row))!.at;
      if (row % 500 === 0) await timeSlice.yield();
    }
    return places;
  }

  /** Begins anew where most places are of observations that were replaced, or of removed series. */
  private dropReplaced(series: number): void {
    if (this.columns.size <= 2 * series + 1000) return;
    this.known = new Map();
    this.columns = new IndicatorColumns();
  }

  /** The rows whose observation is not of this state. */
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
      const prices = priceColumns(loaded.points(index), 'nominal', 'unit');
      const month = prices.nominal.lastValue();
      const calculation = new IndicatorCalculation(prices, DEFAULT_SETTINGS);
      const observation = month === null ? null : calculation.observation(month, INDICATOR_FIELDS);
      const at = this.columns.add();
      this.columns.set(at, month ?? 0, observation);
      this.known.set(catalogue.idAt(row), {
        at,
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
