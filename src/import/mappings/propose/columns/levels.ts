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

/** What the texts of one row of the header are. */
type LevelKind =
  /** The same text in all columns. */
  | 'constant'
  | 'date'
  /** A month without a year. */
  | 'month'
  | 'year'
  /** A type of price, such as retail. */
  | 'type'
  /** A statistic, such as the minimum. */
  | 'statistic'
  /** A unit or a currency, and nothing else. */
  | 'money'
  | 'country'
  /** A market, a commodity or anything else, with or without a unit and a currency. */
  | 'name'
  | 'quarter'
  /** A period that no date can be read from: a week or a day without a year, a fiscal year. */
  | 'undated';

/** One row of the header, in the columns of values: what it names, and how it is written. */
export interface Level {
  readonly kind: LevelKind;
  /** With `{}` for what it names, and with `{unit}` and `{currency}` if these differ. */
  readonly pattern: string;
  /** What stands at `{}` in each column. */
  readonly names: readonly string[];
  readonly dates: DateFinding | null;
  /** The languages that names of months may be in. */
  readonly languages: readonly string[];
  /** The unit and the currency that all columns share; null if they share neither. */
  readonly money: Money | null;
  /** What stands at `{unit}` in each column. */
  readonly units: readonly string[];
  /** What stands at `{currency}` in each column. */
  readonly currencies: readonly NamedCurrency[];
}

const EMPTY = { dates: null, languages: [], money: null, units: [], currencies: [] } as const;

/** Words that headers have around a name, and that distinguish nothing. */
const FILLER_WORDS = new Set(
  (
    'price prices prix precio precios preco precos цена цены سعر of the for du de des la le les l d del do da dos das' +
    ' el los las au a at in en em в на average mean avg moyen moyens promedio medio media средняя средние متوسط mt mkt'
  ).split(' '),
);

/** What may end a word that headers share. */
const WORD_END = /[\s(/_:–-]/;
/** The same without the signs within dates, where `Price 2024-01` must not be cut after `2024-`. */
const WORD_END_BEFORE_DATE = /[\s(]/;

/** What may stand between a name and the unit and currency that follow it. */
const BEFORE_MONEY = /\s*[([,:/–_-]?\s*$/;

/**
 * Finds out what one row of the header names.
 * @param headers the texts of the row in the columns of values, in order
 * @param languages of other words of the file: months and dates are read in these first
 */
export function levelOf(headers: readonly string[], languages: readonly string[]): Level {
  const distinct = [...new Set(headers)];
  if (distinct.length === 1 && headers.length > 1)
    return { ...EMPTY, kind: 'constant', pattern: distinct[0]!, names: [], money: moneyIn(distinct[0]!) };
  const level = plainLevel(headers, languages);
  if (level?.kind === 'type') return typeLevel(headers, level);
  if (level !== null) return level;
  for (const wordEnd of [WORD_END, WORD_END_BEFORE_DATE]) {
    const { prefix, suffix, cores } = withoutShared(headers, wordEnd);
    const shared = prefix + suffix;
    if (shared === '') continue;
    const inner = plainLevel(cores, languages);
    // Beside other words, a type of price may be a part of a name.
    if (inner !== null && (inner.kind !== 'type' || isFiller(shared)))
      return { ...inner, pattern: prefix + inner.pattern + suffix, money: inner.money ?? moneyIn(shared) };
  }
  return nameLevel(headers);
}

/** The level of headers that have nothing around what they name; null if they are names. */
function plainLevel(headers: readonly string[], languages: readonly string[]): Level | null {
  const distinct = [...new Set(headers)];
  if (distinct.some((text) => text === '')) return null;
  const level = (kind: LevelKind, found: Partial<Pick<Level, 'dates' | 'languages'>> = {}): Level => ({
    ...EMPTY,
    kind,
    pattern: '{}',
    names: headers,
    ...found,
  });
  if (distinct.every(isQuarter)) return level('quarter');
  // The average of the weeks may have a column beside them.
  const isWeekOrStatistic = (text: string) => isUndatedWeek(text) || statisticOf(text) !== null;
  if (distinct.some(isUndatedWeek) && distinct.every(isWeekOrStatistic)) return level('undated');
  if (distinct.every(isFiscalYear)) return level('undated');
  if (distinct.every(isYear)) return level('year');
  if (distinct.every((text) => monthsOfName(text).size > 0)) {
    const ofMonths = monthLanguages(distinct);
    if (ofMonths !== null) return level('month', { languages: ofMonths });
  }
  const areMonthNumbers = distinct.length === 12 && distinct.every((text, at) => Number(text) === at + 1);
  if (areMonthNumbers) return level('month');
  const dates = findDates(distinct, languages);
  if (dates !== null && dates.unread.length === 0 && dates.contradicting.length === 0)
    return level('date', { dates });
  if (distinct.every((text) => dayPattern(text) !== null)) return level('undated');
  const types = distinct.map((text) => priceTypesIn(text));
  if (types.every(({ length }) => length === 1) && new Set(types.flat()).size === distinct.length)
    return level('type');
  if (distinct.every((text) => statisticOf(text) !== null)) return level('statistic');
  // Three letters may be the code of a currency, and a single `Turkey` is the bird.
  if (distinct.length > 1 && distinct.every((text) => text.length > 3 && countryOf(text) !== null))
    return level('country');
  return moneyLevel(headers);
}

/** The level of headers that are units or currencies, also in brackets; null for others. */
function moneyLevel(headers: readonly string[]): Level | null {
  const money = headers.map((text) => moneyOf(text.replace(/^[([]\s*|\s*[)\]]$/g, '')));
  if (!money.every((one) => one !== null)) return null;
  const found = moneyPattern(headers, money);
  return found === null ? null : { ...EMPTY, kind: 'money', names: [], ...found };
}

/** The level of types of prices, with the unit or currency that stands beside each. */
function typeLevel(headers: readonly string[], plain: Level): Level {
  const named = nameLevel(headers);
  const areTypes = named.names.every((name) => priceTypesIn(name).length === 1);
  const hasMoney = named.money !== null || named.units.length > 0 || named.currencies.length > 0;
  return areTypes && hasMoney ? { ...named, kind: 'type' } : plain;
}

/** The level of names of commodities or markets, with the units and currencies behind them. */
function nameLevel(headers: readonly string[]): Level {
  const plain: Level = { ...EMPTY, kind: 'name', ...withoutFillers(headers) };
  const found = headers.map(moneyOfHeader);
  if (!found.every((one) => one !== null) || !found.every(({ begin }) => /\p{L}/u.test(begin))) return plain;
  const names = headers.map((header, index) =>
    header.slice(0, found[index]!.begin.length).replace(BEFORE_MONEY, ''),
  );
  const rests = headers.map((header, index) => header.trim().slice(names[index]!.length));
  const money = moneyPattern(
    rests,
    found.map((one) => one.money),
  );
  if (money === null) return plain;
  const inner = withoutFillers(names);
  return { ...EMPTY, ...money, kind: 'name', ...inner, pattern: inner.pattern + money.pattern };
}

/** Names without the filler words that all of them begin or end with. */
function withoutFillers(headers: readonly string[]): Pick<Level, 'pattern' | 'names'> {
  const shared = withoutShared(headers, WORD_END);
  const prefix = isFiller(shared.prefix) ? shared.prefix : '';
  const suffix = isFiller(shared.suffix) ? shared.suffix : '';
  const hasNone = prefix === '' && suffix === '';
  if (headers.length < 2 || hasNone || shared.cores.some((core) => core === ''))
    return { pattern: '{}', names: headers };
  const names = headers.map((header) => header.slice(prefix.length, header.length - suffix.length));
  return { pattern: `${prefix}{}${suffix}`, names };
}

const isFiller = (text: string): boolean => {
  const words = foldWords(text);
  return words !== '' && words.split(' ').every((word) => FILLER_WORDS.has(word));
};

/**
 * Whole words that all headers begin and end with, and what is left of each.
 * @param wordEnd what may end a word of the beginning
 */
function withoutShared(
  headers: readonly string[],
  wordEnd: RegExp,
): { prefix: string; suffix: string; cores: string[] } {
  const [first = ''] = headers;
  let before = 0;
  while (before < first.length && headers.every((header) => header[before] === first[before])) before++;
  while (before > 0 && !wordEnd.test(first[before - 1]!)) before--;
  let after = 0;
  const isShared = (header: string) =>
    header.length - before > after && header.at(-1 - after) === first.at(-1 - after);
  while (headers.every(isShared)) after++;
  while (after > 0 && !/[\s)(/_:–,-]/.test(first[first.length - after]!)) after--;
  return {
    prefix: first.slice(0, before),
    suffix: after === 0 ? '' : first.slice(-after),
    cores: headers.map((header) => header.slice(before, header.length - after).trim()),
  };
}

/**
 * The pattern of texts that differ in their unit and currency alone; null if they differ otherwise.
 * @param money of each text
 */
function moneyPattern(
  texts: readonly string[],
  money: readonly Money[],
): Pick<Level, 'pattern' | 'money' | 'units' | 'currencies'> | null {
  const [first] = money as readonly [Money];
  const currencies = new Set(money.map(({ currency }) => currency?.text ?? ''));
  const units = new Set(money.map(({ unit }) => unit ?? ''));
  // A mapping has one factor, for dollars or for cents.
  if (new Set(money.map(({ currency }) => currency?.factor ?? 1)).size > 1) return null;
  const differing = { currency: currencies.size > 1, unit: units.size > 1 };
  if ((differing.currency && currencies.has('')) || (differing.unit && units.has(''))) return null;
  const patterns = texts.map((text, index) => withPlaceholders(text, money[index]!, differing));
  if (new Set(patterns).size > 1) return null;
  const shared = {
    currency: differing.currency ? null : first.currency,
    unit: differing.unit ? null : first.unit,
  };
  return {
    pattern: patterns[0]!,
    money: shared.currency === null && shared.unit === null ? null : shared,
    units: differing.unit ? money.map(({ unit }) => unit!) : [],
    currencies: differing.currency ? money.map(({ currency }) => currency!) : [],
  };
}

/** A text with `{currency}` and `{unit}` in place of its own, where these differ. */
function withPlaceholders(
  text: string,
  { currency, unit }: Money,
  differing: { readonly currency: boolean; readonly unit: boolean },
): string {
  let pattern = text;
  // The last one is replaced, because the unit may be written as the currency before it: `F/F`.
  const replaceLast = (part: string | undefined, placeholder: string) => {
    const at = part === undefined ? -1 : pattern.lastIndexOf(part);
    if (at >= 0) pattern = pattern.slice(0, at) + placeholder + pattern.slice(at + part!.length);
  };
  if (differing.unit) replaceLast(unit ?? undefined, '{unit}');
  if (differing.currency) replaceLast(currency?.text, '{currency}');
  return pattern;
}

/**
 * How a header writes its unit and currency, and the factor of the currency. Headers for which this
 * is equal can be read by one pattern of a mapping. '' for a header without them.
 */
export function moneyShape(header: string): string {
  const found = moneyOfHeader(header);
  if (found === null) return '';
  const name = found.begin.replace(BEFORE_MONEY, '');
  const rest = header.trim().slice(name.length);
  const pattern = withPlaceholders(rest, found.money, { currency: true, unit: true });
  return `${pattern} ${found.money.currency?.factor ?? 1}`;
}

const moneyIn = (text: string): Money | null => moneyOfHeader(text)?.money ?? null;
