import { MAX_ITEMS } from '../platform/validation/parsers.js';
import type { ParsedQuery } from '../platform/http/params.js';
import { requestedPage } from '../platform/listing/page.js';
import { omitColumns } from '../platform/formats/columns.js';
import { requireFields } from '../platform/listing/list-parameters.js';
import { Criteria } from '../price-series/filters/criteria.js';
import { pricesSeriesFields } from './read/prices-csv.js';
import type { PriceRequest } from './read/price-listing.js';
import {
  type extendedPriceListQuery,
  type extendedPricesQuery,
  pointExtras,
  pointWindow,
  priceView,
  askedPriceFilters,
} from './prices.parameters.js';
import type { PriceQuery } from './prices.service.js';

/** Turns the query of a single series into a `PriceRequest`. */
export function priceRequest({
  values,
  format,
}: ParsedQuery<typeof extendedPricesQuery.parameters>): PriceRequest {
  return {
    window: pointWindow(values),
    view: priceView(values),
    extras: pointExtras(values),
    fields: values.fields,
    format,
  };
}

/** Turns the query of a list into a `PriceQuery`. */
export function priceQuery({
  values,
  format,
}: ParsedQuery<typeof extendedPriceListQuery.parameters>): PriceQuery {
  const criteria = Criteria.of(askedPriceFilters, values);
  if (criteria.scope === 'observed')
    requireFields(values.fields, omitColumns(pricesSeriesFields, ['status']));
  return {
    criteria,
    window: pointWindow(values),
    view: priceView(values),
    extras: pointExtras(values),
    sort: values.sort,
    fields: values.fields,
    // A client that names series wants all of them.
    page: requestedPage(values, format, values.uuid__in ? MAX_ITEMS : undefined),
  };
}
