import { currenciesOf } from '../../../../lib/codes/country-currencies.js';
import { isoCurrency } from '../../../../lib/codes/currency-aliases.js';
import { currencyLife } from '../../../../lib/codes/currency-lives.js';
import { parseUnitName } from '../../../../lib/codes/measure-units.js';
import { foldForSearch } from '../../../../lib/text/folding.js';

/*
 * Currencies and units in headers and titles: `Price (KES/kg)`, `CFA/kg`, `US$ per MT`, `سعر
 * (دينار/كغ)`.
 */

/** Names and signs of currencies, with the codes that they may stand for. */
const NAMES: Readonly<Record<string, string>> = {
  ...{ us$: 'USD', $us: 'USD', 'u.s.$': 'USD', 'u.s. $': 'USD', usd: 'USD', $: 'USD?', dollar: 'USD?' },
  ...{ dollars: 'USD?', 'us dollar': 'USD', 'us dollars': 'USD', 'u.s. dollar': 'USD', 'dollar us': 'USD' },
  ...{
    'u.s. dollars': 'USD',
    'united states dollar': 'USD',
    'united states dollars': 'USD',
    r: 'ZAR',
    rand: 'ZAR',
  },
  ...{ 'so.sh': 'SOS', 'so sh': 'SOS', sosh: 'SOS' },
  ...{ 'dollars us': 'USD', 'american dollars': 'USD', cfaf: 'XOF XAF', 'rs/-': 'INR PKR', ghc: 'GHS' },
  ...{ '€': 'EUR', euro: 'EUR', euros: 'EUR', '£': 'GBP EGP LBP SDG SSP SYP', '₦': 'NGN', naira: 'NGN' },
  ...{ '₹': 'INR', rs: 'INR PKR LKR NPR MUR SCR', re: 'INR', rupees: 'INR PKR LKR NPR MUR SCR' },
  ...{ ksh: 'KES', kshs: 'KES', kes: 'KES', tsh: 'TZS', tshs: 'TZS', ush: 'UGX', ushs: 'UGX', ugsh: 'UGX' },
  ...{
    sh: 'KES TZS UGX SOS',
    shs: 'KES TZS UGX SOS',
    shilling: 'KES TZS UGX SOS',
    shillings: 'KES TZS UGX SOS',
  },
  ...{ birr: 'ETB', 'gh¢': 'GHS', 'gh₵': 'GHS', cedi: 'GHS', cedis: 'GHS', kwacha: 'ZMW MWK', mk: 'MWK' },
  ...{ cfa: 'XOF XAF', fcfa: 'XOF XAF', 'f cfa': 'XOF XAF', 'f.cfa': 'XOF XAF', 'francs cfa': 'XOF XAF' },
  ...{ 'franc cfa': 'XOF XAF', f: 'XOF XAF BIF RWF GNF DJF KMF CDF', gnf: 'GNF', fg: 'GNF', fc: 'CDF' },
  ...{ fbu: 'BIF', frw: 'RWF', fdj: 'DJF', ariary: 'MGA', ar: 'MGA', dalasi: 'GMD', leones: 'SLE SLL' },
  ...{ gourdes: 'HTG', gourde: 'HTG', gdes: 'HTG', meticais: 'MZN', metical: 'MZN', mtn: 'MZN', kz: 'AOA' },
  ...{ kwanza: 'AOA', kwanzas: 'AOA', r$: 'BRL', reais: 'BRL', real: 'BRL', ecv: 'CVE' },
  ...{ lempiras: 'HNL', lempira: 'HNL', lps: 'HNL', l: 'HNL', quetzales: 'GTQ', quetzal: 'GTQ', q: 'GTQ' },
  ...{
    c$: 'NIO',
    cordobas: 'NIO',
    bs: 'BOB VES',
    bolivianos: 'BOB',
    's/': 'PEN',
    's/.': 'PEN',
    soles: 'PEN',
  },
  ...{ colones: 'CRC SVC', guaranies: 'PYG', gs: 'PYG', balboas: 'PAB', rd$: 'DOP', mx$: 'MXN' },
  ...{ pesos: 'MXN COP ARS CLP DOP PHP UYU CUP', peso: 'MXN COP ARS CLP DOP PHP UYU CUP', php: 'PHP' },
  ...{ taka: 'BDT', tk: 'BDT', kyat: 'MMK', kyats: 'MMK', ks: 'MMK', riel: 'KHR', riels: 'KHR', kip: 'LAK' },
  ...{
    rp: 'IDR',
    rupiah: 'IDR',
    dong: 'VND',
    baht: 'THB',
    บาท: 'THB',
    afghani: 'AFN',
    afs: 'AFN',
    ouguiya: 'MRU MRO',
  },
  ...{ mru: 'MRU', um: 'MRU', руб: 'RUB BYN', рублей: 'RUB BYN', рубль: 'RUB BYN', сом: 'KGS', сомов: 'KGS' },
  ...{
    сомони: 'TJS',
    тенге: 'KZT',
    сум: 'UZS',
    сўм: 'UZS',
    сумов: 'UZS',
    грн: 'UAH',
    гривен: 'UAH',
    лари: 'GEL',
  },
  ...{ драм: 'AMD', драмов: 'AMD', манат: 'TMT AZN', лей: 'MDL', леев: 'MDL', долл: 'USD', доллар: 'USD' },
  ...{ دينار: 'DZD IQD JOD KWD LYD TND BHD', ريال: 'YER SAR OMR QAR IRR', جنيه: 'EGP SDG SSP' },
  ...{ ليرة: 'LBP SYP', درهم: 'MAD AED', دولار: 'USD', أوقية: 'MRU MRO', 'ل.س': 'SYP', 'ل.ل': 'LBP' },
  ...{
    'ر.ي': 'YER',
    'د.ع': 'IQD',
    'ج.م': 'EGP',
    'ج.س': 'SDG',
    'د.ج': 'DZD',
    'د.ت': 'TND',
    dinar: 'DZD IQD JOD TND RSD',
  },
  ...{
    dinars: 'DZD IQD JOD TND',
    da: 'DZD',
    dt: 'TND',
    dh: 'MAD AED',
    dirhams: 'MAD AED',
    lbp: 'LBP',
    le: 'EGP SLE',
  },
};
/** Names of hundredths of currencies. */
const HUNDREDTHS: Readonly<Record<string, string>> = {
  ...{ 'us cents': 'USD', 'us cent': 'USD', 'u.s. cents': 'USD', usc: 'USD', 'us¢': 'USD', 'us c': 'USD' },
  ...{ cents: 'USD? EUR KES ZAR', cent: 'USD? EUR KES ZAR', '¢': 'USD? EUR KES ZAR', 'euro cents': 'EUR' },
  ...{ pence: 'GBP', paise: 'INR PKR NPR', paisa: 'INR PKR NPR', kobo: 'NGN', pesewas: 'GHS' },
  ...{ centavos: 'MXN COP PHP BRL GTQ HNL', centimes: 'EUR CHF DZD', коп: 'RUB', копеек: 'RUB' },
};

/** What tables call the currency of each country. */
const LOCAL = new Set(
  [
    ...['lcu', 'slc', 'local currency', 'local currency unit', 'local currency units', 'national currency'],
    ...['standard local currency', 'monnaie locale', 'monnaie nationale', 'moneda local', 'moneda nacional'],
    ...['moeda local', 'moeda nacional', 'национальная валюта', 'в национальной валюте', 'العملة المحلية'],
  ].map(foldForSearch),
);

const byName = new Map(
  Object.entries(NAMES).map(
    ([name, codes]) => [foldForSearch(name), codes.replace('?', '').split(' ')] as const,
  ),
);

/** A currency that a text names. */
export interface NamedCurrency {
  /** As it is written. */
  readonly text: string;
  /** The codes that it may stand for; one where it says it, none for that of each country. */
  readonly codes: readonly string[];
  /** What its amounts are to be multiplied by: 0.01 for cents. */
  readonly factor: number;
}

/** What a text says of money and quantity. */
export interface Money {
  readonly currency: NamedCurrency | null;
  /** As it is written. */
  readonly unit: string | null;
}

/** The codes that a text may stand for as a currency; empty for other texts. */
export function currencyCodesOf(text: string): readonly string[] {
  const written = text.trim().replace(/\.$/, '');
  const folded = foldForSearch(written);
  if (folded === '$' || folded === 'dollar' || folded === 'dollars') return DOLLARS;
  const named = byName.get(folded) ?? byName.get(foldForSearch(text.trim()));
  if (named !== undefined && !(written.length === 1 && written !== written.toUpperCase())) return named;
  if (!/^[A-Z]{3}$/.test(written)) return [];
  const code = isoCurrency(written);
  return currencyLife(code) === null ? [] : [code];
}

/** The currency that a text names, also as cents, or as that of each country; else null. */
function currencyOfText(text: string): NamedCurrency | null {
  const codes = currencyCodesOf(text);
  if (codes.length > 0) return { text, codes, factor: 1 };
  const folded = foldForSearch(text.trim());
  if (LOCAL.has(folded)) return { text, codes: [], factor: 1 };
  const hundredths = HUNDREDTHS[folded.replace(/\.$/, '')];
  if (hundredths === undefined) return null;
  const possible = hundredths.split(' ').flatMap((code) => (code === 'USD?' ? DOLLARS : [code]));
  return { text, codes: possible, factor: 0.01 };
}

const DOLLARS = [
  'USD',
  'CAD',
  'AUD',
  'NZD',
  'LRD',
  'NAD',
  'GYD',
  'JMD',
  'TTD',
  'BBD',
  'XCD',
  'FJD',
  'SBD',
  'ZWL',
  'MXN',
  'CLP',
  'COP',
  'ARS',
];

/** Whether a text is a unit, for certain: a mass, a volume or a count with or without a number. */
export const isUnit = (text: string): boolean =>
  text.length <= 40 &&
  !/[-–—:;](?:\s|$)/.test(text) &&
  (parseUnitName(text).dimension !== 'other' || UNIT_WORDS.test(foldForSearch(text)));
const UNIT_WORDS =
  /^(?:le |la |un |une |el )?(?:\d[\d.,/]* ?)?(?:kg|kilo|kgs|tonne|t|ton|tm|mt|qx|qq|quintal|sac|bag|botte|tas|piece|unite|unidad|unidade|docena|dozen|duzia|libra|lb|arroba|litre|litro|fanega|carga|caja|saco|tete|head|cabeza|шт|штука|десяток|пачка|كغ|كجم|كغم|كيلو|كيلوغرام|كيلوجرام|لتر|طن|حبة|قطعة|كيس|رطل)\b|^(?:\d[\d.,]* ?)?(?:กก|กิโลกรัม|ตัน|ลิตร)|^(?:كغ|كجم|كغم|كيلو|كيلوغرام|كيلوجرام|لتر|طن|حبة|قطعة|كيس|رطل|шт\.?|кг|л)$/u;

const SEPARATOR = /\s*(?:\/| per | par | por | le | la | за | لكل | a | el )\s*/iu;

/** What only stands before units. */
const PER = /\/|per|par|por|за/iu;

/** A word or two that are a unit behind it. */
const PLAIN_UNIT = /^[\p{L}\p{M}\d.,]+(?: [\p{L}\p{M}\d.,]+){0,3}$/u;

/**
 * The currency and the unit of a short text such as `KES/90 kg bag`, `FCFA`, `per kg`; null where
 * it has anything else.
 */
export function moneyOf(written: string): Money | null {
  const begun = written
    .replaceAll('_', ' ')
    .trim()
    .replace(/^(?:in|en|em|в|بـ|ب)\s+/iu, '');
  const text = /[([]/.test(begun) ? begun : begun.replace(/\s*[)\]]$/, '');
  if (text === '' || text.length > 60) return null;
  const alone = currencyOfText(text);
  if (alone !== null) return { currency: alone, unit: null };
  const per = /^(?:(?:per|par|por|за)(?:\s+|(?=\d))|\/\s*)(.+)$/iu.exec(text)?.[1];
  if (per !== undefined && isUnit(per)) return { currency: null, unit: per };
  if (isUnit(text)) return { currency: null, unit: text };
  for (const match of text.matchAll(new RegExp(SEPARATOR, 'giu'))) {
    const currency = currencyOfText(text.slice(0, match.index).trim());
    const rest = text.slice(match.index + match[0].length).trim();
    if (currency !== null && (isUnit(rest) || (PER.test(match[0]) && PLAIN_UNIT.test(rest))))
      return { currency, unit: rest };
  }
  const [, first = '', rest = ''] = /^(\S+?)[ .,-]+(\S.*)$/.exec(text) ?? [];
  const before = currencyOfText(first);
  if (before !== null && isUnit(rest)) return { currency: before, unit: rest };
  const [, unit = '', last = ''] = /^(.*\S)[ ,-]+(\S+)$/.exec(text) ?? [];
  const behind = currencyOfText(last);
  return behind !== null && isUnit(unit) ? { currency: behind, unit } : null;
}

/** What stands behind a unit of the taxes in a price, before a parenthesis. */
const TAXES =
  /[\s,]+(?:incl(?:uding|\.)?|excl(?:uding|\.)?|with|without|before|after)\s+(?:all\s+)?(?:tax(?:es)?|vat|gst)(\s*)([)\]]?)\s*$/iu;

/** A header with what stands at its end of money and quantity. */
interface MoneyHeader {
  /** What stands before it, with the sign between. */
  readonly begin: string;
  readonly money: Money;
  /** What stands behind it, such as a parenthesis. */
  readonly end: string;
}

/** What a header says of money and quantity: in parentheses, behind a sign, or at its end. */
export function moneyOfHeader(header: string): MoneyHeader | null {
  const taxes = TAXES.exec(header);
  if (taxes !== null) {
    const found = moneyOfHeader(header.slice(0, taxes.index) + taxes[2]!);
    const end = taxes[0].slice(0, taxes[0].length - taxes[2]!.length) + (found?.end ?? '');
    return found === null ? null : { ...found, end };
  }
  const text = header.trim();
  const enclosed = /^(.*?[([])\s*([^()[\]]+?)\s*([)\]]\s*)$/su.exec(text);
  if (enclosed !== null) {
    const money = moneyOf(enclosed[2]!);
    if (money !== null) return { begin: enclosed[1]!, money, end: enclosed[3]! };
  }
  const whole = moneyOf(text);
  if (whole !== null) return { begin: '', money: whole, end: '' };
  for (const sign of [', ', ' - ', ' – ', ': ', ' en ', ' in ', ' em ', ' ', '/', '_']) {
    for (let at = text.indexOf(sign); at > 0; at = text.indexOf(sign, at + 1)) {
      const money = moneyOf(text.slice(at + sign.length));
      // A blank or a slash before a unit alone: `Riz kg`, but `Huile 1 l` has its unit.
      if (money !== null) return { begin: text.slice(0, at + sign.length), money, end: '' };
    }
  }
  return null;
}

/** The currencies and units that titles and notes name, in words of a few. */
export function moneyOfTitle(title: string): Money | null {
  const enclosed = [...title.matchAll(/[([]\s*([^()[\]]+?)\s*[)\]]/gu)].map(([, inner]) => moneyOf(inner!));
  const found = enclosed.find((money) => money !== null);
  if (found !== undefined) return found ?? null;
  const words = title.split(/\s+/);
  let best: Money | null = null;
  for (let from = 0; from < words.length; from++)
    for (let to = Math.min(words.length, from + 4); to > from; to--) {
      const text = words
        .slice(from, to)
        .join(' ')
        .replace(/[.,;:]$/, '');
      if (/[,;:]\s/.test(text)) continue;
      // A single letter is a currency in headers only.
      if (text.length < 3 && !/[/$€£¢]/.test(text) && !isUnit(text)) continue;
      const money = moneyOf(text);
      // `Gram Dal` is no unit: one stands alone, or behind a word or a number that says it.
      const isSaid = text === title.trim() || UNIT_BEGIN.test(text) || UNIT_LABEL.test(words[from - 1] ?? '');
      if (money?.currency === null && !isSaid) continue;
      const isBetter = money !== null && countOf(money) > countOf(best);
      if (isBetter) best = money;
    }
  return best;
}

const UNIT_BEGIN = /^(?:\d|\/|(?:per|par|por|за|in|en|em|в|le|la|el|لكل)\s)/iu;
const UNIT_LABEL = /^\(?(?:units?|unités?|unidade?s?|unidad|ед\.?|единиц\p{L}*|الوحدة)\s*[:：]?$|[:：]$/iu;

const countOf = (money: Money | null) =>
  money === null ? 0 : Number(money.currency !== null) + Number(money.unit !== null);

/** The codes of a currency that a country has or had; all where it has none of them. */
export const codesIn = (codes: readonly string[], iso3: string | null): readonly string[] => {
  const own = iso3 === null ? [] : currenciesOf(iso3).filter((code) => codes.includes(code));
  return own.length > 0 ? own : codes;
};
