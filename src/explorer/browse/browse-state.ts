import { asOfParameter } from '../../ledger/revision/as-of.js';
import { pageParameters } from '../../platform/listing/page.js';
import type { QueryPairs } from '../../platform/validation/query-pairs.js';
import { choice, many, one, uuid } from '../../platform/validation/parsers.js';
import { QuerySchema, type QueryValues } from '../../platform/validation/query-schema.js';
import { priceSeriesFilters, priceSeriesRanges } from '../../price-series/filters/price-series.filters.js';
import { type AddressValues, addressOf } from '../../web/address.js';
import { BROWSE_ORDERS } from './browse-order.js';

/** Every filter of the API, a state of the data, an order, a page, and what is to be compared. */
export const browseQuery = new QuerySchema(
  {
    ...priceSeriesFilters,
    as_of: asOfParameter,
    order: one(choice(BROWSE_ORDERS), 'The order of the table.'),
    page: pageParameters.page,
    compare: many(uuid, 'The series that are ticked.'),
    tick: one(uuid, 'A series to tick, or to untick.'),
  },
  { ranges: priceSeriesRanges },
);

export type BrowseQuery = QueryValues<typeof browseQuery.parameters>;
export type FilterName = keyof typeof priceSeriesFilters;

/** Filters, order, ticks and the state of the data of a page as its address has them. */
export class BrowseState {
  private readonly values: AddressValues;

  /** @param ticked uuids of series */
  constructor(
    query: QueryPairs,
    readonly ticked: readonly string[],
  ) {
    const names = [...Object.keys(priceSeriesFilters), 'order', 'as_of'];
    this.values = {
      ...Object.fromEntries(names.map((name) => [name, query.all(name).join(',')])),
      compare: ticked.join(','),
    };
  }

  /** The text of a filter; '' where it is not given. */
  get(name: FilterName | 'order' | 'as_of'): string {
    return String(this.values[name]);
  }

  /** The names of the filters that are given. */
  get given(): FilterName[] {
    return (Object.keys(priceSeriesFilters) as FilterName[]).filter((name) => this.get(name) !== '');
  }

  /** What the forms of the page keep beside their own fields. */
  kept(but: readonly string[]): [name: string, value: string][] {
    return Object.entries(this.values)
      .map(([name, value]): [string, string] => [name, String(value)])
      .filter(([name, value]) => value !== '' && !but.includes(name));
  }

  /** The address of the page with some values replaced. */
  address(change: AddressValues = {}): string {
    return addressOf('/browse', { ...this.values, ...change });
  }

  /** The same state of the data and the same filters, without order and ticks. */
  plain(change: AddressValues = {}, path = '/browse'): string {
    return addressOf(path, { ...this.values, order: undefined, compare: undefined, ...change });
  }
}
