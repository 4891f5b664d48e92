import {
  isCountryCode,
  iso3OfForeignName,
  iso3OfIso2,
  iso3OfName,
  knownCountryCode,
} from '../../../../lib/codes/countries.js';
import { periodOfWord } from '../../../formats/other-words.js';
import { isLongPeriod } from '../../long-periods.js';
import { calendarOfYear, findDates, isGroupedYear, isYear, monthsOfName } from '../dates/date-patterns.js';
import type { Draft, ValuedColumn } from '../draft.js';
import { columnAnswer, columnSubject, quoted } from '../sentences.js';
import { currencyCodesOf, isUnit } from '../values/money.js';
import { fieldOfHeader, isExactHeader, priceTypesIn } from './words.js';

/** Columns whose header says what they have, where their values are such. */
export function assignByHeader(draft: Draft): void {
  const found = new Map<string, ValuedColumn[]>();
  for (const column of draft.columns) {
    const text = column.parts.at(-1) ?? '';
    const field = fieldOfHeader(column.header) ?? fieldOfHeader(text);
    if (field === null || !fits(draft, column, field)) continue;
    found.set(field, [...(found.get(field) ?? []), column]);
  }
  assignUnits(draft, found);
  for (const [field, columns] of found) {
    if (['number', 'quality', 'day', 'variety', 'price_value', 'date'].includes(field)) continue;
    if (field === 'admin_unit' || field === 'admin_unit2') continue;
    const exact = columns.filter(({ header }) => isExactHeader(field as 'market', header));
    const chosen = columns.length === 1 ? columns : exact.length === 1 ? exact : [];
    if (chosen.length === 1)
      draft.assign(chosen[0]!, field, `The column is called ${quoted(chosen[0]!.header)}.`);
    else if (field === 'year' || field === 'month') continue;
    else
      draft.ask({
        control: `fields.${field}`,
        text: `Which column has the ${FIELD_NAMES[field] ?? field}?`,
        answers: columns.map(columnAnswer),
      });
  }
  // Without the other one, neither is read.
  const [year, month] = [draft.of('year'), draft.of('month')];
  if (
    month !== undefined &&
    year === undefined &&
    month.distinct.every((text) => findDates([text]) !== null)
  ) {
    draft.release(month, 'month');
  }
}

/** Regions and districts: the larger ones have fewer names. */
function assignUnits(draft: Draft, found: ReadonlyMap<string, readonly ValuedColumn[]>): void {
  const columns = [...(found.get('admin_unit') ?? []), ...(found.get('admin_unit2') ?? [])];
  const ordered = columns.sort(
    (one, other) => one.distinct.length - other.distinct.length || one.index - other.index,
  );
  for (const [at, field] of (['admin_unit', 'admin_unit2'] as const).entries()) {
    const column = ordered[at];
    if (column === undefined) continue;
    const words = ordered.length === 1 ? '' : at === 0 ? ', with the fewest names' : ', with more names';
    draft.assign(column, field, `The column is called ${quoted(column.header)}${words}.`);
  }
}

const isMonth = (text: string): boolean =>
  monthsOfName(text).size > 0 || (Number(text) >= 1 && Number(text) <= 12);

/** Whether most texts are months, beside those that are written wrong. */
const areMonths = (texts: readonly string[]): boolean =>
  texts.length > 0 && texts.filter(isMonth).length >= texts.length * MIN_MONTHS;
const MIN_MONTHS = 0.8;

/** Characters of a code. */
const MAX_CODE = 50;

/** Whether the values of a column can be those of a field. */
export function fits(draft: Draft, { values, distinct, isNumeric }: ValuedColumn, field: string): boolean {
  if (values.length === 0) return false;
  const most = (is: (text: string) => boolean) => distinct.filter(is).length >= distinct.length * MIN_SHARE;
  switch (field) {
    case 'price_value':
      return isNumeric;
    case 'latitude':
      return most((text) => Math.abs(Number(text.replace(',', '.'))) <= 90);
    case 'longitude':
      return most((text) => Math.abs(Number(text.replace(',', '.'))) <= 180);
    case 'year':
      return most((text) => isYear(text) || isGroupedYear(text) || calendarOfYear(text) !== null);
    case 'month': {
      const months = distinct.filter((text) => !isLongPeriod(text));
      return areMonths(months) || findDates(values, draft.languages) !== null;
    }
    case 'date':
      return true;
    case 'iso3_country_code':
      // Its header says it: a region or a world market among countries is told.
      return distinct.filter((text) => countryOf(text) !== null).length >= distinct.length / 2;
    case 'currency':
      return most((text) => currencyCodesOf(text).length > 0);
    case 'periodicity':
      return most((text) => ['daily', 'weekly', 'monthly'].includes(periodOfWord(text)));
    case 'market':
    case 'commodity':
    case 'admin_unit':
    case 'admin_unit2':
      // A table that was turned has its dates below the word for its products, or for its regions.
      return !isNumeric && !areMonths(distinct) && findDates(values, draft.languages) === null;
    case 'market_code':
      return distinct.every((text) => text.length <= MAX_CODE);
    case 'category':
    case 'measure_unit':
    case 'price_type':
    case 'source':
      return !isNumeric;
    default:
      return true;
  }
}

/** Columns whose values say what they are, where the header does not. */
export function assignByContent(draft: Draft): void {
  for (const [field, is, words] of CONTENTS) {
    if (draft.has(field) || draft.isAsked(field)) continue;
    const [column] = draft
      .free()
      .filter(
        ({ isNumeric, distinct }) => !isNumeric && distinct.filter(is).length >= distinct.length * MIN_SHARE,
      );
    if (column !== undefined)
      draft.assign(
        column,
        field,
        `${columnSubject(column)} has ${words}: ${column.distinct.slice(0, 3).map(quoted).join(', ')}.`,
      );
  }
  for (const field of KEYS) {
    if (draft.has(field) || draft.isAsked(field)) continue;
    const shares = draft
      .free()
      .filter(({ isNumeric }) => !isNumeric)
      .map((column) => ({
        column,
        count: column.distinct.filter((name) => draft.known.has(field, name)).length,
      }))
      .filter(({ column, count }) => count > 0 && count >= column.distinct.length / 2)
      .sort((one, other) => other.count - one.count);
    const [best] = shares;
    if (best === undefined) continue;
    const names = field === 'market' ? 'markets' : 'commodities';
    draft.assign(
      best.column,
      field,
      `${columnSubject(best.column)}: ${best.count} of ${best.column.distinct.length} values are names of ${names} known here.`,
    );
  }
}

/** Fields of series that are keys, and have a value in every row. */
export const KEYS = ['market', 'commodity'] as const;

export const FIELD_NAMES: Readonly<Record<string, string>> = {
  iso3_country_code: 'country',
  market: 'market',
  commodity: 'commodity',
  price_type: 'price type',
  source: 'source',
  currency: 'currency',
  measure_unit: 'unit',
  date: 'date',
  periodicity: 'frequency',
  price_value: 'price',
};

/** The part of the distinct values of a column that are those of a field. */
export const MIN_SHARE = 0.9;

const CONTENTS: readonly (readonly [field: string, is: (text: string) => boolean, words: string])[] = [
  // Codes of two letters are units, too: kg.
  ['iso3_country_code', (text) => text.length > 2 && countryOf(text) !== null, 'countries'],
  ['currency', (text) => /^[A-Z]{3}$/.test(text) && currencyCodesOf(text).length > 0, 'currencies'],
  ['measure_unit', (text) => isUnit(text), 'units'],
  ['price_type', (text) => priceTypesIn(text).length === 1, 'types of prices'],
];

/** The code of a country that a text names or is; null for other texts. */
export function countryOf(text: string): string | null {
  const code = knownCountryCode(text.trim());
  if (isCountryCode(code)) return code;
  return iso3OfIso2(code) ?? iso3OfName(text) ?? iso3OfForeignName(text);
}
