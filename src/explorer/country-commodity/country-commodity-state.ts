import type { Per } from '../../analysis/price-columns.js';
import { asOfParameter } from '../../ledger/revision/as-of.js';
import { pageParameters } from '../../platform/listing/page.js';
import { choice, currencyCode, MAX_ID, integer, one, text } from '../../platform/validation/parsers.js';
import { QuerySchema, type QueryValues } from '../../platform/validation/query-schema.js';
import { type AddressValues, addressOf } from '../../web/address.js';
import type { PriceKind } from '../groups/price-kinds.js';
import { PAGE_MEASURES, type PageMeasure } from '../series/series-state.js';

/** What the page of a commodity in a country is asked for; the names are those of the API. */
export const countryCommodityQuery = new QuerySchema({
  measure: one(choice(PAGE_MEASURES), 'Prices as published, in real terms or in US dollars.'),
  price_type_id: one(integer(1, MAX_ID), 'Prices of this type; those that most series have unless given.'),
  currency: one(currencyCode, 'Prices in this currency.'),
  unit: one(text(), 'Prices per this unit.'),
  markets: one(choice(['all']), 'Charts of all markets.'),
  as_of: asOfParameter,
  page: pageParameters.page,
});
export type CountryCommodityQuery = QueryValues<typeof countryCommodityQuery.parameters>;

/** What the page shows: the query with its defaults. */
export interface CountryCommodityState {
  readonly iso3: string;
  readonly commodityId: number;
  readonly measure: PageMeasure;
  readonly per: Per;
  /** As far as the address says it. */
  readonly kind: Partial<PriceKind>;
  readonly allMarkets: boolean;
  /** As the address says it. */
  readonly asOf: string | undefined;
}

/** The address of the page in a state, or of its chart (`.svg`). */
export const countryCommodityAddress = (
  state: CountryCommodityState,
  change: AddressValues = {},
  suffix = '',
): string =>
  addressOf(`/countries/${state.iso3}/commodities/${state.commodityId}${suffix}`, {
    measure: state.measure === 'nominal' ? undefined : state.measure,
    ...state.kind,
    markets: state.allMarkets ? 'all' : undefined,
    as_of: state.asOf,
    ...change,
  });
