import { fieldsOfProposal, mappingOfFields } from '../../src/desk/upload/mapping/mapping-fields.js';
import { inputReader } from '../../src/import/formats/index.js';
import { ImportRejected } from '../../src/import/formats/batch.js';
import { type Mapping, validateMapping } from '../../src/import/mappings/mapping.js';
import { NOTHING_KNOWN, type Proposal } from '../../src/import/mappings/propose/proposal.js';
import { proposeForTable, type WritingOptions } from '../../src/import/mappings/propose/proposed-table.js';
import { chunksOf, collect } from '../support/import-input.js';

/** A table of rates in the manner of central banks, what is proposed for it, and what it says. */
interface RateTable {
  readonly what: string;
  readonly text: string;
  readonly fileName?: string;
  /** Without name and table. */
  readonly mapping: object;
  /** What is probably right, by the control of each further question; null where nothing is. */
  readonly questions: Readonly<Record<string, string | null>>;
  /** What people answer, by the fields of the form. */
  readonly answers: Readonly<Record<string, string>>;
  /** What is stored: currency, date, units for a dollar, and the type where it is not official. */
  readonly rates: readonly string[];
  /** Why others are not. */
  readonly rejected?: readonly string[];
}

const DAILY = { 'from.period': 'value', 'value.period': 'daily' };
const constant = (field: string, value: string) => ({
  [`from.${field}`]: 'value',
  [`value.${field}`]: value,
});

const tables: readonly RateTable[] = [
  {
    what: 'a row for each currency, bought and sold, in French',
    text: `Banque Centrale du Congo;;;
Taux de change du jour en CDF;;;
Date;Monnaie;Achat;Vente
15/01/2024;USD;2700,5;2710
15/01/2024;EUR;2950;2981
`,
    mapping: {
      dialect: { delimiter: ';', headerRows: [3] },
      fields: {
        currency: { column: 'Monnaie' },
        date: { column: 'Date', format: '%d/%m/%Y' },
        rate: { decimalChar: ',' },
      },
    },
    questions: {
      'fields.rate': null,
      'fields.rate.direction': 'of:CDF',
      'fields.period': null,
      'fields.source': 'value:Banque Centrale du Congo',
    },
    answers: { 'from.rate': 'column:4', ...DAILY },
    rates: ['CDF 2024-01-15 2710', 'EUR 2024-01-15 0.909090909090909'],
  },
  {
    what: 'a column for each currency, one of them for 100 units, in English',
    text: `Date,USD,EUR,GBP,JPY (100)
2024-01-15,125,150,200,88.1
2024-01-16,130,143,-,88.2
`,
    fileName: 'Kenya exchange rates.csv',
    mapping: {
      missingValues: ['', '-'],
      dialect: {},
      unpivot: { columns: '{currency}', value: 'rate' },
      fields: {
        currency: { values: { USD: 'USD', EUR: 'EUR', GBP: 'GBP' } },
        date: { column: 'Date', format: '%Y-%m-%d' },
        rate: {},
      },
    },
    questions: {
      'fields.rate.direction': 'of:KES',
      'fields.period': 'value:daily',
      'fields.source': null,
      'confirm.unread': null,
    },
    answers: { ...DAILY, ...constant('source', 'Central Bank of Kenya'), 'confirm.unread': 'yes' },
    rates: [
      ...['KES 2024-01-15 125', 'EUR 2024-01-15 0.833333333333333', 'GBP 2024-01-15 0.625'],
      ...['KES 2024-01-16 130', 'EUR 2024-01-16 0.909090909090909'],
    ],
  },
  {
    what: 'one currency, in English',
    text: `Bank of Uganda
Date,Rate
2024-01-15,"3,800.5"
2024-01-16,"3,810.25"
`,
    mapping: {
      dialect: { headerRows: [2] },
      fields: {
        rate: { column: 'Rate', groupChar: ',' },
        date: { column: 'Date', format: '%Y-%m-%d' },
      },
    },
    questions: {
      'fields.currency': 'value:UGX',
      'fields.rate.direction': null,
      'fields.period': 'value:daily',
      'fields.source': 'value:Bank of Uganda',
    },
    answers: { ...DAILY, 'direction.rate': 'dollar' },
    rates: ['UGX 2024-01-15 3800.5', 'UGX 2024-01-16 3810.25'],
  },
  {
    what: 'rates for a euro, with the names of currencies, in English',
    text: `European Central Bank - euro foreign exchange reference rates
Date,Currency,Rate
2024-01-15,US Dollar,1.25
2024-01-15,Japanese Yen,160
`,
    mapping: {
      dialect: { headerRows: [2] },
      fields: {
        currency: { column: 'Currency', values: { 'US Dollar': 'USD', 'Japanese Yen': 'JPY' } },
        rate: { column: 'Rate' },
        date: { column: 'Date', format: '%Y-%m-%d' },
      },
    },
    questions: { 'fields.rate.direction': 'per:EUR', 'fields.period': null, 'fields.source': null },
    answers: { ...DAILY, ...constant('source', 'European Central Bank') },
    rates: ['EUR 2024-01-15 0.8', 'JPY 2024-01-15 128'],
  },
  {
    what: 'dollars for a unit, in Spanish',
    text: `Tipo de cambio;;
Fecha;Moneda;Dólares por unidad
05/02/2024;Euro;1,25
05/02/2024;Libra esterlina;1,60
`,
    mapping: {
      dialect: { delimiter: ';', headerRows: [2] },
      fields: {
        currency: { column: 'Moneda', values: { Euro: 'EUR', 'Libra esterlina': 'GBP' } },
        rate: { column: 'Dólares por unidad', decimalChar: ',' },
        date: { column: 'Fecha', format: '%d/%m/%Y' },
      },
    },
    questions: {
      'fields.date.format': null,
      'fields.rate.direction': null,
      'fields.period': null,
      'fields.source': null,
    },
    answers: {
      'format.date': '%d/%m/%Y',
      'direction.rate': 'unit',
      ...DAILY,
      ...constant('source', 'Banco'),
    },
    rates: ['EUR 2024-02-05 0.8', 'GBP 2024-02-05 0.625'],
  },
  {
    what: 'bought and sold below each currency, in Portuguese',
    text: `Banco de Moçambique;;;;
Data;USD;;EUR;
;Compra;Venda;Compra;Venda
31/01/2024;63,25;64,5;68,1;70,95
`,
    mapping: {
      dialect: { delimiter: ';', headerRows: [2, 3], headerJoin: ' | ' },
      unpivot: { columns: '{currency} | Compra', value: 'rate' },
      fields: {
        currency: { values: { USD: 'USD', EUR: 'EUR' } },
        date: { column: 'Data', format: '%d/%m/%Y' },
        rate: { decimalChar: ',' },
      },
    },
    questions: {
      'unpivot.columns': null,
      'fields.rate.direction': 'of:MZN',
      'fields.period': null,
      'fields.source': 'value:Banco de Moçambique',
    },
    answers: { unpivot: '{currency} | Venda', ...DAILY },
    rates: ['MZN 2024-01-31 64.5', 'EUR 2024-01-31 0.909090909090909'],
  },
  {
    what: 'numbers of units beside currencies, in Russian',
    text: `Национальный банк Кыргызской Республики;;;
Дата;Валюта;Номинал;Курс
15.01.2024;USD;1;89,5
15.01.2024;EUR;1;98,45
15.01.2024;KZT;10;1,95
`,
    mapping: {
      dialect: { delimiter: ';', headerRows: [2] },
      fields: {
        currency: { join: ['Валюта', 'Номинал'], values: { 'USD 1': 'USD', 'EUR 1': 'EUR' } },
        rate: { column: 'Курс', decimalChar: ',' },
        date: { column: 'Дата', format: '%d.%m.%Y' },
      },
    },
    questions: {
      'confirm.units': null,
      'fields.rate.direction': null,
      'fields.period': null,
      'fields.source': 'value:Национальный банк Кыргызской Республики',
    },
    answers: { 'confirm.units': 'yes', 'direction.rate': 'of', 'per.rate': 'kgs', ...DAILY },
    rates: ['KGS 2024-01-15 89.5', 'EUR 2024-01-15 0.909090909090909'],
    rejected: ['Валюта, Номинал "KZT 10" is none of the texts that the mapping has for currency.'],
  },
  {
    what: 'official and parallel rates of months, in Arabic',
    text: `أسعار الصرف في اليمن,,
الشهر,سعر الصرف الرسمي,سعر الصرف الموازي
2024-01,530,1520.5
2024-02,531,1600
`,
    mapping: {
      dialect: { headerRows: [2] },
      fields: {
        date: { column: 'الشهر', format: '%Y-%m' },
        period: { value: 'monthly' },
        rate: {},
      },
    },
    questions: {
      'fields.rate': null,
      'fields.currency': null,
      'fields.rate.direction': null,
      'fields.rate_type': null,
      'fields.source': null,
    },
    answers: {
      ...{ 'from.rate': 'column:3', 'direction.rate': 'dollar' },
      ...constant('currency', 'yer'),
      ...constant('rate_type', 'parallel'),
      ...constant('source', 'Central Bank'),
    },
    rates: ['YER 2024-01-01 1520.5 parallel', 'YER 2024-02-01 1600 parallel'],
  },
  {
    what: 'months as columns, in English',
    text: `Currency,Jan-24,Feb-24,Mar-24
KES,160.5,155,140
UGX,3800,3850,3900
`,
    fileName: 'monthly_exchange_rates.csv',
    mapping: {
      dialect: {},
      unpivot: { columns: '{date}', value: 'rate' },
      fields: {
        currency: { column: 'Currency' },
        date: { format: '%b-%y' },
        period: { value: 'monthly' },
        rate: {},
      },
    },
    questions: { 'fields.rate.direction': null, 'fields.source': null },
    answers: { 'direction.rate': 'dollar', ...constant('source', 'Treasury') },
    rates: [
      ...['KES 2024-01-01 160.5', 'KES 2024-02-01 155', 'KES 2024-03-01 140'],
      ...['UGX 2024-01-01 3800', 'UGX 2024-02-01 3850', 'UGX 2024-03-01 3900'],
    ],
  },
  {
    what: 'pairs of currencies',
    text: `Date,USD/KES,EUR/KES
2024-01-15,125,150
`,
    mapping: {
      dialect: {},
      unpivot: { columns: '{currency}/KES', value: 'rate' },
      fields: {
        currency: { values: { USD: 'USD', EUR: 'EUR' } },
        date: { column: 'Date', format: '%Y-%m-%d' },
        rate: {},
      },
    },
    questions: { 'fields.rate.direction': 'of:KES', 'fields.period': null, 'fields.source': null },
    answers: { ...DAILY, ...constant('source', 'Bank') },
    rates: ['KES 2024-01-15 125', 'EUR 2024-01-15 0.833333333333333'],
  },
  {
    what: 'the buying, the selling and the middle rate of the dollar, in Spanish',
    text: `Fecha;Compra;Venta;Promedio
2024-01-15;7,75;7,85;7,8
`,
    fileName: 'Tipo de cambio Guatemala.csv',
    mapping: {
      dialect: { delimiter: ';' },
      fields: { date: { column: 'Fecha', format: '%Y-%m-%d' }, rate: { decimalChar: ',' } },
    },
    questions: {
      'fields.rate': 'column:4',
      'fields.currency': 'value:GTQ',
      'fields.rate.direction': null,
      'fields.period': null,
      'fields.source': null,
    },
    answers: { 'direction.rate': 'dollar', ...DAILY, ...constant('source', 'Banco de Guatemala') },
    rates: ['GTQ 2024-01-15 7.8'],
  },
];

const propose = (text: string, fileName: string, said: WritingOptions = {}) =>
  proposeForTable(chunksOf(text), fileName, NOTHING_KNOWN, said);

const askedOf = ({ questions }: Proposal) => questions.map(({ control, proposed }) => [control, proposed]);

/** The rates that are read by a mapping, and why others are not. */
async function read(text: string, mapping: Mapping): Promise<{ rates: string[]; rejected: string[] }> {
  const { rows, rejects } = await collect(
    inputReader(mapping.name, { mapping })!(chunksOf(text), { mapping }),
  );
  const rates = (rows as unknown as { values: Record<string, string | number> }[]).map(({ values }) => {
    const { currency, date, rate, rate_type: type } = values;
    return [currency, date, rate, ...(type === 'official' ? [] : [type])].join(' ');
  });
  return { rates, rejected: rejects.map(({ detail }) => detail) };
}

describe('a proposed mapping of rates', () => {
  it.each(tables)('fits $what', async (table) => {
    const { text, fileName = 'file.csv', mapping, questions, answers, rates, rejected = [] } = table;
    const { proposal } = await propose(text, fileName);
    const { name, ...proposed } = proposal.mapping;
    expect(proposed).toEqual({ table: 'fx', ...mapping });
    expect(askedOf(proposal)[0]).toEqual(['table', 'fx']);
    expect(Object.fromEntries(askedOf(proposal).slice(1))).toEqual(questions);
    const form = fieldsOfProposal(proposal);
    for (const [field, value] of Object.entries(answers)) form.set(field, value);
    const described = mappingOfFields(form, proposal);
    expect(described.violations).toEqual([]);
    const checked = validateMapping(described.mapping);
    expect(checked).toEqual({ value: expect.objectContaining({ name, table: 'fx' }) });
    const { value } = checked as { value: Mapping };
    expect(await read(text, value)).toEqual({ rates, rejected });
  });

  it('offers the dollar as what rates are for where it has no rate itself, else other currencies', async () => {
    const directions = async (text: string) => {
      const { questions } = (await propose(text, 'file.csv')).proposal;
      return questions
        .find(({ control }) => control === 'fields.rate.direction')!
        .answers.map(({ value }) => value);
    };
    expect(await directions('Date,KES,UGX\n2024-01-15,129,3800\n')).toEqual(['dollar', 'unit']);
    expect(await directions('Date,USD,EUR\n2024-01-15,129,141\n')).toEqual(['of', 'per']);
    expect(await directions('Date,USD,EUR\n2024-01-15,1,1.1\n')).toEqual(['dollar', 'unit']);
    // Not all rows are looked at: the dollar may be in the others.
    const row = (currency: string) => `2024-01-15,${currency},1.5\n`;
    const long = row('AUD').repeat(500) + row('USD').repeat(500) + row('ZAR').repeat(500);
    expect(await directions(`Date,Currency,Rate\n${long}`)).toEqual(['dollar', 'unit', 'of', 'per']);
  });

  it('takes the code of a currency before its name, which may be that of several', async () => {
    const { mapping, questions } = (
      await propose(
        'Currency,Code,Date,Rate\nShilling,KES,2024-01-15,129\nShilling,UGX,2024-01-15,3800\n',
        'a.csv',
      )
    ).proposal;
    expect(mapping.fields.currency).toEqual({ column: 'Code' });
    expect(questions.map(({ control }) => control)).not.toContain('fields.currency');
  });

  it('asks for the names of currencies that it does not know', async () => {
    const { mapping, questions } = (
      await propose('Dates;Monnaies;Cours\n2024-01-15;Naira;900\n2024-01-15;DTS;1,3\n', 'a.csv')
    ).proposal;
    expect(mapping.fields.currency).toEqual({ column: 'Monnaies', values: { Naira: 'NGN', DTS: '' } });
    expect(questions.map(({ text }) => text)).toContain('Which currencies are "DTS"?');
  });

  it('knows numbers of units however they are written', async () => {
    const { mapping } = (
      await propose(
        'Date,Currency,Unit,Rate\n2024-01-15,USD,1.00,129\n2024-01-15,UGX,"1,000.00",34\n2024-01-15,JPY,50.00,44\n',
        'file.csv',
      )
    ).proposal;
    expect(mapping.fields.currency).toEqual({ join: ['Currency', 'Unit'], values: { 'USD 1.00': 'USD' } });
    expect(mapping.fields.rate).toEqual({ column: 'Rate' });
  });

  it('asks for the currency of rates of the dollar alone', async () => {
    const { mapping, questions } = (
      await propose('Date,Currency,Rate\n2024-01-15,USD,129\n2024-01-16,USD,130\n', 'Kenya.csv')
    ).proposal;
    expect(mapping.fields.currency).toBeUndefined();
    expect(questions.find(({ control }) => control === 'fields.currency')).toMatchObject({
      proposed: 'value:KES',
      because: 'It is the currency of Kenya, which the file names.',
    });
  });

  it('asks which currencies names are that may be several', async () => {
    const { mapping, questions } = (
      await propose('Date;Devise;Cours\n2024-01-15;Dollar;600\n2024-01-15;Euro;655,957\n', 'cours.csv')
    ).proposal;
    expect(mapping.fields.currency).toEqual({ column: 'Devise', values: { Dollar: '', Euro: 'EUR' } });
    expect(questions.map(({ text }) => text)).toContain('Which currencies are "Dollar"?');
  });

  it('has to confirm rates that no column tells apart', async () => {
    const { questions } = (
      await propose(
        'Date,Currency,Type,Rate\n2024-01-15,USD,Buying,128\n2024-01-15,USD,Selling,130\n2024-01-15,EUR,Buying,140\n',
        'file.csv',
      )
    ).proposal;
    expect(questions.find(({ control }) => control === 'confirm.duplicates')?.text).toBe(
      'Rows 2 and 3 have different rates of one series and date: they differ in "Type", which is not read, and only one of them is stored.',
    );
  });

  it('is none for weeks', async () => {
    const text = 'Week,Currency,Rate\n2024-W01,KES,129\n2024-W02,KES,130\n';
    await expect(propose(text, 'file.csv', { table: 'fx' })).rejects.toThrow(
      new ImportRejected('The dates are weeks: rates are daily or monthly.'),
    );
  });
});

describe('the table that is proposed', () => {
  const tableOf = async (text: string, said: WritingOptions = {}) => {
    const { proposal } = await propose(text, 'file.csv', said);
    const asked = proposal.questions.find(({ control }) => control === 'table');
    return [proposal.mapping.table, asked === undefined ? 'not asked' : asked.proposed];
  };

  it('is prices without a question where goods or markets have a column', async () => {
    const prices = 'Date,Market,Product,Currency,Rate\n2024-01-15,Nakuru,Maize,KES,50\n';
    expect(await tableOf(prices)).toEqual(['prices', 'not asked']);
    expect(await tableOf(`Exchange rate: 129 KES,,,,\n${prices}`)).toEqual(['prices', 'not asked']);
    expect(await tableOf('Month,Maize,Beans\nJan-24,50,90\nFeb-24,52,91\n')).toEqual(['prices', 'not asked']);
    expect(await tableOf('Mois,Prix (XOF),Prix (USD)\njanv-24,50,90\nfévr-24,52,91\n')).toEqual([
      'prices',
      'not asked',
    ]);
  });

  it('is asked without an answer where words alone speak of rates', async () => {
    const text = 'Prices and exchange rate,,\nMonth,Maize,Beans\nJan-24,50,90\nFeb-24,52,91\n';
    expect(await tableOf(text)).toEqual(['prices', null]);
  });

  it.each([
    [
      'columns of many currencies beside the numbers of tables',
      `data;1USD;1EUR;1GBP;1CHF;1CZK;1DKK;1NOK;1SEK;100HUF;nr tabeli
20220103;4,06;4,59;5,48;4,43;0,18;0,62;0,46;0,45;1,25;001/A/NBP/2022
20220104;4,05;4,58;5,47;4,42;0,18;0,62;0,46;0,45;1,26;002/A/NBP/2022
`,
      'Columns with numbers are not read: "100HUF".',
    ],
    [
      'a series of the Federal Reserve',
      'Unique Identifier:,H10/H10/RXI_N.B.CH\nTime Period,RXI_N.B.CH\n2000-01-03,8.2798\n2000-01-04,8.2799\n',
      undefined,
    ],
  ])('is rates with %s', async (_, text, unread) => {
    const { proposal } = await proposeForTable(chunksOf(text), 'file.csv', NOTHING_KNOWN, {});
    const textOf = (control: string) => proposal.questions.find((one) => one.control === control);
    expect([proposal.mapping.table, textOf('table')?.proposed]).toEqual(['fx', 'fx']);
    expect(textOf('confirm.unread')?.text).toBe(unread);
  });

  it('leaves rows out with rates for other than one unit', async () => {
    const text =
      'Date,Currency,Mean\n2024-01-15,USD,156.5\n2024-01-15,EUR,172.6\n2024-01-15,JPY (100),110.5\n2024-01-16,USD,157\n';
    const { proposal } = await proposeForTable(chunksOf(text), 'file.csv', NOTHING_KNOWN, {});
    expect(proposal.mapping.skip).toEqual([{ column: 'Currency', equals: 'JPY (100)' }]);
    expect(proposal.questions.find(({ control }) => control === 'confirm.units')?.text).toBe(
      'Rates for other than one unit cannot be read, and are left out: "JPY (100)".',
    );
  });

  it('is what people say', async () => {
    const text = 'Date,USD,EUR\n2024-01-15,129,141\n';
    expect(await tableOf(text)).toEqual(['fx', 'fx']);
    expect(await tableOf(text, { table: 'prices' })).toEqual(['prices', 'not asked']);
    expect(await tableOf(text, { table: 'fx' })).toEqual(['fx', 'not asked']);
  });

  it('is rates where columns are official and parallel ones', async () => {
    const text = 'Date,Official rate,Black market rate\n2024-01-15,460,1500\n';
    expect(await tableOf(text)).toEqual(['fx', 'fx']);
  });
});
