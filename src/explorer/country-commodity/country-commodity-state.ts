import type { Per } from '../../analysis/price-columns.js';
import { asOfParameter } from '../../ledger/revision/as-of.js';
import { pageParameters } from '../../platform/listing/page.js';
import { choice, currencyCode, date, MAX_ID, integer, one, text } from '../../platform/validation/parsers.js';
import { QuerySchema, type QueryValues } from '../../platform/validation/query-schema.js';
import { type AddressValues, addressOf } from '../../web/address.js';
import type { PriceKind } from '../groups/price-kinds.js';
import type { DateRange } from '../layout/range-links.js';
import { PAGE_MEASURES, type PageMeasure } from '../series/series-state.js';

/** What the page of a commodity in a country is asked for; the names are those of the API. */
export const countryCommodityQuery = new QuerySchema(
  {
    measure: one(choice(PAGE_MEASURES), 'Prices as published, in real terms or in US dollars.'),
    price_type_id: one(integer(1, MAX_ID), 'Prices of this type; those that most series have unless given.'),
    currency: one(currencyCode, 'Prices in this currency.'),
    unit: one(text(), 'Prices per this unit.'),
    markets: one(choice(['all']), 'Charts of all markets.'),
    start_date: one(date, 'Months of this date or later.'),
    end_date: one(date, 'Months of this date or earlier.'),
    as_of: asOfParameter,
    page: pageParameters.page,
  },
  { ranges: [['start_date', 'end_date']] },
);
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
  /** The time that charts and the table of months show, as the address says it. */
  readonly range: DateRange;
  /** As the address says it. */
  readonly asOf: string | undefined;
}

/** A state as the query of an address. */
export const countryCommodityValues = (state: CountryCommodityState): AddressValues => ({
  measure: state.measure === 'nominal' ? undefined : state.measure,
  ...state.kind,
  markets: state.allMarkets ? 'all' : undefined,
  ...state.range,
  as_of: state.asOf,
});

/** The address of the page in a state, or of its chart (`.svg`). */
export const countryCommodityAddress = (
  state: CountryCommodityState,
  change: AddressValues = {},
  suffix = '',
): string => addressOf(pathOf(state) + suffix, { ...countryCommodityValues(state), ...change });

/** The path of the page. */
export const pathOf = ({ iso3, commodityId }: CountryCommodityState): string =>
  `/countries/${iso3}/commodities/${commodityId}`;
