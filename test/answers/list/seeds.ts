/*
 * What the lists are made from: the addresses, the tables, and a few series of the bundled sample.
 */

/** Where the price interface answers. */
export const PREFIXES = [
  '/api/v1',
  '/giews/v4/price_module/api/v1',
  '/giews/v4/global/price_module/api/v1',
] as const;
export const [API, FPMA] = PREFIXES;

/** Series of the sample. */
export const SERIES = {
  /** Daily and monthly as stored, weekly derived. */
  daily: '20f031b3-2e18-5891-a6f3-335e9a3d566c',
  /** Daily as stored, the rest derived. */
  derived: 'a5ef8c61-8865-5b97-8091-b61f62533921',
  /** Weekly as stored, monthly derived. */
  weekly: '31d2e543-faab-5d0b-b3bc-60aee54e8f53',
  monthly: '4def65f4-55ea-5994-ad6d-e44d2a358810',
  /** Of the international dataset, in dollars. */
  export: '06f0c430-6623-5fc5-843c-586d303c4534',
  /** Its last price is old. */
  ended: '232a6c8b-659a-5331-891a-7bcb6fa60542',
  unknown: 'ffffffff-0000-4000-8000-00000000000f',
} as const;

/** What a field takes, which decides what it rejects. */
export type Field =
  | { kind: 'text'; max: number; required?: true }
  | { kind: 'digits'; max: number }
  | { kind: 'choice'; allowed: readonly string[] }
  | { kind: 'date'; firstOfMonth?: true }
  | { kind: 'code' }
  | { kind: 'number'; tooSmall: number; tooLarge: number }
  | { kind: 'flag' };

/** A reference table as the lists know it. */
export interface Table {
  /** Its segment in addresses. */
  name: string;
  /** What its write fields begin with. */
  prefix: string;
  fields: Readonly<Record<string, Field>>;
  required: readonly string[];
  nullable: readonly string[];
  /** A record with every field given, in read names. */
  whole: Readonly<Record<string, unknown>>;
  /** What makes a record another one. */
  other: (n: number) => Readonly<Record<string, unknown>>;
  /** A change that leaves the unique fields alone. */
  change: Readonly<Record<string, unknown>>;
  /** A word that finds records of the sample. */
  word: string;
}

const text = (max: number): Field => ({ kind: 'text', max });
const needed = (max: number): Field => ({ kind: 'text', max, required: true });
const positive = { kind: 'number', tooSmall: 0, tooLarge: 1.1e100 } as const;
const month = (n: number) => `${1950 + Math.floor(n / 12)}-${String((n % 12) + 1).padStart(2, '0')}-01`;

export const TABLES: readonly Table[] = [
  {
    name: 'PriceType',
    prefix: 'price_type',
    fields: { name: needed(50), description: text(500) },
    required: ['name'],
    nullable: [],
    whole: { name: 'Ab Höfe 🌾', description: 'Farm gate' },
    other: (n) => ({ name: `Price type ${n}` }),
    change: { description: 'Paid to the farmer' },
    word: 'whole',
  },
  {
    name: 'FxRate',
    prefix: 'fx_rate',
    fields: {
      currency: { kind: 'code' },
      date: { kind: 'date' },
      period: { kind: 'choice', allowed: ['daily', 'monthly'] },
      rate: positive,
      rate_type: { kind: 'choice', allowed: ['official', 'parallel'] },
      source: text(200),
    },
    required: ['currency', 'date', 'rate'],
    nullable: [],
    whole: {
      currency: 'SOS',
      date: '2023-06-01',
      period: 'daily',
      rate: 571.123456789012,
      rate_type: 'parallel',
      source: 'Banque centrale 🌾',
    },
    other: (n) => ({ date: month(n) }),
    change: { rate: 0.000001 },
    word: 'xda',
  },
  {
    name: 'Cpi',
    prefix: 'cpi',
    fields: {
      iso3_country_code: { kind: 'code' },
      date: { kind: 'date', firstOfMonth: true },
      item: { kind: 'choice', allowed: ['general', 'food'] },
      value: { kind: 'number', tooSmall: 1e-101, tooLarge: 1.1e100 },
      base_period: needed(20),
      source: text(200),
    },
    required: ['iso3_country_code', 'date', 'value', 'base_period'],
    nullable: [],
    whole: {
      iso3_country_code: 'CIV',
      date: '2023-06-01',
      item: 'food',
      value: 112.5,
      base_period: '2015',
      source: 'Institut national é',
    },
    other: (n) => ({ date: month(n) }),
    change: { value: 113.25 },
    word: 'xaa',
  },
  {
    name: 'Market',
    prefix: 'market',
    fields: {
      name: needed(200),
      type: text(100),
      code: text(50),
      iso3_country_code: { kind: 'code' },
      country_name: text(200),
      admin_unit: text(150),
      admin_unit2: text(150),
      latitude: { kind: 'number', tooSmall: -90.5, tooLarge: 91 },
      longitude: { kind: 'number', tooSmall: -181, tooLarge: 180.000001 },
      info: text(2000),
      regional_average: { kind: 'flag' },
    },
    required: ['name', 'iso3_country_code'],
    nullable: ['latitude', 'longitude'],
    whole: {
      name: 'Marché de Ségou, centre',
      type: 'Urban',
      code: '0123',
      iso3_country_code: 'MLI',
      country_name: 'Republic of Mali',
      admin_unit: 'Ségou',
      admin_unit2: 'Cercle',
      latitude: 13.4317,
      longitude: -6.2157,
      info: 'سوق "weekly"; 100% _ \\',
      regional_average: true,
    },
    other: (n) => ({ name: `Market ${n}` }),
    change: { latitude: 0 },
    word: 'elie',
  },
  {
    name: 'Commodity',
    prefix: 'commodity',
    fields: { name: needed(200), hs_code: { kind: 'digits', max: 12 }, category: text(100) },
    required: ['name'],
    nullable: ['hs_code'],
    whole: { name: 'Maïs, blanc', hs_code: '010059', category: 'Cereals' },
    other: (n) => ({ name: `Commodity ${n}` }),
    change: { hs_code: '1005' },
    word: 'rice',
  },
  {
    name: 'Source',
    prefix: 'source',
    fields: { name: needed(200), url: text(500), license: text(500) },
    required: ['name'],
    nullable: [],
    whole: {
      name: 'Ministério da Agricultura',
      url: 'https://example.org/?a=1&b="2"',
      license: "'CC BY 4.0",
    },
    other: (n) => ({ name: `Source ${n}` }),
    change: { license: 'CC BY 3.0 IGO' },
    word: 'synthetic',
  },
  {
    name: 'MeasureUnit',
    prefix: 'measure_unit',
    fields: {
      name: needed(100),
      dimension: { kind: 'choice', allowed: ['mass', 'volume', 'count', 'other'] },
      conversion_factor: positive,
    },
    required: ['name'],
    nullable: ['conversion_factor'],
    whole: { name: 'Quintal español (46 kg)', dimension: 'mass', conversion_factor: 0.0217391304347826 },
    other: (n) => ({ name: `Unit ${n}` }),
    change: { conversion_factor: 1e-7 },
    word: 'kg',
  },
];

/** The table of a name. */
export const tableOf = (name: string): Table => TABLES.find((table) => table.name === name)!;

/** A body in write names. */
export function written(
  { prefix }: Table,
  fields: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${prefix}_${name}`, value]));
}

/** Only some of the fields. */
export function only(
  fields: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
}
