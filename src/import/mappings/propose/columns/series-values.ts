import {
  countryName,
  isCountryCode,
  iso3OfForeignName,
  iso3OfName,
  knownCountries,
} from '../../../../lib/codes/countries.js';
import { currenciesOf } from '../../../../lib/codes/country-currencies.js';
import type { Draft, ValuedColumn } from '../draft.js';
import { isOfChanges } from '../indices/index-words.js';
import { columnAnswer, quoted } from '../sentences.js';
import { moneyOf, moneyOfHeader } from '../values/money.js';
import { countryOf, FIELD_NAMES, KEYS } from './column-roles.js';
import { isPriceHeader } from './price-words.js';
import {
  foldWords,
  isCodeHeader,
  isKeyHeader,
  isStatisticAlone,
  priceTypesIn,
  sourceOfLine,
  statisticOf,
  totalWordOf,
} from './words.js';

/** Types of prices, as the service calls them. */
export function findTypes(draft: Draft): void {
  const column = draft.of('price_type');
  if (column !== undefined) {
    const known = column.distinct.map((text) => [text, priceTypesIn(text)] as const);
    const unclear = known.filter(
      ([text, types]) => types.length !== 1 && !PRICE_TYPES.includes(text.toUpperCase()),
    );
    const values = known.filter(([text, types]) => types.length === 1 && types[0] !== text.toUpperCase());
    if (unclear.length > 0)
      draft.ask({
        control: 'fields.price_type.values',
        text: `What do ${unclear
          .slice(0, 6)
          .map(([text]) => quoted(text))
          .join(', ')} stand for: RETAIL, WHOLESALE, PRODUCER, …?`,
        answers: [],
      });
    if (values.length > 0 || unclear.length > 0)
      draft.fields.price_type!.values = Object.fromEntries(
        known.map(([text, types]) => [
          text,
          types.length === 1 ? types[0]! : unclear.some(([one]) => one === text) ? '' : text.toUpperCase(),
        ]),
      );
    return;
  }
  if (draft.has('price_type') || draft.isAsked('price_type')) return;
  const price = draft.of(draft.value);
  const headers = [
    price?.header ?? '',
    ...draft.levels.filter(({ kind }) => kind !== 'name').map(({ pattern }) => pattern),
  ];
  const inHeader = [...new Set(headers.flatMap(priceTypesIn))];
  if (inHeader.length === 1) {
    draft.fields.price_type = { value: inHeader[0]! };
    return draft.say(
      'fields.price_type',
      `The header ${quoted(headers.find((text) => priceTypesIn(text).length > 0)!)} says it.`,
    );
  }
  const said = [...draft.context, draft.sample.sheetName ?? '', draft.sample.fileName.replaceAll('_', ' ')];
  const types = [...new Set(said.flatMap(priceTypesIn))];
  draft.ask({
    control: 'fields.price_type',
    text: 'Which prices are these?',
    answers: PRICE_TYPES.map((type) => ({ value: `value:${type}`, label: type.toLowerCase() })),
    proposed: types.length === 1 ? `value:${types[0]}` : null,
    because:
      types.length === 1 ? `It is in ${quoted(said.find((text) => priceTypesIn(text).length > 0)!)}.` : null,
  });
}

export function findCountry(draft: Draft): void {
  const unknown = draft.of('iso3_country_code')?.distinct.filter((text) => countryOf(text) === null) ?? [];
  if (unknown.length > 0)
    draft.confirm(
      'countries',
      `No countries that are known: ${unknown.slice(0, MAX_SHOWN).map(quoted).join(', ')}${unknown.length > MAX_SHOWN ? ', …' : ''}. Rows with them are rejected.`,
    );
  if (draft.has('iso3_country_code') || draft.isAsked('iso3_country_code')) return;
  const { proposed, because } = likelyCountry(draft);
  draft.ask({
    control: 'fields.iso3_country_code',
    text: `Of which country are the ${draft.nouns}?`,
    answers: [],
    proposed: proposed === null ? null : `value:${proposed}`,
    because,
  });
}

export function likelyCountry(draft: Draft): { proposed: string | null; because: string | null } {
  const market = draft.of('market');
  if (market !== undefined) {
    const counts = new Map<string, number>();
    for (const name of market.distinct)
      for (const iso3 of draft.known.countriesOfMarket(name)) counts.set(iso3, (counts.get(iso3) ?? 0) + 1);
    const [best] = [...counts].sort(([, one], [, other]) => other - one);
    if (best !== undefined && best[1] >= market.distinct.length / 2)
      return {
        proposed: best[0],
        because: `${best[1]} of ${market.distinct.length} markets are known in ${countryName(best[0])}.`,
      };
  }
  for (const text of [...draft.context, draft.sample.sheetName ?? '', draft.sample.fileName]) {
    const named = countriesIn(text);
    if (named.length === 1) return { proposed: named[0]!, because: `It is named in ${quoted(text)}.` };
  }
  const currency = draft.fields.currency?.value;
  if (currency === undefined) return { proposed: null, because: null };
  const users = knownCountries.filter(({ iso3 }) => currenciesOf(iso3)[0] === currency);
  return users.length === 1
    ? { proposed: users[0]!.iso3, because: `Its currency is ${currency}.` }
    : { proposed: null, because: null };
}

export function findSource(draft: Draft): void {
  if (draft.has('source') || draft.isAsked('source')) return;
  const said = draft.context.map(sourceOfLine).find((text) => text !== null) ?? null;
  draft.ask({
    control: 'fields.source',
    text: `Who has published the ${draft.nouns}?`,
    answers: [],
    proposed: said === null ? null : `value:${said}`,
    because: said === null ? null : 'A line of the file says so.',
  });
}

export function askForKeys(draft: Draft): void {
  for (const field of KEYS) {
    if (draft.has(field) || draft.isAsked(field)) continue;
    const regions = draft.columns.filter(({ role }) => role === 'admin_unit' || role === 'admin_unit2');
    const columns = draft.free().filter((column) => hasNames(column) && !goesWithDate(draft, column));
    const named = field === 'market' ? [...columns, ...regions] : columns;
    const coded = draft.free().filter((column) => tellsSeries(draft, column) && !goesWithDate(draft, column));
    const offered = named.length > 0 ? named : coded;
    const price = draft.of(draft.value);
    const header =
      draft.unpivoted.length === 0 &&
      offered.length === 0 &&
      field === 'commodity' &&
      price !== undefined &&
      !isPriceHeader(price.header)
        ? price.header
        : null;
    const money = header === null ? null : moneyOfHeader(header);
    const name =
      header === null ? null : money === null ? header : money.begin.replace(/\s*[([,/–-]?\s*$/, '');
    const words = FIELD_NAMES[field]!;
    const isLeft = columns.length === 1 && columns[0]!.distinct.length > 1 && restOfKeys(draft, field);
    draft.ask({
      control: `fields.${field}`,
      text:
        offered.length === 0
          ? `No column has the ${words}: of which ${words} are the prices?`
          : `Which column has the ${words}, or of which one are all prices?`,
      answers: offered.map(columnAnswer),
      proposed: name ? `value:${name}` : isLeft ? `column:${columns[0]!.index + 1}` : null,
      because: name
        ? `The column is called ${quoted(header!)}.`
        : isLeft
          ? 'It is the only column of texts left.'
          : null,
    });
  }
  for (const field of ['price_value', 'date'] as const)
    if (!draft.has(field) && !draft.isAsked(field) && draft.unpivot === undefined && field === 'price_value')
      draft.ask({
        control: `fields.${draft.value}`,
        text: `Which column has the ${draft.noun}?`,
        answers: draft.columns.map(columnAnswer),
      });
}

/** Whether a column may have names: no numbers, changes, codes, marks, currencies or units. */
const hasNames = (column: ValuedColumn): boolean =>
  !column.isNumeric &&
  !hasChanges(column) &&
  !isCodeHeader(column.header) &&
  !column.distinct.every((text) => CODE.test(text)) &&
  column.distinct.filter((text) => PRICED.test(text)).length < column.distinct.length / 2 &&
  !column.distinct.every((text) => moneyOf(text) !== null);

/**
 * Whether a column that is called by codes tells series apart: it has words, or codes that come
 * again and differ where the names that are read are the same.
 */
export function tellsSeries(draft: Draft, column: ValuedColumn): boolean {
  if (hasWords(column)) return true;
  const { header, cells, values, distinct } = column;
  if (!isKeyHeader(header) || distinct.length < 2 || distinct.length === values.length) return false;
  const named = draft.columns.filter(({ role }) => role !== null && NAME_ROLES.has(role));
  const codes = new Map<string, string>();
  return cells.some((code, at) => {
    if (code === '') return false;
    const names = named.map((one) => one.cells[at]!).join('\n');
    const before = codes.get(names) ?? code;
    codes.set(names, before);
    return before !== code;
  });
}

const NAME_ROLES = new Set(['market', 'commodity', 'admin_unit', 'admin_unit2']);

/** Whether a column that is called by codes has words, such as `beef` in `series_id`. */
const hasWords = ({ header, isNumeric, distinct }: ValuedColumn): boolean =>
  isCodeHeader(header) &&
  !isNumeric &&
  distinct.length > 1 &&
  distinct.every((text) => /^\p{L}[\p{L}\p{M} _-]{2,}$/u.test(text) && /\p{Ll}/u.test(text));

/** Whether a column only says the date of its rows in other words, such as `CB2019Jun`. */
function goesWithDate(draft: Draft, { cells, distinct }: ValuedColumn): boolean {
  const dates = draft.columns.filter(({ role }) => role !== null && DATE_ROLES.has(role));
  if (dates.length === 0 || distinct.length < 2) return false;
  const texts = new Map<string, string>();
  for (const [at, text] of cells.entries()) {
    const date = dates.map((one) => one.cells[at]!).join('\n');
    if ((texts.get(date) ?? text) !== text) return false;
    texts.set(date, text);
  }
  // Where each date has one row, as many names would be of one each, too.
  return texts.size === distinct.length && texts.size < cells.length;
}

const DATE_ROLES = new Set(['date', 'year', 'month']);

/** A letter, or capitals with a digit among them. */
const CODE = /^\p{L}$|^(?=.*\d)[\p{Lu}\d._/-]+$/u;
/** A name with its price, of where it is the highest: `Borno (471.54)`. */
const PRICED = /\(\d[\d,]*(?:\.\d+)?\)$/;

/** Whether a column has changes in percent, which are no names. */
const hasChanges = ({ header, distinct }: ValuedColumn): boolean =>
  isOfChanges(header) || distinct.every((text) => /^[-+\u2212]?[\d.,\s]+%$/.test(text));

const restOfKeys = (draft: Draft, field: string) => KEYS.every((key) => key === field || draft.has(key));

const PRICE_TYPES = ['RETAIL', 'WHOLESALE', 'PRODUCER', 'EXPORT', 'IMPORT'];

const MAX_WORDS = 5;

/** Texts that a sentence shows. */
const MAX_SHOWN = 6;

/** Averages and totals among markets and products: with a word of prices they are of none. */
export function leaveOutStatistics(draft: Draft): void {
  const doubtful: string[] = [];
  for (const field of KEYS) {
    const column = draft.of(field);
    if (column === undefined || draft.unpivoted.includes(column)) continue;
    const found = column.distinct.filter((text) => isMean(text));
    const priced = found.filter((text) => isPriceHeader(text));
    for (const text of priced) draft.skip.push({ column: column.ref, equals: text });
    if (priced.length > 0)
      draft.say(
        'skip',
        `Rows with ${priced.map(quoted).join(', ')} are left out: they are of no ${FIELD_NAMES[field]!}.`,
      );
    doubtful.push(...found.filter((text) => !priced.includes(text)));
  }
  if (doubtful.length > 0)
    draft.confirm(
      'means',
      `Names such as ${doubtful.slice(0, MAX_SHOWN).map(quoted).join(', ')} may be averages or totals of others: they are read like these.`,
    );
}

/** Whether a name is a statistic, or begins with the word of a total and says nothing else. */
const isMean = (text: string): boolean =>
  totalWordOf(text) === foldWords(text) ||
  (isStatisticAlone(text) && ['minimum', 'maximum', 'average', 'modal'].includes(statisticOf(text)!));

/** Dollars, which name a country that prices are not of. */
const DOLLARS =
  /(?<!\p{L})(?:u\.? ?s\.?(?: ?a\.?)?|united states)[ -]*(?:dollars?|cents?|\$|¢)|(?:dollars?|cents?|d[oó]lar(?:es)?|долл(?:\.|ар\p{L}*)?)\s+(?:(?:of|des|de los|dos|de) (?:the )?)?(?:u\.?s\.?a?\.?|united states|[eé]tats[- ]unis|estados unidos|e\.?u\.?a\.?|сша)(?!\p{L})/giu;

/** The countries that a text names, in words. */
function countriesIn(text: string): string[] {
  const words = text
    .replace(DOLLARS, ' ')
    .replace(/\.[a-z]{2,5}$/i, '')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{M}'’]+/u)
    .filter((word) => word !== '');
  const found = new Set<string>();
  for (let from = 0; from < words.length; from++)
    for (let to = Math.min(words.length, from + MAX_WORDS); to > from; to--) {
      const name = words.slice(from, to).join(' ');
      const iso3 =
        iso3OfName(name) ??
        iso3OfForeignName(name) ??
        (/^[A-Z]{3}$/.test(name) && isCountryCode(name) ? name : null);
      if (iso3 === null) continue;
      found.add(iso3);
      from = to - 1;
      break;
    }
  return [...found];
}
