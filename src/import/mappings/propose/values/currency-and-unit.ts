import { countryName } from '../../../../lib/codes/countries.js';
import { currenciesOf } from '../../../../lib/codes/country-currencies.js';
import { countryOf } from '../columns/column-roles.js';
import { likelyCountry } from '../columns/series-values.js';
import { foldWords } from '../columns/words.js';
import type { Draft, ValuedColumn } from '../draft.js';
import { columnSubject, quoted } from '../sentences.js';
import { isNumber } from '../table/layout.js';
import { moneyOfCells } from './cell-money.js';
import {
  codesIn,
  currencyCodesOf,
  isUnit,
  type Money,
  moneyOfHeader,
  moneyOfTitle,
  type NamedCurrency,
} from './money.js';
import {
  askForCurrencyValues,
  confirmCurrencies,
  currenciesToday,
  currencyByCountry,
  multiplyBy,
  readMoneyColumns,
} from './money-columns.js';

/** Currency and unit: of columns, of headers, of cells, else of titles, which are asked. */
export function findMoney(draft: Draft): void {
  const countries = draft.of('iso3_country_code');
  const [only, ...more] = countries?.distinct ?? [];
  const likely = only !== undefined && more.length === 0 ? countryOf(only) : likelyCountry(draft).proposed;
  readMoneyColumns(draft, likely);
  const column = draft.of('currency');
  if (column !== undefined && draft.fields.currency?.values === undefined)
    findCurrencies(draft, column, likely);
  const price = draft.of(draft.value);
  const headers = [
    ...(draft.unpivoted.length === 0 && price !== undefined
      ? [price.header, ...price.parts].map((text) => moneyOfHeader(text)?.money ?? moneyOfTitle(text))
      : []),
    ...draft.levels.map(({ money }) => money),
  ].filter((money): money is Money => money !== null);
  // Headers of several columns say of each something else.
  const asked = draft.unpivoted.length > 0 ? [] : draft.priceColumns().flatMap(({ parts }) => parts);
  const titles = [...draft.context, ...asked]
    .map((text) => ({ text, money: moneyOfTitle(text.trim()) }))
    .filter((title): title is MoneyTitle => title.money !== null);
  const inHeader = headers.find(({ currency }) => currency !== null)?.currency ?? null;
  const several = draft.levels.flatMap(({ currencies }) => currencies);
  const said =
    column?.distinct.flatMap(currencyCodesOf) ??
    [inHeader ?? [], several].flat().flatMap(({ codes }) => codes);
  const inCells = moneyOfCells(draft, said.length === 0 ? null : said);
  if (several.length > 0) takeHeaderCurrencies(draft, several, likely);
  if (!draft.has('currency') && !draft.isAsked('currency')) {
    const one = inHeader ?? inCells?.currency ?? null;
    if (one === null) askForCurrency(draft, titles, likely);
    else takeCurrency(draft, one, titles, likely, inHeader === null ? 'The cells have' : 'The header says');
  }
  findUnit(draft, inCells === null ? headers : [...headers, inCells], titles);
  askForFactor(draft);
  confirmMoneyRows(draft);
}

/** Rows that say in which money those below them are, where they differ in it. */
function confirmMoneyRows(draft: Draft): void {
  const { numeric } = draft.layout;
  const found = new Map<string, number>();
  for (const { number, cells } of draft.rows) {
    const texts = numeric.map((column) => (cells[column] ?? '').trim()).filter((text) => text !== '');
    const [text, ...others] = texts;
    if (text === undefined || others.some((other) => other !== text)) continue;
    if ((moneyOfTitle(text)?.currency ?? null) !== null && !isNumber(text) && !found.has(text))
      found.set(text, number);
  }
  if (found.size < 2) return;
  const shown = [...found].map(([text, number]) => `${quoted(text)} in row ${number}`).join(', ');
  draft.confirm(
    'moneyRows',
    `Rows say in which money those below them are: ${shown}. A mapping reads one currency and factor for all of them.`,
  );
}

/** A title or note with what it says of money. */
interface MoneyTitle {
  readonly text: string;
  readonly money: Money;
}

/** The currencies of headers that differ in them. */
function takeHeaderCurrencies(
  draft: Draft,
  currencies: readonly NamedCurrency[],
  likely: string | null,
): void {
  multiplyBy(draft, currencies[0]!.factor, currencies[0]!.text);
  const values = new Map(
    currencies.map(({ text, codes }) => {
      const possible = codesIn(codes, likely);
      return [text, possible.length === 1 ? possible[0]! : ''] as const;
    }),
  );
  draft.fields.currency = { values: Object.fromEntries(values) };
  askForCurrencyValues(draft);
  const isGuessed = currencies.some(({ text, codes }) => codes.length !== 1 && values.get(text) !== '');
  if (isGuessed) confirmCurrencies(draft);
}

/** Asks for the currency that no header, column or cell says. */
function askForCurrency(draft: Draft, titles: readonly MoneyTitle[], likely: string | null): void {
  const named = titles.filter(({ money }) => money.currency !== null);
  // Two of them contradict each other.
  const isOne = new Set(named.map(({ money }) => money.currency!.codes.join())).size < 2;
  const inTitle = isOne ? named[0] : undefined;
  const codes = inTitle === undefined ? [] : codesIn(inTitle.money.currency!.codes, likely);
  if (inTitle !== undefined && inTitle.money.currency!.factor !== 1) {
    const { factor, text } = inTitle.money.currency!;
    multiplyBy(draft, factor, text);
    draft.confirm('factor', `Prices are multiplied by ${factor}, because of ${quoted(inTitle.text)}.`);
  }
  if (codes.length !== 1 && askForCountryCurrencies(draft)) return;
  const own = likely === null || !isOne ? undefined : currenciesOf(likely)[0];
  draft.ask({
    control: 'fields.currency',
    text: 'In which currency are the prices?',
    answers: [],
    proposed: codes.length === 1 ? `value:${codes[0]}` : own === undefined ? null : `value:${own}`,
    because:
      codes.length === 1
        ? `It is in ${quoted(inTitle!.text)}.`
        : own === undefined
          ? null
          : `It is the currency of ${countryName(likely!)}.`,
  });
}

/** Proposes the currency of each country. @returns whether the file has several of them */
function askForCountryCurrencies(draft: Draft): boolean {
  const countries = draft.of('iso3_country_code');
  if (countries === undefined || countries.distinct.length < 2) return false;
  const values = currenciesToday(countries);
  if (new Set(Object.values(values)).size < 2) return false;
  draft.fields.currency = { column: countries.ref, values };
  const shown = Object.entries(values).slice(0, MAX_SHOWN);
  draft.ask({
    control: 'fields.currency',
    text: 'The prices are of several countries: in which currency are they?',
    answers: [{ value: `column:${countries.index + 1}`, label: 'In that of each country' }],
    proposed: `column:${countries.index + 1}`,
    because: `Each country may have its own: ${shown.map(([text, code]) => `${text} = ${code}`).join(', ')}.`,
  });
  askForCurrencyValues(draft);
  return true;
}

/** Countries that a sentence names. */
const MAX_SHOWN = 12;

/** The unit that headers or cells say, else names of products, else titles, which are asked. */
function findUnit(draft: Draft, said: readonly Money[], titles: readonly MoneyTitle[]): void {
  draft.levels.forEach(({ units }) => {
    if (units.length > 0) draft.say('unpivot.columns', `Headers have units: ${quoted(units[0]!)}.`);
  });
  if (draft.has('measure_unit') || draft.isAsked('measure_unit')) return;
  const unit = said.find((money) => money.unit !== null)?.unit;
  const named = titles.filter(({ money }) => money.unit !== null);
  const inTitle = new Set(named.map(({ money }) => money.unit)).size < 2 ? named[0] : undefined;
  if (unit) {
    draft.fields.measure_unit = { value: unit };
    return draft.say('fields.measure_unit', `The header says ${quoted(unit)}.`);
  }
  if (unitsOfNames(draft)) return;
  draft.ask({
    control: 'fields.measure_unit',
    text: 'Of which quantity are the prices, such as kg, 50 kg or l?',
    answers: [],
    proposed: inTitle === undefined ? null : `value:${inTitle.money.unit}`,
    because: inTitle === undefined ? null : `It is in ${quoted(inTitle.text)}.`,
  });
}

function takeCurrency(
  draft: Draft,
  { text, codes, factor }: NamedCurrency,
  titles: readonly MoneyTitle[],
  likely: string | null,
  begin: string,
): void {
  multiplyBy(draft, factor, text);
  if (codes.length === 1) {
    draft.fields.currency = { value: codes[0]! };
    return draft.say('fields.currency', `${begin} ${quoted(text)}.`);
  }
  const countries = draft.of('iso3_country_code');
  if (countries !== undefined && countries.distinct.length > 1) {
    const ofCountries = countries.distinct.map((name) => {
      const iso3 = countryOf(name);
      const possible =
        iso3 === null ? [] : currenciesOf(iso3).filter((code) => codes.length === 0 || codes.includes(code));
      return [name, possible[0] ?? ''] as const;
    });
    if (codes.length === 0 || ofCountries.every(([, code]) => code !== ''))
      return currencyByCountry(
        draft,
        countries,
        Object.fromEntries(ofCountries),
        `${begin} ${quoted(text)}.`,
      );
  }
  if (codes.length === 0) {
    const own = likely === null ? undefined : currenciesOf(likely)[0];
    return draft.ask({
      control: 'fields.currency',
      text: `Which currency is ${quoted(text)}?`,
      answers: [],
      proposed: own === undefined ? null : `value:${own}`,
      because: own === undefined ? null : `It is that of ${countryName(likely!)}.`,
    });
  }
  const title = titles.find(({ money }) => {
    const [code, ...others] = money.currency?.codes ?? [];
    return code !== undefined && others.length === 0 && codes.includes(code);
  });
  const possible = title === undefined ? codesIn(codes, likely) : title.money.currency!.codes;
  draft.ask({
    control: 'fields.currency',
    text: `Which currency is ${quoted(text)}?`,
    answers: codes.map((code) => ({ value: `value:${code}`, label: code })),
    proposed: possible.length === 1 ? `value:${possible[0]}` : null,
    because:
      possible.length !== 1
        ? null
        : title === undefined
          ? `It is that of ${countryName(likely!)}.`
          : `It is in ${quoted(title.text)}.`,
  });
}

function findCurrencies(draft: Draft, column: ValuedColumn, likely: string | null): void {
  const values = column.distinct.map((text) => [text, currencyCodesOf(text)] as const);
  if (values.every(([text, codes]) => codes.length === 1 && codes[0] === text.toUpperCase())) return;
  draft.fields.currency!.values = Object.fromEntries(
    values.map(([text, codes]) => {
      const possible = codesIn(codes, likely);
      return [text, possible.length === 1 ? possible[0]! : ''];
    }),
  );
  const isAsked = askForCurrencyValues(draft);
  if (!isAsked && values.some(([, codes]) => codes.length > 1)) confirmCurrencies(draft);
}

/** Amounts that may be in thousands. */
function askForFactor(draft: Draft): void {
  const column = draft.columns.find(({ header }) => FACTOR_COLUMN.test(foldWords(header)));
  const others = column?.distinct.filter((text) => !/^(?:units?|0|1)$/i.test(text)) ?? [];
  const header = draft.priceColumns().map((one) => one.header);
  const text = [...draft.context, ...header].find((said) => THOUSANDS.test(said));
  if (others.length > 0)
    draft.confirm(
      'thousands',
      `${columnSubject(column!)} has ${others.slice(0, 4).map(quoted).join(', ')}: prices are stored as they stand, ` +
        'without a factor, unless the mapping has "multiply".',
    );
  else if (text !== undefined)
    draft.confirm(
      'thousands',
      `${quoted(text)} speaks of thousands: prices are stored as they stand, unless the mapping has "multiply".`,
    );
}
const FACTOR_COLUMN = /^(?:scalar factor|unit mult(?:iplier)?|multiplier)$/;
const THOUSANDS =
  /(?:^|[\s(])['’]?000s?(?![\d.,])|\bthousands?\b|\bmilliers?\b|\bmiles de\b|\bmilhares\b|(?:^|[\s(])тыс|(?:^|[\s(])(?:بال)?(?:ألف|آلاف)(?!\p{L})/iu;

/** Units that stand at the end of the names of products, in parentheses or behind a comma. */
function unitsOfNames(draft: Draft): boolean {
  const columns = draft.of('commodity') === undefined ? draft.free() : [draft.of('commodity')!];
  const hasUnits = ({ distinct }: ValuedColumn) =>
    distinct.length > 0 && distinct.every((name) => unitOfName(name) !== null);
  const column = columns.find(hasUnits);
  if (column === undefined) return false;
  const units = column.distinct.map((name) => [name, unitOfName(name)!] as const);
  draft.fields.measure_unit = { column: column.ref, values: Object.fromEntries(units) };
  draft.say('fields.measure_unit', `It stands in the names of products: ${quoted(column.distinct[0]!)}.`);
  return true;
}

/** The unit at the end of a name such as `Butter, 454 grams`, also before the numbers of notes. */
function unitOfName(name: string): string | null {
  const [, text = ''] =
    /[([]\s*([^()[\]]+)\s*[)\]](?:\s+\d{1,2}){0,2}\s*$/.exec(name) ?? /,\s*([^,]+?)\s*$/.exec(name) ?? [];
  const [, noted = ''] = /^((?:per|par|por|\d).*\p{L}|unit|each)(?:\s+\d{1,2}){1,2}$/iu.exec(text) ?? [];
  const unit = noted === '' ? text.trim() : noted;
  const bare = unit.replace(/^(?:per|par|por)\s+/i, '');
  if (bare === '' || !(isUnit(bare) || COUNTED.test(bare))) return null;
  return noted === '' ? unit : bare;
}

/** Words for one of a good, and several of it: `20 bags`. */
const COUNTED = /^(?:unit|each|\d+ \p{L}+s)$/iu;
