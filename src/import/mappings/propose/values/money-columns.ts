import { currenciesOf } from '../../../../lib/codes/country-currencies.js';
import { countryOf } from '../columns/column-roles.js';
import { statisticOf } from '../columns/words.js';
import type { Draft, ValuedColumn } from '../draft.js';
import { columnSubject, quoted } from '../sentences.js';
import { codesIn, isUnit, type Money, moneyOf, moneyOfHeader, type NamedCurrency } from './money.js';

/*
 * Columns whose texts have currencies: those called units in tables of statistical offices
 * (`Dollars per metric tonne`, `LCU`), and those of elements (`Producer Price (LCU/tonne)`).
 */

/** Takes currency and unit from texts of columns that have both. @param likely the country */
export function readMoneyColumns(draft: Draft, likely: string | null): void {
  const unit = draft.of('measure_unit');
  if (unit !== undefined) takeMoney(draft, unit, moneyOfUnit, likely);
  const unknown = draft
    .of('measure_unit')
    ?.distinct.filter((text) => text.includes('/') && !/^\d/.test(text) && moneyOfUnit(text) === null);
  if (unknown !== undefined && unknown.length > 0)
    draft.confirm(
      'units',
      `Units that may have a currency in them are stored as they stand: ${unknown.slice(0, 4).map(quoted).join(', ')}.`,
    );
  const others = draft.columns.filter(
    ({ role, isNumeric, values }) =>
      !isNumeric && values.length > 0 && (role === null || role === 'price_type' || role === 'commodity'),
  );
  for (const column of others) {
    if (draft.has('measure_unit') && draft.has('currency')) return;
    takeMoney(draft, column, moneyOfText, likely);
  }
}

/** `L` in a column of units is no lempira. */
const moneyOfUnit = (text: string): Money | null =>
  isUnit(text) ? { currency: null, unit: text } : moneyOf(text);

/** A letter alone behind a word is no franc: `without F`. */
function moneyOfText(text: string): Money | null {
  const money = moneyOfHeader(text)?.money ?? null;
  const isLetter = money?.unit === null && /^\p{L}$/u.test(money.currency?.text ?? '');
  return isLetter ? null : money;
}

function takeMoney(
  draft: Draft,
  column: ValuedColumn,
  read: (text: string) => Money | null,
  likely: string | null,
): void {
  const all = column.distinct.map((text) => [text, read(text)] as const);
  if (!all.some(([, money]) => hasCurrency(money))) return;
  const isUnits = column.role === 'measure_unit';
  // Notes of a few rows are no column of currencies.
  if (!isUnits && column.values.length < column.cells.length / 2) return;
  if (!isUnits && all.filter(([, money]) => hasCurrency(money)).length < all.length / 2) return;
  const texts = leaveOutIndices(draft, column, all);
  const factor = factorOf(draft, texts);
  const taken = texts.filter(([, money]) => (money?.currency?.factor ?? factor) === factor);
  const hasUnits = texts.some(([, money]) => hasUnit(money));
  if (isUnits && !hasUnits) draft.release(column, 'measure_unit');
  if (hasUnits && (isUnits || !draft.has('measure_unit'))) takeUnits(draft, column, taken);
  if (!draft.has('currency')) takeCurrencies(draft, column, taken, likely);
}

const hasCurrency = (money: Money | null): money is Money & { readonly currency: NamedCurrency } =>
  money !== null && money.currency !== null;
const hasUnit = (money: Money | null): boolean => money !== null && money.unit !== null;

type MoneyText = readonly [text: string, money: Money | null];

/** Leaves out rows of indices, which stand below prices in tables of FAOSTAT. */
function leaveOutIndices(
  draft: Draft,
  column: ValuedColumn,
  texts: readonly MoneyText[],
): readonly MoneyText[] {
  const indices = texts.filter(([text, money]) => money === null && statisticOf(text) === 'other');
  for (const [text] of indices) {
    draft.skip.push({ column: column.ref, equals: text });
    draft.say('skip', `Rows with ${quoted(text)} are left out: they have no prices.`);
  }
  return texts.filter((text) => !indices.includes(text));
}

/** The factor of amounts: of several, that of whole units. */
function factorOf(draft: Draft, texts: readonly MoneyText[]): number {
  const factors = new Map(
    texts.flatMap(([text, money]) => (hasCurrency(money) ? [[money.currency.factor, text] as const] : [])),
  );
  if (factors.size === 1)
    for (const [factor, text] of factors) {
      multiplyBy(draft, factor, text);
      return factor;
    }
  draft.confirm(
    'factor',
    `Prices are in ${[...factors.values()].map(quoted).join(' and ')}: a mapping reads one of them, and others are rejected.`,
  );
  return 1;
}

/** Has amounts multiplied, such as those in cents. @param text that says it */
export function multiplyBy(draft: Draft, factor: number, text: string): void {
  if (factor === 1) return;
  (draft.fields[draft.value] ??= {}).multiply = factor;
  draft.say(
    `fields.${draft.value}.multiply`,
    `Prices are multiplied by ${factor}: they are in ${quoted(text)}.`,
  );
}

function takeUnits(draft: Draft, column: ValuedColumn, texts: readonly MoneyText[]): void {
  draft.fields.measure_unit = {
    column: column.ref,
    values: Object.fromEntries(texts.map(([text, money]) => [text, money?.unit ?? ''])),
  };
  const open = texts.filter(([, money]) => !hasUnit(money));
  if (column.role !== 'measure_unit')
    draft.say('fields.measure_unit', `${columnSubject(column)} says it: ${quoted(texts[0]![0])}.`);
  if (open.length > 0)
    draft.ask({
      control: 'fields.measure_unit.values',
      text: `Of which quantity are prices in ${open
        .slice(0, 6)
        .map(([text]) => quoted(text))
        .join(', ')}?`,
      answers: [],
    });
}

function takeCurrencies(
  draft: Draft,
  column: ValuedColumn,
  texts: readonly MoneyText[],
  likely: string | null,
): void {
  const isLocal = ([, money]: MoneyText) => money?.currency?.codes.length === 0;
  const countries = draft.of('iso3_country_code');
  const why = `${columnSubject(column)} says it: ${quoted(texts[0]![0])}.`;
  const ofHeader = moneyOfHeader(draft.of(draft.value)?.header ?? '')?.money.currency?.codes ?? [];
  const codeOf = (money: Money | null, iso3: string | null) => {
    if (!hasCurrency(money)) return '';
    const { codes } = money.currency;
    if (codes.length === 0) return iso3 === null ? '' : (currenciesOf(iso3)[0] ?? '');
    // `$` below `price_usd`.
    const isSaid = ofHeader.length === 1 && codes.includes(ofHeader[0]!);
    const possible = isSaid ? ofHeader : codesIn(codes, iso3);
    return possible.length === 1 ? possible[0]! : '';
  };
  if (texts.every(isLocal) && countries !== undefined) return currencyByCountry(draft, countries, null, why);
  if (texts.some(isLocal) && countries !== undefined) {
    const byText = new Map(texts);
    const pairs = new Map<string, string>();
    for (const [at, cell] of column.cells.entries()) {
      const country = countries.cells[at]!;
      if (byText.has(cell) && country !== '')
        pairs.set(`${country} ${cell}`, codeOf(byText.get(cell)!, countryOf(country)));
    }
    draft.fields.currency = { join: [countries.ref, column.ref], values: Object.fromEntries(pairs) };
  } else {
    const values = texts.map(([text, money]) => [text, codeOf(money, likely)] as const);
    draft.fields.currency = {
      column: column.ref,
      ...(values.every(([text, code]) => text === code) ? {} : { values: Object.fromEntries(values) }),
    };
    column.role ??= 'currency';
  }
  draft.say('fields.currency', why);
  askForCurrencyValues(draft);
  const guessed = texts.filter(([, money]) => hasCurrency(money) && money.currency.codes.length !== 1);
  if (guessed.length > 0) confirmCurrencies(draft);
}

/**
 * The currency of prices by their country.
 * @param values codes by the texts of the column; null for those that countries have today
 */
export function currencyByCountry(
  draft: Draft,
  countries: ValuedColumn,
  values: Readonly<Record<string, string>> | null,
  why: string,
): void {
  draft.fields.currency = { column: countries.ref, values: values ?? currenciesToday(countries) };
  draft.say('fields.currency', why);
  askForCurrencyValues(draft);
  confirmCurrencies(draft);
}

/** The currencies that the countries of a column have today. */
export const currenciesToday = ({ distinct }: ValuedColumn): Record<string, string> =>
  Object.fromEntries(
    distinct.map((text) => {
      const iso3 = countryOf(text);
      return [text, iso3 === null ? '' : (currenciesOf(iso3)[0] ?? '')];
    }),
  );

/** Asks for currencies of texts that may stand for several. @returns whether there are such */
export function askForCurrencyValues(draft: Draft): boolean {
  const open = Object.entries(draft.fields.currency?.values ?? {}).filter(([, code]) => code === '');
  if (open.length === 0) return false;
  askForCurrencies(
    draft,
    open.map(([text]) => text),
  );
  return true;
}

/** Asks which currencies some texts stand for. */
export function askForCurrencies(draft: Draft, texts: readonly string[]): void {
  draft.ask({
    control: 'fields.currency.values',
    text: `Which currencies are ${texts.slice(0, MAX_ASKED).map(quoted).join(', ')}?`,
    answers: [],
  });
}

/** Texts that a question names. */
const MAX_ASKED = 6;

/** Has currencies confirmed that follow from countries, or from names of several. */
export function confirmCurrencies(draft: Draft): void {
  const values = Object.entries(draft.fields.currency?.values ?? {}).filter(([, code]) => code !== '');
  if (values.length === 0) return;
  const shown = values.slice(0, MAX_SHOWN).map(([text, code]) => `${text} = ${code}`);
  draft.confirm(
    'currencies',
    `Currencies are read as ${shown.join(', ')}${values.length > MAX_SHOWN ? ', …' : ''}. Rows of others are rejected.`,
  );
}

/** Currencies that a sentence names. */
const MAX_SHOWN = 12;
