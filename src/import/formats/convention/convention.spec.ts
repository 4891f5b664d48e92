import { chunksOf, collect } from '../../../../test/support/import-input.js';
import { isoFromDay } from '../../../lib/dates/calendar-date.js';
import { ImportRejected } from '../batch.js';
import { importFormats, type ImportOptions } from '../index.js';
import type { PriceRow } from '../series.js';
import type { FoundConvention } from './convention.js';
import type { TableRecord } from '../table-rows.js';

const WFP =
  'date,admin1,admin2,market,latitude,longitude,category,commodity,unit,priceflag,pricetype,currency,price';

/** The lines of a WFP file, a line for each date and price, with one market. */
function wfp(rows: readonly (readonly [string, string])[], delimiter = ';', place = ';'): string {
  const quoted = (text: string) => (text.includes(delimiter) ? `"${text}"` : text);
  const [latitude = '', longitude = ''] = place.split(';');
  const lines = rows.map(([date, price]) =>
    [date, 'A', 'B', 'M', latitude, longitude, 'food', 'Maize', 'KG', 'actual', 'Retail', 'TZS', price]
      .map(quoted)
      .join(delimiter),
  );
  return [WFP.replaceAll(',', delimiter), ...lines].join('\n');
}

/** Prices dated the 15th of consecutive months. */
const prices = (...texts: string[]) =>
  texts.map((text, index) => [`2024-${String(index + 1).padStart(2, '0')}-15`, text] as const);
const dated = (...dates: string[]) => dates.map((date, index) => [date, String(index + 5)] as const);

const OWN_HEADER =
  'iso3_country_code,commodity,price_type,market,source,currency,measure_unit,date,periodicity,price_value';
/** A line of the own layout with a monthly price. */
const ownLine = (date: string, price = '50') => `TZA,Maize,RETAIL,Alpha,Own,TZS,KG,${date},monthly,${price}`;

async function read(text: string, options: ImportOptions = {}, format = 'wfp') {
  let found: FoundConvention | null = null;
  const batches = importFormats[format]!(chunksOf(text), { country: 'TZA', ...options });
  const watched = (async function* () {
    for await (const batch of batches) {
      found = batch.convention;
      yield batch;
    }
  })();
  return { ...(await collect(watched)), found: found as FoundConvention | null };
}

async function values(text: string, options?: ImportOptions) {
  const { rows, rejects } = await read(text, options);
  expect(rejects).toEqual([]);
  return rows.map((row) => (row as PriceRow).value);
}

async function days(text: string, options?: ImportOptions) {
  const { rows, rejects } = await read(text, { period: 'daily', ...options });
  expect(rejects).toEqual([]);
  return rows.map((row) => isoFromDay((row as PriceRow).day));
}

const rejection = (text: string, options?: ImportOptions, format?: string) =>
  read(text, options, format).then(
    () => null,
    (error: unknown) => (error instanceof ImportRejected ? error.message : Promise.reject(error as Error)),
  );

const OPTION = '--decimal comma or --decimal point (over HTTP: decimal=comma or decimal=point)';

describe('the decimal sign of a file', () => {
  it.each([
    ['985,50|1.250|1.310,75|1.290', [985.5, 1250, 1310.75, 1290]],
    ['985.50|1,250|1,310.75|1,290', [985.5, 1250, 1310.75, 1290]],
    ['1.250|2.100|985,5', [1250, 2100, 985.5]],
    ['1,250|2,100|985.5', [1250, 2100, 985.5]],
    ['1.250|12.5', [1.25, 12.5]],
    ['1,250|12,5', [1.25, 12.5]],
    ['1.250.000|1.250', [1250000, 1250]],
    ['1,00,000|1,250', [100000, 1250]],
    ['1.250|0,00625', [1250, 0.00625]],
    ['0,125|1.250', [0.125, 1250]],
    ['1 250|1 250,5|1\u00a0250,50|12\u202f345\u202f678,5', [1250, 1250.5, 1250.5, 12345678.5]],
    ["1'250|1'250.50|1’250.5", [1250, 1250.5, 1250.5]],
    ['1 250,500|1.250', [1250.5, 1250]],
    ['1250|1310', [1250, 1310]],
    ['1,5e3|2,25E+2|1.250', [1500, 225, 1250]],
    ['1.250e3|1.250', [1250, 1.25]],
  ])('reads %s, between semicolons and commas', async (texts, expected) => {
    const rows = prices(...texts.split('|'));
    expect(await values(wfp(rows))).toEqual(expected);
    expect(await values(wfp(rows, ','))).toEqual(expected);
  });

  it('is that of coordinates and prices alike', async () => {
    const { rows, found } = await read(wfp(prices('45,5', '46,25'), ';', '-1,28;36,817'));
    expect(rows).toMatchObject([
      { value: 45.5, series: { market: { latitude: -1.28, longitude: 36.817 } } },
      { value: 46.25, series: { market: { latitude: -1.28, longitude: 36.817 } } },
    ]);
    expect(found).toEqual({ decimal: { is: 'comma', line: 2 }, dates: { is: 'ymd', line: 2 } });
  });

  it('is found from coordinates with three decimals, which are no thousands', async () => {
    expect(await values(wfp(prices('1.250', '2.500'), ';', '-1.283;36.817'))).toEqual([1.25, 2.5]);
  });

  it('is a point between commas in the layouts of WFP, where nothing shows another', async () =>
    expect(await values(wfp(prices('1.250', '2.500'), ','))).toEqual([1.25, 2.5]));

  const own = (price: string, more = '') => `${ownLine('2024-01-01', price)}${more}`;
  const asked = (text: string) =>
    `No number of the input shows which sign is the decimal one: "${text}" in line 2 may be ` +
    `${text.replace('.', '')} or ${text}. Specify ${OPTION}.`;

  it.each([
    ['prices', OWN_HEADER, own('1.250'), '1.250'],
    ['fx', 'currency,date,period,rate', 'TZS,2024-01-01,monthly,2.510', '2.510'],
    ['cpi', 'iso3_country_code,date,item,value,base_period', 'TZA,2024-01-01,food,148.312,2015', '148.312'],
    ['FxRate', 'currency,date,period,rate', 'TZS,2024-01-01,monthly,2.510', '2.510'],
    ['MeasureUnit', 'name,dimension,conversion_factor', 'Bag,mass,1.250', '1.250'],
  ])(
    'is asked for between commas, too, in files of %s that people write',
    async (format, header, line, text) => {
      const file = `${header}\n${line}\n`;
      expect(await rejection(file, {}, format)).toBe(asked(text));
      const { rows, rejects } = await read(file, { decimal: 'comma' }, format);
      expect([rows.length, rejects]).toEqual([1, []]);
      const [row] = rows as unknown as [PriceRow & TableRecord];
      const number = Number(text.replace('.', ''));
      expect(Object.values(row.values ?? { value: row.value })).toContain(number);
    },
  );

  it.each([
    ['prices', `${OWN_HEADER},uuid,calculated`, own('1.250', ',,false'), 1.25],
    ['fx', 'Date,Rate,Currency,Frequency', '2024-01-31,2.510,TZS,M', 2.51],
    ['fx', 'Date,Country,Exchange rate', '2024-02-01,Mexico,17.093', 17.093],
    ['fx', 'id,currency,date,period,rate', '7,TZS,2024-01-01,monthly,2.510', 2.51],
    [
      'cpi',
      'iso3,m49,area,item_code,item,date,value',
      'TZA,834,T,23013,Food (2015 = 100),2024-02-01,148.312',
      148.312,
    ],
  ])(
    'is a point between commas in exports of the service and files of publishers: %s, %s',
    async (format, header, line, value) => {
      const { rows, rejects } = await read(`${header}\n${line}\n`, {}, format);
      expect([rows.length, rejects]).toEqual([1, []]);
      const [row] = rows as unknown as [PriceRow & TableRecord];
      expect(Object.values(row.values ?? { value: row.value })).toContain(value);
    },
  );

  it.each(['12.5', '0.125', '1234.5', '1,250.5', '1.2345'])(
    'is not asked for between commas where a number shows it: %s',
    async (shown) => {
      const text = [OWN_HEADER, own('1.250'), own(`"${shown}"`).replace('2024-01', '2024-02')].join('\n');
      const { rows } = await read(text, {}, 'prices');
      expect(rows.map((row) => (row as PriceRow).value)).toEqual([1.25, Number(shown.replace(',', ''))]);
    },
  );

  it('is asked for where nothing decides', async () => {
    expect(await rejection(wfp(prices('985', '1.250', '1.290')))).toBe(
      'No number of the input shows which sign is the decimal one: "1.250" in line 3 may be 1250 or 1.250. ' +
        `Specify ${OPTION}.`,
    );
    expect(await rejection(wfp(prices('1,250'), ','))).toBe(
      'No number of the input shows which sign is the decimal one: "1,250" in line 2 may be 1250 or 1.250. ' +
        `Specify ${OPTION}.`,
    );
  });

  it('is the one that the import says', async () => {
    const text = wfp(prices('985', '1.250'));
    expect(await values(text, { decimal: 'comma' })).toEqual([985, 1250]);
    expect(await values(text, { decimal: 'point' })).toEqual([985, 1.25]);
    expect((await read(text, { decimal: 'comma' })).found).toMatchObject({
      decimal: { is: 'comma', line: null },
    });
  });

  it('cannot be two: the file is rejected, or with the option the row', async () => {
    const text = wfp(prices('985,50', '12.5'));
    expect(await rejection(text)).toBe(
      'Line 2 has a decimal comma, in "985,50", but line 3 a decimal point, in "12.5". ' +
        `Specify ${OPTION}; rows with the other sign are then rejected.`,
    );
    const { rows, rejects } = await read(text, { decimal: 'comma' });
    expect(rows.map((row) => (row as PriceRow).value)).toEqual([985.5]);
    expect(rejects).toEqual([
      {
        line: 3,
        field: 'price',
        reason: 'invalid_number',
        detail: 'price must be a number with a decimal comma, not "12.5".',
      },
    ]);
  });

  it('is the point of the first value that shows it, between commas', async () => {
    const { rows, rejects } = await read(wfp(prices('12.5', '985,50', '1,250'), ','));
    expect(rows.map((row) => (row as PriceRow).value)).toEqual([12.5, 1250]);
    expect(rejects.map(({ line, detail }) => `${line} ${detail}`)).toEqual([
      '3 price must be a number with a decimal point, as in line 2, not "985,50".',
    ]);
  });

  it('is found in the last line of a long file before any price is handed on', async () => {
    const many = Array.from({ length: 60_000 }, () => ['2024-01-15', '1.250'] as const);
    for (const delimiter of [',', ';']) {
      const { rows } = await read(wfp([...many, ['2024-01-15', '985,5']], delimiter));
      expect(rows).toHaveLength(60_001);
      expect(new Set(rows.map((row) => (row as PriceRow).value))).toEqual(new Set([1250, 985.5]));
    }
  });

  it.each([
    ['fx', 'currency;date;period;rate', 'KES;2024-01-01;monthly;129,25', { rate: 129.25 }],
    ['fx', 'Date;Country;Exchange rate', '2024-02-01;Mexico;17,0932', { rate: 17.0932 }],
    [
      'cpi',
      'iso3_country_code;date;item;value;base_period',
      'KEN;2024-01-01;food;148,3;2015',
      { value: 148.3 },
    ],
    [
      'MeasureUnit',
      'name;dimension;conversion_factor',
      '46 KG;mass;0,0217391',
      { conversion_factor: 0.0217391 },
    ],
    ['Market', 'iso3_country_code;name;latitude;longitude', 'KEN;Alpha;-1,28;36,82', { latitude: -1.28 }],
  ])('is one for the numbers of %s (%s)', async (format, header, line, expected) => {
    const { rows, rejects } = await read(`${header}\n${line}\n`, {}, format);
    expect(rejects).toEqual([]);
    expect((rows[0] as TableRecord).values).toMatchObject(expected);
  });

  it('is not that of degrees, which have no thousands', async () => {
    const header =
      'date;admin1;admin2;market;latitude;longitude;category;commodity;unit;priceflag;pricetype;currency;price';
    const line = (month: string, latitude: string, longitude: string, price: string) =>
      `2024-${month}-15;North;;Alpha ${month};${latitude};${longitude};;Maize;KG;actual;Retail;TZS;${price}`;
    const text = [header, line('01', '-1.283', '36.817', '1.250,50'), line('02', '-1,3', '36,8', '1.310')];
    const { rows, rejects, found } = await read(`${text.join('\n')}\n`, { country: 'TZA' });
    expect([rejects, found?.decimal]).toEqual([[], { is: 'comma', line: 2 }]);
    expect(rows).toMatchObject([
      { value: 1250.5, series: { market: { latitude: -1.283, longitude: 36.817 } } },
      { value: 1310, series: { market: { latitude: -1.3, longitude: 36.8 } } },
    ]);
    // They decide where no price does, unless they differ.
    const open = [header, line('01', '-1.283', '36.817', '1.250')];
    expect((await read(open.join('\n'), { country: 'TZA' })).rows).toMatchObject([{ value: 1.25 }]);
    expect(
      await rejection([...open, line('02', '-1,3', '36,8', '1.310')].join('\n'), { country: 'TZA' }),
    ).toMatch(/^No number of the input shows which sign is the decimal one: "1.250" in line 2/);
  });

  it('is one for the prices and factors of the own CSV', async () => {
    const header =
      'iso3_country_code;commodity;price_type;market;source;currency;measure_unit;measure_unit_dimension;conversion_factor;date;periodicity;price_value';
    const line = (month: string, price: string) =>
      `TZA;Maize;RETAIL;Alpha;Own;TZS;Bag;mass;0,5;2024-${month}-01;monthly;${price}`;
    const { rows } = await read([header, line('01', '985,50'), line('02', '1.250')].join('\n'), {}, 'prices');
    expect(rows).toMatchObject([
      { value: 985.5, series: { measure_unit: { conversion_factor: 0.5 } } },
      { value: 1250 },
    ]);
  });
});

describe('the order of the dates of a file', () => {
  it.each([
    ['05/02/2024|15/01/2024', ['2024-02-05', '2024-01-15']],
    ['5/2/24|15/1/24', ['2024-02-05', '2024-01-15']],
    ['2/5/2024|1/15/2024', ['2024-02-05', '2024-01-15']],
    ['1/15/04|12/5/98', ['2004-01-15', '1998-12-05']],
    ['27-07-2023|05-08-2023', ['2023-07-27', '2023-08-05']],
    ['27.07.2023|5.8.2023', ['2023-07-27', '2023-08-05']],
    ['2023/07/27|2023/8/5', ['2023-07-27', '2023-08-05']],
    ['27/07/2023 00:00|05/08/2023 0:00', ['2023-07-27', '2023-08-05']],
    ['7/27/2023 12:00:00 AM|8/5/2023 12:00:00 AM', ['2023-07-27', '2023-08-05']],
    ['2023-07-27T00:00:00Z|2023-08-05 00:00:00', ['2023-07-27', '2023-08-05']],
    ['15-Jan-24|5-Sep-23', ['2024-01-15', '2023-09-05']],
    ['15 January 2024|5 Sept 2023', ['2024-01-15', '2023-09-05']],
    ['Jan 15, 2024|May 5, 2023', ['2024-01-15', '2023-05-05']],
    ['2024-Jan-15|2023-May-05', ['2024-01-15', '2023-05-05']],
    ['01/01/2024|02/02/2024', ['2024-01-01', '2024-02-02']],
  ])('reads %s', async (texts, expected) =>
    expect(await days(wfp(dated(...texts.split('|')), ','))).toEqual(expected),
  );

  it('is in what is found, with the line that decided', async () => {
    const { found } = await read(wfp(dated('05/02/2024', '15/02/2024'), ','), { period: 'daily' });
    expect(found?.dates).toEqual({ is: 'dmy', line: 3 });
  });

  it('is asked for where nothing decides, once for the file', async () => {
    const text = wfp(dated('01/01/2024', '01/02/2024', '01/03/2024'), ',');
    expect(await rejection(text, { period: 'monthly' })).toBe(
      'No date of the input shows the order of day, month and year: "01/02/2024" in line 3 may be 2024-02-01 or ' +
        '2024-01-02. Specify --dates dmy (day first) or --dates mdy (month first) (over HTTP: dates=).',
    );
    expect(await days(text, { dates: 'dmy' })).toEqual(['2024-01-01', '2024-02-01', '2024-03-01']);
    expect(await days(text, { dates: 'mdy' })).toEqual(['2024-01-01', '2024-01-02', '2024-01-03']);
  });

  it('cannot be two: the file is rejected with both lines', async () =>
    expect(await rejection(wfp(dated('15/01/2024', '1/16/2024'), ','))).toBe(
      'No one order of day, month and year fits the dates of the input: "15/01/2024" in line 2, "1/16/2024" in ' +
        'line 3. Specify --dates ymd (year first) or --dates dmy (day first) or --dates mdy (month first) ' +
        '(over HTTP: dates=); rows with other dates are then rejected.',
    ));

  it('rejects a row that differs where the option says the order', async () => {
    const { rejects } = await read(wfp(dated('15/01/2024', '1/16/2024'), ','), {
      dates: 'dmy',
      period: 'daily',
    });
    expect(rejects).toEqual([
      {
        line: 3,
        field: 'date',
        reason: 'invalid_date',
        detail: 'date must be a date with the day first, not "1/16/2024".',
      },
    ]);
  });

  it('is not guessed for day numbers of spreadsheets', async () =>
    expect(await rejection(wfp(dated('45306', '45337'), ','))).toBe(
      'The dates of the input are day numbers of a spreadsheet ("45306" in line 2), which counts them from 1900 or ' +
        'from 1904. Format the column as dates, YYYY-MM-DD, and save the file again.',
    ));

  it.each([
    [
      'French',
      '15-janv.-24|15-févr-24|15 août 2023|1er juil. 2023',
      '2024-01-15 2024-02-15 2023-08-15 2023-07-01',
    ],
    ['Spanish', '15-ene-24|15/abr/2024|15 de agosto de 2023', '2024-01-15 2024-04-15 2023-08-15'],
    ['Portuguese', '15-fev-24|15/set/2023|15 de dezembro de 2023', '2024-02-15 2023-09-15 2023-12-15'],
    ['German', '15. Januar 2024|15. März 2024|15-Okt-23', '2024-01-15 2024-03-15 2023-10-15'],
    ['Russian', '15 января 2024|15.мая.2024|15-дек-23', '2024-01-15 2024-05-15 2023-12-15'],
    ['no language', '20240115|20240216', '2024-01-15 2024-02-16'],
    ['another time zone', '2024-01-15 00:00:00+03:00|2024-02-15T00:00:00.000+0300', '2024-01-15 2024-02-15'],
  ])('is read with months in %s', async (_, texts, expected) =>
    expect(await days(wfp(dated(...texts.split('|')), ','))).toEqual(expected.split(' ')),
  );

  it.each([
    'Jan-24|Feb-24|Sept-23',
    'janv-24|févr. 2024|septembre 2023',
    'ene-24|feb 24|sep/2023',
    '01/2024|02/2024|9/2023',
    '01.2024|02.2024|09.2023',
    '2024M01|2024-M02|2023m9',
    '202401|202402|202309',
    '2024/01|2024-2|2023.09',
  ])('has no part in months without a day: %s', async (texts) => {
    const months = ['2024-01-01', '2024-02-01', '2023-09-01'];
    const written = texts.split('|');
    expect(await days(wfp(dated(...written), ','), { period: 'monthly' })).toEqual(months);
    const rates = ['currency,date,rate', ...written.map((date) => `KES,${date},129.5`), ''].join('\n');
    const { rows, found } = await read(rates, {}, 'fx');
    expect((rows as TableRecord[]).map(({ values }) => values.date)).toEqual(months);
    expect(found?.dates).toBeNull();
    const indices = [
      'iso3,item_code,item,date,value',
      ...written.map((date) => `KEN,23012,(2015 = 100),${date},9.5`),
    ];
    const read_ = await read(`${indices.join('\n')}\n`, {}, 'cpi');
    expect((read_.rows as TableRecord[]).map(({ values }) => values.date)).toEqual(months);
    const fed = ['Date,Country,Exchange rate', ...written.map((date) => `${date},Mexico,18.5`), ''].join(
      '\n',
    );
    expect((await read(fed, {}, 'fx')).rows).toHaveLength(3);
  });

  it.each([
    '2009/10|2010/11|2011/12',
    '2010-11|2011-12',
    '2008/09|2004/05',
    '200910|201011',
    '2005.06|2006.07|2006.07',
    '2003 04|2010 11',
    '2011/12',
    '2011/12|2011/12',
  ])('is asked for where all months may be years that begin in another one: %s', async (texts) => {
    const written = texts.split('|');
    const files = [
      ['wfp', wfp(dated(...written), ',')],
      ['prices', [OWN_HEADER, ...written.map((date) => ownLine(date)), ''].join('\n')],
      ['fx', ['currency,date,rate', ...written.map((date) => `KES,${date},85`), ''].join('\n')],
      [
        'FxRate',
        ['currency,date,period,rate', ...written.map((date) => `KES,${date},monthly,85`), ''].join('\n'),
      ],
      ['fx', ['Date,Country,Exchange rate', ...written.map((date) => `${date},India,45`), ''].join('\n')],
      [
        'cpi',
        [
          'iso3_country_code,date,item,value,base_period',
          ...written.map((date) => `KEN,${date},food,98,2010`),
          '',
        ].join('\n'),
      ],
    ] as const;
    const [first = ''] = written;
    for (const [format, text] of files) {
      expect([format, await rejection(text, {}, format)]).toEqual([
        format,
        'No date of the input shows whether its dates are months or years that begin in one year and end in the ' +
          `next: ${JSON.stringify(first)} in line 2 may be ${first.slice(0, 4)}-${first.slice(-2)}, or the year ` +
          `${first.slice(0, 4)} to ${Number(first.slice(0, 4)) + 1}. Values of years are not stored. If they are ` +
          'those of months, specify --period monthly (over HTTP: period=monthly).',
      ]);
      const stated = await read(text, { period: 'monthly' }, format);
      expect([format, stated.rows.length, stated.rejects]).toEqual([format, written.length, []]);
    }
  });

  it.each([
    ['1998/99|1999/00|2000/01|2001/02', '1998/99', 2],
    ['2010/11|2011/12|2012/13', '2012/13', 4],
    ['2010-11|2015-16', '2015-16', 3],
    ['201112|201314', '201314', 3],
    ['2023/24', '2023/24', 2],
    ['2010/2011|2011/2012', '2010/2011', 2],
    ['2005-2006', '2005-2006', 2],
  ])('is none in a file of years that span two: %s', async (texts, shown, line) => {
    const text = wfp(dated(...texts.split('|')), ',');
    const expected =
      `The dates of the input are years that begin in one year and end in the next, such as "${shown}" in line ` +
      `${line}. Values of years are not stored.`;
    expect(await rejection(text)).toBe(expected);
    const prices_ = [OWN_HEADER, ...texts.split('|').map((date) => ownLine(date)), ''].join('\n');
    expect(await rejection(prices_, {}, 'prices')).toBe(expected);
  });

  it.each([
    ['2010-11', ['2010-11-01']],
    ['2010-11|2010-12', ['2010-11-01', '2010-12-01']],
    ['2010/11|2010/12|2011/01', ['2010-11-01', '2010-12-01', '2011-01-01']],
    ['2010M11|2011M12', ['2010-11-01', '2011-12-01']],
    ['11/2010|12/2011', ['2010-11-01', '2011-12-01']],
    ['2010/11|2011/12|1 March 2012', ['2010-11-01', '2011-12-01', '2012-03-01']],
  ])('is that of months where one shows it: %s', async (texts, expected) => {
    const { rows, rejects } = await read(
      [OWN_HEADER, ...texts.split('|').map((date) => ownLine(date)), ''].join('\n'),
      {},
      'prices',
    );
    expect(rejects).toEqual([]);
    expect(rows.map((row) => isoFromDay((row as PriceRow).day))).toEqual(expected);
  });

  it('rejects a row with years that span two in a file of months', async () => {
    const { rows, rejects } = await read(wfp(dated('2011/12', '2012/01', '2012/13'), ','));
    expect(rows).toHaveLength(2);
    expect(rejects).toEqual([
      {
        line: 4,
        field: 'date',
        reason: 'invalid_date',
        detail: 'date must be a calendar date written YYYY-MM-DD, not "2012/13".',
      },
    ]);
  });

  it('takes no number with two decimals for October, where others are none of months', async () => {
    const expected =
      'The dates of the input are numbers with two decimals ("2024.20" in line 3), of which 2024.10 may be January ' +
      'or October. Write months as 2024-01.';
    for (const texts of [
      ['2024.10', '2024.20', '2024.30'],
      ['2024.10', '2024.20', '2024.10', '2023.10'],
    ])
      expect(await rejection(wfp(dated(...texts), ','))).toBe(expected);
    expect(await days(wfp(dated('2024.09', '2024.10', '2024.11'), ','), { period: 'monthly' })).toEqual([
      '2024-09-01',
      '2024-10-01',
      '2024-11-01',
    ]);
  });

  it('takes months of a day, two digits of another era and numbers that lost a zero for none', async () => {
    const texts = ['jui-24', '2024.1', '13/2024', '15/01/67', '67-01'];
    const { rows, rejects } = await read(wfp(dated('2024-01-15', ...texts), ','), {});
    expect(rows).toHaveLength(1);
    expect(rejects.map(({ detail }) => detail)).toEqual(
      texts.map((text) => `date must be a calendar date written YYYY-MM-DD, not "${text}".`),
    );
    // A month is no day.
    const { rejects: daily } = await read(wfp(dated('Jan-24'), ','), { period: 'daily' });
    expect(daily.map(({ detail }) => detail)).toEqual([
      'date must be a calendar date written YYYY-MM-DD, not "2024-01".',
    ]);
  });

  it.each([
    ['2024-W01', 'a week, of which the Friday is 2024-01-05'],
    ['2020W53', 'a week, of which the Friday is 2021-01-01'],
    ['W9/2023', 'a week, of which the Friday is 2023-03-03'],
    ['2021-W01-5', 'a week, of which the Friday is 2021-01-08'],
    ['2024Q1', 'a quarter, of which no values are stored'],
    ['T3 2023', 'a quarter, of which no values are stored'],
    ['2023', 'a year, of which no values are stored'],
    ['2023.0', 'a year, of which no values are stored'],
    ['2016-13-05', 'of a thirteenth month, as the Ethiopian calendar has it'],
    ['2015/13/3', 'of a thirteenth month, as the Ethiopian calendar has it'],
    ['2080/01/32', 'of a month with 32 days, as the calendar of Nepal has them'],
    ['32-03-2081', 'of a month with 32 days, as the calendar of Nepal has them'],
  ])('is told of what is none: %s is %s', async (text, is) => {
    const { rejects } = await read(wfp(dated('2024-01-12', text), ','), { period: 'weekly' });
    expect(rejects.map(({ detail }) => detail)).toEqual([
      `date must be a calendar date written YYYY-MM-DD; "${text}" is ${is}.`,
    ]);
    // Said once where the whole file is like that.
    if (text.startsWith('2023') || text.startsWith('2024'))
      expect(await rejection(wfp(dated(...Array.from({ length: 20 }, () => text)), ','))).toMatch(
        `No date of the input can be read ("${text}" in line 2 is ${is}). Dates are written YYYY-MM-DD;`,
      );
  });

  it.each(['31-Feb-24', '15-Mon-24', '15-Jan-9'])('does not take %s for a date', async (text) => {
    const { rejects } = await read(wfp(dated(text), ','), { period: 'daily' });
    expect(rejects).toEqual([
      {
        line: 2,
        field: 'date',
        reason: 'invalid_date',
        detail: `date must be a calendar date written YYYY-MM-DD, not "${text}".`,
      },
    ]);
  });

  it('is said once where no date of a long file can be read', async () =>
    expect(await rejection(wfp(dated(...Array.from({ length: 30 }, (_, day) => `day ${day}`)), ','))).toMatch(
      /^No date of the input can be read \("day 0" in line 2\)\./,
    ));
});
