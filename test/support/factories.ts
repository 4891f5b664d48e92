import { randomUUID } from 'node:crypto';
import { dayFromIso } from '../../src/lib/dates/calendar-date.js';
import type { Transaction, UnitOfWork } from '../../src/ledger/unit-of-work.js';
import { PriceSerie } from '../../src/price-series/price-serie.entity.js';
import { PERIOD_NAMES, PERIODS } from '../../src/price-series/periodicity.js';
import type { ServedPeriodicityItem } from '../../src/price-series/price-serie.view.js';
import { SeriesPeriod } from '../../src/price-series/series-period.entity.js';
import { Commodity } from '../../src/reference/commodity/commodity.entity.js';
import { Market } from '../../src/reference/market/market.entity.js';
import { MeasureUnit } from '../../src/reference/measure-unit/measure-unit.entity.js';
import { PriceType } from '../../src/reference/price-type/price-type.entity.js';
import { Source } from '../../src/reference/source/source.entity.js';
import { testChange } from './change-set.js';

/** The ids of the price types that the migrations insert. */
export const priceTypes = { EXPORT: 11, RETAIL: 12, WHOLESALE: 13, IMPORT: 17 } as const;

/** Fields of a new record; all others have their default. */
type Fields<R> = Partial<Omit<R, 'id' | 'version'>>;

/** Fields of a new series; records that it refers to are created unless given. */
export interface SeriesFields extends Fields<PriceSerie> {
  periodicity?: readonly ServedPeriodicityItem[];
}

/**
 * Creates records in an open transaction. Names that a test does not set are unique. No points are
 * created: the periodicity of a series is stored as given.
 */
export class Factory {
  constructor(readonly transaction: Transaction) {}

  commodity(fields: Fields<Commodity> = {}): Promise<number> {
    return this.insert(Commodity, { name: unique('commodity'), ...fields });
  }

  market(fields: Fields<Market> = {}): Promise<number> {
    return this.insert(Market, { name: unique('market'), iso3_country_code: 'KEN', ...fields });
  }

  priceType(fields: Fields<PriceType> = {}): Promise<number> {
    return this.insert(PriceType, { name: unique('PRICE TYPE'), ...fields });
  }

  source(fields: Fields<Source> = {}): Promise<number> {
    return this.insert(Source, { name: unique('source'), ...fields });
  }

  measureUnit(fields: Fields<MeasureUnit> = {}): Promise<number> {
    return this.insert(MeasureUnit, { name: unique('unit'), ...fields });
  }

  /** @returns the id of the series */
  async series({ periodicity = [], ...fields }: SeriesFields = {}): Promise<number> {
    const id = await this.insert(PriceSerie, {
      uuid: randomUUID(),
      commodity_id: fields.commodity_id ?? (await this.commodity()),
      price_type_id: priceTypes.RETAIL,
      market_id: fields.market_id ?? (await this.market()),
      source_id: fields.source_id ?? (await this.source()),
      measure_unit_id: fields.measure_unit_id ?? (await this.measureUnit()),
      currency: 'KES',
      ...fields,
    });
    await this.periodicity(id, periodicity);
    return id;
  }

  /** Replaces the periodicity items of a series. */
  async periodicity(serie_id: number, items: readonly ServedPeriodicityItem[]): Promise<void> {
    await this.transaction.manager.delete(SeriesPeriod, { serie_id });
    for (const { period, start_date, end_date, calculated = false } of items) {
      await this.transaction.manager.insert(SeriesPeriod, {
        serie_id,
        period: PERIODS.find((code) => PERIOD_NAMES[code] === period)!,
        start_day: dayFromIso(start_date)!,
        end_day: dayFromIso(end_date)!,
        calculated,
        points: 1,
        since: this.transaction.revision,
      });
    }
    this.transaction.markSeriesModified([serie_id]);
  }

  async deleteSeries(id: number): Promise<void> {
    await this.transaction.manager.delete(SeriesPeriod, { serie_id: id });
    await this.transaction.manager.delete(PriceSerie, { id });
    this.transaction.markModified('series');
  }

  private async insert<E extends { id: number }>(
    entity: new () => E,
    values: Partial<Omit<E, 'id' | 'version'>>,
  ): Promise<number> {
    this.transaction.markModified(entity === (PriceSerie as unknown) ? 'series' : 'references');
    const since = this.transaction.revision;
    const { identifiers } = await this.transaction.manager.insert(entity, { since, ...values } as object);
    return (identifiers[0] as { id: number }).id;
  }
}

/** Creates records in a transaction of their own. */
export function createRecords<T>(unitOfWork: UnitOfWork, work: (factory: Factory) => Promise<T>): Promise<T> {
  return unitOfWork.change(testChange, (transaction) => work(new Factory(transaction)));
}

let created = 0;
const unique = (kind: string) => `${kind} ${++created}`;
