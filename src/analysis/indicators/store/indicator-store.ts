import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataRevision } from '../../../ledger/revision/data-revision.js';
import { TimeSlice } from '../../../lib/scheduling/time-slice.js';
import { Unavailable } from '../../../platform/errors/api-error.js';
import { SeriesCatalogue } from '../../../price-series/catalogue/catalogue.js';
import type { CatalogueSnapshot } from '../../../price-series/catalogue/catalogue-snapshot.js';
import { PriceLoader } from '../../../prices/read/price-loader.js';
import { columnsSerializer, type MonthlyPriceColumns, priceColumns } from '../../price-columns.js';
import { loadBatches, type SelectedSeries } from '../../series-loader.js';
import { IndicatorCalculation } from '../indicator-calculation.js';
import { INDICATOR_FIELDS } from '../indicator-fields.js';
import { DEFAULT_SETTINGS } from '../indicator-settings.js';
import { ALL_MONTHS } from '../indicators.service.js';
import { HistoryColumns } from './history-columns.js';
import { IndicatorColumns } from './indicator-columns.js';

/** How often all of it is brought up to date before a request fails, while data change. */
const MAX_ATTEMPTS = 10;
/** Rows that are looked at between two looks at the time. */
const ROWS_PER_YIELD = 500;
/** Milliseconds for which a shutdown waits for the step that is running. */
const SHUTDOWN_MS = 200;

/** The indicators of all series of a catalogue, with the default settings. */
export interface StoredIndicators {
  readonly catalogue: CatalogueSnapshot;
  readonly revision: number;
  /** The index of each row of the catalogue in both. */
  readonly indices: Uint32Array;
  /** Of each series its newest month that is over and has a price. */
  readonly newest: IndicatorColumns;
  /** Of each series all months. */
  readonly histories: HistoryColumns;
}

/** The results of series by index, and what each was calculated from. */
class Results {
  readonly newest = new IndicatorColumns();
  readonly histories = new HistoryColumns();
  /** By the id of a series. */
  private readonly indices = new Map<number, number>();
  private readonly revisions: number[] = [];
  private readonly rates: number[] = [];
  private readonly countries: string[] = [];

  /** Results, also those that were replaced. */
  get size(): number {
    return this.revisions.length;
  }

  indexOf(catalogue: CatalogueSnapshot, row: number): number {
    return this.indices.get(catalogue.idAt(row))!;
  }

  /** Whether the result of a row is of this state. */
  isCurrent(catalogue: CatalogueSnapshot, row: number, rates: number): boolean {
    const index = this.indices.get(catalogue.idAt(row));
    return (
      index !== undefined &&
      this.revisions[index] === catalogue.revisionAt(row) &&
      this.rates[index]! >= rates &&
      this.countries[index] === countryAt(catalogue, row)
    );
  }

  /** Calculates the indicators of a row from its prices. */
  calculate(catalogue: CatalogueSnapshot, row: number, prices: MonthlyPriceColumns, rates: number): void {
    const calculation = new IndicatorCalculation(prices, DEFAULT_SETTINGS);
    this.indices.set(catalogue.idAt(row), this.histories.add(calculation));
    const month = prices.nominal.lastValue();
    this.newest.add(month ?? 0, month === null ? null : calculation.observation(month, INDICATOR_FIELDS));
    this.revisions.push(catalogue.revisionAt(row));
    this.rates.push(rates);
    this.countries.push(countryAt(catalogue, row));
  }
}

const countryAt = (catalogue: CatalogueSnapshot, row: number) =>
  catalogue.referenceAt('market', row).iso3_country_code;

/**
 * Keeps the indicators of each series in memory: of its newest month, and IFPA and ALPS of all
 * months. After a change, only the series that have changed are calculated anew; after a change of
 * rates or indices, all are. The work is done once for all who wait, in steps that hold nothing up.
 */
@Injectable()
export class IndicatorStore implements BeforeApplicationShutdown {
  private results = new Results();
  private refreshing: Promise<StoredIndicators> | null = null;
  private latest: (StoredIndicators & { readonly rates: number }) | null = null;
  private readonly stopped = new AbortController();
  /** What a shutdown waits for, so that nothing reads a closed database. */
  private readonly running = new Set<Promise<unknown>>();
  /** Calls that wait for the work. */
  private waiting = 0;
  /** Series that were calculated so far. */
  calculated = 0;

  constructor(
    private readonly catalogue: SeriesCatalogue,
    private readonly revision: DataRevision,
    private readonly loader: PriceLoader,
  ) {}

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped.abort();
    await Promise.race([Promise.allSettled(this.running), sleep(SHUTDOWN_MS, undefined, { ref: false })]);
  }

  /** The indicators, with every write whose revision this process has seen. */
  async current(): Promise<StoredIndicators> {
    this.waiting++;
    return this.run().finally(() => this.waiting--);
  }

  /** The same, in the background: at half the speed of a core as long as no other call waits. */
  async refreshInBackground(): Promise<void> {
    await this.run();
  }

  private run(): Promise<StoredIndicators> {
    const run = this.refreshed();
    this.running.add(run);
    return run.finally(() => this.running.delete(run));
  }

  /** The indicators of the state that series were selected at, if they are there already. */
  of({ catalogue, state }: SelectedSeries): StoredIndicators | null {
    const { latest } = this;
    if (latest?.catalogue !== catalogue || state.firstPublished) return null;
    return latest.rates === this.revision.current()?.rates && latest.rates <= state.revision ? latest : null;
  }

  private async refreshed(): Promise<StoredIndicators> {
    const catalogue = await this.catalogue.current();
    const { rates } = this.revision.current() ?? (await this.revision.fresh());
    if (this.isCurrent(catalogue, rates)) return this.latest!;
    // A running refresh may have begun before these revisions were seen.
    await this.refreshing?.catch(() => undefined);
    if (this.isCurrent(catalogue, rates)) return this.latest!;
    this.refreshing ??= this.refresh().finally(() => (this.refreshing = null));
    return this.refreshing;
  }

  private isCurrent(catalogue: CatalogueSnapshot, rates: number): boolean {
    const { latest } = this;
    if (latest === null || latest.rates < rates) return false;
    const { series, references } = latest.catalogue.revisions;
    return series >= catalogue.revisions.series && references >= catalogue.revisions.references;
  }

  private async refresh(): Promise<StoredIndicators> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      this.stopped.signal.throwIfAborted();
      const catalogue = await this.catalogue.current();
      const { rates, all } = await this.revision.fresh();
      // Begins anew where most results were replaced, or are those of removed series.
      if (this.results.size > 2 * catalogue.size + 1000) this.results = new Results();
      const { results } = this;
      const outdated = await this.outdated(catalogue, rates);
      for (const rows of loadBatches(catalogue, outdated, ALL_MONTHS)) await this.calculate(catalogue, rows);
      if (outdated.length > 0 && (await this.outdated(catalogue, rates)).length > 0) continue;
      // Replies may still read them after the next refresh, which gives changed series new indices.
      const indices = new Uint32Array(catalogue.size);
      await this.forEachRow(catalogue, (row) => (indices[row] = results.indexOf(catalogue, row)));
      const { newest, histories } = results;
      this.latest = { catalogue, rates, revision: all, indices, newest, histories };
      return this.latest;
    }
    throw new Unavailable('The data are changing too fast for a consistent answer. Try again in a moment.');
  }

  /** The rows whose result is not of this state. */
  private async outdated(catalogue: CatalogueSnapshot, rates: number): Promise<number[]> {
    const { results } = this;
    const rows: number[] = [];
    await this.forEachRow(catalogue, (row) => {
      if (!results.isCurrent(catalogue, row, rates)) rows.push(row);
    });
    return rows;
  }

  private async forEachRow({ size }: CatalogueSnapshot, visit: (row: number) => void): Promise<void> {
    const timeSlice = new TimeSlice();
    for (let row = 0; row < size; row++) {
      if (row % ROWS_PER_YIELD === 0) await timeSlice.yield();
      visit(row);
    }
  }

  private async calculate(before: CatalogueSnapshot, rows: readonly number[]): Promise<void> {
    const { signal } = this.stopped;
    const began = performance.now();
    const timeSlice = new TimeSlice();
    const load = this.loader.start(ALL_MONTHS, columnsSerializer, signal);
    const loaded = await this.loader.consistently(
      signal,
      null,
      (snapshot) => {
        if (snapshot.catalogue === before) return load.loadSeries(snapshot, rows);
        const found = rows.map((row) => snapshot.catalogue.find(before.uuidAt(row)));
        return load.loadSeries(snapshot, [...new Set(found.filter((row) => row !== null))]);
      },
      () => load.progress,
    );
    const { catalogue, rates } = loaded.snapshot;
    const ratesRevision = 'newest' in rates ? rates.newest : 0;
    for (const [index, row] of loaded.rows.entries()) {
      const prices = priceColumns(loaded.points(index), 'nominal', 'unit');
      this.results.calculate(catalogue, row, prices, ratesRevision);
      this.calculated++;
      await timeSlice.yield();
    }
    if (this.waiting === 0) await sleep(performance.now() - began, undefined, { signal, ref: false });
  }
}
