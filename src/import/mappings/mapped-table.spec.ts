import { chunksOf, collect } from '../../../test/support/import-input.js';
import { rowsXml, workbookOf } from '../../../test/support/workbook.js';
import { isoFromDay } from '../../lib/dates/calendar-date.js';
import { PERIOD_NAMES } from '../../price-series/periodicity.js';
import { ImportRejected } from '../formats/batch.js';
import { type ImportOptions, inputReader } from '../formats/index.js';
import type { PriceRow, SeriesDescriptor } from '../formats/series.js';
import type { TableRecord } from '../formats/table-rows.js';
import { type Mapping, validateMapping } from './mapping.js';

async function read(mapping: object, text: string | Uint8Array, options: ImportOptions = {}) {
  const checked = validateMapping({ name: 'own', ...mapping });
  if (!('value' in checked)) throw new Error(checked.violations.map(({ detail }) => detail).join('\n'));
  const all = { ...options, mapping: checked.value };
  const { rejects, ...found } = await collect(inputReader('own', all)!(chunksOf(text), all));
  return {
    ...found,
    rejects: rejects.map(({ line, field, reason, detail }) => [line, field, reason, detail]),
  };
}

/** The prices of a text, each in one line. */
async function prices(mapping: object, text: string | Uint8Array, options?: ImportOptions) {
  const { rows, ...found } = await read({ table: 'prices', ...mapping }, text, options);
  const shown = (rows as PriceRow[]).map(({ line, series, day, period, value }) => {
    const { market, commodity, measure_unit, currency, price_type } = series as SeriesDescriptor;
    return [
      ...[line, market.iso3_country_code, market.name, commodity.name, measure_unit.name],
      ...[currency, price_type, isoFromDay(day), PERIOD_NAMES[period], value],
    ].join('|');
  });
  return { ...found, rows: shown };
}

/** Records of a text, with their lines. */
async function records(mapping: object, text: string, options?: ImportOptions) {
  const { rows, ...found } = await read(mapping, text, options);
  return {
    ...found,
    rows: (rows as unknown as TableRecord[]).map(({ line, values }): Record<string, unknown> => ({
      line,
      ...values,
    })),
  };
}

const rejection = (result: Promise<unknown>) =>
  result.then(
    () => null,
    (error: unknown) => (error instanceof ImportRejected ? error.message : Promise.reject(error as Error)),
  );

/** The fields of monthly prices of markets, but for the product. */
const OF_MARKETS = {
  iso3_country_code: { value: 'KEN' },
  market: { column: 'Market' },
  measure_unit: { value: 'KG' },
  currency: { value: 'KES' },
  price_type: { value: 'RETAIL' },
  source: { value: 'Ministry' },
  date: { column: 'Date' },
  periodicity: { value: 'monthly' },
  price_value: { column: 'Price' },
};

/** Products as columns, with their units in a cell of each row. */
const LISTED: Partial<Mapping> = {
  unpivot: { columns: 'c_{commodity}', value: 'price_value', except: ['c_index'] },
  fields: {
    market: { column: 'market' },
    measure_unit: {
      column: 'units',
      list: { by: '), ', item: '{commodity} ({measure_unit}, *' },
      values: { KILO: 'KG' },
      others: 'keep',
    },
    date: { column: 'date' },
    currency: { value: 'XOF' },
    price_type: { value: 'RETAIL' },
    source: { value: 'OMA' },
    periodicity: { value: 'monthly' },
    iso3_country_code: { value: 'MLI' },
  },
};

const SURVEY: Partial<Mapping> = {
  missingValues: ['', '-', 'n/d'],
  dialect: { delimiter: ';', headerRows: [3, 4] },
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
    iso3_country_code: { value: 'Mali' },
  },
};

const SURVEY_TEXT = `Observatoire du marché agricole;;;;;
Prix à la consommation;;;;;
;;;Mil;;Riz (local)
Marché;Mois;Niv.;(kg);(sac de 100 kg);(kg)
Bamako;janv.-24;D;1 250,5;-;450
;févr.-24;D;1 260;25 000;455
;;;;;
Total Bamako;;;9;9;9
Kayes;janv.-24;G;300;n/d;1.250
;mars-24;X;1;2;3
;mars-24;G;1\u202f310;;
Source : OMA;;;;;
a;b;c;d;e;f
`;

describe('a wide table with merged headers', () => {
  it('becomes prices, and tells what is not one by the column of the file', async () => {
    expect(await prices(SURVEY, SURVEY_TEXT)).toEqual({
      read: 15,
      rounded: 0,
      skipped: { no_value: 4, blank_line: 1, left_out: 1 },
      rows: [
        '5|MLI|Bamako|Mil|kg|XOF|RETAIL|2024-01-01|monthly|1250.5',
        '5|MLI|Bamako|Riz (local)|kg|XOF|RETAIL|2024-01-01|monthly|450',
        '6|MLI|Bamako|Mil|kg|XOF|RETAIL|2024-02-01|monthly|1260',
        '6|MLI|Bamako|Mil|sac de 100 kg|XOF|RETAIL|2024-02-01|monthly|25000',
        '6|MLI|Bamako|Riz (local)|kg|XOF|RETAIL|2024-02-01|monthly|455',
        '9|MLI|Kayes|Mil|kg|XOF|WHOLESALE|2024-01-01|monthly|300',
        '11|MLI|Kayes|Mil|kg|XOF|WHOLESALE|2024-03-01|monthly|1310',
      ],
      rejects: [
        [
          9,
          'Riz (local) (kg)',
          'invalid_number',
          'Riz (local) (kg) must be a number with a decimal comma and blanks between thousands, not "1.250".',
        ],
        [10, 'Niv.', 'invalid_choice', 'Niv. "X" is none of the texts that the mapping has for price_type.'],
      ],
    });
  });

  it('is rejected where a column is not there, or no column fits', async () => {
    expect(await rejection(prices(SURVEY, SURVEY_TEXT.replace('Niv.', 'Niveau')))).toBe(
      'The mapping own reads price_type from the column "Niv.", which the header does not have: it has "Marché", ' +
        '"Mois", "Niveau", "Mil (kg)", "Mil (sac de 100 kg)", "Riz (local) (kg)".',
    );
    expect(
      await rejection(prices(SURVEY, SURVEY_TEXT.replace('Marché', 'Marché 1').replace('Mois', 'Marchés'))),
    ).toBe(
      'The mapping own reads market from the column "Marché", which the header does not have: it has "Marché 1", ' +
        '"Marchés", "Niv.", "Mil (kg)", "Mil (sac de 100 kg)", "Riz (local) (kg)". Is "Marchés" or "Marché 1" meant?',
    );
    expect(await rejection(prices(SURVEY, SURVEY_TEXT.replaceAll('(', '[')))).toBe(
      'The mapping own reads columns like "{commodity} ({measure_unit})", of which the header has none: it has ' +
        '"Marché", "Mois", "Niv.", "Mil [kg)", "Mil [sac de 100 kg)", "Riz [local) [kg)".',
    );
    expect(await rejection(prices(SURVEY, 'Marché;Mois\n'))).toBe(
      'The input has no row 4, in which the mapping has the end of its header.',
    );
  });
});

/** The survey with numbers as numbers, and a sheet before it. */
const SURVEY_BOOK = workbookOf([
  { name: 'Lisez-moi', rows: rowsXml([['Notes'], ['Prix']]) },
  {
    name: 'Prix',
    rows: rowsXml([
      ['Observatoire du marché agricole'],
      ['Prix à la\nconsommation'],
      [null, null, null, 'Mil', null, 'Riz (local)'],
      ['Marché', 'Mois', 'Niv.', '(kg)', '(sac de 100 kg)', '(kg)'],
      ['Bamako', 'janv.-24', 'D', 1.234, '-', 450],
      [null, 'févr.-24', 'D', 1260, '25 000', 4.5e-7],
      ['Total Bamako', null, null, 9, 9, 9],
      ['Kayes', 'janv.-24', 'G', '1,5', null, '1.250'],
      ['Source : OMA'],
      ['a', 'b', 'c', 'd', 'e', 'f'],
    ]),
  },
]);

describe('a table of a workbook', () => {
  const ofSheet = { ...SURVEY, dialect: { headerRows: [3, 4], sheetName: 'Prix' } };

  it('has numbers as they are, and texts as the mapping says', async () =>
    expect(await prices(ofSheet, SURVEY_BOOK)).toEqual({
      read: 10,
      rounded: 0,
      skipped: { no_value: 2, left_out: 1 },
      rows: [
        '5|MLI|Bamako|Mil|kg|XOF|RETAIL|2024-01-01|monthly|1.234',
        '5|MLI|Bamako|Riz (local)|kg|XOF|RETAIL|2024-01-01|monthly|450',
        '6|MLI|Bamako|Mil|kg|XOF|RETAIL|2024-02-01|monthly|1260',
        '6|MLI|Bamako|Mil|sac de 100 kg|XOF|RETAIL|2024-02-01|monthly|25000',
        '6|MLI|Bamako|Riz (local)|kg|XOF|RETAIL|2024-02-01|monthly|4.5e-7',
        '8|MLI|Kayes|Mil|kg|XOF|WHOLESALE|2024-01-01|monthly|1.5',
      ],
      rejects: [
        [
          8,
          'Riz (local) (kg)',
          'invalid_number',
          'Riz (local) (kg) must be a number with a decimal comma and blanks between thousands, not "1.250".',
        ],
      ],
    }));

  it('is in the sheet that the import or the mapping names, or in the first', async () => {
    const rows = async (dialect: object, options: ImportOptions = {}) =>
      (await prices({ ...SURVEY, dialect: { headerRows: [3, 4], ...dialect } }, SURVEY_BOOK, options)).rows
        .length;
    expect(await rows({ sheetNumber: 2 })).toBe(6);
    expect(await rows({ sheetNumber: 1 }, { sheet: 'Prix' })).toBe(6);
    expect(await rejection(rows({}))).toBe(
      'The input has no row 4, in which the mapping has the end of its header.',
    );
    expect(await rejection(rows({ sheetNumber: 3 }))).toBe(
      'The workbook has no sheet 3, but "Lisez-moi", "Prix". Specify one with --sheet NAME (over HTTP: sheet=NAME).',
    );
    expect(await rejection(rows({ sheetName: 'Prise' }))).toMatch(/^The workbook has no sheet "Prise", but/);
  });

  it('gives a field a part of the name of its sheet', async () => {
    const book = workbookOf([
      {
        name: 'Maize, retail',
        rows: rowsXml([
          ['Market', 'Date', 'Price'],
          ['Nakuru', '2024-01', 45],
        ]),
      },
    ]);
    const { rows } = await prices(
      {
        fields: {
          ...OF_MARKETS,
          commodity: { sheet: '{commodity}, *' },
        },
      },
      book,
    );
    expect(rows).toEqual(['2|KEN|Nakuru|Maize|KG|KES|RETAIL|2024-01-01|monthly|45']);
  });

  it('may have columns without a name behind the last one with a name', async () => {
    const book = workbookOf([
      {
        name: 'Prix',
        rows: rowsXml([
          ['Market', 'Date', 'Price'],
          ['Nakuru', '2024-01', 45, 46, 47],
        ]),
      },
    ]);
    const { rows, rejects } = await prices(
      {
        fields: {
          ...OF_MARKETS,
          commodity: { value: 'Maize' },
        },
      },
      book,
    );
    expect([rows, rejects]).toEqual([['2|KEN|Nakuru|Maize|KG|KES|RETAIL|2024-01-01|monthly|45'], []]);
  });
});

describe('a list of records in JSON', () => {
  it('is read by the names of its members, numbers as they are', async () => {
    const text = JSON.stringify({
      data: [
        { place: 'Nakuru', item: 'Maize', month: '2024-01', price: 1.234 },
        { place: 'Nakuru', item: 'Maize', month: '2024-02', price: '1,5' },
        { place: 'Nakuru', item: 'Beans', month: '2024-02', price: null },
        { place: 'Nakuru', item: 'Beans', month: '2024-03', price: '1.5' },
      ],
    });
    expect(
      await prices(
        {
          dialect: { headerRows: [1] },
          fields: {
            iso3_country_code: { value: 'KEN' },
            market: { column: 'place' },
            commodity: { column: 2 },
            measure_unit: { value: 'KG' },
            currency: { value: 'KES' },
            price_type: { value: 'RETAIL' },
            source: { value: 'Ministry' },
            date: { column: 'month' },
            periodicity: { value: 'monthly' },
            price_value: { column: 'price', decimalChar: ',' },
          },
        },
        text,
      ),
    ).toEqual({
      read: 4,
      rounded: 0,
      skipped: { no_value: 1 },
      rows: [
        '1|KEN|Nakuru|Maize|KG|KES|RETAIL|2024-01-01|monthly|1.234',
        '2|KEN|Nakuru|Maize|KG|KES|RETAIL|2024-02-01|monthly|1.5',
      ],
      rejects: [
        [
          4,
          'price',
          'invalid_number',
          'price must be a number with a decimal comma and nothing between thousands, not "1.5".',
        ],
      ],
    });
  });
});

const LIST: Partial<Mapping> = {
  fields: {
    iso3_country_code: { column: 'Country' },
    market: { column: 'Market' },
    commodity: { join: ['Product', 'Grade'], joinWith: ', ' },
    measure_unit: { value: 'KG' },
    currency: { value: 'KES' },
    price_type: { value: 'RETAIL' },
    source: { value: 'Office' },
    date: { column: 'Date', format: '%d/%m/%Y' },
    periodicity: {
      column: 'Freq',
      values: { D: 'daily', W: 'weekly', M: 'monthly', Q: 'quarterly', A: 'annual' },
    },
    price_value: { column: 'Price', multiply: 0.01 },
  },
};
const list = (...lines: string[]) =>
  ['Country,Market,Product,Grade,Date,Freq,Price', ...lines, ''].join('\n');
const withFields = (fields: Record<string, unknown>) =>
  ({ ...LIST, fields: { ...LIST.fields, ...fields } }) as object;

describe('a list', () => {
  it('has countries by name, joined columns, factors, and values of longer periods left out', async () => {
    const text = list(
      '#country,#loc,#item,,#date,,#value',
      'Kenya,Nairobi,Maize,white,05/02/2024,D,1250',
      'ken,Nairobi,Maize,,31/01/2024,M,1250',
      'Kenya,Nairobi,Beans,,09/02/2024,W,2',
      'Kenya,Nairobi,Beans,,09/02/2024,Q,2',
      'Kenya,Nairobi,Beans,,09/02/2024,A,2',
      'Kenya,Nairobi,Beans,,2/30/2024,D,2',
      'Kenya,Nairobi,Beans,,05/02/2024,D,-2',
      'Kenya,Nairobi,Beans,,05/02/2024,D,',
      'Atlantis,Nairobi,Beans,,05/02/2024,D,7',
      'Kenya,Nairobi,Beans,,06/02/2024,D,"1,234"',
      'Kenya,Nairobi',
      'Kenya,Nairobi,Beans,,06/02/2024,D,12,5',
    );
    const { rows, rejects, skipped, read: count } = await prices(LIST, text);
    expect(rows).toEqual([
      '3|KEN|Nairobi|Maize, white|KG|KES|RETAIL|2024-02-05|daily|12.5',
      '4|KEN|Nairobi|Maize|KG|KES|RETAIL|2024-01-01|monthly|12.5',
      '5|KEN|Nairobi|Beans|KG|KES|RETAIL|2024-02-09|weekly|0.02',
    ]);
    expect([count, skipped]).toEqual([13, { hxl_tags: 1, longer_than_month: 2, no_value: 1 }]);
    expect(rejects).toEqual([
      [8, 'Date', 'invalid_date', 'Date must be a date written %d/%m/%Y, not "2/30/2024".'],
      [9, 'Price', 'not_positive', 'Price must be greater than 0, not "-0.02".'],
      [11, 'Country', 'invalid_country', 'Country must be a three-letter country code, not "Atlantis".'],
      [
        12,
        'Price',
        'invalid_number',
        'Price must be a number with a decimal point and nothing between thousands, not "1,234".',
      ],
      [13, '', 'columns', 'The line has 2 fields, but the header has 7.'],
      [14, '', 'columns', 'The line has 8 fields, but the header has 7.'],
    ]);
  });

  it('may have texts that no value names, kept', async () => {
    const field = { column: 'Freq', values: { D: 'daily' }, others: 'keep' };
    const { rows, rejects } = await prices(
      withFields({ periodicity: field }),
      list('Kenya,N,A,,05/02/2024,D,1', 'Kenya,N,A,,05/02/2024,weekly,1', 'Kenya,N,A,,05/02/2024,x,1'),
    );
    expect(rows.map((row) => row.split('|')[8])).toEqual(['daily', 'weekly']);
    expect(rejects).toEqual([
      [4, 'Freq', 'invalid_choice', 'Freq must be daily, weekly or monthly, not "x".'],
    ]);
  });

  it('is refused where it says to be of months and is of days or years', async () => {
    const monthly = withFields({ periodicity: { value: 'monthly' } });
    expect(
      await rejection(prices(monthly, list('Kenya,N,A,,05/02/2024,D,100', 'Kenya,N,A,,12/02/2024,D,200'))),
    ).toBe(
      'The mapping says that the values are monthly, but line 3 has a second one of a series in 2024-02: 2 beside 1. ' +
        'Either they are of days or weeks, or the mapping has no field for what tells them apart.',
    );
    expect(
      await rejection(prices(monthly, list('Kenya,N,A,,31/12/2022,D,1', 'Kenya,M,B,,31/12/2023,D,2'))),
    ).toBe(
      'The mapping says that the values are monthly, but all of them are a year apart: they look like yearly ones, ' +
        'which are not stored.',
    );
    const { rows } = await prices(monthly, list('Kenya,N,A,,31/12/2022,D,1', 'Kenya,N,A,,30/11/2023,D,2'));
    expect(rows.map((row) => row.split('|')[7])).toEqual(['2022-12-01', '2023-11-01']);
    expect(
      (await prices(monthly, list('Kenya,N,A,,31/12/2022,D,1', 'Kenya,M,A,,31/12/2022,D,2'))).rows,
    ).toHaveLength(2);
  });

  it('may leave to the options what no field has', async () => {
    const fields = { ...LIST.fields };
    delete (fields as Partial<typeof fields>).iso3_country_code;
    delete (fields as Partial<typeof fields>).source;
    const text = list('x,N,A,,05/02/2024,D,1');
    expect(await rejection(prices({ fields }, text))).toContain('--country CODE');
    expect((await prices({ fields }, text, { country: 'TZA', source: 'Own' })).rows).toEqual([
      '2|TZA|N|A|KG|KES|RETAIL|2024-02-05|daily|0.01',
    ]);
  });

  it('may have no header, comments, and names of files', async () => {
    const mapping = {
      dialect: { header: false, delimiter: '\t', commentChar: '%', commentRows: [1] },
      fields: {
        ...LIST.fields,
        iso3_country_code: { file: '{iso3_country_code}_*.tsv' },
        market: { column: 1 },
        commodity: { column: 2 },
        year: { column: 3 },
        month: { column: 4, language: 'sw' },
        periodicity: { value: 'monthly' },
        price_value: { column: 5 },
        date: undefined,
      },
    };
    delete (mapping.fields as Partial<typeof mapping.fields>).date;
    const text =
      'title\nN\tA\t2024\tJanuari\t5\n% a\tb\nN\tA\t2024\t2.0\t6\nN\tA\t2024\t14\t6\nN\tA\t24\t1\t6\n';
    const { rows, rejects, skipped } = await prices(mapping, text, { fileName: 'tza_2024.tsv' });
    expect(rows).toEqual([
      '2|TZA|N|A|KG|KES|RETAIL|2024-01-01|monthly|5',
      '4|TZA|N|A|KG|KES|RETAIL|2024-02-01|monthly|6',
    ]);
    expect(skipped).toEqual({ left_out: 2 });
    expect(rejects).toEqual([
      [5, 'column 4', 'invalid_date', 'column 4 must be a month, not "14".'],
      [6, 'column 3', 'invalid_date', 'column 3 must be a year of four digits, not "24".'],
    ]);
    expect(await rejection(prices(mapping, text, { fileName: 'prices.tsv' }))).toBe(
      'The name of the file, "prices.tsv", does not fit "{iso3_country_code}_*.tsv", from which the mapping reads ' +
        'iso3_country_code.',
    );
  });

  it('is rejected for a name that two columns have', async () =>
    expect(await rejection(prices(LIST, list().replace('Grade', 'Market')))).toBe(
      'The mapping own reads market from the column "Market", which the header has more than once: name it by its ' +
        'number.',
    ));

  it('says what its prices are, by codes of SDMX or by its values', async () => {
    const mapping = {
      table: 'prices',
      fields: {
        ...Object.fromEntries(
          Object.entries({
            iso3_country_code: 'KEN',
            market: 'Kitui',
            commodity: 'Maize',
            measure_unit: 'kg',
            currency: 'KES',
            price_type: 'RETAIL',
            source: 'Bureau',
            periodicity: 'monthly',
          }).map(([name, value]) => [name, { value }]),
        ),
        date: { column: 'Month' },
        price_value: { column: 'Price' },
        status: { column: 'Kind', values: { official: 'A', model: 'estimated', ahead: 'F', odd: 'Z' } },
      },
    };
    const { rows, rejects } = await read(
      mapping,
      'Month,Price,Kind\n2024-01,50,official\n2024-01,51,model\n2024-02,52,ahead\n2024-03,53,\n2024-04,54,odd\n',
    );
    expect(
      (rows as PriceRow[]).map(({ series, value }) => [value, (series as SeriesDescriptor).status]),
    ).toEqual([
      [50, 'observed'],
      [51, 'estimated'],
      [52, 'forecast'],
      [53, 'observed'],
    ]);
    expect(rejects).toEqual([
      [
        6,
        'Kind',
        'invalid_choice',
        'Kind must be observed, estimated, forecast, provisional, or A, P, E or F, not "Z".',
      ],
    ]);
  });
});

describe('a table of rates', () => {
  const RATES = {
    table: 'fx',
    unpivot: { columns: '{currency}', value: 'rate' },
    missingValues: ['', 'N/A'],
    fields: {
      date: { column: 'Date' },
      period: { value: 'daily' },
      source: { value: 'ECB' },
      rate: { per: 'EUR' },
    },
  };
  const rate = (line: number, currency: string, value: number) => ({
    line,
    currency,
    date: line === 2 ? '2024-02-06' : '2024-02-05',
    period: 'daily',
    rate: value,
    source: 'ECB',
    rate_type: 'official',
  });

  it('for another currency becomes one for the dollar', async () => {
    const text = 'Date,USD,JPY,KES,\n2024-02-06,1.25,160,N/A,\n2024-02-05,N/A,159,170,\n';
    const { rows, rejects, skipped, read: count } = await records(RATES, text);
    expect(rows).toEqual([rate(2, 'EUR', 0.8), rate(2, 'JPY', 128)]);
    expect([count, skipped]).toEqual([6, { no_value: 2 }]);
    expect(rejects).toEqual([
      [3, 'JPY', 'required', 'JPY is for EUR, and the input has no rate of USD on 2024-02-05.'],
      [3, 'KES', 'required', 'KES is for EUR, and the input has no rate of USD on 2024-02-05.'],
    ]);
  });

  it('in dollars for a unit is stored the other way round', async () => {
    const mapping = { ...RATES, fields: { ...RATES.fields, rate: { invert: true } } };
    const { rows } = await records(mapping, 'Date,EUR\n2024-02-06,1.25\n');
    expect(rows).toEqual([rate(2, 'EUR', 0.8)]);
  });

  it('in units of another currency for one of each becomes one for the dollar', async () => {
    const mapping = { ...RATES, fields: { ...RATES.fields, rate: { per: 'KES', invert: true } } };
    const { rows, rejects } = await records(
      mapping,
      'Date,USD,EUR\n2024-02-06,64.5,70.95\n2024-02-05,N/A,70\n',
    );
    expect(rows).toEqual([rate(2, 'KES', 64.5), rate(2, 'EUR', 0.909090909090909)]);
    expect(rejects).toEqual([
      [3, 'EUR', 'required', 'EUR is for KES, and the input has no rate of USD on 2024-02-05.'],
    ]);
  });
});

describe('other tables', () => {
  it('are indices', async () => {
    const mapping = {
      table: 'cpi',
      unpivot: { columns: '{year}M{month}', value: 'value' },
      fields: {
        iso3_country_code: { column: 'Area' },
        item: { column: 'Item', values: { CP00: 'general', CP01: 'food' } },
        base_period: { value: '2015' },
      },
    };
    const { rows, rejects } = await records(
      mapping,
      'Area,Item,2023,2023M12,2024M01\nKenya,CP00,100,101.5,102\nKenya,CP02,1,2,3\n',
    );
    expect(
      rows.map(({ iso3_country_code, item, date, value }) => [iso3_country_code, item, date, value]),
    ).toEqual([
      ['KEN', 'general', '2023-12-01', 101.5],
      ['KEN', 'general', '2024-01-01', 102],
    ]);
    expect(rejects.map(([line, field]) => [line, field])).toEqual([[3, 'Item']]);
  });

  it('are records', async () => {
    const mapping = {
      table: 'Market',
      fields: {
        iso3_country_code: { column: 'Pays' },
        name: { column: 'Nom' },
        latitude: { column: 'Lat', decimalChar: ',' },
      },
    };
    const { rows } = await records(mapping, 'Pays,Nom,Lat\nMali,Bamako,"12,65"\n');
    expect(rows).toEqual([
      { line: 2, iso3_country_code: 'MLI', name: 'Bamako', latitude: 12.65, admin_unit: '', admin_unit2: '' },
    ]);
  });
});

describe('a cell that lists a field for the columns that become rows', () => {
  const header = 'market,date,units,c_rice,c_oil (refined),c_index,rice\n';

  it('has the units of each, which a row may change', async () => {
    const text =
      `${header}Bamako,2024-01-01,"rice (KILO, Weight = 1), oil (refined) (2.1 L, Weight = 1)",450,900,1.1,440\n` +
      'Gao,2024-01-01,"rice (50 KG, Weight 0.5)",21000,,1.2,\n';
    expect(await prices(LISTED, text)).toMatchObject({
      rejects: [],
      rows: [
        '2|MLI|Bamako|rice|KG|XOF|RETAIL|2024-01-01|monthly|450',
        '2|MLI|Bamako|oil (refined)|2.1 L|XOF|RETAIL|2024-01-01|monthly|900',
        '3|MLI|Gao|rice|50 KG|XOF|RETAIL|2024-01-01|monthly|21000',
      ],
      skipped: { no_value: 1 },
    });
  });

  it('rejects the price of a column that it does not list', async () => {
    const text = `${header}Gao,2024-01-01,"rice (KILO, Weight = 1)",450,900,,\nGao,2024-02-01,,450,,,\n`;
    const { rows, rejects } = await prices(LISTED, text);
    expect(rows).toHaveLength(1);
    expect(rejects).toEqual([
      [2, 'units', 'invalid_choice', 'units has no measure_unit for the column "c_oil (refined)".'],
      [3, 'units', 'invalid_choice', 'units has no measure_unit for the column "c_rice".'],
    ]);
  });

  it('takes as long as the cell is, and no longer', async () => {
    const units = `${'rice (KG, '.repeat(100_000)}), rice (KG, 1)`;
    const { rows } = await prices(LISTED, `${header}Gao,2024-01-01,"${units}",450,,,\n`);
    expect(rows).toEqual(['2|MLI|Gao|rice|KG|XOF|RETAIL|2024-01-01|monthly|450']);
  });
});
