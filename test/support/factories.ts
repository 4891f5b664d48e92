import { randomUUID } from 'node:crypto';
import { dayFromIso } from '../../src/common/dates/calendar-date.js';
import type { Transaction, UnitOfWork } from '../../src/database/unit-of-work.js';
import { PriceSerie } from '../../src/price-series/price-serie.entity.js';
import { PERIOD_NAMES, PERIODS, type PeriodName } from '../../src/price-series/periodicity.js';
import { SeriesPeriod } from '../../src/price-series/series-period.entity.js';
import { Commodity } from '../../src/reference/commodity/commodity.entity.js';
import { Market } from '../../src/reference/market/market.entity.js';
import { MeasureUnit } from '../../src/reference/measure-unit/measure-unit.entity.js';
import { PriceType } from '../../src/reference/price-type/price-type.entity.js';
import { Source } from '../../src/reference/source/source.entity.js';

/** The ids that every database gives these price types. */
export const priceTypes = { EXPORT: 11, RETAIL: 12, WHOLESALE: 13, IMPORT: 17 } as const;

/** Fields that a record is to have; all others get their default. */
type Fields<R> = Partial<Omit<R, 'id' | 'version'>>;

/** A periodicity item as the API shows it. */
export interface Item {
  period: PeriodName;
  start_date: string;
  end_date: string;
  calculated?: true;
}

/** Fields of a series; a reference that is not given is to a record made for it. */
export interface SeriesFields extends Fields<PriceSerie> {
  periodicity?: readonly Item[];
}

/**
 * Makes records in an open transaction, for tests that need some. What a test does not care about has a value that is nowhere
 * else. Points are not made: the periodicity of a series is stored as it is given.
 */
export class Factory {
  constructor(readonly tx: Transaction) {}

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

  /** @returns the series' number */
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

  /** Gives a series these items instead of those it has. */
  async periodicity(serie_id: number, items: readonly Item[]): Promise<void> {
    await this.tx.manager.delete(SeriesPeriod, { serie_id });
    for (const { period, start_date, end_date, calculated = false } of items) {
      await this.tx.manager.insert(SeriesPeriod, {
        serie_id,
        period: PERIODS.find((code) => PERIOD_NAMES[code] === period)!,
        start_day: dayFromIso(start_date)!,
        end_day: dayFromIso(end_date)!,
        calculated,
        points: 1,
      });
    }
    this.tx.touchSeries([serie_id]);
  }

  async deleteSeries(id: number): Promise<void> {
    await this.tx.manager.delete(SeriesPeriod, { serie_id: id });
    await this.tx.manager.delete(PriceSerie, { id });
    this.tx.touch('series');
  }

  private async insert<E extends { id: number }>(
    entity: new () => E,
    values: Partial<Omit<E, 'id' | 'version'>>,
  ): Promise<number> {
    this.tx.touch(entity === (PriceSerie as unknown) ? 'series' : 'references');
    const { identifiers } = await this.tx.manager.insert(entity, { ...values } as object);
    return (identifiers[0] as { id: number }).id;
  }
}

/** Makes records in a transaction of their own. */
export function make<T>(unitOfWork: UnitOfWork, work: (factory: Factory) => Promise<T>): Promise<T> {
  return unitOfWork.run((tx) => work(new Factory(tx)));
}

let made = 0;
const unique = (kind: string) => `${kind} ${++made}`;
