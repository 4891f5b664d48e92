import { quantityOf } from '../analysis/series-label.js';
import { currencyOf } from '../analysis/aggregates/dimensions.js';
import type { Measure, Per } from '../analysis/price-columns.js';
import { BASE } from '../config/price-paths.js';
import type { CatalogueSnapshot } from '../price-series/catalogue/catalogue-snapshot.js';
import type { ToolCall } from './mcp-tool.js';
import { entryOf } from '../price-series/price-serie.view.js';

/** What every answer with numbers of a series says beside them. */
export interface SeriesSummary {
  uuid: string;
  country: string;
  market: string;
  commodity: string;
  price_type: string;
  /** Such as `KES per kg`. */
  unit: string;
  currency: string;
  source: string;
  /** The state of the data that the numbers are of; give it as `as_of` to get them again. */
  as_of: string;
  /** The page to look at; that of the API where there are no pages. */
  page: string;
  api: string;
}

/** A series in words, with where to look at it. @param revision of all data */
export function seriesSummary(
  catalogue: CatalogueSnapshot,
  row: number,
  { revision, origin, explorer }: { revision: number } & Pick<ToolCall, 'origin' | 'explorer'>,
  measure: Measure = 'nominal',
  per: Per = 'unit',
): SeriesSummary {
  const entry = entryOf(catalogue, row);
  const api = `${origin}/${BASE}/PriceSerie/${entry.uuid}/`;
  const currency = currencyOf(catalogue, row, measure);
  return {
    uuid: entry.uuid,
    country: entry.country_name,
    market: entry.market,
    commodity: entry.commodity,
    price_type: entry.price_type,
    unit: `${currency} per ${quantityOf(catalogue, row, per)}`,
    currency,
    source: entry.source,
    as_of: `r${revision}`,
    page: explorer ? `${origin}/series/${entry.uuid}` : api,
    api,
  };
}
