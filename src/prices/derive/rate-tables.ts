import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { dayFromIso, monthOf } from '../../lib/dates/calendar-date.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import { Database, type SqlValue } from '../../database/database.js';
import { Environment } from '../../config/environment.js';
import { PAST_RECORDS_PER_STATEMENT, readPastRecords } from '../../reference/base/past-records.js';
import {
  DOLLAR_RATES,
  monthlyIndices,
  monthlyRates,
  newestBase,
  type DatedIndex,
  type DatedRate,
  type MonthlyValues,
} from './conversion.js';
import { isUsableRate } from './rate-life.js';
import { currencyRates, type CurrencyRates } from './currency-rates.js';
import { sourcesOfRates } from './rate-relations.js';

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

/* The same with the records' ids, of one currency or country. */
const SELECT_RATE_RECORDS = `
  SELECT r.rates_revision, f.id, f.currency, f.period, f.date, f.rate
  FROM data_revision r LEFT JOIN fx_rate f ON f.rate_type = 'official' AND f.currency = ? WHERE r.id = 1`;
const SELECT_INDEX_RECORDS = `
  SELECT r.rates_revision, c.id, c.iso3_country_code, c.base_period, c.date, c.value
  FROM data_revision r LEFT JOIN cpi c ON c.item = 'general' AND c.iso3_country_code = ? WHERE r.id = 1`;

/* What is known of the rates since a revision or earlier, and has not been changed since. */
const SELECT_PAST_RATES = `
  SELECT f.id, f.currency, f.period, f.date, f.rate FROM fx_rate f
  WHERE f.rate_type = 'official' AND f.currency IN (${placeholders()}) AND f.since <= ?`;
const SELECT_PAST_INDICES = `
  SELECT c.id, c.iso3_country_code, c.base_period, c.date, c.value FROM cpi c
  WHERE c.item = 'general' AND c.iso3_country_code IN (${placeholders()}) AND c.since <= ?`;

type PastRow = [id: number, name: string, kind: string, date: string, value: number];

/** A table of rates or indices: its records as rows of the statement of its earlier states. */
interface PastTable {
  name: string;
  select: string;
  /** The row of a record that is no longer so; null if it is of no use for prices. */
  rowOf: (id: number, attributes: Readonly<Record<string, unknown>>) => PastRow | null;
}

const PAST_RATES: PastTable = {
  name: 'fx_rate',
  select: SELECT_PAST_RATES,
  rowOf: (id, { rate_type, currency, period, date, rate }) =>
    rate_type === 'official' ? ([id, currency, period, date, rate] as PastRow) : null,
};
const PAST_INDICES: PastTable = {
  name: 'cpi',
  select: SELECT_PAST_INDICES,
  rowOf: (id, { item, iso3_country_code, base_period, date, value }) =>
    item === 'general' ? ([id, iso3_country_code, base_period, date, value] as PastRow) : null,
};

/** Earlier states whose rates are held in memory. */
const PAST_STATES = 8;

type RateRow = [
  revision: number,
  currency: string | null,
  period: DatedRate['period'],
  date: string,
  rate: number,
];
type IndexRow = [revision: number, country: string | null, basePeriod: string, date: string, value: number];

/** A published rate. */
export interface RateRecord {
  readonly id: number;
  readonly currency: string;
  readonly date: string;
  readonly period: DatedRate['period'];
  readonly rate: number;
}

/** A published general index. */
export interface IndexRecord {
  readonly id: number;
  readonly iso3_country_code: string;
  readonly date: string;
  readonly base_period: string;
  readonly value: number;
}

/** Exchange rates and price indices as they are at one revision of the data. */
export interface Rates {
  /** Official rates of a currency, by month, and what holds in months without one. */
  ratesOf(currency: string): CurrencyRates;
  /** The general consumer price index of a country, by month. */
  indicesOf(country: string): MonthlyValues;
}

/** The rates loaded at one revision. It only grows, so it stays usable after a newer revision. */
class LoadedRates implements Rates {
  /** Published official rates. */
  readonly rates = new Map<string, MonthlyValues>([['USD', DOLLAR_RATES]]);
  readonly indices = new Map<string, MonthlyValues>();
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

  indicesOf(country: string): MonthlyValues {
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
    for (const names of batches(tables.missingRates(currencies))) {
      const rows = await this.database.anyServer.arrays<RateRow>(SELECT_RATES, padded(names));
      if (!rows.every(([current]) => Number(current) === revision)) return null;
      const rates = new Map(names.map((name) => [name, [] as DatedRate[]]));
      for (const [, currency, period, date, rate] of rows) {
        if (currency !== null && isUsableRate({ currency, period, date }))
          rates.get(currency)!.push({ period, day: dayFromIso(date)!, rate });
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

  /** Loads the rates and indices as they were known at an earlier revision. */
  async asOf(
    revision: number,
    currencies: Iterable<string>,
    countries: Iterable<string>,
    timeSlice: TimeSlice,
  ): Promise<Rates> {
    const tables = this.past.get(revision) ?? new LoadedRates(revision, this.related);
    this.past.set(revision, tables);
    const newCurrencies = tables.missingRates(currencies);
    for (const [name, rows] of await this.readPast(PAST_RATES, newCurrencies, revision, timeSlice)) {
      const dated = rows.map(([, currency, period, date, rate]) => ({
        currency,
        period: period as DatedRate['period'],
        date,
        rate,
      }));
      const usable = dated.filter(isUsableRate);
      const rates = usable.map(({ period, date, rate }) => ({ period, day: dayFromIso(date)!, rate }));
      tables.rates.set(name, monthlyRates(rates));
    }
    const newCountries = missing(countries, tables.indices);
    for (const [name, rows] of await this.readPast(PAST_INDICES, newCountries, revision, timeSlice)) {
      const indices = rows.map(([, , basePeriod, date, value]) => ({
        basePeriod,
        day: dayFromIso(date)!,
        value,
      }));
      tables.indices.set(name, monthlyIndices(indices));
    }
    return tables;
  }

  /**
   * The published rates that the rate of each month is made of: the monthly one, or else daily ones
   * by date.
   * @returns null where the database is at another revision
   */
  async rateRecords(state: RateState, currency: string): Promise<Map<number, RateRecord[]> | null> {
    const rows = await this.recordsOf(PAST_RATES, SELECT_RATE_RECORDS, state, currency);
    if (rows === null) return null;
    const records = rows.map(([id, , period, date, rate]) => ({
      id,
      currency,
      date,
      period: period as DatedRate['period'],
      rate,
    }));
    const byMonth = new Map<number, RateRecord[]>();
    for (const record of records.filter(isUsableRate).sort(byDate)) {
      const month = monthOf(dayFromIso(record.date)!);
      const others = byMonth.get(month) ?? [];
      // The monthly rate replaces the daily ones.
      if (record.period === 'monthly') byMonth.set(month, [record]);
      else if (others[0]?.period !== 'monthly') byMonth.set(month, [...others, record]);
    }
    return byMonth;
  }

  /**
   * The index of each month, of the newest base period of the country. An index of 0 is left out.
   * @returns null where the database is at another revision
   */
  async indexRecords(state: RateState, country: string): Promise<Map<number, IndexRecord> | null> {
    const rows = await this.recordsOf(PAST_INDICES, SELECT_INDEX_RECORDS, state, country);
    if (rows === null) return null;
    const newest = newestBase(rows.map(([, , base]) => base));
    const byMonth = new Map<number, IndexRecord>();
    for (const [id, , base_period, date, value] of rows)
      if (base_period === newest && value > 0)
        byMonth.set(monthOf(dayFromIso(date)!), { id, iso3_country_code: country, date, base_period, value });
    return byMonth;
  }

  private async recordsOf(
    table: PastTable,
    select: string,
    state: RateState,
    name: string,
  ): Promise<PastRow[] | null> {
    if ('asOf' in state)
      return (await this.readPast(table, [name], state.asOf, new TimeSlice())).get(name) ?? [];
    type RecordRow = [revision: number, ...([null, ...unknown[]] | PastRow)];
    const rows = await this.database.anyServer.arrays<RecordRow>(select, [name]);
    if (!rows.every(([revision]) => Number(revision) === state.newest)) return null;
    return rows.filter(([, id]) => id !== null).map(([, ...row]) => row as PastRow);
  }

  /** The rows of some currencies or countries at an earlier revision, by name. */
  private async readPast(
    table: PastTable,
    names: readonly string[],
    revision: number,
    timeSlice: TimeSlice,
  ): Promise<Map<string, PastRow[]>> {
    // By id: what is changed between the statements is found twice.
    const rowsByName = new Map(names.map((name) => [name, new Map<number, PastRow>()]));
    if (names.length === 0) return new Map();
    const reads = this.database.anyServer;
    for (const some of batches([...names])) {
      const values: SqlValue[] = [...padded(some), revision];
      for (const row of await reads.arrays<PastRow>(table.select, values))
        rowsByName.get(row[1])!.set(row[0], row);
      await timeSlice.yield();
    }
    for (let after = 0; ;) {
      const records = await readPastRecords(reads, table.name, revision, after);
      for (const { id, attributes } of records) {
        const row = table.rowOf(id, attributes);
        if (row !== null) rowsByName.get(row[1])?.set(id, row);
      }
      if (records.length < PAST_RECORDS_PER_STATEMENT) break;
      after = records.at(-1)!.id;
      await timeSlice.yield();
    }
    return new Map([...rowsByName].map(([name, rows]) => [name, [...rows.values()]]));
  }
}

/** The state of rates and indices: the newest, which must have this revision, or an earlier one. */
export type RateState = { readonly newest: number } | { readonly asOf: number };

function valuesOf(tables: ReadonlyMap<string, MonthlyValues>, name: string): MonthlyValues {
  const values = tables.get(name);
  if (values === undefined) throw new Error(`${name} was not loaded.`);
  return values;
}

const byDate = (one: RateRecord, other: RateRecord) => (one.date < other.date ? -1 : 1);

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
