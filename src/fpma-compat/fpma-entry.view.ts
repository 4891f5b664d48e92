import { isoFromDay } from '../lib/dates/calendar-date.js';
import type { CatalogueSnapshot } from '../price-series/catalogue/catalogue-snapshot.js';
import { PERIOD_NAMES } from '../price-series/periodicity.js';
import type { SeriesReferences } from '../price-series/catalogue/reference-dictionaries.js';
import type { FpmaSerie } from './fpma-records.js';

/**
 * The series at a catalogue row as FAO's live FPMA tool returns it: exactly these keys in this
 * order, also those of `periodicity`. Ids and texts are those of this service.
 */
export function fpmaEntryJson(catalogue: CatalogueSnapshot, row: number): string {
  const {
    uuid,
    market,
    commodity,
    source,
    price_type,
    measure_unit,
    currency,
    periodicity: items,
  } = catalogue.seriesAt(row);
  const serie: FpmaSerie = {
    uuid,
    iso3_country_code: market.iso3_country_code,
    country_name: market.country_name,
    periodicity: items.map(({ period, start, end, calculated }) => ({
      period: PERIOD_NAMES[period],
      end_date: isoFromDay(end),
      ...(calculated ? { calculated } : {}),
      start_date: isoFromDay(start),
    })),
    market: market.id,
    market_name: market.name,
    market_info: market.info,
    market_type: market.type,
    admin_unit: market.admin_unit,
    admin_unit2: market.admin_unit2,
    commodity: commodity.id,
    commodity_name: commodity.name,
    commodity_info: '',
    commodity_image: null,
    commodity_code: `${commodity.hs_code || 'C'}_${commodity.id}`,
    commodity_start_date: 1,
    alternative_code: '',
    alternative_name: '',
    source: source.id,
    source_name: source.name,
    source_url: source.url,
    price_type_id: price_type.id,
    price_type: price_type.name.toUpperCase(),
    currency,
    measure_unit: measure_unit.id,
    measure_unit_label: measure_unit.name,
    conversion_factor: massFactor(measure_unit),
  };
  return JSON.stringify(serie);
}

/** The live tool has factors per kilogram only: its clients would take any other for one. */
export function massFactor({
  dimension,
  conversion_factor,
}: SeriesReferences['measure_unit']): number | null {
  return dimension === 'mass' ? conversion_factor : null;
}
