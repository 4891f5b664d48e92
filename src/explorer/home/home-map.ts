import { highShare } from '../../analysis/warnings/group-months.js';
import { isoFromMonth } from '../../lib/dates/calendar-date.js';
import { type MapClass, mapClass } from '../map/map-scale.js';
import type { MapCountry, WorldMap } from '../map/world-map.js';
import { texts } from '../texts.js';
import { highText } from '../warnings/high-prices.js';
import type { CountryOverview } from './country-overview.js';

/**
 * The map of the start page: the share of food prices that are high.
 * @param newest the newest month of all countries (a month number); null without prices
 */
export function homeMap(countries: readonly CountryOverview[], newest: number | null): WorldMap {
  return {
    title: texts.home.mapTitle,
    unit: texts.map.unit,
    note: texts.map.note(newest === null ? null : isoFromMonth(newest), undefined),
    countries: countries.map((country) => ({
      iso3: country.iso3,
      class: classOf(country),
      label: labelOf(country),
      address: `/countries/${country.iso3}`,
    })),
    revision: undefined,
  };
}

const classOf = ({ counts, isOld }: CountryOverview): MapClass =>
  counts && !isOld ? mapClass(highShare(counts)) : 'unrated';

function labelOf({ name, counts, isOld, newestDate }: CountryOverview): MapCountry['label'] {
  if (counts === undefined) return texts.map.calculating(name, newestDate ?? texts.unknown);
  if (counts === null) return texts.map.notRated(name, newestDate ?? texts.unknown);
  return texts.map.label(name, isoFromMonth(counts.month), isOld ? texts.warnings.old : highText(counts));
}
