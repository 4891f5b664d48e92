import { chunksOf, collect, fixture, readFile } from '../../../test/support/import-input.js';
import { dayFromIso } from '../../lib/dates/calendar-date.js';
import { MONTHLY, WEEKLY } from '../../price-series/periodicity.js';
import { ImportRejected } from './batch.js';
import { FPMA_LAYOUTS } from './fpma.js';
import { importFormats } from './index.js';
import type { PriceRow, InputSeries } from './series.js';

const read = (name: string) => readFile('fpma', fixture(name));
const readText = (text: string) => collect(importFormats.fpma!(chunksOf(text), {}));
const flour = '3beeeab4-2bad-4c56-a50f-16eeadab281b';

describe('fpma', () => {
  it('reads a list of series with their calculated periods', async () => {
    const market = {
      iso3_country_code: 'ARM',
      country_name: 'Armenia',
      admin_unit: '',
      admin_unit2: '',
      name: 'Yerevan',
      type: 'Provincial average',
      code: '',
      info: 'Capital',
      latitude: null,
      longitude: null,
      regional_average: true,
    };
    const series = {
      uuid: flour,
      country_text: 'Armenia',
      market,
      commodity: { name: 'Wheat (flour, first grade)', hs_code: '110100', category: '' },
      price_type: 'RETAIL',
      source: { name: 'Statistics', url: 'https://example.org', license: '' },
      measure_unit: { name: 'Libra', dimension: 'mass', conversion_factor: 2.174 },
      currency: 'AMD',
      status: 'observed',
    };
    expect(await read('ok/fpma_series.json')).toEqual({
      read: 2,
      rows: [
        { line: 1, series, markedPeriods: 1 << MONTHLY },
        {
          line: 2,
          series: {
            uuid: 'c0b2e88d-8010-4f45-b989-fdf1eb126c10',
            country_text: 'INTERNATIONAL PRICES',
            market: {
              ...market,
              iso3_country_code: 'IPS',
              country_name: 'INTERNATIONAL PRICES',
              name: 'Gulf',
              type: 'Export',
              info: '',
              regional_average: false,
            },
            commodity: { name: 'Wheat (CWRS, 13.5%)', hs_code: '1001', category: '' },
            price_type: 'EXPORT',
            source: { name: 'Statistics', url: '', license: '' },
            measure_unit: { name: 'tonne', dimension: 'mass', conversion_factor: 0.001 },
            currency: 'USD',
            status: 'observed',
          },
          markedPeriods: 0,
        },
      ],
      rejects: [],
      skipped: {},
      rounded: 0,
    });
  });

  it('reads a list of markets', async () => {
    const found = await read('ok/fpma_markets.json');
    expect([found.read, found.rejects]).toEqual([2, []]);
    expect(found.rows).toEqual([
      {
        line: 1,
        values: {
          iso3_country_code: 'ARM',
          admin_unit: '',
          admin_unit2: '',
          name: 'Yerevan',
          type: 'Provincial average',
          code: 'MKT001',
          info: 'Capital',
          latitude: 40.18,
          longitude: 44.51,
          regional_average: true,
        },
        defaults: { country_name: 'Armenia' },
      },
      {
        line: 2,
        values: {
          iso3_country_code: 'KEN',
          admin_unit: 'Coast',
          admin_unit2: '',
          name: 'Coast',
          type: '',
          code: '',
          info: '',
          latitude: null,
          longitude: null,
          regional_average: true,
        },
        defaults: { country_name: 'Kenya' },
      },
    ]);
  });

  it('reads prices whose series have only a uuid', async () => {
    const row = { line: 1, series: { uuid: flour }, comment: '', calculated: false };
    expect(await read('ok/fpma_prices.ndjson')).toEqual({
      read: 4,
      rows: [
        { ...row, period: WEEKLY, day: dayFromIso('2021-02-05'), value: 219.9, comment: 'provisional' },
        { ...row, period: WEEKLY, day: dayFromIso('2021-01-29'), value: 210.123456789012 },
        { ...row, period: MONTHLY, day: dayFromIso('2021-01-01'), value: 215 },
      ],
      rejects: [],
      skipped: { no_value: 1 },
      rounded: 1,
    });
  });

  it('rejects elements and points by number, field and reason', async () => {
    const found = await read('not-ok/fpma_bad_elements.json');
    expect([found.read, found.rows]).toEqual([11, []]);
    expect(found.rejects.map(({ line, field, reason }) => [line, field, reason])).toEqual([
      [1, 'datapoints/0/price_value', 'not_positive'],
      [1, 'datapoints/1/price_value', 'required'],
      [1, 'datapoints/2/date', 'invalid_date'],
      [1, 'datapoints/3/date', 'invalid_date'],
      [1, 'datapoints/4/periodicity', 'invalid_choice'],
      [2, 'uuid', 'invalid_uuid'],
      [3, 'market_name', 'required'],
      [4, 'currency', 'invalid_currency'],
      [5, '', 'unknown_element'],
      [6, '', 'unknown_element'],
      [7, 'datapoints', 'invalid_type'],
    ]);
  });

  it.each([
    ['"constructor"', 'constructor'],
    ['"__proto__"', '__proto__'],
    ['{"toString":1}', '[object]'],
    ['null', 'null'],
  ])('rejects the periodicity %s', async (periodicity, described) => {
    const point = `{"price_value":5,"date":"2021-01-01","periodicity":${periodicity}}`;
    const { rows, rejects } = await readText(`{"uuid":"${flour}","datapoints":[${point}]}`);
    expect(rows).toEqual([]);
    expect(rejects).toEqual([
      {
        line: 1,
        field: 'datapoints/0/periodicity',
        reason: 'invalid_choice',
        detail: `periodicity must be daily, weekly or monthly, not "${described}".`,
      },
    ]);
  });

  it.each(['1.7976931348623157e308', '1e400', '1.1e100', '1e-101'])('rejects the price %s', async (price) => {
    const point = `{"price_value":${price},"date":"2021-01-01","periodicity":"monthly"}`;
    const { rows, rejects } = await readText(`{"uuid":"${flour}","datapoints":[${point}]}`);
    expect(rows).toEqual([]);
    expect(rejects).toEqual([
      expect.objectContaining({ field: 'datapoints/0/price_value', reason: 'out_of_range' }),
    ]);
  });

  it('rejects a date that is an object', async () => {
    const point = '{"price_value":5,"date":{"toString":1},"periodicity":"monthly"}';
    const { rejects } = await readText(`{"uuid":"${flour}","datapoints":[${point}]}`);
    expect(rejects).toEqual([expect.objectContaining({ reason: 'invalid_date' })]);
  });

  const element = {
    uuid: flour,
    iso3_country_code: 'ARM',
    market_name: 'Yerevan',
    commodity_name: 'Wheat',
    price_type: 'Retail',
    source_name: 'Statistics',
    measure_unit_label: 'Sack',
    currency: 'AMD',
  };

  it.each([1e-100, 2.5, 1e100])('reads the factor %d of a unit', async (conversion_factor) => {
    const { rows } = await readText(JSON.stringify({ ...element, conversion_factor }));
    expect((rows[0] as InputSeries).series.measure_unit).toEqual({
      name: 'Sack',
      dimension: 'mass',
      conversion_factor,
    });
  });

  it.each(['1.7976931348623157e308', '1e400', '1e-101', '0'])(
    'ignores the factor %s of a unit',
    async (factor) => {
      const text = JSON.stringify(element).replace('}', `,"conversion_factor":${factor}}`);
      const { rows } = await readText(text);
      expect((rows[0] as InputSeries).series.measure_unit).toEqual({
        name: 'Sack',
        dimension: 'other',
        conversion_factor: null,
      });
    },
  );

  it.each(['constructor', '__proto__'])('ignores the period %s of a series', async (period) => {
    const { rows } = await readText(
      JSON.stringify({ ...element, periodicity: [{ period, calculated: true }] }),
    );
    expect((rows as InputSeries[]).map(({ markedPeriods }) => markedPeriods)).toEqual([0]);
  });

  it('rejects a CSV file with the accepted layouts', async () => {
    await expect(read('not-ok/fx_other_layout.csv')).rejects.toEqual(
      new ImportRejected(`The input is not in the format fpma. Accepted: ${FPMA_LAYOUTS}.`),
    );
  });

  it.each(['', '[]', '{"count":0,"results":[]}'])('rejects the empty list %j', async (text) => {
    await expect(readText(text)).rejects.toEqual(
      new ImportRejected('The input is empty, or a list without elements.'),
    );
  });

  it.each([
    [
      '{"results":[\n {"uuid":"x","price_value_real":NaN}]}',
      'line 2, column 33: NaN is not JSON: write null.',
    ],
    [
      '{"uuid":"x",\n\n"datapoints":[{"price_value":-Infinity}]}',
      'line 3, column 30: -Infinity is not JSON: write null.',
    ],
    ['[{"uuid":"x",}]', 'line 1, column 13: a comma must not stand before }.'],
    ['[{"virtual":True}]', 'line 1, column 13: True is not JSON: write true.'],
  ])('names the line and the column of what is not JSON in %s', async (text, place) => {
    await expect(readText(text)).rejects.toEqual(new ImportRejected(`The JSON is not valid: ${place}`));
  });

  it('rejects an element that is not JSON, and reads the others', async () => {
    const lines = [JSON.stringify(element), '{"uuid":"x","datapoints":[1,]}', JSON.stringify(element)];
    const { read, rows, rejects } = await readText(lines.join('\n'));
    expect([read, rows.length]).toEqual([3, 2]);
    expect(rejects).toEqual([
      {
        line: 2,
        field: '',
        reason: 'invalid_json',
        detail: 'The element is not valid JSON: line 2, column 28: a comma must not stand before ].',
      },
    ]);
  });

  it('reads a comment of several lines as one', async () => {
    const points = [
      { price_value: 5, date: '2021-01-01', periodicity: 'monthly', comment: 'Ministry\r\nof Trade\n' },
    ];
    const { rows } = await readText(JSON.stringify({ uuid: flour, datapoints: points }));
    expect((rows as PriceRow[]).map(({ comment }) => comment)).toEqual(['Ministry of Trade']);
  });
});
