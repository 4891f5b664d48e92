import { foldForSearch } from '../../../../lib/text/folding.js';
import { OTHER_COLUMN_NAMES } from '../../../formats/other-words.js';

/*
 * What offices call columns, types of prices, totals and notes, in English, French, Spanish,
 * Portuguese, Arabic, Russian, Indonesian, Turkish, Swahili and Vietnamese. They propose: unlike
 * the words of `other-words.ts`, which a format reads without a question, a word may stand here
 * that means something else elsewhere.
 */

/** A field that a column can have, with the statistics and remarks that are not read. */
type WordField =
  | keyof typeof OTHER_COLUMN_NAMES
  | 'year'
  | 'month'
  | 'day'
  | 'market_code'
  | 'hs_code'
  | 'variety'
  | 'quality'
  | 'number';

const FIELD_WORDS: Readonly<Record<WordField, readonly string[]>> = {
  iso3_country_code: [
    ...OTHER_COLUMN_NAMES.iso3_country_code,
    ...[
      'country name',
      'member state',
      'adm0 name',
      'admin0',
      'nom du pays',
      'countryiso3',
      'iso3 code',
      'iso',
      'ref area',
    ],
    ...['البلد', 'الدولة', 'اسم البلد', 'страна', 'код страны'],
  ],
  admin_unit: [
    ...OTHER_COLUMN_NAMES.admin_unit,
    ...['region name', 'province name', 'state name', 'county name', 'nom de la region'],
    ...['province', 'state', 'county', 'governorate', 'admin1', 'admin 1', 'adm1 name', 'admin unit'],
    ...['department', 'departement', 'gouvernorat', 'wilaya', 'provincia', 'departamento', 'estado'],
    ...['provinsi', 'propinsi', 'il', 'eyalet'],
    ...['المحافظة', 'الولاية', 'المنطقة', 'الإقليم', 'область', 'регион', 'район', 'провинция', 'край'],
  ],
  admin_unit2: [
    ...OTHER_COLUMN_NAMES.admin_unit2,
    ...['district name', 'municipality', 'municipalite', 'kecamatan', 'kabupaten'],
    ...['admin2', 'admin 2', 'adm2 name', 'cercle', 'commune', 'municipio', 'município', 'canton', 'zone'],
    ...['kota', 'kab kota', 'kota kelurahan', 'daerah', 'ilce'],
    ...['sub county', 'subcounty', 'المديرية', 'القضاء', 'المركز', 'moughataa', 'arrondissement', 'lga'],
  ],
  market: [
    ...OTHER_COLUMN_NAMES.market,
    ...['markets', 'market name', 'name of market', 'marches', 'nom du marche', 'localite', 'locality'],
    ...['mkt name', 'mercados', 'nombre del mercado', 'plaza', 'central mayorista', 'centre', 'center'],
    ...['nome do mercado', 'town', 'city', 'ville', 'ciudad', 'cidade', 'location', 'trading centre'],
    ...['magasin', 'nom du magasin', 'point de vente', 'lieu de vente', 'supermarche'],
    ...['soko', 'masoko', 'jina la soko', 'chợ', 'thị trường'],
    ...['pasar', 'nama pasar', 'hal', 'hal adi', 'hal ismi', 'halismi', 'pazar', 'sehir'],
    ...['السوق', 'اسم السوق', 'الأسواق', 'المدينة', 'рынок', 'рынки', 'город', 'название рынка', 'базар'],
  ],
  latitude: [...OTHER_COLUMN_NAMES.latitude, 'lat', 'خط العرض', 'широта'],
  longitude: [...OTHER_COLUMN_NAMES.longitude, 'lon', 'long', 'lng', 'خط الطول', 'долгота'],
  commodity: [
    ...OTHER_COLUMN_NAMES.commodity,
    ...[
      'products',
      'commodities',
      'commodity name',
      'product name',
      'item label',
      'item labels',
      'itemlabels',
      'food',
      'crops',
      'cm name',
      'item',
      'items',
      'item name',
      'crop name',
      'crop',
      'cereal',
    ],
    ...['produits', 'nom du produit', 'denree', 'denrees', 'cereale', 'cereales', 'speculation', 'article'],
    ...['nom produit', 'nom de produit', 'designation', 'designation produit', 'designation du produit'],
    ...['articles', 'libelle', 'libelle produit', 'productos', 'nombre del producto', 'articulo', 'rubro'],
    ...['bien', 'produtos', 'nome do produto', 'artigo', 'food item', 'food items', 'good', 'goods', 'grain'],
    ...['bidhaa', 'zao', 'mazao', 'mặt hàng', 'sản phẩm', 'hàng hóa'],
    ...['komoditas', 'nama komoditas', 'komoditi', 'barang', 'nama barang', 'bahan pangan', 'urun'],
    ...['urun adi', 'urun ismi', 'urunismi', 'urunadi', 'mal adi'],
    ...['السلعة', 'السلع', 'المنتج', 'المادة', 'المواد', 'الصنف', 'المادة الغذائية', 'اسم السلعة'],
    ...['товар', 'товары', 'продукт', 'продукты', 'наименование', 'наименование товара', 'продукция'],
    ...['наименование продукта', 'наименование продукции', 'вид продукции'],
  ],
  category: [
    ...OTHER_COLUMN_NAMES.category,
    ...[
      'group',
      'food group',
      'groupe',
      'famille',
      'grupo',
      'rubrique',
      'الفئة',
      'المجموعة',
      'категория',
      'группа',
    ],
  ],
  price_type: [
    ...OTHER_COLUMN_NAMES.price_type,
    ...['pricetype', 'type of price', 'pt name', 'price level', 'market level', 'niv', 'niveau', 'nivel'],
    ...['nivel de precio', 'stade', 'level', 'نوع السعر', 'тип цены', 'вид цены'],
  ],
  source: [...OTHER_COLUMN_NAMES.source, 'data source', 'المصدر', 'источник'],
  currency: [
    ...OTHER_COLUMN_NAMES.currency,
    ...['currency code', 'currency name', 'cur name', 'العملة', 'валюта'],
  ],
  measure_unit: [
    ...OTHER_COLUMN_NAMES.measure_unit,
    ...['units', 'unit of measure', 'unit of measurement', 'unit measure', 'uom', 'um name', 'measure', 'um'],
    ...['unite de vente', 'conditionnement', 'presentacion', 'presentación', 'empaque', 'medida', 'u m'],
    ...['unidad medida', 'apresentacao', 'quantity unit', 'الوحدة', 'وحدة القياس', 'وحدة البيع'],
    ...['kipimo', 'kipimo cha uzito', 'đơn vị', 'đơn vị tính'],
    ...['satuan', 'birim', 'birimi', 'olcu birimi'],
    ...['единица', 'единица измерения', 'ед изм', 'ед измерения'],
  ],
  date: [
    ...OTHER_COLUMN_NAMES.date.filter((word) => word !== 'month' && word !== 'mois' && word !== 'mes'),
    ...[
      'date',
      'period',
      'periode',
      'time',
      'time period',
      'day',
      'jour',
      'dia',
      'week',
      'semaine',
      'semana',
    ],
    ...['periodo', 'período', 'price date', 'survey date', 'date de collecte', 'date of collection', 'temps'],
    ...['reference period', 'collection date', 'reporting date', 'arrival date', 'week ending', 'dates'],
    ...['tarehe', 'ngày'],
    ...['tanggal', 'tgl', 'tarikh', 'tarih', 'minggu'],
    ...['التاريخ', 'الفترة', 'تاريخ', 'اليوم', 'дата', 'период', 'неделя', 'день', 'дата сбора'],
  ],
  year: ['year', 'annee', 'ano', 'año', 'anio', 'tahun', 'yil', 'mp year', 'السنة', 'العام', 'سنة', 'год'],
  month: [
    'month',
    'months',
    'mois',
    'mes',
    'mês',
    'meses',
    'mp month',
    'month name',
    'bulan',
    'ay',
    'الشهر',
    'شهر',
    'месяц',
  ],
  day: ['day of month', 'jour du mois'],
  periodicity: [
    ...OTHER_COLUMN_NAMES.periodicity,
    'period type',
    'freq',
    'الدورية',
    'периодичность',
    'частота',
  ],
  price_value: [
    ...OTHER_COLUMN_NAMES.price_value,
    ...['bei', 'bei ya wastani', 'giá'],
    ...['harga', 'harga rata rata', 'fiyat', 'fiyati', 'ortalama fiyat'],
    ...['prices', 'price value', 'value', 'mp price', 'unit price', 'amount', 'obs value', 'cost'],
    ...[
      'valeur',
      'montant',
      'prix unitaire',
      'cout',
      'valor',
      'precio unitario',
      'costo',
      'precios',
      'prix moyen',
    ],
    ...[
      'precio promedio',
      'average price',
      'avg price',
      'mean price',
      'preço médio',
      'cotação',
      'cotization',
    ],
    ...[
      'السعر',
      'الأسعار',
      'القيمة',
      'سعر',
      'متوسط السعر',
      'цена',
      'цены',
      'стоимость',
      'значение',
      'средняя цена',
    ],
  ],
  comment: [
    ...OTHER_COLUMN_NAMES.comment,
    ...[
      'comments',
      'remark',
      'remarks',
      'note',
      'notes',
      'observation',
      'observations',
      'remarque',
      'remarques',
    ],
    ...[
      'obs',
      'observacion',
      'observaciones',
      'observacao',
      'observacoes',
      'nota',
      'notas',
      'ملاحظات',
      'примечание',
    ],
  ],
  market_code: ['market id', 'market code', 'mkt id', 'code marche', 'codigo de mercado', 'код рынка'],
  hs_code: ['hs code', 'hs', 'hs6', 'code sh', 'sistema armonizado', 'код тн вэд'],
  variety: [
    ...['variety', 'variete', 'variedad', 'variedade', 'type', 'tipo', 'brand', 'marque', 'marca', 'origin'],
    ...['origine', 'origen', 'origem', 'procedencia', 'provenance', 'specification', 'description'],
    ...['descripcion', 'الصنف الفرعي', 'النوع', 'المنشأ', 'сорт', 'вид', 'марка', 'происхождение'],
  ],
  quality: ['quality', 'qualite', 'calidad', 'qualidade', 'grade', 'الجودة', 'качество', 'size', 'taille'],
  number: ['no', 'n', 's no', 'sno', 'sl no', 'num', 'numero', 'rank', 'id', 'ordre', 'п п', 'م', 'الرقم'],
};

/** A text as words are compared: without case, accents and signs, `MarketName` as two of them. */
export const foldWords = (text: string): string =>
  foldForSearch(text.slice(0, MAX_LENGTH).replace(/(\p{Ll}{2})(?=\p{Lu}\p{Ll})/gu, '$1 '))
    .replace(/ـ/g, '')
    .replace(/ı/g, 'i')
    .replace(/[^\p{L}\p{M}\p{N}%]+/gu, ' ')
    .trim();
const MAX_LENGTH = 200;

const byWords = new Map(
  (Object.entries(FIELD_WORDS) as [WordField, readonly string[]][]).flatMap(([field, words]) =>
    [field.replaceAll('_', ' '), ...words].map((word) => [foldWords(word), field] as const),
  ),
);

/** What the header of a column says that it has, by the whole of it; null where it says nothing. */
export const fieldOfHeader = (header: string): WordField | null =>
  byWords.get(foldWords(header)) ?? byWords.get(foldWords(header.replace(/\(.*?\)|\[.*?\]/g, ' '))) ?? null;

/** Headers of which a field has several, the more exact ones first. */
export const isExactHeader = (field: WordField, header: string): boolean => {
  const words = foldWords(header);
  const exact = FIELD_WORDS[field].slice(0, EXACT_WORDS).map(foldWords);
  return words === field.replaceAll('_', ' ') || exact.includes(words);
};
const EXACT_WORDS = 5;

/** The words of types of prices; those of a phrase count, too: `Prix au détail`. */
const TYPE_WORDS: Readonly<Record<string, readonly string[]>> = {
  RETAIL: [
    ...['retail', 'retailer', 'detail', 'au detail', 'detaillant', 'consommateur', 'consumer', 'minorista'],
    ...['menudeo', 'al por menor', 'consumidor', 'varejo', 'retalho', 'a retalho', 'التجزئة', 'تجزئة'],
    ...[
      'بالتجزئة',
      'المفرق',
      'مفرق',
      'المستهلك',
      'розница',
      'розничная',
      'розничные',
      'розничный',
      'розничных',
    ],
    ...['потребительские', 'потребительская', 'розн'],
  ],
  WHOLESALE: [
    ...['wholesale', 'wholesaler', 'gros', 'en gros', 'grossiste', 'mayorista', 'mayoreo', 'por mayor'],
    ...['al por mayor', 'atacado', 'grosso', 'por grosso', 'الجملة', 'جملة', 'بالجملة'],
    ...['опт', 'оптовая', 'оптовые', 'оптовый', 'оптовых', 'оптом'],
  ],
  PRODUCER: [
    ...['producer', 'farm gate', 'farmgate', 'producteur', 'bord champ', 'a la production', 'productor'],
    ...['productores', 'produtor', 'al productor', 'المنتج', 'المنتجين', 'المزرعة', 'производитель'],
    ...['производителя', 'производителей', 'закупочная', 'закупочные', 'finca', 'parcela'],
  ],
  EXPORT: ['export', 'fob', 'exportation', 'exportacion', 'exportacao', 'التصدير', 'экспорт', 'экспортная'],
  IMPORT: ['import', 'cif', 'importation', 'importacion', 'importacao', 'الاستيراد', 'импорт', 'импортная'],
};

const typesByPhrase = Object.entries(TYPE_WORDS).flatMap(([type, words]) =>
  words.map((word) => [` ${foldWords(word)} `, type] as const),
);

/** The types of prices that a text names. Goods are imported, too: those words count alone only. */
export function priceTypesIn(text: string): string[] {
  const words = ` ${foldWords(text)} `;
  const found = typesByPhrase.filter(
    ([phrase, type]) => words === phrase || (words.includes(phrase) && !TRADED.has(type)),
  );
  return [...new Set(found.map(([, type]) => type))];
}
const TRADED = new Set(['EXPORT', 'IMPORT']);

/** Statistics of which a table of prices has columns beside or in place of a price. */
const STATISTIC_WORDS: Readonly<
  Record<'minimum' | 'maximum' | 'average' | 'modal' | 'other', readonly string[]>
> = {
  minimum: [
    ...[
      'terendah',
      'en dusuk',
      'asgari',
      'min',
      'minimum',
      'mini',
      'minimo',
      'minima',
      'lowest',
      'lower',
      'low',
      'plus bas',
      'الأدنى',
      'أدنى',
    ],
    ...['минимальная', 'минимум', 'мин'],
  ],
  maximum: [
    ...[
      'tertinggi',
      'en yuksek',
      'azami',
      'max',
      'maximum',
      'maxi',
      'maximo',
      'maxima',
      'highest',
      'upper',
      'high',
      'plus haut',
      'الأعلى',
      'أعلى',
    ],
    ...['максимальная', 'максимум', 'макс'],
  ],
  average: [
    ...[
      'rata rata',
      'ortalama',
      'average',
      'avg',
      'mean',
      'moyen',
      'moyenne',
      'moy',
      'promedio',
      'media',
      'medio',
      'prom',
    ],
    ...['المتوسط', 'متوسط', 'المعدل', 'средняя', 'среднее', 'ср'],
  ],
  modal: [
    'modal',
    'mode',
    'frequent',
    'frecuente',
    'frec',
    'mas frecuente',
    'most common',
    'courant',
    'median',
    'middle',
    'mediane',
    'mediana',
  ],
  other: [
    ...[
      '%',
      'change',
      'variation',
      'var',
      'evolution',
      'ecart',
      'difference',
      'diff',
      'variacion',
      'variacao',
    ],
    ...[
      'cambio',
      'percent',
      'pct',
      'taux',
      'growth',
      'index',
      'indice',
      'rank',
      'count',
      'n obs',
      'observations',
    ],
    ...[
      'التغير',
      'نسبة',
      'изменение',
      'прирост',
      'индекс',
      'stock',
      'quantity',
      'quantite',
      'cantidad',
      'volume',
    ],
    ...['arrivals', 'volumen', 'total', 'totaux', 'std', 'ecart type', 'sd', 'cv', 'usd price', 'usdprice'],
  ],
};
const statisticsByPhrase = Object.entries(STATISTIC_WORDS).flatMap(([statistic, words]) =>
  words.map((word) => [` ${foldWords(word)} `, statistic as keyof typeof STATISTIC_WORDS] as const),
);

/** The statistic that a header names; null where it names none. */
export function statisticOf(header: string): keyof typeof STATISTIC_WORDS | null {
  const words = ` ${foldWords(header.replaceAll('%', ' % '))} `;
  if (words.includes(' % ')) return 'other';
  return statisticsByPhrase.find(([phrase]) => words.includes(phrase))?.[1] ?? null;
}

/**
 * Whether a header is a statistic of the others, and no product with a word of one in its name such
 * as `Rice, Thai 5%` or `Crude oil, average`.
 */
export function isStatisticAlone(header: string): boolean {
  const plain = withoutShares(header);
  const statistic = statisticOf(plain);
  if (statistic === null || statistic === 'other') return statistic === 'other';
  const phrases = statisticsByPhrase.filter(([, one]) => one === statistic).map(([phrase]) => phrase);
  let words = ` ${foldWords(plain.replace(/[([].*?[)\]]/g, ' '))} `;
  for (const phrase of phrases) words = words.replaceAll(phrase, ' ');
  return words.split(' ').every((word) => word === '' || /\d/.test(word) || AGGREGATE_WORDS.has(word));
}

/** Whether a header has a word of a statistic, also in the name of a product. */
export const hasStatisticWord = (header: string): boolean => statisticOf(withoutShares(header)) !== null;

/** A header without shares such as those of broken rice. */
const withoutShares = (header: string): string => header.replace(/\d[\d.,]*\s*%/g, ' ');

const AGGREGATE_WORDS = new Set(
  (
    'price prices value prix valeur precio precios valor preco precos цена цены السعر الأسعار سعر of the for du de des la le' +
    ' les del do da all markets market national nationale nacional general annual annuel annuelle anual monthly' +
    ' mensuel mensuelle mensual weekly daily year years yr ano anos annee annees month months last previous long' +
    ' term country overall total simple weighted retail wholesale regional au at in'
  ).split(' '),
);

const TOTALS = [
  ...['total', 'totals', 'totaux', 'totales', 'totais', 'subtotal', 'sous total', 'grand total', 'sum'],
  ...[
    'average',
    'averages',
    'mean',
    'moyenne',
    'moyennes',
    'moy',
    'promedio',
    'promedios',
    'media',
    'ensemble',
  ],
  ...['median', 'mediane', 'mediana', 'minimum', 'maximum', 'min', 'max', 'ecart type', 'variation'],
  ...['المجموع', 'الإجمالي', 'المتوسط', 'المعدل', 'итого', 'всего', 'среднее', 'в среднем', 'средняя'],
].map(foldWords);

/** The word of totals and averages with which a text begins; null where it begins with none. */
export function totalWordOf(text: string): string | null {
  const words = foldWords(text);
  const found = TOTALS.filter((total) => words === total || words.startsWith(`${total} `));
  return found.sort((one, other) => other.length - one.length)[0] ?? null;
}

const NOTES = [
  ...['source', 'sources', 'note', 'notes', 'nb', 'n b', 'nota', 'notas', 'remarque', 'remarques', 'remark'],
  ...['fuente', 'fuentes', 'fonte', 'fontes', 'legend', 'legende', 'leyenda', 'elaboracion', 'elaborado'],
  ...[
    'المصدر',
    'ملاحظة',
    'ملاحظات',
    'источник',
    'источники',
    'примечание',
    'примечания',
    'data',
    'prepared by',
  ],
].map(foldWords);

/** Whether a text begins as a note below a table does. */
export const isNote = (text: string): boolean => {
  if (/^\s*(?:\*|\(\d+\)|\d\)|[¹²³])/.test(text)) return true;
  const words = foldWords(text);
  return NOTES.some((note) => words === note || words.startsWith(`${note} `));
};

const SOURCE_WORD = /^\s*(?:sources?|fuentes?|fontes?|المصدر|источники?)\s*[:：]\s*(\S.*?)\s*$/iu;

/** The publisher that a line `Source: …` names; null for other lines. */
export const sourceOfLine = (text: string): string | null =>
  SOURCE_WORD.exec(text)?.[1]
    ?.replace(/[.;,]$/, '')
    .slice(0, 200) ?? null;

/** Words of amounts of goods that come to a market, are sold or produced. */
const TRADED_WORDS = wordsOf(
  'arrival arrivals arrivage arrivages apports volume volumes tonnage traded turnover sales sold supply supplies',
  'production stock stocks demand volumen ventas vendas ingreso ingresos abastecimiento existencias oferta ventes',
  'vendu vendue vendida объем поступление продано запасы الوارد الواردة المبيعات المخزون',
);
/** Those of amounts that may be what a price is of. */
const QUANTITY_WORDS = wordsOf(
  'quantity quantities qty quantite quantites qte cantidad cantidades quantidade количество вес الكمية كمية',
  'الكميات weight poids peso',
);
/** Those that stand beside them. */
const BESIDE_AMOUNTS = wordsOf(
  'total daily weekly monthly of de del du des la le les in en the level pack package size market kg mt t tonne',
  'tonnes tons ton quintal quintals qtl bags قنطار طن',
);

function wordsOf(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ').map(foldWords)));
}

/**
 * What a header of amounts is of: goods that are traded, or the quantity of a price; else null,
 * also for goods with such a word in their names, as in `Rice, sold loose`.
 */
export function amountOfHeader(header: string): 'traded' | 'quantity' | null {
  const words = foldWords(header.replace(/[([].*?[)\]]/g, ' ')).split(' ');
  const has = (list: ReadonlySet<string>) => words.some((word) => list.has(word));
  const isAmount = words.every((word) =>
    [TRADED_WORDS, QUANTITY_WORDS, BESIDE_AMOUNTS].some((list) => list.has(word)),
  );
  if (!isAmount) return null;
  return has(TRADED_WORDS) ? 'traded' : has(QUANTITY_WORDS) ? 'quantity' : null;
}

/** Columns of codes and marks of statistical offices, which are no names. */
const CODE_WORDS = new Set(
  [
    ...['freq', 'frequency', 'obs status', 'status', 'unit mult', 'unit multiplier', 'scalar factor'],
    ...['scalar id', 'symbol', 'terminated', 'decimals', 'vector', 'coordinate', 'dguid', 'flag', 'flags'],
    ...['flag description', 'uom id', 'unit measure', 'obs conf', 'conf status', 'collection', 'dataflow'],
    ...[
      'structure',
      'structure id',
      'action',
      'domain',
      'domain code',
      'element',
      'element code',
      'footnote',
    ],
    ...[
      'footnote codes',
      'last update',
      'admin level',
      'area code',
      'item code',
      'months code',
      'year code',
      'url',
      'adjustment',
    ],
  ].map(foldWords),
);

/** Whether a header is that of codes, marks or notes. */
export const isCodeHeader = (header: string): boolean => {
  const words = foldWords(header);
  return CODE_WORDS.has(words) || / (?:code|codes|cod|id|uuid|flag)$/.test(` ${words}`);
};

/** Whether a header may be that of codes of goods or series, not of marks and notes. */
export const isKeyHeader = (header: string): boolean => {
  const words = foldWords(header);
  return !CODE_WORDS.has(words) && / (?:code|codes|cod|id|uuid)$/.test(` ${words}`);
};
