import { iso3, one, recordId, text } from '../common/filtering/parsers.js';
import { QueryShape, type QueryValues } from '../common/filtering/query-shape.js';
import type { RequestContext } from '../common/http/request-context.js';
import { readQuery } from '../common/http/request-query.js';
import { lenientPageParameters, pageRequest, type PageRequest } from '../common/pagination/page.js';
import { foldText } from '../common/text/folding.js';
import { countryCode, idOf, is, type Predicate } from '../price-series/conditions.js';
import { Criteria, filter } from '../price-series/criteria.js';
import { priceSeriesFilters, priceSeriesRanges } from '../price-series/price-series.filters.js';
import { requested, type PriceListRequest, type PriceRequest } from '../prices/price-request.js';
import {
  pointParameters,
  pointWindow,
  priceListQuery,
  priceListRanges,
  pricedSeriesFilters,
  pricesQuery,
} from '../prices/prices.parameters.js';

/*
 * Parameters of the addresses that clients of the live FPMA tool call: those of our own lists and some more. What we do not know
 * is ignored there and named in a header, as those clients are used to.
 */

const commodityTrait = (matches: (name: string, value: string) => boolean): Predicate<string> => ({
  of: 'commodity',
  among: ({ facts }, values) =>
    Uint8Array.from(facts.of('commodity').records, ({ name }) =>
      Number(values.some((value) => matches(name, value))),
    ),
});

/** The name as it is: letter case and accents count. */
const commodityName = commodityTrait((name, value) => name === value.trim());
/** A part of the name, in any letter case. */
const partOfCommodityName = commodityTrait((name, value) => foldText(name).includes(foldText(value)));

const fpmaFilters = {
  iso3_country_code: filter(one(iso3, 'Country.'), is(countryCode)),
  commodity: filter(one(recordId, 'Id of the commodity.'), is(idOf('commodity'))),
  commodity_name: filter(one(text(), 'Name of the commodity.'), is(commodityName)),
  commodity_name__icontains: filter(
    one(text(), "Part of the commodity's name, in any letter case."),
    is(partOfCommodityName),
  ),
};

const seriesFilters = { ...priceSeriesFilters, ...fpmaFilters };
const fpmaSeriesQuery = new QueryShape(
  { ...seriesFilters, ...lenientPageParameters },
  { ranges: priceSeriesRanges },
);
const fpmaPriceListQuery = new QueryShape(
  { ...priceListQuery.parameters, ...fpmaFilters, ...lenientPageParameters },
  { ranges: priceListRanges },
);

const tolerant = { ignoreUnknown: true } as const;

/** What a request asks of a list of series. */
export interface FpmaSeriesRequest {
  criteria: Criteria;
  page: PageRequest;
  context: RequestContext;
}

/** A list is one page, as long as it can be, unless a page is asked for. */
const longPage = (values: QueryValues<typeof lenientPageParameters>, context: RequestContext) =>
  pageRequest(values, context.settings.maxPageSize);

/** The series that the request asks for: a `FpmaSeriesRequest`. */
export const RequestedFpmaSeries = requested(fpmaSeriesQuery, (context): FpmaSeriesRequest => {
  const values = readQuery(fpmaSeriesQuery, context, tolerant);
  return { criteria: Criteria.of(seriesFilters, values), page: longPage(values, context), context };
});

/** The points that the request asks for: a `PriceRequest`. */
export const RequestedFpmaPrices = requested(pricesQuery, (context): PriceRequest => ({
  window: pointWindow(readQuery(pricesQuery, context, tolerant)),
  context,
}));

/** The series and points that the request asks for: a `PriceListRequest`. */
export const RequestedFpmaPriceList = requested(fpmaPriceListQuery, (context): PriceListRequest => {
  const values = readQuery(fpmaPriceListQuery, context, tolerant);
  return {
    query: {
      criteria: Criteria.of({ ...pricedSeriesFilters, ...fpmaFilters }, values),
      window: pointWindow(values as QueryValues<typeof pointParameters>),
      // Who names series gets all of them; others could not have meant all prices there are.
      page: values.uuid__in ? longPage(values, context) : pageRequest(values),
    },
    context,
  };
});
