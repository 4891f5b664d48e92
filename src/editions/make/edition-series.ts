import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import type { PastReferences } from './past-references.js';

/** What an edition says of a series. No ids: those are of one database. */
export interface EditionSeriesValues {
  uuid: string;
  iso3_country_code: string;
  country_name: string;
  commodity: string;
  hs_code: string | null;
  category: string;
  price_type: string;
  market: string;
  market_type: string;
  admin_unit: string;
  admin_unit2: string;
  latitude: number | null;
  longitude: number | null;
  source: string;
  source_url: string;
  source_license: string;
  currency: string;
  measure_unit: string;
  conversion_factor: number | null;
  regional_average: boolean;
}

/** A series of an edition. */
export interface EditionSeries {
  /** Its row in the catalogue. */
  readonly row: number;
  readonly values: Readonly<EditionSeriesValues>;
  /** Of its points in the edition, which are counted as they are written. */
  extent: { first: number; last: number; points: number } | null;
}

/** A series with its records as they were at the revision. */
export function describeSeries(
  catalogue: CatalogueSnapshot,
  row: number,
  references: PastReferences,
): EditionSeries {
  const series = catalogue.seriesAt(row);
  const market = references.of('market', series.market);
  const commodity = references.of('commodity', series.commodity);
  const source = references.of('source', series.source);
  const unit = references.of('measure_unit', series.measure_unit);
  return {
    row,
    extent: null,
    values: {
      uuid: series.uuid,
      iso3_country_code: market.iso3_country_code,
      country_name: market.country_name,
      commodity: commodity.name,
      hs_code: commodity.hs_code,
      category: commodity.category,
      price_type: references.of('price_type', series.price_type).name,
      market: market.name,
      market_type: market.type,
      admin_unit: market.admin_unit,
      admin_unit2: market.admin_unit2,
      latitude: market.latitude,
      longitude: market.longitude,
      source: source.name,
      source_url: source.url,
      source_license: source.license,
      currency: series.currency,
      measure_unit: unit.name,
      conversion_factor: unit.conversion_factor,
      // SQLite has numbers for flags.
      regional_average: Boolean(market.regional_average),
    },
  };
}
