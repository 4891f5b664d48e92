import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../src/ledger/unit-of-work.js';
import { PriceSerie } from '../../src/price-series/price-serie.entity.js';
import { Commodity } from '../../src/reference/commodity/commodity.entity.js';
import { Market } from '../../src/reference/market/market.entity.js';
import { MeasureUnit } from '../../src/reference/measure-unit/measure-unit.entity.js';
import { Source } from '../../src/reference/source/source.entity.js';

/** The id of the price type RETAIL, which the migrations insert. */
const RETAIL = 12;

/** Creates series without points, with the records that they refer to, and returns their ids. */
export async function createSeries({ manager }: Transaction, count: number): Promise<number[]> {
  const name = randomUUID();
  const [commodity] = (await manager.insert(Commodity, { name })).identifiers;
  const [market] = (await manager.insert(Market, { name, iso3_country_code: 'KEN' })).identifiers;
  const [source] = (await manager.insert(Source, { name })).identifiers;
  const [unit] = (await manager.insert(MeasureUnit, { name })).identifiers;
  const ids: number[] = [];
  for (let created = 0; created < count; created++) {
    const { identifiers } = await manager.insert(PriceSerie, {
      uuid: randomUUID(),
      commodity_id: commodity!.id as number,
      price_type_id: RETAIL,
      market_id: market!.id as number,
      source_id: source!.id as number,
      measure_unit_id: unit!.id as number,
      currency: 'KES',
    });
    ids.push(identifiers[0]!.id as number);
  }
  return ids;
}
