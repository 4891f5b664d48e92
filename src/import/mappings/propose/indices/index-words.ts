import { foldWords } from '../columns/words.js';

/*
 * What offices call indices of consumer prices, in English, French, Spanish, Portuguese, Arabic and
 * Russian.
 */

/** Words of changes and indices, which are no prices whatever else a header says. */
const CHANGES = [
  ...['%', 'percent', 'pct', 'percentage', 'change', 'changes', 'mom', 'yoy', 'm m', 'y y', 'inflation'],
  ...['index', 'indices', 'cpi', 'ppi', 'hicp', 'deflator', 'growth', 'variation', 'evolution', 'ecart'],
  ...[
    'indice',
    'ipc',
    'ipca',
    'inpc',
    'ihpc',
    'glissement',
    'taux',
    'pourcentage',
    'variacion',
    'variacao',
    'cambio',
  ],
  ...['inflacion', 'inflacao', 'porcentaje', 'изменение', 'прирост', 'индекс', 'инфляция', 'ипц'],
  ...['spread', 'gap', 'perubahan', 'persen', 'selisih', 'degisim', 'fark', 'enflasyon', 'inflasi'],
  ...['التغير', 'نسبة', 'مؤشر', 'التضخم', 'الرقم القياسي'],
].map((word) => ` ${foldWords(word)} `);

/** Whether a header is that of changes or indices. */
export function isOfChanges(header: string): boolean {
  // Of a product, such as rice with 5 % broken grains, it is no change.
  const plain = header.replace(/\d\s?%/g, ' ').replaceAll('%', ' % ');
  const words = ` ${foldWords(plain)} `;
  return CHANGES.some((word) => words.includes(word));
}

const INDEX_PHRASES = [
  ...[
    'cpi',
    'hicp',
    'consumer price index',
    'consumer price indices',
    'consumer prices index',
    'price index',
  ],
  ...['price indices', 'index numbers', 'inflation', 'indice des prix', 'indices des prix', 'ihpc', 'inhpc'],
  ...['indice harmonise', 'ipc', 'inpc', 'indice de precios', 'indices de precios', 'inflacion', 'inflacao'],
  ...['indice de precos', 'indices de precos', 'ипц', 'индекс потребительских цен', 'индексы', 'инфляция'],
  ...['general index', 'all items', 'all groups', 'food and non alcoholic beverages', 'coicop'],
  ...['alimentos y bebidas no alcoholicas', 'produits alimentaires et boissons non alcoolisees'],
  ...['ihk', 'indeks harga konsumen', 'inflasi', 'tufe', 'tuketici fiyat endeksi', 'enflasyon'],
  ...['chi so gia tieu dung', 'verbraucherpreisindex', 'spotrebitelskych cen'],
  ...['الرقم القياسي', 'الارقام القياسية', 'مؤشر اسعار', 'التضخم', 'mom', 'yoy'],
].map((phrase) => ` ${foldWords(phrase)} `);

/** A series of the consumer price indices of the Bureau of Labor Statistics. */
const SERIES_ID = /^C[UW][US]R[0-9A-Z]{4,}$/;

/** Whether a text speaks of indices of prices, or says when one is 100. */
export function speaksOfIndices(text: string): boolean {
  const words = ` ${foldWords(text)} `;
  return (
    basePeriodIn(text) !== null ||
    SERIES_ID.test(text) ||
    INDEX_PHRASES.some((phrase) => words.includes(phrase))
  );
}

const PERIOD = String.raw`(?:\p{L}{3,10}\.?[ -]?)?(?:19|20)\d\d(?:[/–-](?:19|20)?\d\d)?`;
const BASE = new RegExp(String.raw`(${PERIOD})\s*=\s*100`, 'iu');
const BASE_WORD = new RegExp(
  String.raw`\bbase(?: year| period| an| año| ano)?\s*[:=]?\s*\(?(${PERIOD})`,
  'iu',
);

/** The period in which an index is 100, as a text says it; null where it does not. */
export const basePeriodIn = (text: string): string | null =>
  (BASE.exec(text) ?? BASE_WORD.exec(text))?.[1]?.trim() ?? null;

const FOOD = [
  'food',
  'alimentation',
  'alimentaire',
  'alimentaires',
  'alimentos',
  'alimentacion',
  'alimentacao',
].concat([
  'produits alimentaires',
  'продовольственные',
  'продукты питания',
  'продовольствие',
  'makanan',
  'gida',
  'thực phẩm',
  'potraviny',
  'الغذاء',
  'الأغذية',
  'المواد الغذائية',
]);
const GENERAL = [
  ...['all items', 'all groups', 'all item', 'general', 'headline', 'overall', 'total', 'all', 'global'],
  ...['ensemble', 'indice global', 'indice general', 'general index', 'indice geral', 'indice nacional'],
  ...['все товары', 'всего', 'الرقم القياسي العام', 'العام', 'cpi', 'consumer price index', 'ipc', 'ihpc'],
  ...[
    'indice des prix a la consommation',
    'indice de precios al consumidor',
    'indice de precos no consumidor',
  ],
  ...['index', 'indice', 'ипц', 'индекс', 'ihk', 'umum', 'tufe', 'genel', 'indeks', 'úhrn'],
].map(foldWords);
const BESIDE_FOOD = [
  'non food',
  'nonfood',
  'non alimentaire',
  'excluding',
  'exclud',
  'less',
  'hors',
  'sin',
  'except',
  'core',
];

/** Which of the stored indices a text names; null for others. */
export function itemOf(text: string): 'general' | 'food' | null {
  // `General index (CPI)`.
  const said = text
    .replace(BASE, ' ')
    .replace(BASE_WORD, ' ')
    .replace(/\(\w{3,4}\)/g, ' ');
  const words = ` ${foldWords(said)} `;
  if (BESIDE_FOOD.some((word) => words.replace('non alcoholic', '').includes(` ${word}`))) return null;
  if (FOOD.some((word) => words.includes(` ${foldWords(word)} `))) return 'food';
  const rest = words.trim().replace(/ index$| indices$/, '');
  return GENERAL.includes(words.trim()) || GENERAL.includes(rest) ? 'general' : null;
}

/** Whether a text says that it has beverages, too, as the division of food of COICOP. */
export const hasBeverages = (text: string): boolean =>
  / (?:beverages?|drinks?|boissons?|bebidas?|icecekler|напитки|minuman|napoje|المشروبات) /u.test(
    ` ${foldWords(text)} `,
  );

/** Which of the stored indices a title is about. */
export function itemIn(text: string): 'general' | 'food' | null {
  const words = ` ${foldWords(text)} `;
  if (FOOD.some((word) => words.includes(` ${foldWords(word)} `))) return itemOf(text);
  return /(?: cpi | ipc | ihpc | consumer price | prix a la consommation | precios al consumidor )/.test(
    words,
  )
    ? 'general'
    : null;
}
