/** A field as tests describe it; the values that it rejects follow from its kind. */
export type FieldCase =
  | { kind: 'text'; max: number; required?: true }
  | { kind: 'digits'; max: number }
  | { kind: 'choice'; allowed: readonly string[] }
  | { kind: 'date'; firstOfMonth?: true }
  | { kind: 'code' }
  | { kind: 'number'; tooSmall: number; tooLarge?: number }
  | { kind: 'flag' };

export type RecordFields = Readonly<Record<string, unknown>>;

/** Sample bodies of a reference table, with read names, for the shared suite. */
export interface ReferenceTableCase {
  /** Path segment. */
  name: string;
  /** The table's name in the database, and the prefix of its write fields. */
  table: string;
  fields: Readonly<Record<string, FieldCase>>;
  required: readonly string[];
  nullable: readonly string[];
  unique: readonly string[];
  /** A record with all fields, none of them at its default. */
  whole: RecordFields;
  /** Fields of `whole` that an import stores differently. */
  imported?: RecordFields;
  /** Values that make the unique key of the `n`th record different. */
  nth: (n: number) => RecordFields;
  /** The other fields of a record that is created with only the required ones of `whole`. */
  defaults: RecordFields;
  /** Fields that a PUT without them leaves as they are, because other records have them, too. */
  kept?: readonly string[];
  /** A change to a field outside the unique key. */
  change: RecordFields;
  /** A `search` that finds `whole`, in another letter case and without accents. */
  search: string;
  /** Records that the migrations insert. */
  seeds: readonly RecordFields[];
}

const text = (max: number): FieldCase => ({ kind: 'text', max });
const requiredText = (max: number): FieldCase => ({ kind: 'text', max, required: true });

/** The first day of the month, `n` months after January 2000. */
const month = (n: number) => `${2000 + Math.floor(n / 12)}-${String((n % 12) + 1).padStart(2, '0')}-01`;

export const referenceTableCases: readonly ReferenceTableCase[] = [
  {
    name: 'PriceType',
    table: 'price_type',
    fields: { name: requiredText(50), description: text(500) },
    required: ['name'],
    nullable: [],
    unique: ['name'],
    whole: { name: 'Ab Höfe 🌾', description: 'Farm gate' },
    imported: { name: 'AB HÖFE 🌾' },
    nth: (n) => ({ name: `Price type ${n}` }),
    defaults: { description: '' },
    change: { description: 'Paid to the farmer' },
    search: 'HOFE',
    seeds: [
      { id: 11, name: 'EXPORT', description: '' },
      { id: 12, name: 'RETAIL', description: '' },
      { id: 13, name: 'WHOLESALE', description: '' },
      { id: 17, name: 'IMPORT', description: '' },
    ],
  },
  {
    name: 'FxRate',
    table: 'fx_rate',
    fields: {
      currency: { kind: 'code' },
      date: { kind: 'date' },
      period: { kind: 'choice', allowed: ['daily', 'monthly'] },
      rate: { kind: 'number', tooSmall: 0, tooLarge: 1.1e100 },
      rate_type: { kind: 'choice', allowed: ['official', 'parallel'] },
      source: text(200),
    },
    required: ['currency', 'date', 'rate'],
    nullable: [],
    unique: ['currency', 'rate_type', 'period', 'date'],
    whole: {
      currency: 'SOS',
      date: '2023-06-01',
      period: 'daily',
      rate: 571.123456789012,
      rate_type: 'parallel',
      source: 'Banque centrale 🌾',
    },
    nth: (n) => ({ date: month(n) }),
    defaults: { period: 'monthly', rate_type: 'official', source: '' },
    change: { rate: 0.000001 },
    search: 'sos',
    seeds: [],
  },
  {
    name: 'Cpi',
    table: 'cpi',
    fields: {
      iso3_country_code: { kind: 'code' },
      date: { kind: 'date', firstOfMonth: true },
      item: { kind: 'choice', allowed: ['general', 'food'] },
      value: { kind: 'number', tooSmall: 1e-101, tooLarge: 1.1e100 },
      base_period: requiredText(20),
      source: text(200),
    },
    required: ['iso3_country_code', 'date', 'value', 'base_period'],
    nullable: [],
    unique: ['iso3_country_code', 'item', 'base_period', 'date'],
    whole: {
      iso3_country_code: 'CIV',
      date: '2023-06-01',
      item: 'food',
      value: 112.5,
      base_period: '2015',
      source: 'Institut national é',
    },
    nth: (n) => ({ date: month(n) }),
    defaults: { item: 'general', source: '' },
    change: { value: 113.25 },
    search: 'cote',
    seeds: [],
  },
  {
    name: 'Market',
    table: 'market',
    fields: {
      name: requiredText(200),
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
    unique: ['iso3_country_code', 'admin_unit', 'admin_unit2', 'name'],
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
    nth: (n) => ({ name: `Market ${n}` }),
    defaults: {
      type: '',
      code: '',
      country_name: 'Mali',
      admin_unit: '',
      admin_unit2: '',
      latitude: null,
      longitude: null,
      info: '',
      regional_average: false,
    },
    kept: ['country_name'],
    change: { latitude: 0 },
    search: 'SEGOU MARCHE',
    seeds: [],
  },
  {
    name: 'Commodity',
    table: 'commodity',
    fields: { name: requiredText(200), hs_code: { kind: 'digits', max: 12 }, category: text(100) },
    required: ['name'],
    nullable: ['hs_code'],
    unique: ['name'],
    whole: { name: 'Maïs, blanc', hs_code: '010059', category: 'Cereals' },
    nth: (n) => ({ name: `Commodity ${n}` }),
    defaults: { hs_code: null, category: '' },
    change: { hs_code: '1005' },
    search: 'mais',
    seeds: [],
  },
  {
    name: 'Source',
    table: 'source',
    fields: { name: requiredText(200), url: text(500), license: text(500) },
    required: ['name'],
    nullable: [],
    unique: ['name'],
    whole: {
      name: 'Ministério da Agricultura',
      url: 'https://example.org/?a=1&b="2"',
      license: "'CC BY 4.0",
    },
    nth: (n) => ({ name: `Source ${n}` }),
    defaults: { url: '', license: '' },
    change: { license: 'CC BY 3.0 IGO' },
    search: 'ministerio',
    seeds: [],
  },
  {
    name: 'MeasureUnit',
    table: 'measure_unit',
    fields: {
      name: requiredText(100),
      dimension: { kind: 'choice', allowed: ['mass', 'volume', 'count', 'other'] },
      conversion_factor: { kind: 'number', tooSmall: 0, tooLarge: 1.1e100 },
    },
    required: ['name'],
    nullable: ['conversion_factor'],
    unique: ['name'],
    whole: { name: 'Quintal español (46 kg)', dimension: 'mass', conversion_factor: 0.0217391304347826 },
    nth: (n) => ({ name: `Unit ${n}` }),
    defaults: { dimension: 'other', conversion_factor: null },
    change: { conversion_factor: 1e-7 },
    search: 'espanol',
    seeds: [],
  },
];

/** A record of a table, with defaults for the fields that it was created without. */
export function storedRecord(name: string, fields: RecordFields): RecordFields {
  return { ...referenceTableCases.find((table) => table.name === name)!.defaults, ...fields };
}
