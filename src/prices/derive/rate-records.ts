import { Injectable } from '@nestjs/common';
import { dayFromIso, monthOf } from '../../lib/dates/calendar-date.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import { Database } from '../../database/database.js';
import { newestBase, type DatedRate } from './conversion.js';
import { INDEX_TABLE, RATE_TABLE, type RateRow, type RateTable, readPastRates } from './past-rates.js';
import { isUsableRate } from './rate-life.js';

/*
 * The revision is selected with the rows, so that they are sure to belong together. The left join
 * returns a row even if no record is found.
 */
const SELECT_RATES = `
  SELECT r.rates_revision, f.id, f.currency, f.period, f.date, f.rate, f.source
  FROM data_revision r LEFT JOIN fx_rate f ON f.rate_type = 'official' AND f.currency = ? WHERE r.id = 1`;
const SELECT_INDICES = `
  SELECT r.rates_revision, c.id, c.iso3_country_code, c.base_period, c.date, c.value, c.source
  FROM data_revision r LEFT JOIN cpi c ON c.item = 'general' AND c.iso3_country_code = ? WHERE r.id = 1`;

/** A published rate. */
export interface RateRecord {
  readonly id: number;
  readonly currency: string;
  readonly date: string;
  readonly period: DatedRate['period'];
  readonly rate: number;
  /** Who has published it; empty where that is not known. */
  readonly source: string;
}

/** A published general index. */
export interface IndexRecord {
  readonly id: number;
  readonly iso3_country_code: string;
  readonly date: string;
  readonly base_period: string;
  readonly value: number;
  /** Who has published it; empty where that is not known. */
  readonly source: string;
}

/** The state of rates and indices: the newest, which must have this revision, or an earlier one. */
export type RateState = { readonly newest: number } | { readonly asOf: number };

/** Reads the published records that rates and indices are made of, to explain prices by them. */
@Injectable()
export class RateRecords {
  constructor(private readonly database: Database) {}

  /**
   * The published rates that the rate of each month is made of: the monthly one, or else daily ones
   * by date.
   * @returns null where the database is at another revision
   */
  async ratesOf(state: RateState, currency: string): Promise<Map<number, RateRecord[]> | null> {
    const rows = await this.read(RATE_TABLE, SELECT_RATES, state, currency);
    if (rows === null) return null;
    const records = rows.map(([id, , period, date, rate, source]) => ({
      id,
      currency,
      date,
      period: period as DatedRate['period'],
      rate,
      source,
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
  async indicesOf(state: RateState, iso3_country_code: string): Promise<Map<number, IndexRecord> | null> {
    const rows = await this.read(INDEX_TABLE, SELECT_INDICES, state, iso3_country_code);
    if (rows === null) return null;
    const newest = newestBase(rows.map(([, , base]) => base));
    const byMonth = new Map<number, IndexRecord>();
    for (const [id, , base_period, date, value, source] of rows)
      if (base_period === newest && value > 0)
        byMonth.set(monthOf(dayFromIso(date)!), { id, iso3_country_code, date, base_period, value, source });
    return byMonth;
  }

  private async read(
    table: RateTable,
    select: string,
    state: RateState,
    name: string,
  ): Promise<RateRow[] | null> {
    const reads = this.database.anyServer;
    if ('asOf' in state)
      return (await readPastRates(reads, table, [name], state.asOf, new TimeSlice())).get(name) ?? [];
    type RecordRow = [revision: number, ...([null, ...unknown[]] | RateRow)];
    const rows = await reads.arrays<RecordRow>(select, [name]);
    if (!rows.every(([revision]) => Number(revision) === state.newest)) return null;
    return rows.filter(([, id]) => id !== null).map(([, ...row]) => row as RateRow);
  }
}

const byDate = (one: RateRecord, other: RateRecord) => (one.date < other.date ? -1 : 1);
