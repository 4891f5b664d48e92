import { referenceTables } from '../../reference/reference.module.js';
import type { PricesCsvColumn } from '../../prices/read/prices-csv.js';
import { SERIES_READERS } from './prices.js';
import { MAX_LENGTHS } from './series.js';
import { readerOf } from './table-rows.js';

/** The field of a reference table. */
function fieldOf(table: string, name: string) {
  return referenceTables()
    .find((one) => one.name === table)!
    .fields.get(name)!;
}

/** The table and field that each column of the prices CSV is stored in. */
const stored: [PricesCsvColumn, table: string, field: string][] = [
  ['iso3_country_code', 'Market', 'iso3_country_code'],
  ['country_name', 'Market', 'country_name'],
  ['market', 'Market', 'name'],
  ['market_type', 'Market', 'type'],
  ['market_code', 'Market', 'code'],
  ['market_info', 'Market', 'info'],
  ['admin_unit', 'Market', 'admin_unit'],
  ['admin_unit2', 'Market', 'admin_unit2'],
  ['latitude', 'Market', 'latitude'],
  ['longitude', 'Market', 'longitude'],
  ['regional_average', 'Market', 'regional_average'],
  ['commodity', 'Commodity', 'name'],
  ['hs_code', 'Commodity', 'hs_code'],
  ['category', 'Commodity', 'category'],
  ['price_type', 'PriceType', 'name'],
  ['source', 'Source', 'name'],
  ['source_url', 'Source', 'url'],
  ['source_license', 'Source', 'license'],
  ['currency', 'FxRate', 'currency'],
  ['measure_unit', 'MeasureUnit', 'name'],
  ['measure_unit_dimension', 'MeasureUnit', 'dimension'],
  ['conversion_factor', 'MeasureUnit', 'conversion_factor'],
];

/** Texts at both sides of the bounds of every field. */
const texts = [
  ...[1, 3, 20, 50, 100, 150, 200, 500, 2000].flatMap((length) => [
    'x'.repeat(length),
    'x'.repeat(length + 1),
  ]),
  ...['a\u0000b', '\ufffd', 'Straße', 'KEN', 'ke1', '1', '10', '1'.repeat(12), '1'.repeat(13)],
  ...[
    '-90',
    '-90.1',
    '90',
    '90.1',
    '-180',
    '180',
    '180.1',
    '0',
    '-1',
    '1e-100',
    '1e-101',
    '1e100',
    '1.1e100',
  ],
  ...['true', 'FALSE', 'yes', 'mass', 'Volume', 'count', 'other', 'weight', '1.2345678901234567'],
];

describe('the columns of prices', () => {
  it('have a reader for each column that describes a series', () =>
    expect(stored.map(([column]) => column)).toEqual(Object.keys(SERIES_READERS)));

  it.each(stored)('%s is read as its reference table is', (column, table, name) => {
    const read = readerOf(fieldOf(table, name));
    for (const text of texts)
      expect([text, SERIES_READERS[column]!(text, column)]).toEqual([text, read(text, column)]);
  });
});

it('the texts of a series have the lengths of their fields', () => {
  const length = (table: string, name: string) => fieldOf(table, name).schema.maxLength;
  expect(MAX_LENGTHS).toEqual({
    admin_unit: length('Market', 'admin_unit'),
    admin_unit2: length('Market', 'admin_unit2'),
    market: length('Market', 'name'),
    market_type: length('Market', 'type'),
    code: length('Market', 'code'),
    info: length('Market', 'info'),
    country_name: length('Market', 'country_name'),
    commodity: length('Commodity', 'name'),
    category: length('Commodity', 'category'),
    price_type: length('PriceType', 'name'),
    source: length('Source', 'name'),
    url: length('Source', 'url'),
    license: length('Source', 'license'),
    measure_unit: length('MeasureUnit', 'name'),
    comment: 500,
  });
});
