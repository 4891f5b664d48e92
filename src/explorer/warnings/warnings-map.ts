import { highShare } from '../../analysis/warnings/group-months.js';
import type { WarningRow } from '../../analysis/warnings/warnings.service.js';
import { isoFromMonth } from '../../lib/dates/calendar-date.js';
import { countryLabel } from '../countries/country-label.js';
import { addressOf } from '../../web/address.js';
import { type MapClass, mapClass } from '../map/map-scale.js';
import type { WorldMap } from '../map/world-map.js';
import { asOfText } from '../series/series-state.js';
import { texts } from '../texts.js';
import { highText } from './high-prices.js';
import type { WarningsView } from './warning-views.js';

/** The map of warnings: each country by the share of its prices that are high. */
export function warningsMap(view: WarningsView): WorldMap {
  const { countries, month, asOf, revision, reach, today } = view;
  const newest = reach.newestUpTo(today);
  return {
    title: texts.warnings.mapTitle(month ?? null),
    unit: texts.map.unit,
    note: texts.map.note(newest === null ? null : isoFromMonth(newest), revision),
    countries: countries.map((row) => ({
      iso3: row.key.iso3_country_code,
      class: classOf(row, view),
      label: labelOf(row, view),
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

const classOf = (row: WarningRow, { reach }: WarningsView): MapClass =>
  reach.isOld(row.key.iso3_country_code) ? 'unrated' : mapClass(highShare(row));

function labelOf(row: WarningRow, { catalogue, reach }: WarningsView): string {
  const { iso3_country_code: iso3 } = row.key;
  const counts = reach.isOld(iso3) ? texts.warnings.old : highText(row);
  return texts.map.label(countryLabel(catalogue, iso3), isoFromMonth(row.month), counts);
}
