import { Injectable } from '@nestjs/common';
import { AggregateLimits } from '../../analysis/aggregates/aggregates.service.js';
import type { AsOf } from '../../ledger/revision/as-of.js';
import type { RequestInfo } from '../../platform/http/request.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { type GroupFilters, GroupViews, type PricedView } from './group-views.js';
import { mainFirst, type PriceReading, readingOf } from './price-kinds.js';

/** The commodities of a place, or the countries of a commodity. */
export type Split = 'commodity' | 'country';

/** The prices of a commodity or of a country. */
export interface MainPrice {
  /** Of the commodity, or the ISO code of the country. */
  readonly id: number | string;
  /** All its series, as rows of the catalogue. */
  readonly rows: readonly number[];
  /** Averages of the country or of regions: it has no prices of markets. */
  readonly isAverage: boolean;
  /** Of different types, currencies and units; those that a page opens with are the first. */
  readonly kinds: readonly PricedView[];
}

/** How series are split, by the names of the API. */
const SPLITS = {
  commodity: {
    idOf: (catalogue: CatalogueSnapshot, row: number) => catalogue.referenceAt('commodity', row).id,
    field: 'commodity_id',
    filter: (ids: readonly (number | string)[]) => ({ commodity_ids: ids as number[] }),
  },
  country: {
    idOf: (catalogue: CatalogueSnapshot, row: number) =>
      catalogue.referenceAt('market', row).iso3_country_code,
    field: 'iso3_country_code',
    filter: (ids: readonly (number | string)[]) => ({ iso3_country_codes: ids as string[] }),
  },
} as const;

/** What each commodity of a place, or each country of a commodity, costs. */
@Injectable()
export class MainPrices {
  constructor(
    private readonly groups: GroupViews,
    private readonly limits: AggregateLimits,
  ) {}

  /** Series whose prices are read at most. */
  get maxSeries(): number {
    return this.limits.series;
  }

  /** What `read` leaves out, in the order of the catalogue. @param rows as there */
  leftOut(by: Split, catalogue: CatalogueSnapshot, rows: Iterable<number>): LeftOut[] {
    const parts = split(by, catalogue, rows);
    const read = largestParts(parts, this.maxSeries);
    return [...parts].flatMap(([id, [row]]) => (read.has(id) ? [] : [{ id, row: row! }]));
  }

  /**
   * Those that have a price in the measure. Of very many series, those with most.
   * @param selection the place or the commodity, as filters of the API
   * @param rows its series
   */
  async read(
    selection: GroupFilters,
    { by, measure }: { readonly by: Split; readonly measure: 'nominal' | 'usd' },
    catalogue: CatalogueSnapshot,
    rows: Iterable<number>,
    asOf: AsOf | undefined,
    info: RequestInfo,
  ): Promise<MainPrice[]> {
    const { field, filter } = SPLITS[by];
    const parts = largestParts(split(by, catalogue, rows), this.maxSeries);
    const prices: MainPrice[] = [];
    for (const { isAverage, per, ids } of byReading(catalogue, parts)) {
      const found = new Map<number | string, PricedView[]>();
      const filters = { ...selection, ...filter(ids), goods: false, regional_average: isAverage };
      const { groups } = await this.groups.priced({ filters, by, measure, per }, asOf, info);
      for (const group of groups) {
        const id = group.fields[field] as number | string;
        found.set(id, [...(found.get(id) ?? []), group]);
      }
      for (const [id, kinds] of found)
        prices.push({ id, rows: parts.get(id)!, isAverage, kinds: mainFirst(kinds) });
    }
    return prices;
  }
}

/** What has series whose prices are not read, because there are very many. */
interface LeftOut {
  /** The first of its series, as a row of the catalogue. */
  readonly row: number;
  readonly id: number | string;
}

/** The settings of the API that the prices of a place or a commodity need together. */
export function priceReadings(
  by: Split,
  catalogue: CatalogueSnapshot,
  rows: Iterable<number>,
): PriceReading[] {
  return byReading(catalogue, split(by, catalogue, rows));
}

/** Series by commodity or country. */
function split(by: Split, catalogue: CatalogueSnapshot, rows: Iterable<number>) {
  const { idOf } = SPLITS[by];
  const parts = new Map<number | string, number[]>();
  for (const row of rows) {
    const id = idOf(catalogue, row);
    const known = parts.get(id);
    if (known === undefined) parts.set(id, [row]);
    else known.push(row);
  }
  return parts;
}

/** The largest parts that have no more series together than are read at most. */
function largestParts(parts: ReadonlyMap<number | string, number[]>, maxSeries: number) {
  let count = 0;
  const read = new Map<number | string, number[]>();
  for (const [id, rows] of [...parts].sort(([, one], [, other]) => other.length - one.length)) {
    if (count + rows.length > maxSeries) continue;
    count += rows.length;
    read.set(id, rows);
  }
  return read;
}

/** The parts whose prices are put together alike, by id. */
function byReading(catalogue: CatalogueSnapshot, parts: ReadonlyMap<number | string, readonly number[]>) {
  const readings = new Map<string, PriceReading & { readonly ids: (number | string)[] }>();
  for (const [id, rows] of parts) {
    const reading = readingOf(catalogue, rows);
    const key = `${reading.isAverage} ${reading.per}`;
    const known = readings.get(key);
    if (known === undefined) readings.set(key, { ...reading, ids: [id] });
    else known.ids.push(id);
  }
  // Whatever series comes first: markets before averages, kilograms before published units.
  return [...readings.values()].sort(
    (one, other) => Number(one.isAverage) - Number(other.isAverage) || (one.per < other.per ? -1 : 1),
  );
}
