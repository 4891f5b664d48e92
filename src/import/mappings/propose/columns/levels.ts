import { findDates, isYear, monthLanguages, monthsOfName, type DateFinding } from '../dates/date-patterns.js';
import { type Money, moneyOf, moneyOfHeader } from '../values/money.js';
import { isQuarter, priceTypesIn, statisticOf, foldWords } from './words.js';

/** What the headers of columns of values name, of one row of the header. */
export interface Level {
  readonly kind: 'constant' | 'date' | 'month' | 'year' | 'type' | 'statistic' | 'money' | 'name' | 'quarter';
  /** Of the text, with `{}` for what differs and `{unit}` and `{currency}` for money. */
  readonly pattern: string;
  /** What stands at `{}` in each header. */
  readonly names: readonly string[];
  readonly dates: DateFinding | null;
  /** Of names of months. */
  readonly languages: readonly string[];
  /** Of all headers where it is the same, else null. */
  readonly money: Money | null;
  /** What stands at `{unit}` in each header. */
  readonly units: readonly string[];
}

const EMPTY = { dates: null, languages: [], money: null, units: [] } as const;

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
  const { prefix, suffix, cores } = stripped(headers);
  if (prefix !== '' || suffix !== '') {
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
  const types = distinct.map((text) => priceTypesIn(text));
  if (types.every(({ length }) => length === 1) && new Set(types.flat()).size === distinct.length)
    return { ...EMPTY, kind: 'type', pattern: '{}', names };
  if (distinct.every((text) => statisticOf(text) !== null))
    return { ...EMPTY, kind: 'statistic', pattern: '{}', names };
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
  return isOfTypes && (named.money !== null || named.units.length > 0) ? { ...named, kind: 'type' } : whole;
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
      return {
        ...EMPTY,
        kind: 'name',
        names: inner.names,
        pattern: inner.pattern + found.pattern,
        money: found.money,
        units: found.units,
      };
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
function stripped(headers: readonly string[]): { prefix: string; suffix: string; cores: string[] } {
  const [first = ''] = headers;
  let before = 0;
  while (before < first.length && headers.every((header) => header[before] === first[before])) before++;
  while (before > 0 && !/[\s(/_:–-]/.test(first[before - 1]!)) before--;
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
 * The pattern of texts of money of which the currency is the same, and the unit, or both.
 * @param money of each text
 */
function moneyPattern(
  texts: readonly string[],
  money: readonly (Money | null)[],
): { pattern: string; money: Money | null; units: readonly string[] } | null {
  const all = money.map((one) => one!);
  const [first] = all as [Money];
  const currencies = new Set(all.map(({ currency }) => currency?.text ?? ''));
  const units = new Set(all.map(({ unit }) => unit ?? ''));
  if (currencies.size > 1) return null;
  if (units.size === 1) {
    const [text] = texts as [string];
    return texts.every((other) => other === text) ? { pattern: text, money: first, units: [] } : null;
  }
  if (units.has('')) return null;
  const patterns = texts.map((text, index) => {
    const unit = all[index]!.unit!;
    const at = text.lastIndexOf(unit);
    return `${text.slice(0, at)}{unit}${text.slice(at + unit.length)}`;
  });
  if (new Set(patterns).size > 1) return null;
  return {
    pattern: patterns[0]!,
    money: first.currency === null ? null : { currency: first.currency, unit: null },
    units: all.map(({ unit }) => unit!),
  };
}

const moneyIn = (text: string): Money | null => moneyOfHeader(text)?.money ?? null;
