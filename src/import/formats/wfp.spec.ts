import { chunksOf, collect, fixture, readFile } from '../../../test/support/import-input.js';
import { dayFromIso } from '../../lib/dates/calendar-date.js';
import { DAILY, MONTHLY, WEEKLY } from '../../price-series/periodicity.js';
import { ImportRejected } from './batch.js';
import { importFormats } from './index.js';
import type { PriceRow } from './series.js';

const source = {
  name: 'World Food Programme (WFP)',
  url: 'https://data.humdata.org/dataset/global-wfp-food-prices',
  license: 'CC BY-IGO',
};
const ok = (name: string, options = {}) => readFile('wfp', fixture(`ok/${name}`), options);
const notOk = (name: string, options = {}) => readFile('wfp', fixture(`not-ok/${name}`), options);

const HEADER =
  'date,admin1,admin2,market,latitude,longitude,category,commodity,unit,priceflag,pricetype,currency,price,usdprice';
const readText = (lines: string[], options = {}) =>
  collect(importFormats.wfp!(chunksOf([HEADER, ...lines].join('\n')), { country: 'KEN', ...options }));
const line = (date: string, price = '5', more: { market?: string; flag?: string } = {}) =>
  `${date},A,B,${more.market ?? 'M'},,,food,Maize,KG,${more.flag ?? 'actual'},Retail,KES,${price},`;

const rice = {
  uuid: null,
  market: {
    iso3_country_code: 'KEN',
    country_name: 'Kenya',
    admin_unit: 'Eastern',
    admin_unit2: 'Kitui',
    name: 'Ouenzé',
    type: '',
    code: '9001',
    info: '',
    latitude: -1.25,
    longitude: 38.5,
    regional_average: false,
  },
  commodity: { name: 'Rice (mixed, low quality)', hs_code: '100630', category: 'cereals and tubers' },
  price_type: 'RETAIL',
  source,
  measure_unit: { name: '46 KG', dimension: 'mass', conversion_factor: 0.0217391304347826 },
  currency: 'KES',
  status: 'observed',
};
const fuel = {
  ...rice,
  market: {
    ...rice.market,
    admin_unit: '',
    admin_unit2: '',
    name: 'National Average',
    code: '9002',
    latitude: null,
    longitude: null,
    regional_average: true,
  },
  commodity: { name: 'Fuel (diesel)', hs_code: null, category: 'non-food' },
  measure_unit: { name: 'L', dimension: 'volume', conversion_factor: 1 },
};
const monthly = (lineNumber: number, month: string, value: number, series: unknown, comment = '') => ({
  line: lineNumber,
  series,
  period: MONTHLY,
  day: dayFromIso(`${month}-01`),
  value,
  comment,
  calculated: false,
});

describe('wfp', () => {
  it('reads the newest layout, with the country in the file name', async () => {
    expect(await ok('wfp_food_prices_ken.csv')).toEqual({
      read: 4,
      rows: [
        monthly(2, '2021-01', 635, rice),
        monthly(3, '2021-02', 640.5, rice),
        monthly(4, '2021-01', 101.25, fuel),
      ],
      rejects: [],
      skipped: { forecast: 1 },
      rounded: 0,
    });
  });

  it('uses one descriptor for all rows of a series', async () => {
    const { rows } = await ok('wfp_food_prices_ken.csv');
    expect((rows[0] as PriceRow).series).toBe((rows[1] as PriceRow).series);
  });

  it('reads the older layout with its row of HXL tags and rounds long coordinates', async () => {
    expect(await ok('wfp_food_prices_lka.csv')).toEqual({
      read: 2,
      rows: [
        monthly(3, '2004-01', 17_250_000, {
          ...rice,
          market: {
            ...rice.market,
            iso3_country_code: 'LKA',
            country_name: 'Sri Lanka',
            admin_unit: 'Western',
            admin_unit2: 'Colombo',
            name: "A'zaz",
            code: '',
            latitude: 6.93194444444444,
            longitude: 79.8477777777778,
          },
          commodity: { name: 'Meat (camel)', hs_code: '020860', category: 'meat, fish and eggs' },
          price_type: 'WHOLESALE',
          measure_unit: { name: 'Unit', dimension: 'count', conversion_factor: null },
          currency: 'LKR',
        }),
      ],
      rejects: [],
      skipped: { hxl_tags: 1 },
      rounded: 2,
    });
  });

  it('reads the layout of many countries, with a country column', async () => {
    const maize = { name: 'Maize (white)', hs_code: '100590', category: 'cereals and tubers' };
    const found = await ok('wfp_global_by_year.csv');
    expect(found.rows).toEqual([
      monthly(2, '2019-12', 350, {
        ...rice,
        market: {
          ...rice.market,
          iso3_country_code: 'COG',
          country_name: 'Congo',
          admin_unit: 'Brazzaville',
          admin_unit2: 'Brazzaville',
          name: 'Moungali',
          code: '701',
          latitude: -4.26,
          longitude: 15.28,
        },
        commodity: maize,
        price_type: 'FARM GATE',
        measure_unit: { name: 'KG', dimension: 'mass', conversion_factor: 1 },
        currency: 'XAF',
      }),
      monthly(3, '2019-12', 0.88, {
        ...fuel,
        market: { ...fuel.market, iso3_country_code: 'NIC', country_name: 'Nicaragua', code: '298' },
        commodity: maize,
        measure_unit: { name: 'Pound', dimension: 'mass', conversion_factor: 2.20462262184878 },
        currency: 'USD',
      }),
    ]);
  });

  const akkar = {
    ...fuel,
    country_text: 'Lebanon',
    market: {
      ...fuel.market,
      iso3_country_code: 'LBN',
      country_name: 'Lebanon',
      admin_unit: 'North',
      name: 'Akkar',
      code: '1684',
      regional_average: false,
    },
    commodity: { name: 'Wheat flour', hs_code: '110100', category: '' },
    measure_unit: { name: '5 KG', dimension: 'mass', conversion_factor: 0.2 },
    currency: 'LBP',
  };

  it('reads the VAM layout with lines that are quoted as a whole', async () => {
    expect(await ok('wfp_vam_comma.csv')).toEqual({
      read: 3,
      rows: [
        monthly(2, '2015-01', 5178.5714, akkar, 'WFP and Partner NGOs'),
        monthly(
          3,
          '2015-02',
          2178.5714,
          {
            ...akkar,
            commodity: { name: 'Cheese (picon)', hs_code: '0406', category: '' },
            measure_unit: { name: '160 G', dimension: 'mass', conversion_factor: 6.25 },
          },
          'WFP, and partners',
        ),
        monthly(4, '2015-12', 5000.5, { ...akkar, market: { ...akkar.market, admin_unit: '$North' } }),
      ],
      rejects: [],
      skipped: {},
      rounded: 0,
    });
  });

  it('reads the VAM layout with semicolons, decimal commas and Windows-1252', async () => {
    expect((await ok('wfp_vam_semicolon.csv')).rows).toEqual([
      monthly(
        2,
        '2014-07',
        18_500.5,
        {
          ...akkar,
          country_text: "Côte d'Ivoire",
          market: {
            ...akkar.market,
            iso3_country_code: 'CIV',
            country_name: "Côte d'Ivoire",
            admin_unit: 'Bouaké',
            name: 'Marché central',
            code: '17',
          },
          commodity: { name: 'Millet', hs_code: '100829', category: '' },
          price_type: 'WHOLESALE',
          measure_unit: { name: '100 KG', dimension: 'mass', conversion_factor: 0.01 },
          currency: 'XOF',
        },
        'Ministère',
      ),
    ]);
  });

  const CMNAME =
    'date,cmname,unit,category,price,currency,country,admname,adm1id,mktname,mktid,cmid,ptid,umid,catid,sn,default\n';

  it('reads the layout of HDX of 2018 to 2021 into the same series as the newer ones', async () => {
    const older = await collect(
      importFormats.wfp!(
        chunksOf(
          CMNAME +
            '#date,#item+name,#item+unit,#item+type,#value,#currency,#country+name,#adm1+name,#adm1+code,#name+market,,#item+code,,,#item+type+code,#meta+id,\n' +
            '2019-03-15,Bread - bakery - Farm Gate,KG,cereals and tubers,7.5,UGX,Uganda,Central,3,Owino,412,55,15,5,1,412_55,\n' +
            '2019-03-15,Bread,KG,cereals and tubers,7.5,UGX,Uganda,Central,3,Owino,412,55,15,5,1,412_55,\n' +
            '2019-03-15,Bread - Retail,KG,cereals and tubers,7.5,UGX,Atlantis,Central,3,Owino,412,55,15,5,1,412_55,\n',
        ),
        {},
      ),
    );
    const newer = await collect(
      importFormats.wfp!(
        chunksOf(
          'date,admin1,admin2,market,market_id,latitude,longitude,category,commodity,unit,priceflag,pricetype,currency,price\n' +
            '2019-03-15,Central,,Owino,412,,,cereals and tubers,Bread - bakery,KG,actual,Farm Gate,UGX,7.5\n',
        ),
        { country: 'UGA' },
      ),
    );
    expect(older).toEqual({
      ...newer,
      read: 4,
      rows: newer.rows.map((row) => ({
        ...row,
        line: 3,
        series: { ...(row as { series: object }).series, country_text: 'Uganda' },
      })),
      skipped: { hxl_tags: 1 },
      rejects: [
        {
          line: 4,
          field: 'cmname',
          reason: 'invalid_text',
          detail: 'cmname must end with the price type, as in "Rice - Retail", not be "Bread".',
        },
        {
          line: 5,
          field: 'country',
          reason: 'unknown_country',
          detail:
            '"Atlantis" is not a known country name. If all rows are of one country, specify its code with --country (over HTTP: country=).',
        },
      ],
    });
  });

  it('reads lines whose blank cells at the end are too many or missing, and skips blank lines', async () => {
    const row = line('2021-01-15', '5').slice(0, -1);
    const { rows, rejects, skipped } = await readText([
      `${row},,,`,
      row,
      ',,,,,,,,,,,,,',
      `${row},,text`,
      row.slice(0, -2),
      `${line('2021-02-15')}`.slice(0, -1),
    ]);
    expect((rows as PriceRow[]).map(({ line }) => line)).toEqual([2, 3]);
    expect([rejects, skipped]).toEqual([
      [
        { line: 5, field: '', reason: 'columns', detail: 'The line has 15 fields, but the header has 14.' },
        { line: 6, field: '', reason: 'columns', detail: 'The line has 12 fields, but the header has 14.' },
        // The file ends within the line, so that it may end within the price.
        { line: 7, field: '', reason: 'columns', detail: 'The line has 13 fields, but the header has 14.' },
      ],
      { blank_line: 1 },
    ]);
  });

  it('rejects a header without a line below it', async () => {
    await expect(readText([])).rejects.toEqual(
      new ImportRejected('The input has a header, but no line below it.'),
    );
  });

  it('reads a comment of several lines as one', async () => {
    const text =
      'adm0_name,adm1_name,mkt_name,cm_name,cur_name,pt_name,um_name,mp_month,mp_year,mp_price,mp_commoditysource\r\n' +
      'Kenya,A,M,Maize,KES,Retail,KG,1,2015,5,"Ministry\r\nof\tTrade\n"\r\n';
    const { rows } = await collect(importFormats.wfp!(chunksOf(text), {}));
    expect((rows as PriceRow[]).map(({ comment }) => comment)).toEqual(['Ministry of Trade']);
  });

  it('reads names of several lines as one, as cells of spreadsheets have them', async () => {
    const text = [
      HEADER,
      line('2021-01-15', '5', { market: '"Bébé\r\ndjia"' }),
      line('2021-02-15', '6', { market: 'Bébé djia' }),
    ].join('\n');
    const { rows, rejects } = await collect(importFormats.wfp!(chunksOf(text), { country: 'TCD' }));
    expect(rejects).toEqual([]);
    expect((rows as PriceRow[]).map(({ series }) => 'market' in series && series.market.name)).toEqual([
      'Bébé djia',
      'Bébé djia',
    ]);
    const own =
      'iso3_country_code,commodity,price_type,market,source,currency,measure_unit,date,periodicity,price_value\n' +
      'TCD,"Riz\nimporté",RETAIL,Bol,SIM,XAF,kg,2024-01-01,monthly,500\n';
    const read = await collect(importFormats.prices!(chunksOf(own), {}));
    expect(read.rejects).toEqual([]);
    expect(read.rows).toMatchObject([{ series: { commodity: { name: 'Riz importé' } } }]);
  });

  it('rejects bad rows by line, column and reason, and accepts the rest', async () => {
    const { rows, rejects, read } = await notOk('wfp_food_prices_ken.csv');
    expect(read).toBe(12);
    expect((rows as PriceRow[]).map((row) => row.line)).toEqual([13]);
    expect(
      rejects
        .map(({ line, field, reason }) => [line, field, reason])
        .sort((a, b) => Number(a[0]) - Number(b[0])),
    ).toEqual([
      [2, 'date', 'invalid_date'],
      [3, 'price', 'not_positive'],
      [4, 'price', 'not_positive'],
      [5, 'price', 'required'],
      [6, 'price', 'invalid_number'],
      [7, 'market', 'required'],
      [8, 'currency', 'invalid_currency'],
      [9, 'latitude', 'out_of_range'],
      [10, '', 'columns'],
      [11, '', 'unreadable'],
      [12, 'commodity', 'too_long'],
    ]);
    expect(rejects.find((reject) => reject.line === 3)!.detail).toBe(
      'price must be greater than 0, not "0.0".',
    );
  });

  it.each(['1.7976931348623157e308', '1.1e100', '1e-101'])('rejects the price %s', async (price) => {
    const { rows, rejects } = await readText([line('2021-01-15', price)]);
    expect(rows).toEqual([]);
    expect(rejects).toEqual([expect.objectContaining({ line: 2, field: 'price', reason: 'out_of_range' })]);
  });

  it('rejects dates other than the 15th and names the option', async () => {
    await expect(notOk('wfp_food_prices_ind.csv')).rejects.toEqual(
      new ImportRejected(
        'A price is dated 2018-01-16, but WFP dates monthly prices the 15th. Specify --period daily or --period weekly or --period monthly (over HTTP: period=daily or period=weekly or period=monthly).',
      ),
    );
  });

  it.each([
    ['daily', DAILY, ['2018-01-15', '2018-01-16']],
    ['weekly', WEEKLY, ['2018-01-15', '2018-01-16']],
    ['monthly', MONTHLY, ['2018-01-01', '2018-01-01']],
  ] as const)('uses the period of --period %s', async (period, code, dates) => {
    const { rows } = await notOk('wfp_food_prices_ind.csv', { period });
    expect((rows as PriceRow[]).map((row) => [row.period, row.day])).toEqual(
      dates.map((date) => [code, dayFromIso(date)]),
    );
  });

  it('yields no row before a second date confirms that the prices are monthly', async () => {
    const lines = [
      ...Array.from({ length: 5000 }, (_, i) => line('2018-01-15', '5', { market: `M${i}` })),
      line('2018-01-16'),
    ];
    const batches = importFormats.wfp!(chunksOf([HEADER, ...lines].join('\n'), 1000), { country: 'KEN' });
    await expect(batches.next()).rejects.toBeInstanceOf(ImportRejected);
  });

  it('yields no row of a long file of yearly prices, and all of one month', async () => {
    const lines = (year: number) =>
      `${year}-03-15,A,,M,,,food,Maize,KG,actual,Retail,KES,40\n`.repeat(60_000);
    const read = async (text: string) => {
      let rows = 0;
      try {
        const header =
          'date,admin1,admin2,market,latitude,longitude,category,commodity,unit,priceflag,pricetype,currency,price\n';
        const batches = importFormats.wfp!(chunksOf(header + text), { country: 'KEN' });
        for await (const batch of batches) rows += batch.rows.length;
      } catch (error) {
        return [rows, (error as Error).message.slice(0, 62)];
      }
      return [rows];
    };
    expect(await read(lines(2021) + lines(2022))).toEqual([
      0,
      'All prices are dated the same month of different years: they l',
    ]);
    expect(await read(lines(2021) + lines(2021))).toEqual([120_000]);
  });

  it('reads forecasts on request, of a series of their own', async () => {
    const lines = [
      line('2021-01-15', '6'),
      line('2021-01-15', '0', { flag: 'forecast' }),
      line('2021-01-15', '7', { flag: 'Forecast' }),
      line('2021-02-15', '8', { flag: 'aggregate forecast' }),
    ];
    const { rows, rejects } = await readText(lines, { includeForecast: true });
    const read = rows as PriceRow[];
    const { series } = read[0]!;
    expect(read.map((row) => [row.line, row.value, row.series])).toEqual([
      [2, 6, series],
      [4, 7, { ...series, status: 'forecast' }],
      [5, 8, { ...series, status: 'forecast' }],
    ]);
    expect(series).toMatchObject({ status: 'observed' });
    expect(rejects).toEqual([expect.objectContaining({ line: 3, reason: 'not_positive' })]);
  });

  it('uses the source of the options', async () => {
    const { rows } = await readText([line('2021-01-15')], { source: ' Ministry of Trade ' });
    expect((rows[0] as PriceRow).series).toMatchObject({
      source: { name: 'Ministry of Trade', url: '', license: '' },
    });
  });

  it('rounds numbers of more than 15 digits and counts them', async () => {
    const found = await readText([
      line('2021-01-15', '12345678.12345678901'),
      line('2021-02-15', '123456789.123456'),
    ]);
    expect((found.rows as PriceRow[]).map((row) => row.value)).toEqual([
      12_345_678.1234568, 123_456_789.123456,
    ]);
    expect(found.rounded).toBe(1);
  });

  it.each([
    ['the name of the file', { country: undefined, fileName: 'wfp_food_prices_ken.csv.gz' }],
    ['the option, rather than the name', { country: 'ken', fileName: 'wfp_food_prices_uga.csv' }],
  ])('uses the country of %s', async (_, options) => {
    const { rows } = await readText([line('2021-01-15')], options);
    expect((rows[0] as PriceRow).series).toMatchObject({ market: { iso3_country_code: 'KEN' } });
  });

  it.each([
    ['no country', { country: undefined, fileName: 'wfp_food_prices.csv' }],
    ['two countries', { country: undefined, fileName: 'prices_ken_uga.csv' }],
    ['no file name', { country: undefined }],
  ])('rejects an input with %s', async (_, options) => {
    await expect(readText([line('2021-01-15')], options)).rejects.toEqual(
      new ImportRejected(
        'The input does not name its country. Specify it with --country CODE (over HTTP: country=CODE).',
      ),
    );
  });

  it('rejects rows with an unknown country name', async () => {
    const text =
      'adm0_name,adm1_name,mkt_name,cm_name,cur_name,pt_name,um_name,mp_month,mp_year,mp_price\nAtlantis,A,M,Maize,KES,Retail,KG,1,2015,5';
    const { rejects } = await collect(importFormats.wfp!(chunksOf(text), {}));
    expect(rejects).toEqual([
      {
        line: 2,
        field: 'adm0_name',
        reason: 'unknown_country',
        detail:
          '"Atlantis" is not a known country name. If all rows are of one country, specify its code with --country (over HTTP: country=).',
      },
    ]);
    const { rows } = await collect(importFormats.wfp!(chunksOf(text), { country: 'KEN' }));
    expect((rows[0] as PriceRow).series).toMatchObject({ market: { iso3_country_code: 'KEN' } });
  });

  it("takes the World Bank's and common names of countries, and names what is nearest", async () => {
    const names = [
      '"Yemen, Rep."',
      'North Korea',
      'Lao PDR',
      'Kosovo',
      'Kennya',
      'Somaliland',
      'Tchad',
      'Etiopía',
    ];
    const text = [
      'adm0_name,adm1_name,mkt_name,cm_name,cur_name,pt_name,um_name,mp_month,mp_year,mp_price',
      ...names.map((name) => `${name},A,M,Maize,USD,Retail,KG,1,2015,5`),
    ].join('\n');
    const { rows, rejects } = await collect(importFormats.wfp!(chunksOf(text), {}));
    const markets = (rows as PriceRow[]).map(({ series }) => ('market' in series ? series.market : null));
    expect(markets.map((market) => [market?.iso3_country_code, market?.country_name])).toEqual([
      ['YEM', 'Yemen'],
      ['PRK', "Democratic People's Republic of Korea"],
      ['LAO', "Lao People's Democratic Republic"],
      ['XKX', 'Kosovo'],
      ['TCD', 'Chad'],
      ['ETH', 'Ethiopia'],
    ]);
    expect((rejects as { detail: string }[]).map(({ detail }) => detail)).toEqual([
      '"Kennya" is not a known country name. Probably Kenya (KEN) is meant.',
      '"Somaliland" is not a known country name. If all rows are of one country, specify its code with --country (over HTTP: country=).',
    ]);
  });

  it.each(['wfp_other_layout.csv', 'fx_other_layout.csv', 'empty.csv', 'only_blank_lines.csv'])(
    'rejects %s with one line',
    async (name) => {
      const error: unknown = await notOk(name).catch((rejected: unknown) => rejected);
      expect(error).toBeInstanceOf(ImportRejected);
      expect((error as ImportRejected).message).toMatch(
        /^(The input is empty\.|The input is not in the format wfp\. Accepted: [^\n]+\.)$/,
      );
    },
  );
});
