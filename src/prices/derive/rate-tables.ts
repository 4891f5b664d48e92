import { Injectable } from '@nestjs/common';
import { dayFromIso } from '../../lib/dates/calendar-date.js';
import type { TimeSlice } from '../../lib/scheduling/time-slice.js';
import { Database } from '../../database/database.js';
import {
  DOLLAR_RATES,
  monthlyIndices,
  monthlyRates,
  type DatedIndex,
  type DatedRate,
  type MonthlyValues,
} from './conversion.js';

/** Currencies or countries read by one statement: a few thousand rows where rates are daily. */
const NAMES_PER_STATEMENT = 5;

/*
 * The revision is selected with the rows, so that they are sure to belong together. The left join
 * returns a row even if no rate is found.
 */
const SELECT_RATES = `
  SELECT r.rates_revision, f.currency, f.period, f.date, f.rate
  FROM data_revision r LEFT JOIN fx_rate f ON f.rate_type = 'official' AND f.currency IN (${placeholders()})
  WHERE r.id = 1 ORDER BY f.currency, f.period, f.date`;
const SELECT_INDICES = `
  SELECT r.rates_revision, c.iso3_country_code, c.base_period, c.date, c.value
  FROM data_revision r LEFT JOIN cpi c ON c.item = 'general' AND c.iso3_country_code IN (${placeholders()})
  WHERE r.id = 1`;

type RateRow = [
  revision: number,
  currency: string | null,
  period: DatedRate['period'],
  date: string,
  rate: number,
];
type IndexRow = [revision: number, country: string | null, basePeriod: string, date: string, value: number];

/** Exchange rates and price indices as they are at one revision of the data. */
export interface Rates {
  /** Official rates of a currency, by month. */
  ratesOf(currency: string): MonthlyValues;
  /** The general consumer price index of a country, by month. */
  indicesOf(country: string): MonthlyValues;
}

/** The rates loaded at one revision. It only grows, so it stays usable after a newer revision. */
class LoadedRates implements Rates {
  readonly rates = new Map<string, MonthlyValues>([['USD', DOLLAR_RATES]]);
  readonly indices = new Map<string, MonthlyValues>();

  constructor(readonly revision: number) {}

  ratesOf(currency: string): MonthlyValues {
    return valuesOf(this.rates, currency);
  }

  indicesOf(country: string): MonthlyValues {
    return valuesOf(this.indices, country);
  }
}

/**
 * Caches exchange rates and price indices by month: those that were requested, at the newest
 * requested revision. After a change they are read again when they are needed, a few currencies or
 * countries at a time.
 */
@Injectable()
export class RateTables {
  private newest = new LoadedRates(-1);

  constructor(private readonly database: Database) {}

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
    if (revision > this.newest.revision) this.newest = new LoadedRates(revision);
    const tables = revision === this.newest.revision ? this.newest : new LoadedRates(revision);
    for (const names of batches(missing(currencies, tables.rates))) {
      const rows = await this.database.anyServer.arrays<RateRow>(SELECT_RATES, padded(names));
      if (!rows.every(([current]) => Number(current) === revision)) return null;
      const rates = new Map(names.map((name) => [name, [] as DatedRate[]]));
      for (const [, currency, period, date, rate] of rows) {
        if (currency !== null) rates.get(currency)!.push({ period, day: dayFromIso(date)!, rate });
      }
      for (const [currency, dated] of rates) tables.rates.set(currency, monthlyRates(dated));
      await timeSlice.yield();
    }
    for (const names of batches(missing(countries, tables.indices))) {
      const rows = await this.database.anyServer.arrays<IndexRow>(SELECT_INDICES, padded(names));
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
}

function valuesOf(tables: ReadonlyMap<string, MonthlyValues>, name: string): MonthlyValues {
  const values = tables.get(name);
  if (values === undefined) throw new Error(`${name} was not loaded.`);
  return values;
}

const missing = (names: Iterable<string>, tables: ReadonlyMap<string, MonthlyValues>) =>
  [...new Set(names)].filter((name) => !tables.has(name));

function* batches(names: string[]): Iterable<string[]> {
  for (let from = 0; from < names.length; from += NAMES_PER_STATEMENT) {
    yield names.slice(from, from + NAMES_PER_STATEMENT);
  }
}

/** Pads the names to the number of placeholders with the last one. */
const padded = (names: string[]) =>
  Array.from({ length: NAMES_PER_STATEMENT }, (_, index) => names[index] ?? names.at(-1)!);

function placeholders(): string {
  return Array<string>(NAMES_PER_STATEMENT).fill('?').join(', ');
}
