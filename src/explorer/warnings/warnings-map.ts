import type { WarningRow } from '../../analysis/warnings/warnings.service.js';
import { isoFromMonth } from '../../lib/dates/calendar-date.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { countryLabel } from '../countries/country-label.js';
import { addressOf } from '../../web/address.js';
import { share, wholeNumber } from '../../web/numbers.js';
import { isRecent, type MapClass, mapClass } from '../map/map-scale.js';
import type { WorldMap } from '../map/world-map.js';
import { asOfText } from '../series/series-state.js';
import { texts } from '../texts.js';
import { largerShare } from './warning-rows.js';
import type { WarningsView } from './warning-views.js';

/** The map of warnings: each country by the larger of its two shares. */
export function warningsMap({ catalogue, countries, month, asOf, revision }: WarningsView): WorldMap {
  const newest = countries.reduce((latest, row) => Math.max(latest, row.month), 0);
  const date = countries.length === 0 ? null : isoFromMonth(newest);
  return {
    title: texts.warnings.mapTitle(month ?? null),
    unit: texts.map.monthUnit,
    note: texts.map.note(date, revision),
    countries: countries.map((row) => ({
      iso3: row.key.iso3_country_code,
      class: classOf(row, newest),
      label: labelOf(row, catalogue),
      address: addressOf('/warnings', {
        by: 'country,commodity',
        month,
        iso3_country_codes: row.key.iso3_country_code,
        as_of: asOfText(asOf),
      }),
    })),
    revision,
  };
}

const classOf = (row: WarningRow, newest: number): MapClass => {
  const isRated = row.share_high !== null || row.share_alert_or_worse !== null;
  return isRated && isRecent(row.month, newest) ? mapClass(largerShare(row)) : 'unrated';
};

function labelOf(row: WarningRow, catalogue: CatalogueSnapshot): string {
  const { key, month, fresh, share_high, share_alert_or_worse } = row;
  const text = (value: number | null) => (value === null ? null : share(value));
  const shares = texts.map.shares(text(share_high), text(share_alert_or_worse));
  const name = countryLabel(catalogue, key.iso3_country_code);
  return texts.map.month(name, isoFromMonth(month), wholeNumber(fresh), shares);
}
