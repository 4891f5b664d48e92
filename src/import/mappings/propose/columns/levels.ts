import {
  dayPattern,
  findDates,
  isYear,
  monthLanguages,
  monthsOfName,
  type DateFinding,
} from '../dates/date-patterns.js';
import { type Money, moneyOf, moneyOfHeader, type NamedCurrency } from '../values/money.js';
import { countryOf } from './column-roles.js';
import { isFiscalYear, isUndatedWeek } from '../dates/date-words.js';
import { isQuarter } from '../../long-periods.js';
import { priceTypesIn, statisticOf, foldWords } from './words.js';

/** What the headers of columns of values name, of one row of the header. */
export interface Level {
  readonly kind:
    | 'constant'
    | 'date'
    | 'month'
    | 'year'
    | 'type'
    | 'statistic'
    | 'money'
    | 'country'
    | 'name'
    | 'quarter'
    | 'undated';
  /** Of the text, with `{}` for what differs, and `{unit}` and `{currency}` where money does. */
  readonly pattern: string;
  /** What stands at `{}` in each header. */
  readonly names: readonly string[];
  readonly dates: DateFinding | null;
  /** Of names of months. */
  readonly languages: readonly string[];
  /** What is the same of it in all headers; null where nothing is. */
  readonly money: Money | null;
  /** What stands at `{unit}` in each header. */
  readonly units: readonly string[];
  /** What stands at `{currency}` in each header. */
  readonly currencies: readonly NamedCurrency[];
}

const EMPTY = { dates: null, languages: [], money: null, units: [], currencies: [] } as const;

/** Words that stand beside a name in headers of prices and say nothing. */
const FILLING = new Set(
  (
    'price prices prix precio precios preco precos цена цены سعر of the for du de des la le les l d del do da dos das' +
    ' el los las au a at in en em в на average mean avg moyen moyens promedio medio media средняя средние متوسط mt mkt'
  ).split(' '),
);

/** Finds what headers name. @param headers of the columns of values, in order */
export function levelOf(headers: readonly string[], preferred: readonly string[]): Level {
  const distinct = [...new Set(headers)];
  if (distinct.length === 1 && headers.length > 1)
    return { ...EMPTY, kind: 'constant', pattern: distinct[0]!, names: [], money: moneyIn(distinct[0]!) };
  const whole = plainLevel(headers, preferred);
  if (whole?.kind === 'type') return typeLevel(headers, whole);
  if (whole !== null) return whole;
  // A date has signs in it, at which texts that all begin with a word and a year must not be cut.
  for (const ends of [/[\s(/_:–-]/, /[\s(]/]) {
    const { prefix, suffix, cores } = stripped(headers, ends);
    if (prefix === '' && suffix === '') continue;
    const inner = plainLevel(cores, preferred);
    const says = prefix + suffix;
    if (inner !== null && (inner.kind !== 'type' || isFilling(says)))
      return { ...inner, pattern: prefix + inner.pattern + suffix, money: inner.money ?? moneyIn(says) };
  }
  return nameLevel(headers);
}

/** The level of headers that are dates, types, statistics or money, and nothing else. */
function plainLevel(headers: readonly string[], preferred: readonly string[]): Level | null {
  const distinct = [...new Set(headers)];
  const names = headers;
  if (distinct.some((text) => text === '')) return null;
  if (distinct.every(isQuarter)) return { ...EMPTY, kind: 'quarter', pattern: '{}', names };
  const weeks = distinct.filter(isUndatedWeek);
  // Averages may stand beside them.
  if (weeks.length > 0 && distinct.every((text) => weeks.includes(text) || statisticOf(text) !== null))
    return { ...EMPTY, kind: 'undated', pattern: '{}', names };
  if (distinct.every(isFiscalYear)) return { ...EMPTY, kind: 'undated', pattern: '{}', names };
  if (distinct.every(isYear)) return { ...EMPTY, kind: 'year', pattern: '{}', names };
  if (distinct.every((text) => monthsOfName(text).size > 0)) {
    const languages = monthLanguages(distinct);
    if (languages !== null) return { ...EMPTY, kind: 'month', pattern: '{}', names, languages };
  }
  if (distinct.length === 12 && distinct.every((text, at) => Number(text) === at + 1))
    return { ...EMPTY, kind: 'month', pattern: '{}', names, languages: [] };
  const dates = findDates(distinct, preferred);
  if (dates !== null && dates.unread.length === 0 && dates.contradicting.length === 0)
    return { ...EMPTY, kind: 'date', pattern: '{}', names, dates };
  if (distinct.every((text) => dayPattern(text) !== null))
    return { ...EMPTY, kind: 'undated', pattern: '{}', names };
  const types = distinct.map((text) => priceTypesIn(text));
  if (types.every(({ length }) => length === 1) && new Set(types.flat()).size === distinct.length)
    return { ...EMPTY, kind: 'type', pattern: '{}', names };
  if (distinct.every((text) => statisticOf(text) !== null))
    return { ...EMPTY, kind: 'statistic', pattern: '{}', names };
  // Codes of three letters are currencies, too, and a single name may be that of a bird.
  if (distinct.length > 1 && distinct.every((text) => text.length > 3 && countryOf(text) !== null))
    return { ...EMPTY, kind: 'country', pattern: '{}', names };
  const money = headers.map((text) => moneyOf(text.replace(/^[([]\s*|\s*[)\]]$/g, '')));
  if (money.every((one) => one !== null)) {
    const found = moneyPattern(headers, money);
    if (found !== null) return { ...EMPTY, kind: 'money', names: [], ...found };
  }
  return null;
}

/** Types of prices, with the unit that each has in its header. */
function typeLevel(headers: readonly string[], whole: Level): Level {
  const named = nameLevel(headers);
  const isOfTypes = named.names.every((name) => priceTypesIn(name).length === 1);
  const hasMoney = named.money !== null || named.units.length > 0 || named.currencies.length > 0;
  return isOfTypes && hasMoney ? { ...named, kind: 'type' } : whole;
}

/** Names of goods or places, with what stands around them. */
function nameLevel(headers: readonly string[]): Level {
  const money = headers.map(moneyOfHeader);
  if (money.every((one) => one !== null && /[\p{L}]/u.test(one.begin))) {
    const parts = headers.map((header, index) => ({
      name: header.slice(0, money[index]!.begin.length).replace(/\s*[([,:/–_-]?\s*$/, ''),
      rest: header.trim(),
    }));
    const rests = parts.map(({ name, rest }) => rest.slice(name.length));
    const found = moneyPattern(
      rests,
      money.map((one) => one!.money),
    );
    if (found !== null) {
      const inner = strippedNames(parts.map(({ name }) => name));
      return { ...EMPTY, ...found, kind: 'name', ...inner, pattern: inner.pattern + found.pattern };
    }
  }
  return { ...EMPTY, kind: 'name', ...strippedNames(headers) };
}

/** Names without a price word that all begin or end with. */
function strippedNames(headers: readonly string[]): { pattern: string; names: readonly string[] } {
  const { prefix, suffix, cores } = stripped(headers);
  const before = isFilling(prefix) ? prefix : '';
  const after = isFilling(suffix) ? suffix : '';
  if (headers.length < 2 || (before === '' && after === '') || cores.some((core) => core === ''))
    return { pattern: '{}', names: headers };
  const names = headers.map((header) => header.slice(before.length, header.length - after.length));
  return { pattern: `${before}{}${after}`, names };
}

const isFilling = (text: string): boolean => {
  const words = foldWords(text);
  return words !== '' && words.split(' ').every((word) => FILLING.has(word));
};

/** What all headers begin and end with, up to the end of a word. */
function stripped(
  headers: readonly string[],
  ends = /[\s(/_:–-]/,
): { prefix: string; suffix: string; cores: string[] } {
  const [first = ''] = headers;
  let before = 0;
  while (before < first.length && headers.every((header) => header[before] === first[before])) before++;
  while (before > 0 && !ends.test(first[before - 1]!)) before--;
  let after = 0;
  const endOf = (header: string, at: number) => header[header.length - 1 - at];
  const isCommon = () =>
    headers.every((header) => header.length - before > after && endOf(header, after) === endOf(first, after));
  while (isCommon()) after++;
  while (after > 0 && !/[\s)(/_:–,-]/.test(first[first.length - after]!)) after--;
  return {
    prefix: first.slice(0, before),
    suffix: after === 0 ? '' : first.slice(-after),
    cores: headers.map((header) => header.slice(before, header.length - after).trim()),
  };
}

/**
 * The pattern of texts of money, which differ in currency and unit alone.
 * @param money of each text
 */
function moneyPattern(
  texts: readonly string[],
  money: readonly (Money | null)[],
): Pick<Level, 'pattern' | 'money' | 'units' | 'currencies'> | null {
  const all = money.map((one) => one!);
  const [first] = all as [Money];
  const currencies = new Set(all.map(({ currency }) => currency?.text ?? ''));
  const units = new Set(all.map(({ unit }) => unit ?? ''));
  // A mapping has one factor, for dollars or for cents.
  if (new Set(all.map(({ currency }) => currency?.factor ?? 1)).size > 1) return null;
  const differing = { currency: currencies.size > 1, unit: units.size > 1 };
  if ((differing.currency && currencies.has('')) || (differing.unit && units.has(''))) return null;
  const patterns = texts.map((text, index) => moneyForm(text, all[index]!, differing));
  if (new Set(patterns).size > 1) return null;
  const same = {
    currency: differing.currency ? null : first.currency,
    unit: differing.unit ? null : first.unit,
  };
  return {
    pattern: patterns[0]!,
    money: same.currency === null && same.unit === null ? null : same,
    units: differing.unit ? all.map(({ unit }) => unit!) : [],
    currencies: differing.currency ? all.map(({ currency }) => currency!) : [],
  };
}

/** A text of money with `{currency}` and `{unit}` in place of those that differ. */
function moneyForm(
  text: string,
  { currency, unit }: Money,
  differing: { readonly currency: boolean; readonly unit: boolean },
): string {
  let form = text;
  // From the right, where a unit stands behind a currency: `F/F`.
  const replace = (part: string | undefined, by: string) => {
    const at = part === undefined ? -1 : form.lastIndexOf(part);
    if (at >= 0) form = form.slice(0, at) + by + form.slice(at + part!.length);
  };
  if (differing.unit) replace(unit ?? undefined, '{unit}');
  if (differing.currency) replace(currency?.text, '{currency}');
  return form;
}

/** How money is written in a header, and with which factor: what one pattern can read is alike. */
export function moneyShape(header: string): string {
  const found = moneyOfHeader(header);
  if (found === null) return '';
  const name = found.begin.replace(/\s*[([,:/–_-]?\s*$/, '');
  const form = moneyForm(header.trim().slice(name.length), found.money, { currency: true, unit: true });
  return `${form} ${found.money.currency?.factor ?? 1}`;
}

const moneyIn = (text: string): Money | null => moneyOfHeader(text)?.money ?? null;
