import { asOfParameter } from '../../ledger/revision/as-of.js';
import { pageParameters } from '../../platform/listing/page.js';
import type { Sort } from '../../platform/listing/sort.js';
import type { QueryPairs } from '../../platform/validation/query-pairs.js';
import { choice, one } from '../../platform/validation/parsers.js';
import { QuerySchema, type QueryValues } from '../../platform/validation/query-schema.js';
import { priceSeriesFilters, priceSeriesRanges } from '../../price-series/filters/price-series.filters.js';
import { type AddressValues, addressOf } from '../../web/address.js';

/** What the table can be ordered by; ties are in the order of the lists. */
const BROWSE_ORDERS = ['commodity', 'market', 'country', '-last_price_date', 'last_price_date'] as const;
export type BrowseOrder = (typeof BROWSE_ORDERS)[number];

/** An order as `sort` of the lists of series has it; undefined for the order of the lists. */
export const sortText = (order: string): string | undefined =>
  order === '' ? undefined : order.replace('country', 'country_name');

/** The same, for the rows of the table. */
export const sortOf = (order: BrowseOrder | undefined): Sort =>
  order === undefined
    ? []
    : [{ column: sortText(order)!.replace('-', ''), descending: order.startsWith('-') }];

/** Every filter of the API, a state of the data, an order and a page. */
export const browseQuery = new QuerySchema(
  {
    ...priceSeriesFilters,
    as_of: asOfParameter,
    order: one(choice(BROWSE_ORDERS), 'The order of the table.'),
    page: pageParameters.page,
  },
  { ranges: priceSeriesRanges },
);

export type BrowseQuery = QueryValues<typeof browseQuery.parameters>;
export type FilterName = keyof typeof priceSeriesFilters;

/** The filters, the order and the state of the data of a page as the address says them. */
export class BrowseState {
  private readonly values: AddressValues;

  constructor(query: QueryPairs) {
    const names = [...Object.keys(priceSeriesFilters), 'order', 'as_of'];
    this.values = Object.fromEntries(names.map((name) => [name, query.all(name).join(',')]));
  }

  /** The text of a filter; '' where it is not given. */
  get(name: FilterName | 'order' | 'as_of'): string {
    return String(this.values[name]);
  }

  /** The names of the filters that are given. */
  get given(): FilterName[] {
    return (Object.keys(priceSeriesFilters) as FilterName[]).filter((name) => this.get(name) !== '');
  }

  /** The address of the page with some values replaced. @param path by default that of the page */
  address(change: AddressValues = {}, path = '/browse'): string {
    return addressOf(path, { ...this.values, ...change });
  }
}
