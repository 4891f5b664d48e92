import { dayFromIso, monthOf } from '../../lib/dates/calendar-date.js';
import { share, wholeNumber } from '../../web/numbers.js';
import { isRecent, type MapClass, mapClass } from '../map/map-scale.js';
import type { MapCountry, WorldMap } from '../map/world-map.js';
import { texts } from '../texts.js';
import type { CountryOverview } from './country-overview.js';

/** Rated series of which a share says something, as in warnings. */
const LEAST_RATED = 3;

/** The map of the start page: the share of series with a high price, where prices are new. */
export function homeMap(countries: readonly CountryOverview[]): WorldMap {
  const dates = countries.flatMap(({ newestDate }) => newestDate ?? []).sort();
  const newest = dates.at(-1) ?? null;
  return {
    title: texts.home.mapTitle,
    unit: texts.map.unit,
    note: texts.map.note(newest, undefined),
    countries: countries.map((country) => ({
      iso3: country.iso3,
      class: classOf(country, newest),
      label: labelOf(country),
      address: `/countries/${country.iso3}`,
    })),
    revision: undefined,
  };
}

function classOf({ high, rated, newestDate }: CountryOverview, newest: string | null): MapClass {
  if (rated === null || rated < LEAST_RATED || newestDate === null || newest === null) return 'unrated';
  const month = (date: string) => monthOf(dayFromIso(date)!);
  return isRecent(month(newestDate), month(newest)) ? mapClass(high / rated) : 'unrated';
}

function labelOf({ name, high, rated, newestDate }: CountryOverview): MapCountry['label'] {
  const date = newestDate ?? texts.unknown;
  if (rated === null) return texts.map.calculating(name, date);
  if (rated === 0) return texts.map.notRated(name, date);
  return texts.map.high(name, wholeNumber(high), wholeNumber(rated), share(high / rated), date);
}
