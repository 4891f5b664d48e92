import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { entryOf, type SeriesEntry } from '../../price-series/price-serie.view.js';
import { texts } from '../texts.js';

/** What series are called beside each other. */
interface ComparedNames {
  /** What all of them have, such as commodity and country; empty where there is nothing. */
  readonly common: string;
  /** What is compared, in words. */
  readonly title: string;
  /** What each alone has, in their order. */
  readonly names: readonly string[];
}

type Field = (entry: SeriesEntry) => string;

const COMMODITY: Field = ({ commodity }) => commodity;
const MARKET: Field = ({ market }) => market;
const COUNTRY: Field = ({ country_name, iso3_country_code: code }) => country_name || code;
const PRICE_TYPE: Field = ({ price_type }) => price_type.toLowerCase();
/** What a title has in this order; the price type follows in brackets. */
const NAMES = [COMMODITY, MARKET, COUNTRY];
/** By which names differ only where they would be the same without. */
const OTHERS: readonly Field[] = [
  ({ currency, measure_unit }) => `${currency}/${measure_unit}`,
  ({ source }) => source,
];
/** More names, and longer ones, are counted in place of listed. */
const [MAX_LISTED, MAX_CHARACTERS] = [3, 90];

/** @param rows of the catalogue: one series or more */
export function comparedNames(catalogue: CatalogueSnapshot, rows: readonly number[]): ComparedNames {
  const entries = rows.map((row) => entryOf(catalogue, row));
  const isCommon = (field: Field) => new Set(entries.map(field)).size === 1;
  const [first] = entries;
  const shared = NAMES.filter(isCommon).map((field) => field(first!));
  const hasType = isCommon(PRICE_TYPE) && shared.length > 0;
  const common = shared.join(', ') + (hasType ? ` (${PRICE_TYPE(first!)})` : '');
  const differing = [...NAMES, PRICE_TYPE].filter((field) => !isCommon(field) && rows.length > 1);
  let names = entries.map((entry) => differing.map((field) => field(entry)).join(', '));
  for (const field of OTHERS)
    if (new Set(names).size < names.length && !isCommon(field))
      names = entries.map((entry, index) => joined([names[index]!, field(entry)], ', '));
  if (rows.length === 1) names = [common];
  const seen = new Set<string>();
  names = names.map((name, index) => (seen.has(name) ? `${name} (${index + 1})` : (seen.add(name), name)));
  return { common, title: titleOf(entries, common, names, differing), names };
}

function titleOf(
  entries: readonly SeriesEntry[],
  common: string,
  names: readonly string[],
  differing: readonly Field[],
): string {
  if (names.length === 1) return common;
  const isBy = (...fields: Field[]) =>
    differing.length > 0 && differing.every((field) => fields.includes(field));
  const valueOf = (field: Field) => (differing.includes(field) ? null : field(entries[0]!));
  const [country, type] = [valueOf(COUNTRY), valueOf(PRICE_TYPE)];
  const ofType = type === null ? '' : ` (${type})`;
  if (isBy(MARKET, COUNTRY)) {
    const markets = entries.map(MARKET);
    const places = differing.includes(MARKET) && new Set(markets).size === markets.length ? markets : names;
    const title = (where: string) =>
      `${texts.compare.in(COMMODITY(entries[0]!), joined([where, country ?? ''], ', '))}${ofType}`;
    return fitting(title, places, texts.compare.markets(names.length));
  }
  if (isBy(COMMODITY)) {
    const place = joined([MARKET(entries[0]!), country ?? ''], ', ');
    const title = (what: string) => `${texts.compare.in(what, place)}${ofType}`;
    return fitting(title, names, texts.compare.commodities(names.length));
  }
  const separator = differing.length > 1 ? '; ' : ', ';
  const title = (what: string) => joined([common, what], ': ');
  if (fits(title(names.join(separator)), names)) return title(names.join(separator));
  const commodities = [...new Set(entries.map(COMMODITY))];
  // A few commodities are named before what all have.
  const areNamed = differing.length > 1 && commodities.length > 1 && commodities.length <= MAX_LISTED;
  const subject = areNamed ? joined([commodities.join(' / '), common], ', ') : common;
  return joined([subject || texts.compare.title, texts.compare.series(names.length)], ': ');
}

const fits = (title: string, names: readonly string[]): boolean =>
  names.length <= MAX_LISTED && title.length <= MAX_CHARACTERS;

/** The title with the names in it, or with their number where they are too many or too long. */
function fitting(titleOf: (what: string) => string, names: readonly string[], counted: string): string {
  const listed = titleOf(texts.compare.list(names));
  return fits(listed, names) ? listed : titleOf(counted);
}

const joined = (parts: readonly string[], separator: string): string =>
  parts.filter((part) => part !== '').join(separator);
