import { dayFromIso } from '../common/dates/calendar-date.js';
import { searchWords } from '../common/text/folding.js';
import type { CatalogueSnapshot } from './catalogue-snapshot.js';
import type { Condition } from './criteria.js';
import { PERIOD_NAMES, PERIODS, type PeriodName } from './periodicity.js';
import type { SeriesDimension, SeriesQuery, Bitmask } from './series-query.js';

/** Something that a series has through one of its aspects, and that can be compared with values. */
export interface Predicate<V> {
  readonly of: SeriesDimension;
  /** Which values of the aspect have the trait with one of these. A fresh array. */
  among(catalogue: CatalogueSnapshot, values: readonly V[]): Bitmask;
}

/** Keeps series that have the trait with any of the values. */
export const anyOf =
  <V>(trait: Predicate<V>): Condition<readonly V[]> =>
  (values, query) =>
    query.filter(trait.of, trait.among(query.catalogue, values));

/** Keeps series that have the trait with none of the values, or not at all. */
export const noneOf =
  <V>(trait: Predicate<V>): Condition<readonly V[]> =>
  (values, query) => {
    const verdict = trait.among(query.catalogue, values);
    for (let place = 0; place < verdict.length; place++) verdict[place]! ^= 1;
    query.filter(trait.of, verdict);
  };

/** Keeps series that have the trait with the value. */
export const is =
  <V>(trait: Predicate<V>): Condition<V> =>
  (value, query) =>
    query.filter(trait.of, trait.among(query.catalogue, [value]));

/** The id of a record that series refer to. */
export const idOf = (table: 'commodity' | 'price_type' | 'market' | 'source'): Predicate<number> => ({
  of: table,
  among(catalogue, ids) {
    const dictionary = catalogue.facts.of(table);
    const verdict = new Uint8Array(dictionary.size);
    for (const id of ids) {
      const place = dictionary.placeOf(id);
      if (place !== undefined) verdict[place] = 1;
    }
    return verdict;
  },
});

/** The country's ISO3 code, in capitals. */
export const countryCode: Predicate<string> = {
  of: 'country',
  among: ({ facts }, codes) => flags(facts.marketIndex.countries, new Set(codes)),
};

/** The currency's code, in capitals. */
export const currency: Predicate<string> = {
  of: 'currency',
  among: ({ currencies }, codes) => flags(currencies, new Set(codes)),
};

/** The type of the market, folded. A market without a type has none of them. */
export const marketType: Predicate<string> = {
  of: 'market',
  among: ({ facts }, types) => facts.marketIndex.type.among(types),
};

/** Either of the market's administrative units, folded. */
export const adminUnit: Predicate<string> = {
  of: 'market',
  among({ facts: { marketIndex } }, units) {
    const verdict = marketIndex.adminUnit.among(units);
    const second = marketIndex.adminUnit2.among(units);
    for (let place = 0; place < verdict.length; place++) verdict[place]! |= second[place]!;
    return verdict;
  },
};

/** Whether the market is the average of a country or region. */
export const regionalAverage: Predicate<boolean> = {
  of: 'market',
  among({ facts: { marketIndex } }, values) {
    const [no, yes] = [values.includes(false), values.includes(true)].map(Number) as [number, number];
    return marketIndex.regionalAverage.map((average) => (average === 1 ? yes : no));
  },
};

/** The levels of the Harmonized System: chapter, heading and subheading, by their digits. */
const HS_LEVELS = [2, 4, 6];

/** The commodity's HS code: equal to the code or, where that is one of a level, within it (`1006` covers `100630`). */
export const hsClass: Predicate<string> = {
  of: 'commodity',
  among({ facts }, codes) {
    const wanted = new Set(codes);
    return Uint8Array.from(facts.of('commodity').records, ({ hs_code: code }) =>
      Number(
        code !== null && (wanted.has(code) || HS_LEVELS.some((level) => wanted.has(code.slice(0, level)))),
      ),
    );
  },
};

const flags = (texts: readonly string[], wanted: ReadonlySet<string>): Bitmask =>
  Uint8Array.from(texts, (text) => Number(wanted.has(text)));

/** What a date asks of the one periodicity item that a series has to have. */
export const item =
  (bound: 'startFrom' | 'startTo' | 'endFrom' | 'endTo'): Condition<string> =>
  (date, query) =>
    query.filterItem({ [bound]: dayOf(date) });

/** Keeps series that have an item of one of the periods. */
export const itemOfPeriods: Condition<readonly PeriodName[]> = (names, query) =>
  query.filterItem({ periods: PERIODS.filter((period) => names.includes(PERIOD_NAMES[period])) });

/** Keeps series whose last price is on the date or after it (`from`), or before it (`to`). */
export const lastPrice =
  (bound: 'from' | 'to'): Condition<string> =>
  (date, query) =>
    query.filterLastDay({ [bound]: dayOf(date) });

/** Keeps the series with these uuids. */
export const uuids: Condition<readonly string[]> = (values, query) =>
  query.filterRows(values.map((uuid) => query.catalogue.find(uuid)).filter((place) => place !== null));

/** Keeps series where each word of the text occurs in the commodity's, the market's or the country's name. */
export const everyWord: Condition<string> = (text: string, query: SeriesQuery) =>
  query.filterWords(searchWords(text));

function dayOf(date: string): number {
  const day = dayFromIso(date);
  if (day === null) throw new Error(`${date} is no date: the parameter's parser should have refused it.`);
  return day;
}
