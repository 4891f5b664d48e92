import { currencyLives } from '../../../../lib/codes/currency-lives.js';
import { currencyCodesOf } from '../values/money.js';
import { foldWords } from '../columns/words.js';

/*
 * What banks call currencies and rates, in English, French, Spanish, Portuguese, Arabic and
 * Russian.
 */

const LANGUAGES = ['en', 'fr', 'es', 'pt', 'ar', 'ru'];

/** Names that are not those of the standard, with the codes that they may stand for. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  USD: [
    ...['US dollar', 'US dollars', 'U.S. dollar', 'dollar US', 'dollars US', 'american dollar', 'US$'],
    ...['dollar américain', 'dólar americano', 'dólar estadounidense', 'dólar EUA', 'доллар США', 'долл США'],
    ...['دولار أمريكي', 'الدولار الأمريكي', 'الدولار الامريكي'],
  ],
  EUR: ['euro', 'euros', 'евро', 'يورو', 'اليورو'],
  GBP: [
    ...['pound sterling', 'sterling pound', 'british pound', 'livre sterling', 'libra esterlina'],
    ...['фунт стерлингов', 'جنيه استرليني', 'الجنيه الإسترليني', 'جنيه إسترليني'],
  ],
  JPY: ['yen', 'japanese yen', 'иена', 'йена', 'ين ياباني'],
  CNY: ['yuan', 'renminbi', 'chinese yuan', 'юань', 'يوان صيني'],
  CHF: ['swiss franc', 'franc suisse', 'franco suizo', 'franco suíço', 'швейцарский франк'],
  ZAR: ['rand', 'south african rand'],
  RUB: ['российский рубль', 'russian ruble', 'russian rouble'],
  'USD CAD AUD': ['dólar', 'dólares'],
};

let known: ReadonlyMap<string, readonly string[]> | null = null;

function names(): ReadonlyMap<string, readonly string[]> {
  if (known !== null) return known;
  const found = new Map<string, readonly string[]>();
  const add = (name: string, codes: readonly string[]) => {
    const key = foldWords(name);
    found.set(key, [...new Set([...(found.get(key) ?? []), ...codes])]);
  };
  for (const language of LANGUAGES) {
    const display = new Intl.DisplayNames([language], { type: 'currency', fallback: 'none' });
    for (const { code, to } of currencyLives) {
      const name = to === null ? display.of(code) : undefined;
      if (name !== undefined) add(name, [code]);
    }
  }
  for (const [codes, others] of Object.entries(OTHER_NAMES))
    for (const name of others) add(name, codes.split(' '));
  return (known = found);
}

/** The codes that a text may stand for as the name or the code of a currency; empty for others. */
export function currenciesNamed(text: string): readonly string[] {
  const written = text.trim();
  if (written.length < MIN_NAME || /\d/.test(written)) return [];
  return names().get(foldWords(written)) ?? currencyCodesOf(written);
}
const MIN_NAME = 3;

/** The words that a header of rates has beside a currency. */
const SIDE_WORDS = {
  buying: [
    ...['buying', 'buy', 'bid', 'purchase', 'achat', 'compra', 'comprador', 'покупка', 'покупки'],
    ...['شراء', 'الشراء'],
  ],
  selling: [
    ...[
      'selling',
      'sell',
      'sale',
      'ask',
      'offer',
      'vente',
      'venta',
      'venda',
      'vendedor',
      'продажа',
      'продажи',
    ],
    ...['بيع', 'البيع', 'مبيع', 'المبيع'],
  ],
  middle: [
    ...[
      'mid',
      'middle',
      'mean',
      'average',
      'avg',
      'moyen',
      'moyenne',
      'central',
      'promedio',
      'medio',
      'media',
    ],
    ...['médio', 'média', 'средний', 'средняя', 'متوسط', 'المتوسط', 'وسطي', 'الوسطي'],
  ],
} as const;
type Side = keyof typeof SIDE_WORDS;

const sides = new Map(
  (Object.entries(SIDE_WORDS) as [Side, readonly string[]][]).flatMap(([side, words]) =>
    words.map((word) => [foldWords(word), side] as const),
  ),
);

/** Whether a header says that a bank buys, sells or neither; null where it says nothing of it. */
export function sideOf(header: string): Side | null {
  const found = new Set(
    foldWords(header)
      .split(' ')
      .flatMap((word) => sides.get(word) ?? []),
  );
  const [side] = found;
  return found.size === 1 ? side! : null;
}

const RATE_NAMES = [
  ...['rate', 'rates', 'exchange rate', 'fx rate', 'taux', 'taux de change', 'cours', 'cours de change'],
  ...[
    'tipo de cambio',
    'tasa de cambio',
    'tasa',
    'taxa',
    'taxa de câmbio',
    'câmbio',
    'cotação',
    'cotización',
  ],
  ...['курс', 'обменный курс', 'سعر الصرف', 'معدل الصرف', 'سعر صرف'],
].map(foldWords);

/** Whether a header is that of rates, and nothing else. */
export const isRateName = (header: string): boolean => RATE_NAMES.includes(foldWords(header));

const CURRENCY_NAMES = [
  ...['currencies', 'monnaies', 'devises', 'monedas', 'divisas', 'moedas', 'валюты', 'наименование валюты'],
  ...['العملات', 'اسم العملة'],
].map(foldWords);

/** Whether a header is one of names of currencies, beside those of tables of prices. */
export const isCurrencyName = (header: string): boolean => CURRENCY_NAMES.includes(foldWords(header));

const RATE_PHRASES = [
  ...['h10', 'exchange rate', 'exchange rates', 'forex', 'fx rate', 'fx rates', 'foreign exchange'],
  ...['taux de change', 'cours de change', 'cours des devises', 'cours des changes'],
  ...['tipo de cambio', 'tipos de cambio', 'tasa de cambio', 'tasas de cambio'],
  ...['taxa de cambio', 'taxas de cambio', 'cambio oficial', 'курс', 'курсы', 'обменный курс', 'курс валют'],
  ...['سعر الصرف', 'أسعار الصرف', 'سعر صرف', 'أسعار صرف', 'معدل الصرف', 'اسعار العملات', 'أسعار العملات'],
].map((phrase) => ` ${foldWords(phrase)} `);

/** Whether a text speaks of exchange rates. */
export function speaksOfRates(text: string): boolean {
  const words = ` ${foldWords(text)} `;
  return RATE_PHRASES.some((phrase) => words.includes(phrase));
}

/** Words that stand beside a currency in headers of its rates. */
const FILLING = new Set([
  ...sides.keys(),
  ...RATE_NAMES.flatMap((name) => name.split(' ')),
  ...[
    'official',
    'officiel',
    'oficial',
    'официальный',
    'رسمي',
    'spot',
    'closing',
    '1',
    'fx',
    'de',
    'del',
    'du',
  ],
  ...['le', 'l', 'of', 'the', 'per', 'por', 'par', 'в', 'за', 'к', 'currency'],
]);

/** A currency in a header, and what else stands there. */
export interface HeaderCurrency {
  readonly text: string;
  readonly codes: readonly string[];
  /** The header with `{currency}` in its place. */
  readonly pattern: string;
}

/** The currencies in a header, in order, each with its place. */
function placesIn(header: string): { from: number; to: number; codes: readonly string[] }[] {
  const words = [...header.matchAll(/[\p{L}\p{M}$€£.']+/gu)].map(({ index, 0: word }) => ({
    from: index,
    to: index + word.length,
  }));
  const found: { from: number; to: number; codes: readonly string[] }[] = [];
  for (let first = 0; first < words.length; first++)
    for (let last = Math.min(words.length, first + MAX_WORDS) - 1; last >= first; last--) {
      const { from } = words[first]!;
      const { to } = words[last]!;
      const codes = currenciesNamed(header.slice(from, to));
      if (codes.length === 0) continue;
      found.push({ from, to, codes });
      first = last;
      break;
    }
  return found;
}
const MAX_WORDS = 5;

/** The codes of the currencies that a text names for certain, in order. */
export const currenciesIn = (text: string): string[] => [
  ...new Set(placesIn(text).flatMap(({ codes }) => (codes.length === 1 ? codes : []))),
];

/**
 * The one currency that a header of rates names, with words of rates beside it; null for others,
 * such as the rates for 100 units.
 */
export function currencyOfHeader(header: string): HeaderCurrency | null {
  const places = placesIn(header);
  const [first] = places;
  const last = places.at(-1);
  if (first === undefined || last === undefined || /[{}*]/.test(header)) return null;
  const { codes } = places.find((place) => place.codes.length === 1) ?? first;
  if (places.some((place) => !codes.every((code) => place.codes.includes(code)))) return null;
  const rest = `${header.slice(0, first.from)} ${header.slice(last.to)}`;
  const isPlain = foldWords(rest)
    .split(' ')
    .every((word) => word === '' || FILLING.has(word));
  if (!isPlain) return null;
  // The name and the code of one currency: `US Dollar (USD)`.
  const between = header.slice(first.from, last.to);
  const end = between.includes('(') && header[last.to] === ')' ? last.to + 1 : last.to;
  return {
    text: header.slice(first.from, end),
    codes,
    pattern: `${header.slice(0, first.from)}{currency}${header.slice(end)}`,
  };
}

const RATE_TYPE_WORDS = {
  official: ['official', 'officiel', 'officielle', 'oficial', 'официальный', 'رسمي', 'الرسمي'],
  parallel: [
    ...['parallel', 'parallèle', 'paralelo', 'black', 'noir', 'informal', 'informel', 'параллельный'],
    ...['чёрный', 'черный', 'موازي', 'الموازي', 'الموازية', 'السوداء'],
  ],
} as const;

/** The types of rates that a text names. */
export function rateTypesIn(text: string): (keyof typeof RATE_TYPE_WORDS)[] {
  const words = foldWords(text).split(' ');
  return (['official', 'parallel'] as const).filter((type) =>
    RATE_TYPE_WORDS[type].some((word) => words.includes(foldWords(word))),
  );
}

const BANK_PHRASES = [
  ...['central bank', 'reserve bank', 'national bank', 'bank of', 'banque centrale', 'banque nationale'],
  ...['banco central', 'banco nacional', 'banco de', 'центральный банк', 'национальный банк'],
  ...['البنك المركزي', 'مصرف', 'البنك الوطني'],
].map((phrase) => ` ${foldWords(phrase)} `);

/** Whether a text is the name of a bank that publishes rates. */
export function isBank(text: string): boolean {
  const words = ` ${foldWords(text)} `;
  return (
    text.length <= MAX_NAME && BANK_PHRASES.some((phrase) => words.includes(phrase)) && !speaksOfRates(text)
  );
}
const MAX_NAME = 80;

const PER_EURO_PHRASES = [
  ...[
    'european central bank',
    'banque centrale européenne',
    'banco central europeo',
    'banco central europeu',
  ],
  ...['ecb', 'per euro', 'pour un euro', 'por euro', 'за евро'],
].map((phrase) => ` ${foldWords(phrase)} `);

/** Whether a text says that rates are for one euro. */
export function isPerEuro(text: string): boolean {
  const words = ` ${foldWords(text)} `;
  return PER_EURO_PHRASES.some((phrase) => words.includes(phrase));
}
