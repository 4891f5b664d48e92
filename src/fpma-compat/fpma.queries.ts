import { iso3, one, recordId, text } from '../platform/validation/parsers.js';
import { QuerySchema } from '../platform/validation/query-schema.js';
import type { ParsedQuery } from '../platform/http/params.js';
import { lenientPageParameters, pageRequest } from '../platform/listing/page.js';
import { asOfParameter } from '../ledger/revision/as-of.js';
import { foldText } from '../lib/text/folding.js';
import { countryCode, idOf, is, type Predicate } from '../price-series/filters/conditions.js';
import { Criteria, filter } from '../price-series/filters/criteria.js';
import { priceSeriesFilters, priceSeriesRanges } from '../price-series/filters/price-series.filters.js';
import type { SeriesRequest } from '../price-series/price-series.service.js';
import type { PriceQuery } from '../prices/prices.service.js';
import {
  pointWindow,
  priceListQuery,
  priceListRanges,
  priceView,
  pricedSeriesFilters,
} from '../prices/prices.parameters.js';

/*
 * Parameters of the routes that clients of the live FPMA tool call: those of the lists under
 * `PriceSerie` and some more. Unknown parameters are ignored, as in the live tool, and listed in a
 * response header.
 */

const commodityPredicate = (test: (name: string, value: string) => boolean): Predicate<string> => ({
  dimension: 'commodity',
  match: ({ dictionaries }, values) =>
    Uint8Array.from(dictionaries.of('commodity').records, ({ name }) =>
      Number(values.some((value) => test(name, value))),
    ),
});

/** The exact name: letter case and accents are significant. */
const commodityName = commodityPredicate((name, value) => name === value.trim());
/** A substring of the name, in any letter case. */
const commodityNameContains = commodityPredicate((name, value) => foldText(name).includes(foldText(value)));

const fpmaFilters = {
  iso3_country_code: filter(one(iso3, 'Country.'), is(countryCode)),
  commodity: filter(one(recordId, 'Id of the commodity.'), is(idOf('commodity'))),
  commodity_name: filter(one(text(), 'Name of the commodity.'), is(commodityName)),
  commodity_name__icontains: filter(
    one(text(), "Part of the commodity's name, in any letter case."),
    is(commodityNameContains),
  ),
};

const seriesFilters = { ...priceSeriesFilters, ...fpmaFilters };
export const fpmaSeriesQuery = new QuerySchema(
  { ...seriesFilters, as_of: asOfParameter, ...lenientPageParameters },
  { ranges: priceSeriesRanges },
);
export const fpmaPriceListQuery = new QuerySchema(
  { ...priceListQuery.parameters, ...fpmaFilters, ...lenientPageParameters },
  { ranges: priceListRanges },
);

type SeriesQuery = ParsedQuery<typeof fpmaSeriesQuery.parameters>;
type PriceListQuery = ParsedQuery<typeof fpmaPriceListQuery.parameters>;

/** Turns the query of a list of series into a `SeriesRequest`. */
export function fpmaSeriesRequest({ values, maxPageSize }: SeriesQuery): SeriesRequest {
  // Clients of the live tool expect whole lists, so pages have the maximum size by default.
  const page = pageRequest(values, maxPageSize);
  return { criteria: Criteria.of(seriesFilters, values), page, asOf: values.as_of, sort: [] };
}

/** Turns the query of a list of prices into a `PriceQuery`. */
export function fpmaPriceQuery({ values, maxPageSize }: PriceListQuery): PriceQuery {
  return {
    criteria: Criteria.of({ ...pricedSeriesFilters, ...fpmaFilters }, values),
    window: pointWindow(values),
    view: priceView(values),
    // A client that lists uuids expects all of these series at once; nobody expects all prices
    // there are.
    page: pageRequest(values, values.uuid__in ? maxPageSize : undefined),
  };
}
