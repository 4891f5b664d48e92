import { batchesOf } from '../../lib/collections/batches.js';
import { placeholders } from '../../database/sql.js';
import type { ChangedRecord } from '../../ledger/changes/change-list.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import type { DayRange } from '../../lib/dates/day-range.js';
import type { SeriesJoins } from '../../price-series/joins/series-joins.js';
import type { CheckedSeriesReader } from './checked-series-reader.js';
import { readSeriesFacts, type FactsKey, type SeriesFacts } from './series-facts.js';

/** Tables whose records are attributes of series, and the column that refers to them. */
const ATTRIBUTES: Readonly<Record<string, FactsKey>> = {
  market: 's.market_id',
  commodity: 's.commodity_id',
  price_type: 's.price_type_id',
  measure_unit: 's.measure_unit_id',
};

/** Values of one statement. */
const BATCH = 500;

/** What has changed since the findings were last complete. */
export class ChangedData {
  private facts: Promise<SeriesFacts[]> | null = null;
  private codes: Promise<Set<string>> | null = null;

  constructor(
    readonly transaction: Transaction,
    /** Series that have changed, or whose points have. */
    readonly seriesIds: ReadonlySet<number>,
    /** Those of them of which only values of points have changed, and the days of these. */
    readonly revalued: ReadonlyMap<number, DayRange>,
    readonly records: readonly ChangedRecord[],
    private readonly reader: CheckedSeriesReader,
  ) {}

  /** The joins in force, which are read once for all checks. */
  joins(): Promise<SeriesJoins> {
    return this.reader.joins();
  }

  /** The series that have changed, or whose attributes have, as they are now. */
  series(): Promise<SeriesFacts[]> {
    return (this.facts ??= this.readSeries());
  }

  /** Whether nothing about a series has changed but values of its points. */
  isOnlyRevalued(id: number): boolean {
    // A changed record may be an attribute of any series.
    return this.records.length === 0 && this.revalued.has(id);
  }

  /** The ids of the changed records of a table. */
  recordIds(table: string): number[] {
    return this.records.filter((record) => record.table === table).map(({ id }) => id);
  }

  /** The countries of the series that have changed: those of today, and those of before. */
  countries(): Promise<Set<string>> {
    return (this.codes ??= this.readCountries());
  }

  private async readCountries(): Promise<Set<string>> {
    const countries = new Set((await this.series()).map(({ country }) => country));
    const markets = new Set(this.recordIds('market'));
    const moved = new Set([...this.seriesIds].filter((id) => !this.revalued.has(id)));
    for (const ids of batchesOf([...moved], BATCH)) {
      const former = await this.transaction.rows<{ market_id: number }>(
        `SELECT DISTINCT market_id FROM price_serie_version WHERE id IN (${placeholders(ids.length)})`,
        ids,
      );
      for (const { market_id } of former) markets.add(market_id);
    }
    for (const ids of batchesOf([...markets], BATCH)) {
      const current = await this.transaction.rows<{ code: string }>(
        `SELECT DISTINCT iso3_country_code AS code FROM market WHERE id IN (${placeholders(ids.length)})`,
        ids,
      );
      for (const { code } of current) countries.add(code);
      const former = await this.transaction.rows<{ attributes: string }>(
        `SELECT attributes FROM record_version WHERE table_name = 'market' AND record_id IN (${placeholders(ids.length)})`,
        ids,
      );
      for (const { attributes } of former)
        countries.add((JSON.parse(attributes) as { iso3_country_code: string }).iso3_country_code);
    }
    return countries;
  }

  private async readSeries(): Promise<SeriesFacts[]> {
    const facts = await readSeriesFacts(this.transaction, 's.id', this.seriesIds);
    for (const [table, column] of Object.entries(ATTRIBUTES)) {
      const changed = this.records.filter((record) => record.table === table && record.action === 'changed');
      const ids = new Set(changed.map(({ id }) => id));
      if (ids.size === 0) continue;
      for (const one of await readSeriesFacts(this.transaction, column, ids)) facts.push(one);
    }
    return [...new Map(facts.map((one) => [one.id, one])).values()];
  }
}
