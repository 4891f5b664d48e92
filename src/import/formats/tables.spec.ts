import { chunksOf, collect, fixture, readFile } from '../../../test/support/import-input.js';
import { csvLine } from '../../lib/text/csv.js';
import { ImportRejected } from './batch.js';
import { importFormats } from './index.js';
import type { TableRecord } from './table-rows.js';

const ok = (format: string, name: string) => readFile(format, fixture(`ok/${name}`));
const readText = (format: string, text: string) => collect(importFormats[format]!(chunksOf(text), {}));
const values = (rows: unknown[]) => (rows as TableRecord[]).map((row) => row.values);

describe('values of years and days', () => {
  const rates = (...dates: string[]) =>
    ['Date,Country,Exchange rate', ...dates.map((date) => `${date},Mexico,18.3`), ''].join('\n');
  const yearly = rates('2022-01-01', '2023-01-01', '2024-01-01');
  const asIndices = (...dates: string[]) =>
    [
      'iso3_country_code,date,item,value,base_period',
      ...dates.map((date) => `KEN,${date},general,190,2015`),
      '',
    ].join('\n');

  it.each([
    ['fx', yearly],
    ['fx', 'currency,date,rate\nKES,2022-01-01,118\nKES,2023-01-01,140\n'],
    ['cpi', asIndices('2022-01-01', '2023-01-01')],
  ])('are no monthly ones: %s', async (format, text) => {
    await expect(readText(format, text)).rejects.toThrow(
      /are dated the first or the last day of a year: they look like yearly averages, which are not stored\. If they are those of January, specify --period monthly \(over HTTP: period=monthly\)\.$/,
    );
    const stated = await collect(importFormats[format]!(chunksOf(text), { period: 'monthly' }));
    expect([stated.rows.length, stated.rejects]).toEqual([text === yearly ? 3 : 2, []]);
  });

  it('are no monthly ones where days come first', async () => {
    await expect(readText('fx', rates('2024-01-02', '2024-01-03', '2024-02-01'))).rejects.toThrow(
      'The rates are dated other days than the 1st (2024-01-02), so they are no monthly averages.',
    );
  });

  const own = (...dates: string[]) =>
    ['currency,date,rate', ...dates.map((date) => `KES,${date},129`), ''].join('\n');
  const asked = (noun: string, days: string, likeness: string, months: string) =>
    `All ${noun} are dated ${days}: they look like ${likeness}, which are not stored. ` +
    `If they are those of ${months}, specify --period monthly (over HTTP: period=monthly).`;

  it.each([
    ['fx', own('2023-01-01', '2023-04-01', '2023-07-01')],
    ['fx', own('2023-06-01', '2023-03-01', '2023-12-01', '2022-09-01')],
    ['fx', rates('2023-02-01', '2023-05-01', '2023-08-01')],
    ['FxRate', own('2023-01-01', '2023-04-01', '2023-07-01')],
    ['cpi', asIndices('2023-01-01', '2023-04-01', '2023-07-01', '2023-10-01')],
    ['Cpi', asIndices('2023-01-01', '2023-04-01', '2023-07-01', '2023-10-01')],
  ])('are no monthly ones where they are those of quarters: %s', async (format, text) => {
    const noun = /fx/i.test(format) ? 'rates' : 'indices';
    await expect(readText(format, text)).rejects.toThrow(
      asked(noun, 'months that are three apart', 'quarterly ones', 'single months'),
    );
    const stated = await collect(importFormats[format]!(chunksOf(text), { period: 'monthly' }));
    expect([stated.rows.length, stated.rejects]).toEqual([text.split('\n').length - 2, []]);
  });

  it.each([
    ['fx', own('2022-07-01', '2023-07-01')],
    ['FxRate', own('2022-07-01', '2023-07-01')],
    ['cpi', asIndices('2021-07-01', '2022-07-01', '2023-07-01')],
  ])('are no monthly ones where years begin in another month: %s', async (format, text) => {
    await expect(readText(format, text)).rejects.toThrow(
      asked(
        /fx/i.test(format) ? 'rates' : 'indices',
        'the same month of different years',
        'yearly averages',
        'that month',
      ),
    );
  });

  it.each([
    ['fx', own('2024-02-01', '2024-02-02')],
    ['FxRate', own('2024-02-01', '2024-02-02')],
    ['fx', rates('2024-02-01', '2024-02-02')],
  ])('are read as daily ones where the import says it: %s', async (format, text) => {
    await expect(readText(format, text)).rejects.toThrow(
      'The rates are dated other days than the 1st (2024-02-02), so they are no monthly averages. ' +
        'If they are daily ones, specify --period daily (over HTTP: period=daily).',
    );
    const stated = await collect(importFormats[format]!(chunksOf(text), { period: 'daily' }));
    expect(values(stated.rows).map(({ period, date }) => [period, date])).toEqual([
      ['daily', '2024-02-01'],
      ['daily', '2024-02-02'],
    ]);
    await expect(collect(importFormats[format]!(chunksOf(text), { period: 'weekly' }))).rejects.toThrow(
      'Exchange rates are daily or monthly: specify --period daily or --period monthly (over HTTP: period=daily or period=monthly).',
    );
  });

  const PRICES =
    'iso3_country_code,commodity,price_type,market,source,currency,measure_unit,date,periodicity,price_value';
  const ownPrices = (periodicity: string, ...dates: string[]) =>
    [
      PRICES,
      ...dates.map((date) => `NPL,Rice,RETAIL,Banepa,Ministry,NPR,kg,${date},${periodicity},52`),
      '',
    ].join('\n');
  const withoutFrequency = (...dates: string[]) =>
    [
      PRICES.replace('periodicity,', ''),
      ...dates.map((date) => `NPL,Rice,RETAIL,Banepa,Ministry,NPR,kg,${date},52`),
      '',
    ].join('\n');
  const hdx = (...dates: string[]) =>
    [
      'date,admin1,admin2,market,latitude,longitude,category,commodity,unit,priceflag,pricetype,currency,price',
      ...dates.map((date) => `${date},Bagmati,,Banepa,,,cereals,Rice,KG,actual,Retail,NPR,52`),
      '',
    ].join('\n');
  const vam = (...dates: string[]) =>
    [
      'adm0_name,adm1_name,mkt_name,cm_name,cur_name,pt_name,um_name,mp_month,mp_year,mp_price',
      ...dates.map(
        (date) => `Nepal,Bagmati,Banepa,Rice,NPR,Retail,KG,${date.slice(5)},${date.slice(0, 4)},52`,
      ),
      '',
    ].join('\n');
  const statedRates = (...dates: string[]) =>
    ['currency,date,period,rate', ...dates.map((date) => `NPR,${date},monthly,129`), ''].join('\n');

  it.each([
    ['wfp', 'prices', 'yearly averages', hdx('2021-01-15', '2022-01-15', '2023-01-15')],
    ['wfp', 'prices', 'yearly averages', hdx('2022-07-15', '2023-07-15')],
    ['wfp', 'prices', 'yearly averages', hdx('2022-01', '2023-01')],
    ['wfp', 'prices', 'yearly averages', vam('2019-12', '2020-12')],
    ['prices', 'prices', 'yearly averages', ownPrices('monthly', '2021-01-01', '2022-01-01', '2023-01-01')],
    ['prices', 'prices', 'yearly averages', ownPrices('monthly', '2021-06-01', '2022-06', '06/2023')],
    ['prices', 'prices', 'yearly averages', withoutFrequency('2022-01', '2023-01')],
    ['prices', 'prices', 'quarterly ones', withoutFrequency('2022-10', '2023-01', '2023-04')],
    ['fx', 'rates', 'yearly averages', statedRates('2021-01-01', '2022-01-01', '2023-01-01')],
    ['FxRate', 'rates', 'yearly averages', statedRates('2021-07', '2022-07', '2023-07')],
  ])('are no monthly ones, of which each is of a year: %s', async (format, noun, likeness, text) => {
    const options = { country: 'NPL' };
    const read = importFormats[format]!(chunksOf(text), options);
    await expect(collect(read)).rejects.toThrow(
      new RegExp(
        `^All ${noun} are dated .*: they look like ${likeness}, which are not stored\\. If they are those of .*, ` +
          String.raw`specify --period monthly \(over HTTP: period=monthly\)\.$`,
      ),
    );
    const stated = await collect(importFormats[format]!(chunksOf(text), { ...options, period: 'monthly' }));
    expect([stated.rows.length, stated.rejects]).toEqual([text.split('\n').length - 2, []]);
  });

  it('are said to be dated the first day of years where they are, else the same month', async () => {
    const messageOf = (format: string, text: string) =>
      collect(importFormats[format]!(chunksOf(text), { country: 'NPL' })).then(
        () => '',
        (error: Error) => error.message.split(':')[0],
      );
    expect(await messageOf('wfp', hdx('2022-01-15', '2023-01-15'))).toBe(
      'All prices are dated the same month of different years',
    );
    expect(await messageOf('prices', withoutFrequency('2022-01', '2023-01'))).toBe(
      'All prices are dated the first or the last day of a year',
    );
  });

  it.each([
    ['wfp', hdx('2022-01-15', '2023-01-15', '2023-02-15')],
    ['wfp', hdx('2022-01-15', '2022-04-15', '2022-07-15', '2022-10-15')],
    ['wfp', hdx('2022-01-15')],
    ['prices', ownPrices('monthly', '2022-01-01', '2023-01-01')],
    ['prices', ownPrices('monthly', '2022-01-01', '2022-04-01', '2022-07-01')],
    [
      'prices',
      `${ownPrices('monthly', '2021-01-01', '2022-01-01', '2023-01-01')}${ownPrices('weekly', '2023-01-06').split('\n')[1]}\n`,
    ],
    ['prices', ownPrices('daily', '2021-01-01', '2022-01-01', '2023-01-01')],
    ['fx', statedRates('2022-01-01', '2023-01-01')],
    ['fx', statedRates('2021-01-01', '2022-01-01', '2023-01-01').replaceAll('monthly', 'daily')],
  ])('are not asked about where the file shows or says that they are others: %s', async (format, text) => {
    const { rows, rejects } = await collect(importFormats[format]!(chunksOf(text), { country: 'NPL' }));
    expect([rows.length, rejects]).toEqual([text.split('\n').length - 2, []]);
  });

  it.each([
    ['prices', 'prices', ownPrices('monthly', '2024-01-01', '2024-01-02', '2024-01-03', '2024-01-04')],
    ['prices', 'prices', ownPrices('monthly', '2024-01-08', '2024-01-01', '2024-01-15', '2024-01-22')],
    ['fx', 'rates', statedRates('2024-03-01', '2024-03-04', '2024-03-05', '2024-03-06')],
    ['cpi', 'indices', asIndices('2024-03-01', '2024-03-04', '2024-03-05', '2024-03-06')],
  ])(
    'are no monthly ones where a month has several days, whatever a column says: %s',
    async (format, noun, text) => {
      await expect(readText(format, text)).rejects.toThrow(
        new RegExp(
          `^Monthly ${noun} are dated several days of one month \\(.*\\): they look like daily or weekly ones\\. ` +
            'Monthly ones have one date, the 1st\\.$',
        ),
      );
    },
  );

  it('are rejected by row where they are few, or one in a month', async () => {
    const few = await readText('prices', ownPrices('monthly', '2024-01-01', '2024-01-02', '2024-02-01'));
    expect([few.rows.length, few.rejects.length]).toEqual([2, 1]);
    const surveys = await readText('prices', ownPrices('monthly', '2024-01-05', '2024-02-07', '2024-03-06'));
    expect([surveys.rows.length, surveys.rejects.length]).toEqual([0, 3]);
  });

  it('are not asked about in exports of a service', async () => {
    const januaries = ['2021-01-01', '2022-01-01', '2023-01-01'];
    const numbered = (text: string) =>
      text
        .split('\n')
        .map((line, index) => (line === '' ? '' : `${index === 0 ? 'id' : index},${line}`))
        .join('\n');
    const prices = ownPrices('monthly', ...januaries)
      .split('\n')
      .map((line, index) =>
        line === ''
          ? ''
          : `${line},${index === 0 ? 'uuid,calculated' : '75ebae3c-6f0c-5b6e-8a52-0d7c3a1f9b11,false'}`,
      )
      .join('\n');
    for (const [format, text] of [
      ['prices', prices],
      ['fx', numbered(statedRates(...januaries))],
      ['FxRate', numbered(statedRates(...januaries))],
      ['cpi', numbered(asIndices(...januaries))],
      ['Cpi', numbered(asIndices(...januaries))],
    ] as const) {
      const { rows, rejects } = await readText(format, text);
      expect([format, rows.length, rejects]).toEqual([format, 3, []]);
    }
  });

  it('are not asked about in tables of FAOSTAT, which name the month', async () => {
    const text =
      'Area Code,Area Code (M49),Area,Item Code,Item,Months Code,Months,Y2021,Y2022\n' +
      '114,404,Kenya,23013,"Food Indices (2015 = 100)",7001,January,180.5,190.5\n';
    expect(values((await readText('cpi', text)).rows).map(({ date }) => date)).toEqual([
      '2021-01-01',
      '2022-01-01',
    ]);
  });

  it('have their frequency as a word of offices', async () => {
    const text = 'currency,date,period,rate\nMZN,2024-03,mensal,63.9\nXOF,2024-03-01,Mensuelle,602\n';
    expect(values((await readText('fx', text)).rows).map(({ period, date }) => [period, date])).toEqual([
      ['monthly', '2024-03-01'],
      ['monthly', '2024-03-01'],
    ]);
  });

  it('are not asked about in files of months, and of one January', async () => {
    for (const text of [rates('2023-12-01', '2024-01-01'), rates('2024-01-01')])
      expect((await readText('fx', text)).rejects).toEqual([]);
    const stated = 'currency,date,period,rate\nKES,2022-01-01,monthly,118\nKES,2023-01-01,monthly,140\n';
    expect((await readText('fx', stated)).rows).toHaveLength(2);
  });
});

describe('fx', () => {
  it('reads its own columns', async () => {
    const found = await ok('fx', 'fx_own.csv');
    expect(values(found.rows)).toEqual([
      { currency: 'KES', date: '2021-01-01', period: 'monthly', rate: 109.8, rate_type: 'official' },
      { currency: 'KES', date: '2021-01-15', period: 'daily', rate: 109.123456789012, rate_type: 'parallel' },
      { currency: 'ETB', date: '2021-01-01', period: 'monthly', rate: 39.4, rate_type: 'official' },
    ]);
    expect([found.read, found.rejects, found.skipped, found.rounded]).toEqual([3, [], {}, 1]);
  });

  it('reads IMF rates as daily rates, and only the first of a currency and date', async () => {
    const found = await ok('fx', 'fx_imf.csv');
    const source = 'International Monetary Fund (IMF)';
    const xof = { currency: 'XOF', period: 'daily', rate_type: 'official', source };
    expect(found).toEqual({
      read: 7,
      rows: [
        { line: 3, values: { ...xof, date: '2015-01-31', rate: 600.5 } },
        { line: 4, values: { ...xof, date: '2015-02-28', rate: 601.5 } },
      ],
      rejects: [
        {
          line: 5,
          field: 'Rate',
          reason: 'conflict',
          detail: 'Line 3 already has a rate of XOF on 2015-01-31.',
        },
        {
          line: 6,
          field: 'Rate',
          reason: 'conflict',
          detail: 'Line 4 already has a rate of XOF on 2015-02-28.',
        },
      ],
      skipped: { no_currency_code: 1, annual: 1, other_frequency: 1 },
      rounded: 0,
    });
  });

  it('reads H.10 as monthly averages, with currency codes of its country names', async () => {
    const found = await ok('fx', 'fx_fed.csv');
    expect(
      values(found.rows).map(({ currency, date, period, rate }) => [currency, date, period, rate]),
    ).toEqual([
      ['ATS', '1971-01-01', 'monthly', 25.5],
      ['VEF', '2018-08-01', 'monthly', 2_400_000.5],
      ['VES', '2018-09-01', 'monthly', 61.5],
      ['VED', '2021-11-01', 'monthly', 4.25],
    ]);
    expect(found.skipped).toEqual({ no_currency_code: 1 });
  });

  it.each(['constructor', '__proto__'])('skips the unknown country %s', async (name) => {
    const found = await readText('fx', `Date,Country,Exchange rate\n2021-01-01,${name},5`);
    expect([found.rows, found.rejects, found.skipped]).toEqual([[], [], { no_currency_code: 1 }]);
  });

  it("reads WFP's daily rates, official and parallel", async () => {
    const found = await ok('fx', 'fx_wfp_daily.csv');
    const source = 'World Food Programme (WFP)';
    expect(values(found.rows)).toEqual([
      { currency: 'AFN', date: '1999-02-17', period: 'daily', rate: 47.5, rate_type: 'official', source },
      { currency: 'SYP', date: '2014-02-17', period: 'daily', rate: 250.5, rate_type: 'parallel', source },
    ]);
    expect(found.skipped).toEqual({ other_frequency: 1 });
  });
});

describe('cpi', () => {
  it('reads its own columns', async () => {
    expect(values((await ok('cpi', 'cpi_own.csv')).rows)).toEqual([
      { iso3_country_code: 'KEN', date: '2021-01-01', item: 'general', value: 101.5, base_period: '2019-02' },
      { iso3_country_code: 'KEN', date: '2021-01-01', item: 'food', value: 103.25, base_period: '2019-02' },
      { iso3_country_code: 'KEN', date: '2021-02-01', item: 'general', value: 102, base_period: '2019-02' },
    ]);
  });

  it.each(['constructor', '__proto__'])('skips the unknown item %s', async (item) => {
    const text = `iso3,item_code,item,date,value\nKEN,${item},General (2015 = 100),2021-01-01,5`;
    const found = await readText('cpi', text);
    expect([found.rows, found.rejects, found.skipped]).toEqual([[], [], { other_item: 1 }]);
  });

  it("reads FAO's long table", async () => {
    const found = await ok('cpi', 'cpi_fao_long.csv');
    expect(values(found.rows)).toEqual([
      {
        iso3_country_code: 'KEN',
        date: '2000-01-01',
        item: 'general',
        value: 31.5,
        base_period: '2015',
        source: 'FAOSTAT',
      },
      {
        iso3_country_code: 'KEN',
        date: '2000-01-01',
        item: 'food',
        value: 29.25,
        base_period: '2015',
        source: 'FAOSTAT',
      },
    ]);
    expect([found.read, found.skipped]).toEqual([4, { other_item: 1, no_country_code: 1 }]);
  });

  it("reads FAO's index of Kosovo, which has no code in ISO 3166", async () => {
    const text =
      'Area Code,Area Code (M49),Area,Item Code,Item,Months Code,Months,Unit,Y2021\n' +
      '275,\'412,Kosovo,23012,"Consumer Prices, General Indices (2015 = 100)",7003,March,,110.5\n';
    const { rows, skipped } = await collect(importFormats.cpi!(chunksOf(text), {}));
    expect([values(rows), skipped]).toEqual([
      [
        {
          iso3_country_code: 'XKX',
          date: '2021-03-01',
          item: 'general',
          value: 110.5,
          base_period: '2015',
          source: 'FAOSTAT',
        },
      ],
      {},
    ]);
  });

  it.each([
    [
      'normalized',
      '"Area Code","Area Code (M49)","Area","Item Code","Item","Months Code","Months","Year Code","Year","Unit","Value","Flag"\n',
      (area: string, m49: string, item: string, month: string, value: string) =>
        `"1","'${m49}","${area}","${item}","Consumer Prices, Food Indices (2015 = 100)","${month}","","2023","2023","","${value}","X"\n`,
    ],
    [
      'normalized, of the years before M49 codes',
      'Area Code,Area,Item Code,Item,Months Code,Months,Year Code,Year,Unit,Value,Flag\n',
      (area: string, _: string, item: string, month: string, value: string) =>
        `1,${area},${item},"Consumer Prices, Food Indices (2015 = 100)",${month},,2023,2023,,${value},X\n`,
    ],
    [
      'downloaded by hand',
      '"Domain Code","Domain","Area Code (M49)","Area","Year Code","Year","Item Code","Item","Months Code","Months","Element Code","Element","Unit","Value","Flag","Flag Description","Note"\n',
      (area: string, m49: string, item: string, month: string, value: string) =>
        `"CP","Consumer Price Indices","${m49}","${area}","2023","2023","${item}","Consumer Prices, Food Indices (2015 = 100)","${month}","","6125","Value","","${value}","X","",""\n`,
    ],
    [
      'downloaded by hand with ISO codes',
      'Domain Code,Domain,Area Code (ISO3),Area,Year Code,Year,Item Code,Item,Months Code,Months,Element Code,Element,Unit,Value\n',
      (area: string, m49: string, item: string, month: string, value: string) =>
        `CP,Consumer Price Indices,${m49 === '800' ? 'UGA' : 'X06'},${area},2023,2023,${item},"Consumer Prices, Food Indices (2015 = 100)",${month},,6125,Value,,${value}\n`,
    ],
  ])("reads FAO's long table as it is %s", async (_, header, row) => {
    const found = await readText(
      'cpi',
      header +
        row('Uganda', '800', '23013', '7003', '190.5') +
        row('Africa', '002', '23013', '7003', '180') +
        row('Uganda', '800', '23014', '7003', '5') +
        row('Uganda', '800', '23013', '7021', '191') +
        row('Uganda', '800', '23013', '7004', ''),
    );
    expect(values(found.rows)).toEqual([
      {
        iso3_country_code: 'UGA',
        date: '2023-03-01',
        item: 'food',
        value: 190.5,
        base_period: '2015',
        source: 'FAOSTAT',
      },
    ]);
    expect([found.read, found.rejects, found.skipped]).toEqual([
      5,
      [],
      { no_country_code: 1, other_item: 1, not_a_month: 1, no_value: 1 },
    ]);
  });

  it.each([
    ['normalized', 'Year,Value', '2023.0,190.5'],
    ['wide', 'Y2023', '190.5'],
  ])("reads FAO's %s table with codes that have become numbers", async (_, columns, cells) => {
    const found = await readText(
      'cpi',
      `Area Code (M49),Area,Item Code,Item,Months Code,${columns}\n` +
        `12.0,Algeria,23013.0,"Consumer Prices, Food Indices (2015 = 100)",7005.0,${cells}\n`,
    );
    expect([values(found.rows), found.skipped, found.rejects]).toEqual([
      [
        {
          iso3_country_code: 'DZA',
          date: '2023-05-01',
          item: 'food',
          value: 190.5,
          base_period: '2015',
          source: 'FAOSTAT',
        },
      ],
      {},
      [],
    ]);
  });

  it("reads FAO's wide table, each cell as a row", async () => {
    const found = await ok('cpi', 'cpi_fao_wide.csv');
    expect(values(found.rows)).toEqual([
      {
        iso3_country_code: 'CIV',
        date: '2000-02-01',
        item: 'food',
        value: 61.5,
        base_period: '2015',
        source: 'FAOSTAT',
      },
      {
        iso3_country_code: 'CIV',
        date: '2002-02-01',
        item: 'food',
        value: 62.25,
        base_period: '2015',
        source: 'FAOSTAT',
      },
    ]);
    expect([found.read, found.rejects, found.skipped]).toEqual([
      12,
      [],
      { no_value: 1, other_item: 3, no_country_code: 3, not_a_month: 3 },
    ]);
  });
});

describe('reference tables', () => {
  it.each([
    ['PriceType', [{ name: 'FARM GATE', description: 'What a farmer is paid, at the farm' }]],
    [
      'FxRate',
      [{ currency: 'KES', rate_type: 'official', period: 'monthly', date: '2021-01-01', rate: 109.8 }],
    ],
    [
      'Cpi',
      [{ iso3_country_code: 'KEN', item: 'general', base_period: '2019', date: '2021-01-01', value: 0 }],
    ],
    [
      'Market',
      [
        {
          name: 'Kitui',
          type: 'Wholesale market',
          code: 'M-1',
          iso3_country_code: 'KEN',
          admin_unit: 'Eastern',
          admin_unit2: '',
          latitude: -1.25,
          longitude: 38.5,
          info: 'Sells grain, mostly',
          regional_average: false,
        },
        {
          name: 'Kenya',
          type: '',
          code: '',
          iso3_country_code: 'KEN',
          country_name: 'Republic of Kenya',
          admin_unit: '',
          admin_unit2: '',
          latitude: null,
          longitude: null,
          info: '',
          regional_average: true,
        },
      ],
    ],
    [
      'Commodity',
      [
        { name: 'Maize (white)', hs_code: '100590', category: 'cereals and tubers' },
        { name: 'Bread', hs_code: null, category: '' },
      ],
    ],
    ['Source', [{ name: 'Ministry of Trade', url: 'https://example.org/prices', license: 'CC BY 4.0' }]],
    [
      'MeasureUnit',
      [
        { name: 'Spanish quintal (46 kg)', dimension: 'mass', conversion_factor: 0.0217391304347826 },
        { name: 'Bunch', dimension: 'other', conversion_factor: null },
      ],
    ],
  ])('%s', async (format, records) => {
    const found = await ok(format, `${format}.csv`);
    expect(values(found.rows)).toEqual(records);
    expect([found.read, found.rejects, found.skipped]).toEqual([records.length, [], {}]);
  });

  it('reads the texts that the lists of the service guard against spreadsheets', async () => {
    const names = ['=1+1', '＝1+1', '＋1', '－1', '＠SUM(A1)', "'s-Hertogenbosch"];
    const found = await readText('Source', csvLine(['name']) + names.map((name) => csvLine([name])).join(''));
    expect(values(found.rows)).toEqual(names.map((name) => ({ name })));
  });

  it('rejects bad records by line, column and reason', async () => {
    const found = await readFile('FxRate', fixture('not-ok/FxRate_bad_records.csv'));
    expect([found.read, found.rows]).toEqual([8, []]);
    expect(found.rejects).toEqual([
      {
        line: 2,
        field: 'date',
        reason: 'invalid_date',
        detail: 'date must be a calendar date written YYYY-MM-DD, not "2021-02-29".',
      },
      {
        line: 3,
        field: 'date',
        reason: 'invalid_date',
        detail: 'date must be the first day of a month for a monthly rate, not "2021-01-02".',
      },
      {
        line: 4,
        field: 'period',
        reason: 'invalid_choice',
        detail: 'period must be daily or monthly, not "yearly".',
      },
      { line: 5, field: 'rate', reason: 'not_positive', detail: 'rate must be greater than 0, not "0".' },
      { line: 6, field: 'currency', reason: 'required', detail: 'currency is required.' },
      { line: 7, field: 'rate', reason: 'required', detail: 'rate is required.' },
      {
        line: 8,
        field: 'rate',
        reason: 'out_of_range',
        detail: 'rate must be between 1e-100 and 1e+100, not "1e400".',
      },
      { line: 9, field: '', reason: 'columns', detail: 'The line has 3 fields, but the header has 5.' },
    ]);
  });

  it.each([
    ['FxRate', 'currency,date,rate\nKES,2021-01-01,', 'rate'],
    ['Cpi', 'iso3_country_code,date,base_period,value\nKEN,2021-01-01,2015,', 'value'],
    ['MeasureUnit', 'name,conversion_factor\nSack,', 'conversion_factor'],
  ])('%s rejects numbers that are too large or too small to compute with', async (format, text, field) => {
    const accepted = await Promise.all(['1e-100', '1e100'].map((number) => readText(format, text + number)));
    expect(accepted.map(({ rejects }) => rejects)).toEqual([[], []]);
    for (const number of ['1e-101', '1.1e100', '1.7976931348623157e308'])
      expect((await readText(format, text + number)).rejects).toEqual([
        {
          line: 2,
          field,
          reason: 'out_of_range',
          detail: `${field} must be between 1e-100 and 1e+100, not "${number}".`,
        },
      ]);
  });

  it('accepts an index of 0, but not below', async () => {
    const text = 'iso3_country_code,date,base_period,value\nKEN,2021-01-01,2015,0\nKEN,2021-02-01,2015,-1';
    const { rows, rejects } = await readText('Cpi', text);
    expect(values(rows)).toEqual([expect.objectContaining({ value: 0 })]);
    expect(rejects).toEqual([
      { line: 3, field: 'value', reason: 'out_of_range', detail: 'value must be 0 or greater.' },
    ]);
  });

  it('rejects an index of another day than the first of a month', async () => {
    const { rejects } = await readText(
      'Cpi',
      'iso3_country_code,date,base_period,value\nKEN,2021-01-02,2015,5',
    );
    expect(rejects).toEqual([
      {
        line: 2,
        field: 'date',
        reason: 'invalid_date',
        detail: 'date must be the first day of a month, not "2021-01-02".',
      },
    ]);
  });

  it('accepts coordinates of 0, but not out of range', async () => {
    const text = 'name,iso3_country_code,latitude,longitude\nA,KEN,0,1e-20\nB,KEN,90.5,0\nC,KEN,0,1e400';
    const { rows, rejects } = await readText('Market', text);
    expect(values(rows)).toEqual([expect.objectContaining({ latitude: 0, longitude: 1e-20 })]);
    expect(rejects.map(({ line, field, reason }) => [line, field, reason])).toEqual([
      [3, 'latitude', 'out_of_range'],
      [4, 'longitude', 'out_of_range'],
    ]);
  });

  it.each([
    ['fx', 'fx_other_layout.csv'],
    ['cpi', 'cpi_other_layout.csv'],
    ['Market', 'Market_unknown_column.csv'],
    ['Commodity', 'Commodity_without_name.csv'],
    ['Source', 'empty.csv'],
  ])('%s rejects %s with one line', async (format, name) => {
    const error: unknown = await readFile(format, fixture(`not-ok/${name}`)).catch(
      (rejected: unknown) => rejected,
    );
    expect(error).toBeInstanceOf(ImportRejected);
    expect((error as Error).message).toMatch(
      name === 'empty.csv'
        ? /^The input is empty\.$/
        : new RegExp(`^The input is not in the format ${format}(\\. Accepted)?: [^\\n]+\\.$`),
    );
  });
});
