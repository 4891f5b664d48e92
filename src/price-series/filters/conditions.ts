import { dayFromIso } from '../../lib/dates/calendar-date.js';
import { searchWords } from '../../lib/text/folding.js';
import type { CatalogueSnapshot } from '../catalogue/catalogue-snapshot.js';
import { foodMask } from '../catalogue/food-mask.js';
import type { SeriesReferenceTable } from '../catalogue/reference-dictionaries.js';
import type { Condition } from './criteria.js';
import { isCommodity } from '../commodity-kinds.js';
import { PERIOD_NAMES, PERIODS, type PeriodName } from '../periodicity.js';
import { SERIES_STATUSES, type SeriesStatus } from '../series-status.js';
import type { SeriesDimension, SeriesQuery, Bitmask } from '../catalogue/series-query.js';

/** A property of series that depends on one dimension and can be compared with values. */
export interface Predicate<V> {
  readonly dimension: SeriesDimension;
  /** The values whose property is one of `values`, in a new array that the caller may change. */
  match(catalogue: CatalogueSnapshot, values: readonly V[]): Bitmask;
}

/** Selects series whose property is one of the values. */
export const anyOf =
  <V>(predicate: Predicate<V>): Condition<readonly V[]> =>
  (values, query) =>
    query.filter(predicate.dimension, predicate.match(query.catalogue, values));

/** Selects series whose property is none of the values, or is missing. */
export const noneOf =
  <V>(predicate: Predicate<V>): Condition<readonly V[]> =>
  (values, query) => {
    const mask = predicate.match(query.catalogue, values);
    for (let index = 0; index < mask.length; index++) mask[index]! ^= 1;
    query.filter(predicate.dimension, mask);
  };

/** Selects series whose property is the value. */
export const is =
  <V>(predicate: Predicate<V>): Condition<V> =>
  (value, query) =>
    query.filter(predicate.dimension, predicate.match(query.catalogue, [value]));

/** The id of a reference record. */
export const idOf = (table: SeriesReferenceTable): Predicate<number> => ({
  dimension: table,
  match(catalogue, ids) {
    const dictionary = catalogue.dictionaries.of(table);
    const mask = new Uint8Array(dictionary.size);
    for (const id of ids) {
      const index = dictionary.indexOf(id);
      if (index !== undefined) mask[index] = 1;
    }
    return mask;
  },
});

/** The country's ISO3 code, in upper case. */
export const countryCode: Predicate<string> = {
  dimension: 'country',
  match: ({ dictionaries }, codes) => maskOf(dictionaries.marketIndex.countries, new Set(codes)),
};

/** The currency's code, in upper case. */
export const currency: Predicate<string> = {
  dimension: 'currency',
  match: ({ currencies }, codes) => maskOf(currencies, new Set(codes)),
};

/** Whether its prices are observed, estimated or forecast. */
export const status: Predicate<SeriesStatus> = {
  dimension: 'status',
  match: (_, statuses) => maskOf(SERIES_STATUSES, new Set(statuses)),
};

/** The type of the market, folded; empty for a market without one. */
export const marketType: Predicate<string> = {
  dimension: 'market',
  match: ({ dictionaries }, types) => dictionaries.marketIndex.type.match(types),
};

/** Either of the market's administrative units, folded; empty where the market has none. */
export const adminUnit: Predicate<string> = {
  dimension: 'market',
  match({ dictionaries: { marketIndex } }, units) {
    const mask = marketIndex.adminUnit.match(units);
    const second = marketIndex.adminUnit2.match(units);
    for (let index = 0; index < mask.length; index++) mask[index]! |= second[index]!;
    return mask;
  },
};

/** Whether the market is the average of a country or region. */
export const regionalAverage: Predicate<boolean> = {
  dimension: 'market',
  match({ dictionaries: { marketIndex } }, values) {
    const [no, yes] = [values.includes(false), values.includes(true)].map(Number) as [number, number];
    return marketIndex.regionalAverage.map((average) => (average === 1 ? yes : no));
  },
};

/** The category of the commodity, folded; empty for a commodity without one. */
export const category: Predicate<string> = {
  dimension: 'commodity',
  match: ({ dictionaries }, categories) => dictionaries.commodityIndex.category.match(categories),
};

/** Number of digits of the levels of the Harmonized System: chapter, heading and subheading. */
const HS_LEVELS = [2, 4, 6];

/** The commodity's HS code: equal or, below a whole level, beginning with it (`1006`, `100630`). */
export const hsClass: Predicate<string> = {
  dimension: 'commodity',
  match({ dictionaries }, codes) {
    const wanted = new Set(codes);
    return Uint8Array.from(dictionaries.of('commodity').records, ({ hs_code: code }) =>
      Number(
        code !== null && (wanted.has(code) || HS_LEVELS.some((level) => wanted.has(code.slice(0, level)))),
      ),
    );
  },
};

/** Which are put together: all (false), commodities (no wages and exchange rates), or food. */
export type CommodityChoice = boolean | 'food';

/** Keeps series of food or of commodities, or all series if the value is false. */
export const commoditiesOnly: Condition<CommodityChoice> = (choice, query) => {
  if (choice === false) return;
  const { dictionaries } = query.catalogue;
  query.filter(
    'commodity',
    choice === 'food'
      ? foodMask(dictionaries).slice()
      : Uint8Array.from(dictionaries.of('commodity').records, ({ name }) => Number(isCommodity(name))),
  );
};

const maskOf = (texts: readonly string[], wanted: ReadonlySet<string>): Bitmask =>
  Uint8Array.from(texts, (text) => Number(wanted.has(text)));

/** Bounds a date of the one periodicity item that has to match all bounds of the query. */
export const itemBound =
  (bound: 'startFrom' | 'startTo' | 'endFrom' | 'endTo'): Condition<string> =>
  (date, query) =>
    query.filterItem({ [bound]: dayOf(date) });

/** Selects series with a periodicity item of one of the periods. */
export const itemOfPeriods: Condition<readonly PeriodName[]> = (names, query) =>
  query.filterItem({ periods: PERIODS.filter((period) => names.includes(PERIOD_NAMES[period])) });

/** Selects series whose last price is on the date or later (`from`) or earlier (`to`). */
export const lastPrice =
  (bound: 'from' | 'to'): Condition<string> =>
  (date, query) =>
    query.filterLastDay({ [bound]: dayOf(date) });

/** Selects the series with these uuids. */
export const uuids: Condition<readonly string[]> = (values, query) =>
  query.filterRows(values.map((uuid) => query.catalogue.find(uuid)).filter((row) => row !== null));

/** Selects series by the words of a text, as `filterWords` does. */
export const everyWord: Condition<string> = (text: string, query: SeriesQuery) =>
  query.filterWords(searchWords(text));

function dayOf(date: string): number {
  const day = dayFromIso(date);
  if (day === null) throw new Error(`${date} is not a date: the parameter's parser should have rejected it.`);
  return day;
}
