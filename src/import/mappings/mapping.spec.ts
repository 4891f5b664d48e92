import { ValidationError } from '../../platform/errors/api-error.js';
import { type Mapping, mappedTables, validateMapping } from './mapping.js';

/** A market survey of an office: a wide table with prices of a month in each row. */
const SURVEY = {
  name: 'mali-oma',
  table: 'prices',
  encoding: 'windows-1252',
  missingValues: ['', '-', 'n/d'],
  dialect: { delimiter: ';', headerRows: [3, 4], headerJoin: ' ' },
  skip: [{ column: 'Marché', startsWith: 'Total' }],
  end: { column: 'Marché', startsWith: 'Source' },
  unpivot: { columns: '{commodity} ({measure_unit})', value: 'price_value' },
  fields: {
    market: { column: 'Marché', fillDown: true },
    date: { column: 'Mois', format: '%b-%y', language: 'fr' },
    periodicity: { value: 'monthly' },
    price_value: { decimalChar: ',', groupChar: ' ' },
    currency: { value: 'XOF' },
    source: { value: 'OMA' },
    price_type: { column: 'Niv.', values: { D: 'RETAIL', G: 'WHOLESALE' } },
    iso3_country_code: { value: 'MLI' },
  },
} satisfies Mapping;

const RATES = {
  name: 'ecb',
  table: 'fx',
  fields: {
    currency: { column: 2 },
    date: { column: 1 },
    period: { value: 'daily' },
    rate: { column: 'OBS_VALUE', per: 'eur' },
  },
} satisfies Mapping;

/** What is said of a mapping, by where it is. */
function problems(body: object): Record<string, string> {
  const result = validateMapping(body);
  if ('value' in result) return {};
  return Object.fromEntries(result.violations.map(({ pointer, detail }) => [pointer!, detail]));
}

const withField = (name: string, field: object) => ({
  ...SURVEY,
  fields: { ...SURVEY.fields, [name]: field },
});

describe('a mapping', () => {
  it('is returned with its members as they were sent, texts normalized', () => {
    expect(validateMapping(SURVEY)).toEqual({ value: SURVEY });
    expect(validateMapping(RATES)).toEqual({
      value: { ...RATES, fields: { ...RATES.fields, rate: { column: 'OBS_VALUE', per: 'EUR' } } },
    });
    expect(validateMapping({ ...RATES, table: 'fx', title: ' Cafe\u0301 ' })).toMatchObject({
      value: { title: 'Caf\u00e9' },
    });
  });

  it('fills the columns of the formats that are tables', () =>
    expect([...mappedTables.keys()].sort()).toEqual([
      ...['Commodity', 'Market', 'MeasureUnit', 'PriceType', 'Source', 'cpi', 'fx', 'prices'],
    ]));

  it.each<[string, object, Record<string, string>]>([
    [
      'members that are not known, with the one that is meant',
      { ...SURVEY, tabel: 'x', dialect: { delimeter: ';', lineTerminator: '\n' } },
      {
        '/tabel': 'tabel is not a field of this record. Did you mean table?',
        '/dialect/delimeter': 'dialect.delimeter is not a field of this record. Did you mean delimiter?',
        '/dialect/lineTerminator': 'dialect.lineTerminator is not a field of this record.',
      },
    ],
    [
      'members that are special in JavaScript',
      JSON.parse(
        '{"__proto__": 1, "name": "a", "table": "fx", "fields": {"__proto__": {"value": "x"}}}',
      ) as object,
      { '/__proto__': '__proto__ is not a field of this record.' },
    ],
    [
      'members that are missing',
      {},
      { '/name': 'name is required.', '/table': 'table is required.', '/fields': 'fields is required.' },
    ],
    [
      'values of other types',
      { ...RATES, skip: {}, end: [], dialect: { headerRows: ['1'], header: 'yes' } },
      {
        '/skip': 'skip must be an array.',
        '/end': 'end must be an object.',
        '/dialect/headerRows/0': 'dialect.headerRows.0 must be an integer.',
        '/dialect/header': 'dialect.header must be true or false.',
      },
    ],
    [
      'a list without a column, and items without the name of a column',
      {
        ...withField('market', { value: 'x', list: { by: ', ', item: '{market} {commodity}: {currency}' } }),
        unpivot: { columns: '{commodity}', value: 'price_value' },
      },
      {
        '/fields/market/list': 'fields.market.list must be given with column, and without fillDown.',
        '/fields/market/list/item':
          'fields.market.list.item must have {market} and one field of unpivot.columns.',
        '/fields/measure_unit': 'fields.measure_unit is required.',
      },
    ],
    [
      'a column that is neither a name nor a number',
      withField('market', { column: true }),
      { '/fields/market/column': 'fields.market.column must be a string or an integer.' },
    ],
    [
      'a column with a number out of range',
      withField('market', { column: -1 }),
      { '/fields/market/column': 'fields.market.column must be between 0 and 2147483647.' },
    ],
    [
      'a name',
      { ...RATES, name: 'ECB rates' },
      { '/name': 'name must be small letters and digits, with single hyphens between them.' },
    ],
    [
      'the name of a format',
      { ...RATES, name: 'wfp' },
      { '/name': 'name must not be wfp, which is a format of the service.' },
    ],
    [
      'a table',
      { ...RATES, table: 'wfp' },
      {
        '/table': 'table must be one of prices, PriceType, fx, cpi, Market, Commodity, Source, MeasureUnit.',
      },
    ],
    [
      'an encoding',
      { ...RATES, encoding: 'klingon' },
      { '/encoding': 'encoding must be the label of an encoding, such as windows-1252.' },
    ],
    [
      'fields of another table',
      withField('rate', { value: '1' }),
      { '/fields/rate': 'fields.rate is not a column of prices. Did you mean date?' },
    ],
    [
      'a field with two origins',
      withField('market', { column: 'A', value: 'B' }),
      { '/fields/market': 'fields.market must have one of column, value, file, sheet, join.' },
    ],
    [
      'a field without one',
      withField('market', {}),
      { '/fields/market': 'fields.market must have one of column, value, file, sheet, join.' },
    ],
    [
      'a field that columns have',
      withField('commodity', { column: 'A' }),
      { '/fields/commodity/column': 'fields.commodity.column must not be given: unpivot has the field.' },
    ],
    [
      'words of other kinds of fields',
      withField('market', { column: 'A', format: '%Y-%m', multiply: 2, invert: true }),
      {
        '/fields/market/format': 'fields.market.format is of dates, and market is none.',
        '/fields/market/multiply': 'fields.market.multiply is of numbers, and market is none.',
        '/fields/market/invert': 'fields.market.invert is of rates.',
      },
    ],
    [
      'formats of dates',
      withField('date', { column: 'Mois', format: '%d.%Q.%Y' }),
      {
        '/fields/date/format':
          'fields.date.format must not have %Q; it can have %Y %y %m %b %B %d %e %j %G %V %u %H %I %M %S %f %p %z %Z %a %A %%.',
      },
    ],
    [
      'formats without a month',
      withField('date', { column: 'Mois', format: '%Y' }),
      {
        '/fields/date/format':
          'fields.date.format must have a year and a month, such as %Y-%m, or a week, %G-W%V.',
      },
    ],
    [
      'languages',
      withField('date', { column: 'Mois', format: '%b-%y', language: 'xx-klingon-1' }),
      { '/fields/date/language': 'fields.date.language must be the tag of a language, such as fr.' },
    ],
    [
      'signs of numbers',
      withField('price_value', { decimalChar: ',', groupChar: ',' }),
      { '/fields/price_value/groupChar': 'fields.price_value.groupChar must not be decimalChar.' },
    ],
    [
      'others without values',
      withField('market', { column: 'A', others: 'keep' }),
      { '/fields/market/others': 'fields.market.others must not be given without values.' },
    ],
    [
      'a pattern of files without its field',
      withField('market', { file: 'prices_*.csv' }),
      { '/fields/market/file': 'fields.market.file must have {market}.' },
    ],
    [
      'patterns of columns',
      { ...SURVEY, unpivot: { columns: '{commodity}{unit}', value: 'market' } },
      {
        '/unpivot/columns': 'unpivot.columns must have text between any two of its fields and asterisks.',
        '/unpivot/value': 'unpivot.value must be a column of the format that has numbers.',
        '/fields/market/column': 'fields.market.column must not be given: unpivot has the field.',
        '/fields/price_value': 'fields.price_value must have one of column, value, file, sheet, join.',
        '/fields/commodity': 'fields.commodity is required.',
        '/fields/measure_unit': 'fields.measure_unit is required.',
      },
    ],
    [
      'conditions',
      {
        ...SURVEY,
        skip: [{ column: 'A' }, { column: 0, blank: true }],
        end: { column: 'A', equals: '', blank: true },
      },
      {
        '/skip/0': 'skip.0 must have one of equals, startsWith and blank.',
        '/skip/1/column': 'skip.1.column must be at least 1.',
        '/end': 'end must have one of equals, startsWith and blank.',
      },
    ],
    [
      'the dialect',
      {
        ...RATES,
        dialect: { delimiter: '"', headerRows: [2, 1], sheetName: 'A', sheetNumber: 1 },
      },
      {
        '/dialect/delimiter': 'dialect.delimiter must not be the sign of quotes.',
        '/dialect/headerRows': 'dialect.headerRows must be numbers of rows from 1 that rise.',
        '/dialect/sheetNumber': 'dialect.sheetNumber must not be given beside sheetName.',
      },
    ],
    [
      'what is not supported of a dialect',
      { ...RATES, dialect: { quoteChar: "'", doubleQuote: false, delimiter: '' } },
      {
        '/dialect/quoteChar': 'dialect.quoteChar must be one of ".',
        '/dialect/doubleQuote': 'dialect.doubleQuote must be true.',
        '/dialect/delimiter': 'dialect.delimiter must not be blank.',
      },
    ],
    [
      'names of columns where there is no header',
      { ...RATES, dialect: { header: false } },
      { '/fields/rate': 'fields.rate must be the number of a column, because the table has no header.' },
    ],
    [
      'a year without a month',
      { ...RATES, fields: { ...RATES.fields, year: { column: 1 } } },
      {
        '/fields/year': 'fields.year must not be given beside date.',
        '/fields': 'fields must have year and month, or date.',
      },
    ],
  ])('is rejected for %s', (_, body, expected) => expect(problems(body)).toEqual(expected));

  it('is rejected for nesting of any depth', () => {
    const deep = JSON.parse(`${'{"fields":'.repeat(14_000)}1${'}'.repeat(14_000)}`) as object;
    expect(problems(deep)).toMatchObject({
      '/fields/fields/fields': 'fields.fields.fields is not a field of this record.',
    });
    const lists = { ...RATES, skip: JSON.parse(`${'['.repeat(40_000)}${']'.repeat(40_000)}`) as object };
    expect(problems(lists)).toEqual({ '/skip/0': 'skip.0 must be an object.' });
  });

  it('is no list, text or number', () => {
    for (const body of [[], 'a', 1, null]) expect(() => validateMapping(body)).toThrow(ValidationError);
  });
});
