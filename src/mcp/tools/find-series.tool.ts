import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { selectSeries } from '../../price-series/catalogue/selection.js';
import { Criteria } from '../../price-series/filters/criteria.js';
import { priceSeriesFilters } from '../../price-series/filters/price-series.filters.js';
import { entryOf } from '../../price-series/price-serie.view.js';
import { PriceSeriesService } from '../../price-series/price-series.service.js';
import { listAnswer } from '../answer.js';
import { asOfInput, asOfOf, type McpTool, type ToolCall } from '../mcp-tool.js';
import { commoditiesNamed, countriesNamed, marketsNamed, priceTypesNamed } from '../names.js';
import { seriesSummary } from '../series-summary.js';

const PER_PAGE = 20;

const input = z.strictObject({
  country: z.string().min(1).max(60).optional().describe('A country: its name or ISO 3166 code.'),
  market: z.string().min(1).max(60).optional().describe('A market, such as Nairobi.'),
  commodity: z.string().min(1).max(60).optional().describe('A commodity, such as maize.'),
  price_type: z.string().min(1).max(60).optional().describe('A price type, such as RETAIL.'),
  page: z.int().min(1).max(10_000).default(1).describe(`Each page has ${PER_PAGE} series.`),
  as_of: asOfInput,
});

/** Finds price series by the names of what they are about. */
@Injectable()
export class FindSeriesTool implements McpTool<typeof input> {
  readonly name = 'find_series';
  readonly title = 'Find price series';
  readonly description =
    'Finds price series by country, market, commodity and price type. Ask this first: the other tools need the uuid of a series. Words match from their beginning, whatever their case and accents; unknown names are answered with the nearest ones.';
  readonly input = input;

  constructor(private readonly series: PriceSeriesService) {}

  async run(
    { page, as_of, ...names }: z.infer<typeof input>,
    { origin, explorer, now }: ToolCall,
  ): Promise<object> {
    const { catalogue, revision } = await this.series.state(asOfOf(as_of, now));
    const selection = selectSeries(catalogue, Criteria.of(priceSeriesFilters, filtersOf(catalogue, names)));
    const rows = Array.from(selection.slice((page - 1) * PER_PAGE, page * PER_PAGE));
    const found = rows.map((row) => {
      const facts = seriesSummary(catalogue, row, { revision, origin, explorer });
      const { periodicity, last_price_date } = entryOf(catalogue, row);
      const frequencies = periodicity.map(({ period, start_date, end_date, calculated }) => ({
        period,
        start_date,
        end_date,
        calculated,
      }));
      return { ...facts, periodicity: frequencies, last_price_date };
    });
    const pages = Math.max(1, Math.ceil(selection.count / PER_PAGE));
    const head = { as_of: `r${revision}`, count: selection.count, page, pages };
    const more = page < pages ? { go_on: `There are more: ask again with page ${page + 1}.` } : {};
    return listAnswer({ ...head, ...more }, 'series', found, () => 'Name the market or the commodity, too.');
  }
}

function filtersOf(catalogue: CatalogueSnapshot, names: Omit<z.infer<typeof input>, 'page' | 'as_of'>) {
  const { country, market, commodity, price_type } = names;
  return {
    iso3_country_codes: country === undefined ? undefined : countriesNamed(catalogue, country),
    market_ids: market === undefined ? undefined : marketsNamed(catalogue, market),
    commodity_ids: commodity === undefined ? undefined : commoditiesNamed(catalogue, commodity),
    price_types_ids: price_type === undefined ? undefined : priceTypesNamed(catalogue, price_type),
  };
}
