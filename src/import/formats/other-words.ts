import { foldForSearch } from '../../lib/text/folding.js';
import type { PeriodName } from '../../price-series/periodicity.js';
import { type PricesCsvColumn, pricesCsvKnownColumns } from '../../prices/read/prices-csv.js';

/*
 * What files of offices call columns and frequencies, in English, French, Spanish and Portuguese.
 * Only words that say one thing stand here: a name that may be two columns is for whoever has the
 * file. Compared without case, accents and signs, so that `mercado`, `categoría` and `mes` are
 * Portuguese, too.
 */

/** Other names of the columns of prices. */
export const OTHER_COLUMN_NAMES = {
  iso3_country_code: [
    ...['country', 'country code', 'iso3', 'pays', 'code pays'],
    ...['país', 'código de país', 'código do país'],
  ],
  admin_unit: ['region', 'région', 'región', 'região'],
  admin_unit2: ['district', 'distrito'],
  market: ['marché', 'mercado'],
  latitude: ['latitud'],
  longitude: ['longitud'],
  commodity: ['product', 'produit', 'producto', 'produto'],
  category: ['catégorie', 'categoría'],
  price_type: ['price type', 'type de prix', 'tipo de precio', 'tipo de preço'],
  source: ['fuente', 'fonte'],
  currency: ['devise', 'monnaie', 'moneda', 'divisa', 'moeda'],
  measure_unit: [
    ...['unit', 'unité', 'unité de mesure', 'unidad', 'unidad de medida'],
    ...['unidade', 'unidade de medida'],
  ],
  date: ['month', 'mois', 'mes', 'fecha', 'data'],
  periodicity: [
    ...['frequency', 'fréquence', 'périodicité', 'frecuencia', 'periodicidad'],
    ...['frequência', 'periodicidade'],
  ],
  price_value: ['price', 'prix', 'precio', 'preço'],
  comment: ['commentaire', 'comentario'],
} as const satisfies Partial<Record<PricesCsvColumn, readonly string[]>>;

const PERIODS: Readonly<Record<PeriodName, readonly string[]>> = {
  daily: ['quotidien', 'quotidienne', 'journalier', 'journalière', 'diario', 'diaria'],
  weekly: ['hebdomadaire', 'semanal'],
  monthly: ['mensuel', 'mensuelle', 'mensual', 'mensal'],
};

/** A word as it is compared. */
const keyOf = (text: string): string =>
  foldForSearch(text.slice(0, MAX_LENGTH))
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
const MAX_LENGTH = 100;

function invert<T extends string>(
  words: Readonly<Partial<Record<T, readonly string[]>>>,
): ReadonlyMap<string, T> {
  const entries = Object.entries(words) as [T, readonly string[]][];
  return new Map(entries.flatMap(([name, others]) => others.map((other) => [keyOf(other), name] as const)));
}

const columns: ReadonlyMap<string, PricesCsvColumn> = new Map([
  ...invert<PricesCsvColumn>(OTHER_COLUMN_NAMES),
  ...pricesCsvKnownColumns.map((column) => [keyOf(column), column] as const),
]);
const periods = invert<PeriodName>(PERIODS);

/** The column of prices that a name means; the name itself where it is none of these. */
export const priceColumnOf = (name: string): string => columns.get(keyOf(name)) ?? name;

/** What columns of the names of countries are called; they may have codes, too. */
const COUNTRY_COLUMNS = new Set(['country', 'pays', 'país'].map(keyOf));

/** Whether a column is one of countries, and not of their codes alone. */
export const isCountryColumn = (name: string): boolean => COUNTRY_COLUMNS.has(keyOf(name));

/** The frequency that a word means; the word itself, in lower case, where it is none of these. */
export const periodOfWord = (word: string): string =>
  Object.hasOwn(PERIODS, word) ? word : (periods.get(keyOf(word)) ?? word.trim().toLowerCase());

/** The franc of the CFA as people write it: two currencies have that name. */
const CFA = /^(?:f|fr|francs?)? ?cfa$/;

/** Whether a text is the franc of the CFA without saying which. */
export const isCfaFranc = (text: string): boolean => CFA.test(keyOf(text).replace(/^f c f a$/, 'fcfa'));

/** A month without a day. */
const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;

/** Whether a text is a month, `2023-03`. */
export const isMonth = (text: string): boolean => text.length === 7 && MONTH.test(text);
