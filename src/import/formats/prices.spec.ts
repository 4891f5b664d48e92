import { chunksOf, collect, fixture, readFile } from '../../../test/support/import-input.js';
import { dayFromIso } from '../../lib/dates/calendar-date.js';
import { DAILY, MONTHLY, WEEKLY } from '../../price-series/periodicity.js';
import { ImportRejected } from './batch.js';
import { importFormats } from './index.js';

const readText = (periodicity: string, price = '5') =>
  collect(
    importFormats.prices!(
      chunksOf(
        'iso3_country_code,commodity,price_type,market,source,currency,measure_unit,date,periodicity,price_value\n' +
          `KEN,Maize,Retail,Kitui,Ministry,KES,KG,2021-01-01,${periodicity},${price}`,
      ),
      {},
    ),
  );

describe('prices', () => {
  const maize = {
    uuid: '6f0d2c1e-7a3b-4c5d-8e9f-0a1b2c3d4e5f',
    country_text: 'Kenya',
    market: {
      iso3_country_code: 'KEN',
      country_name: 'Kenya',
      admin_unit: 'Eastern',
      admin_unit2: '-North',
      name: '=Kitui',
      type: 'Market town',
      code: 'M-1',
      info: 'Grain, mostly',
      latitude: -1.25,
      longitude: 38.5,
      regional_average: false,
    },
    commodity: { name: 'Maize (white, "large")', hs_code: '100590', category: 'cereals and tubers' },
    price_type: 'RETAIL',
    source: { name: 'Ministry of Trade', url: 'https://example.org/prices', license: 'CC BY 4.0' },
    measure_unit: { name: '90 kg', dimension: 'mass', conversion_factor: 0.0111111111111111 },
    currency: 'KES',
    status: 'observed',
  };

  it('reads all columns, removes CSV injection guards and skips calculated rows', async () => {
    const row = { series: maize, calculated: false };
    expect(await readFile('prices', fixture('ok/prices_all_columns.csv'))).toEqual({
      read: 3,
      rows: [
        { ...row, line: 2, period: WEEKLY, day: dayFromIso('2021-02-05'), value: 105.5, comment: '@ office' },
        { ...row, line: 3, period: DAILY, day: dayFromIso('2021-01-01'), value: 100.25, comment: '' },
      ],
      rejects: [],
      skipped: { calculated: 1 },
      rounded: 0,
    });
  });

  it('derives missing columns from the others', async () => {
    const series = {
      uuid: null,
      market: {
        iso3_country_code: 'XAA',
        country_name: '',
        admin_unit: '',
        admin_unit2: '',
        name: 'National average',
        type: '',
        code: '',
        info: '',
        latitude: null,
        longitude: null,
        regional_average: true,
      },
      commodity: { name: 'Maize', hs_code: null, category: '' },
      price_type: 'RETAIL',
      source: { name: 'Synthetic', url: '', license: '' },
      measure_unit: { name: '50 KG', dimension: 'mass', conversion_factor: 0.02 },
      currency: 'XDA',
      status: 'observed',
    };
    const found = await readFile('prices', fixture('ok/prices_few_columns.csv'));
    expect(found.rows).toEqual(
      ['2021-01-01', '2021-02-01'].map((date, at) => ({
        line: at + 2,
        series,
        period: MONTHLY,
        day: dayFromIso(date),
        value: at === 0 ? 0.47 : 0.48,
        comment: '',
        calculated: false,
      })),
    );
  });

  it('rejects bad rows by line, column and reason', async () => {
    const found = await readFile('prices', fixture('not-ok/prices_bad_rows.csv'));
    expect([found.read, found.rows]).toEqual([6, []]);
    expect(found.rejects.map(({ line, field, reason }) => [line, field, reason])).toEqual([
      [2, 'uuid', 'invalid_uuid'],
      [3, 'hs_code', 'invalid_hs_code'],
      [4, 'date', 'invalid_date'],
      [5, 'periodicity', 'invalid_choice'],
      [6, 'price_value', 'not_positive'],
      [7, 'commodity', 'required'],
    ]);
  });

  it.each(['constructor', '__proto__', 'toString'])('rejects the periodicity %s', async (periodicity) => {
    const { rows, rejects } = await readText(periodicity);
    expect(rows).toEqual([]);
    expect(rejects).toEqual([
      {
        line: 2,
        field: 'periodicity',
        reason: 'invalid_choice',
        detail: `periodicity must be daily, weekly or monthly, not "${periodicity}".`,
      },
    ]);
  });

  it.each(['1.7976931348623157e308', '1.1e100', '1e-101'])('rejects the price %s', async (price) => {
    const { rows, rejects } = await readText('monthly', price);
    expect(rows).toEqual([]);
    expect(rejects).toEqual([
      expect.objectContaining({ line: 2, field: 'price_value', reason: 'out_of_range' }),
    ]);
  });

  it('rejects any other layout', async () => {
    const error: unknown = await readFile('prices', fixture('not-ok/prices_other_layout.csv')).catch(
      (e: unknown) => e,
    );
    expect(error).toBeInstanceOf(ImportRejected);
    expect((error as Error).message).toBe(
      'The input is not in the format prices: the column market is missing (also called marché, mercado); ' +
        'the column currency is missing (also called devise, monnaie, moneda, divisa, moeda); ' +
        'the column measure_unit is missing (also called unit, unité, unité de mesure, unidad, unidad de medida, unidade, unidade de medida).',
    );
  });
});
