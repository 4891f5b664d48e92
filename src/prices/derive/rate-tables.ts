import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { dayFromIso } from '../../lib/dates/calendar-date.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import { Database } from '../../database/database.js';
import { selectWithRevision } from '../../ledger/revision/current-revision.js';
import { generalIndices } from '../../reference/cpi/stored-indices.js';
import { officialRates } from '../../reference/fx-rate/stored-rates.js';
import { Environment } from '../../config/environment.js';
import {
  DOLLAR_RATES,
  monthlyIndices,
  monthlyRates,
  type DatedRate,
  type MonthlyIndices,
  type MonthlyValues,
} from './conversion.js';
import type { DatedIndex } from './linked-indices.js';
import { NAMES_PLACEHOLDERS, nameBatches } from './name-batches.js';
import { INDEX_TABLE, RATE_TABLE, readPastRates } from './past-rates.js';
import { isUsableRate } from './rate-life.js';
import { currencyRates, type CurrencyRates } from './currency-rates.js';
import { sourcesOfRates } from './rate-relations.js';

const SELECT_RATES = selectWithRevision(
  'rates',
  'f.currency, f.period, f.date, f.rate',
  officialRates('ON', NAMES_PLACEHOLDERS),
  'ORDER BY f.currency, f.period, f.date',
);
const SELECT_INDICES = selectWithRevision(
  'rates',
  'c.iso3_country_code, c.base_period, c.date, c.value',
  generalIndices('ON', NAMES_PLACEHOLDERS),
);

/** Earlier states whose rates are held in memory. */
const PAST_STATES = 8;

type CurrentRate = [
  revision: number,
  currency: string | null,
  period: DatedRate['period'],
  date: string,
  rate: number,
];
type CurrentIndex = [
  revision: number,
  country: string | null,
  basePeriod: string,
  date: string,
  value: number,
];

/** Exchange rates and price indices as they are at one revision of the data. */
export interface Rates {
  /** Official rates of a currency, by month, and what holds in months without one. */
  ratesOf(currency: string): CurrencyRates;
  /** The general consumer price index of a country, by month. */
  indicesOf(country: string): MonthlyIndices;
}

/** The rates loaded at one revision. It only grows, so it stays usable after a newer revision. */
class LoadedRates implements Rates {
  /** Published official rates. */
  readonly rates = new Map<string, MonthlyValues>([['USD', DOLLAR_RATES]]);
  readonly indices = new Map<string, MonthlyIndices>();
  private readonly resolved = new Map<string, CurrencyRates>();

  /** @param related whether relations between currencies hold where no rate is published */
  constructor(
    readonly revision: number,
    private readonly related: boolean,
  ) {}

  /** The currencies to be read for those that are asked for. */
  missingRates(currencies: Iterable<string>): string[] {
    const asked = [...new Set(currencies)].filter((currency) => !this.resolved.has(currency));
    return missing(this.related ? asked.flatMap(sourcesOfRates) : asked, this.rates);
  }

  ratesOf(currency: string): CurrencyRates {
    let rates = this.resolved.get(currency);
    if (rates === undefined) {
      rates = currencyRates(currency, (name) => valuesOf(this.rates, name), this.related);
      this.resolved.set(currency, rates);
    }
    return rates;
  }

  indicesOf(country: string): MonthlyIndices {
    return valuesOf(this.indices, country);
  }
}

/**
 * Caches exchange rates and price indices by month: those that were requested, at the newest
 * requested revision and some earlier ones. After a change they are read again when they are
 * needed, a few currencies or countries at a time.
 */
@Injectable()
export class RateTables {
  private newest: LoadedRates;
  /** Earlier states, by revision. */
  private readonly past = new LRUCache<number, LoadedRates>({ max: PAST_STATES });
  private readonly related: boolean;

  constructor(
    private readonly database: Database,
    environment: Environment,
  ) {
    this.related = environment.rateRelations;
    this.newest = new LoadedRates(-1, this.related);
  }

  /**
   * Loads the rates of these currencies and the indices of these countries at a revision.
   * @returns null where the database is at another revision
   */
  async atRevision(
    revision: number,
    currencies: Iterable<string>,
    countries: Iterable<string>,
    timeSlice: TimeSlice,
  ): Promise<Rates | null> {
    if (revision > this.newest.revision) this.newest = new LoadedRates(revision, this.related);
    const tables = revision === this.newest.revision ? this.newest : new LoadedRates(revision, this.related);
    for (const names of nameBatches(tables.missingRates(currencies))) {
      const rows = await this.database.anyServer.arrays<CurrentRate>(SELECT_RATES, names);
      if (!rows.every(([current]) => Number(current) === revision)) return null;
      const rates = new Map(names.map((name) => [name, [] as DatedRate[]]));
      for (const [, currency, period, date, rate] of rows) {
        if (currency !== null && isUsableRate({ currency, period, date }))
          rates.get(currency)!.push({ period, day: dayFromIso(date)!, rate });
      }
      for (const [currency, dated] of rates) tables.rates.set(currency, monthlyRates(dated));
      await timeSlice.yield();
    }
    for (const names of nameBatches(missing(countries, tables.indices))) {
      const rows = await this.database.anyServer.arrays<CurrentIndex>(SELECT_INDICES, names);
      if (!rows.every(([current]) => Number(current) === revision)) return null;
      const indices = new Map(names.map((name) => [name, [] as DatedIndex[]]));
      for (const [, country, basePeriod, date, value] of rows) {
        if (country !== null) indices.get(country)!.push({ basePeriod, day: dayFromIso(date)!, value });
      }
      for (const [country, dated] of indices) tables.indices.set(country, monthlyIndices(dated));
      await timeSlice.yield();
    }
    return tables;
  }

  /** Loads the rates and indices as they were known at an earlier revision. */
  async asOf(
    revision: number,
    currencies: Iterable<string>,
    countries: Iterable<string>,
    timeSlice: TimeSlice,
  ): Promise<Rates> {
    const tables = this.past.get(revision) ?? new LoadedRates(revision, this.related);
    this.past.set(revision, tables);
    const reads = this.database.anyServer;
    const newCurrencies = tables.missingRates(currencies);
    for (const [name, rows] of await readPastRates(reads, RATE_TABLE, newCurrencies, revision, timeSlice)) {
      const dated = rows.map(([, currency, period, date, rate]) => ({
        currency,
        period: period as DatedRate['period'],
        date,
        rate,
      }));
      // In the order of the newest state: the last digits of a mean depend on it.
      const usable = dated.filter(isUsableRate).sort((one, other) => (one.date < other.date ? -1 : 1));
      const rates = usable.map(({ period, date, rate }) => ({ period, day: dayFromIso(date)!, rate }));
      tables.rates.set(name, monthlyRates(rates));
    }
    const newCountries = missing(countries, tables.indices);
    for (const [name, rows] of await readPastRates(reads, INDEX_TABLE, newCountries, revision, timeSlice)) {
      const indices = rows.map(([, , basePeriod, date, value]) => ({
        basePeriod,
        day: dayFromIso(date)!,
        value,
      }));
      tables.indices.set(name, monthlyIndices(indices));
    }
    return tables;
  }
}

function valuesOf<T>(tables: ReadonlyMap<string, T>, name: string): T {
  const values = tables.get(name);
  if (values === undefined) throw new Error(`${name} was not loaded.`);
  return values;
}

const missing = (names: Iterable<string>, tables: ReadonlyMap<string, unknown>) =>
  [...new Set(names)].filter((name) => !tables.has(name));
