import { fieldsOfProposal, inputOf, mappingOfFields } from '../../src/desk/upload/mapping/mapping-fields.js';
import { inputReader } from '../../src/import/formats/index.js';
import { type Mapping, validateMapping } from '../../src/import/mappings/mapping.js';
import { NOTHING_KNOWN, type Proposal } from '../../src/import/mappings/propose/proposal.js';
import { proposeForTable } from '../../src/import/mappings/propose/proposed-table.js';
import { isoFromDay } from '../../src/lib/dates/calendar-date.js';
import { chunksOf, collect } from '../support/import-input.js';

/** A table with currencies and units somewhere, and what becomes of it. */
interface MoneyTable {
  readonly what: string;
  readonly text: string;
  /** What is asked of currency, unit and headers: the probable answer, or the text to confirm. */
  readonly asked: Readonly<Record<string, string | null>>;
  /** What people answer, by the fields of the form, besides confirming. */
  readonly answers?: Readonly<Record<string, string>>;
  /** What is stored: market, commodity, unit, currency, month and price. */
  readonly prices: readonly string[];
  readonly rejected?: readonly string[];
}

/** What is asked of all tables here, and is no matter of money. */
const OTHER_QUESTIONS = ['price_type', 'source', 'periodicity', 'iso3_country_code', 'market', 'commodity'];
const GIVEN: Readonly<Record<string, string>> = {
  price_type: 'RETAIL',
  source: 'Test',
  periodicity: 'monthly',
  iso3_country_code: 'KEN',
  market: 'Market',
};

const tables: readonly MoneyTable[] = [
  {
    what: 'words of money and units with low lines between them',
    text: `Month,Product,dollars_per_gallon
2024-01-01,Diesel,3.25
`,
    asked: { 'fields.currency': null },
    answers: { 'from.currency': 'value', 'value.currency': 'USD' },
    prices: ['Market | Diesel | gallon | USD | 2024-01 | 3.25'],
  },
  {
    what: 'taxes behind the unit',
    text: `Month,Petrol Price,Diesel Price
,(USD per gallon including taxes),(USD per gallon including taxes)
2024-01-01,3.25,4.5
`,
    asked: { 'unpivot.columns': null },
    answers: { unpivot: '{commodity} Price | (USD per gallon including taxes)' },
    prices: [
      'Market | Petrol | gallon | USD | 2024-01 | 3.25',
      'Market | Diesel | gallon | USD | 2024-01 | 4.5',
    ],
  },
  {
    what: 'a second row of the header with units, in dollars and in cents',
    text: `Date,Maize,Rice,Wheat
,USD/t,cents/kg,USD/bushel
2024-01-01,200,45,6
2024-02-01,210,46,7
`,
    asked: {
      'confirm.money':
        'The headers have money and units of different kinds. Those like "Maize | USD/t" are read, and ' +
        '"Rice | cents/kg" not: they need a mapping of their own.',
      'unpivot.columns': null,
      'confirm.unread': 'Columns with numbers are not read: "Rice | cents/kg".',
    },
    answers: { unpivot: '{commodity} | USD/{measure_unit}' },
    prices: [
      'Market | Maize | t | USD | 2024-01 | 200',
      'Market | Wheat | bushel | USD | 2024-01 | 6',
      'Market | Maize | t | USD | 2024-02 | 210',
      'Market | Wheat | bushel | USD | 2024-02 | 7',
    ],
  },
  {
    what: 'cents alone',
    text: `Month,Market,Coffee (US cents/lb),Sugar (US cents/kg)
2024-01,Mombasa,150,45.5
`,
    asked: {},
    prices: ['Mombasa | Coffee | lb | USD | 2024-01 | 1.5', 'Mombasa | Sugar | kg | USD | 2024-01 | 0.455'],
  },
  {
    what: 'currencies that differ between headers',
    text: `Month,Market,Maize (KES/kg),Rice (USD/t)
2024-01,Mombasa,50,600
`,
    asked: {},
    prices: ['Mombasa | Maize | kg | KES | 2024-01 | 50', 'Mombasa | Rice | t | USD | 2024-01 | 600'],
  },
  {
    what: 'names with words of statistics, in nominal US dollars',
    text: `Commodity prices,,,,
monthly prices in nominal US dollars,,,,
,"Crude oil, average",Maize,"Rice, Thai 5%",Average
,($/bbl),($/mt),($/mt),($/mt)
2024M01,77,200,660,312
`,
    asked: {
      'unpivot.columns': null,
      'fields.currency': 'value:USD',
      'confirm.statistics':
        'Columns whose names have words of statistics are read as all others: "Crude oil, average | ($/bbl)".',
      'confirm.unread': 'Columns with numbers are not read: "Average | ($/mt)".',
    },
    answers: { unpivot: '{commodity} | ($/{measure_unit})' },
    prices: [
      'Market | Crude oil, average | bbl | USD | 2024-01 | 77',
      'Market | Maize | mt | USD | 2024-01 | 200',
      'Market | Rice, Thai 5% | mt | USD | 2024-01 | 660',
    ],
  },
  {
    what: 'cells of several currencies',
    text: `Month,Market,Item,Unit,Price
2024-01,Busia,Maize,kg,KSh 50
2024-01,Busia,Beans,kg,UGX 1500
2024-01,Busia,Rice,kg,60
`,
    asked: {
      'confirm.signs':
        'Prices are in several currencies or units, such as "KSh 50" and "UGX 1500": a mapping reads one, and these are rejected.',
      'fields.currency': null,
    },
    answers: { 'value.currency': 'KES' },
    prices: ['Busia | Rice | kg | KES | 2024-01 | 60'],
    rejected: [
      'Price must be a number with a decimal point and nothing between thousands, not "KSh 50".',
      'Price must be a number with a decimal point and nothing between thousands, not "UGX 1500".',
    ],
  },
  {
    what: 'cells of the currency of each country',
    text: `Month,Country,Market,Item,Unit,Price
2024-01,Kenya,Busia,Maize,kg,KSh 50
2024-01,Uganda,Kampala,Maize,kg,UGX 1500
`,
    asked: {
      'confirm.currencies': 'Currencies are read as Kenya = KES, Uganda = UGX. Rows of others are rejected.',
    },
    prices: ['Busia | Maize | kg | KES | 2024-01 | 50', 'Kampala | Maize | kg | UGX | 2024-01 | 1500'],
  },
  {
    what: 'cells in another currency than the header says',
    text: `Month,Market,Item,Unit,Price (KES)
2024-01,Busia,Maize,kg,USD 50
2024-01,Busia,Beans,kg,70
`,
    asked: {
      'confirm.signs':
        'Prices such as "USD 50" are in another currency than the file says: they are rejected.',
    },
    prices: ['Busia | Beans | kg | KES | 2024-01 | 70'],
    rejected: [
      'Price (KES) must be a number with a decimal point and nothing between thousands, not "USD 50".',
    ],
  },
  {
    what: 'cells with a currency and some without',
    text: `Month,Market,Item,Unit,Price
2024-01,Busia,Maize,kg,KSh 50
2024-01,Busia,Beans,kg,70
`,
    asked: {
      'confirm.signs':
        'Prices such as "KSh 50" say their currency, and others such as "70" do not: all are read as if they were in the same one.',
    },
    prices: ['Busia | Maize | kg | KES | 2024-01 | 50', 'Busia | Beans | kg | KES | 2024-01 | 70'],
  },
  {
    what: 'cells with an abbreviated currency and a unit',
    text: `Month;Market;Item;Price
2024-01;Lahore;Wheat;Rs.35/kg
2024-01;Lahore;Rice;Rs. 36,5/kg
`,
    asked: { 'fields.currency': null },
    answers: { 'value.currency': 'PKR' },
    prices: ['Lahore | Wheat | kg | PKR | 2024-01 | 35', 'Lahore | Rice | kg | PKR | 2024-01 | 36.5'],
  },
  {
    what: 'local currency as the unit, and the quantity in the element',
    text: `Area,Element,Item,Year,Months,Unit,Value
Kenya,Producer Price (LCU/tonne),Maize,2023,January,LCU,45000
Uganda,Producer Price (LCU/tonne),Maize,2023,January,LCU,1450000
Uganda,Producer Price Index (2014-2016 = 100),Maize,2023,January,,145
`,
    asked: {
      'confirm.currencies': 'Currencies are read as Kenya = KES, Uganda = UGX. Rows of others are rejected.',
    },
    prices: [
      'Market | Maize | tonne | KES | 2023-01 | 45000',
      'Market | Maize | tonne | UGX | 2023-01 | 1450000',
    ],
  },
  {
    what: 'local currency and dollars as units, without a quantity',
    text: `Area,Element,Item,Year,Months,Unit,Value
Kenya,Producer Price,Maize,2023,January,LCU,45000
Uganda,Producer Price,Maize,2023,January,USD,350
`,
    asked: {
      'confirm.currencies':
        'Currencies are read as Kenya LCU = KES, Uganda USD = USD. Rows of others are rejected.',
      'fields.measure_unit': null,
    },
    answers: { 'value.measure_unit': 'tonne' },
    prices: [
      'Market | Maize | tonne | KES | 2023-01 | 45000',
      'Market | Maize | tonne | USD | 2023-01 | 350',
    ],
  },
  {
    what: 'units of a statistical office, which have the currency',
    text: `Month,Agricultural Product,UNIT,VALUE
2024-01,Cattle,Euro per 100kg,450.2
2024-01,Butter,Euro,3.2
`,
    asked: { 'fields.measure_unit.values': null },
    answers: { 'values.measure_unit': 'Euro per 100kg = 100 kg\nEuro = kg', 'from.commodity': 'column:2' },
    prices: [
      'Market | Cattle | 100 kg | EUR | 2024-01 | 450.2',
      'Market | Butter | kg | EUR | 2024-01 | 3.2',
    ],
  },
  {
    what: 'several countries without a currency',
    text: `Country,Market,Product,Unit,Month,Price
Kenya,Nairobi,Maize,kg,2024-01,50
Uganda,Kampala,Maize,kg,2024-01,1500
`,
    asked: { 'fields.currency': 'column:1' },
    prices: ['Nairobi | Maize | kg | KES | 2024-01 | 50', 'Kampala | Maize | kg | UGX | 2024-01 | 1500'],
  },
  {
    what: 'several countries, in dollars as somebody knows',
    text: `Country,Market,Product,Unit,Month,Price
Kenya,Nairobi,Maize,kg,2024-01,0.5
Uganda,Kampala,Maize,kg,2024-01,0.4
`,
    asked: { 'fields.currency': 'column:1' },
    answers: { 'from.currency': 'value', 'value.currency': 'USD' },
    prices: ['Nairobi | Maize | kg | USD | 2024-01 | 0.5', 'Kampala | Maize | kg | USD | 2024-01 | 0.4'],
  },
  {
    what: 'a sign of dollars below a header that says which',
    text: `Market,Product,Unit,Month,price_usd
Harare,Maize,$/kg,2024-01,0.5
Harare,Beans,$/kg,2024-01,1.25
`,
    asked: { 'confirm.currencies': 'Currencies are read as $/kg = USD. Rows of others are rejected.' },
    prices: ['Harare | Maize | kg | USD | 2024-01 | 0.5', 'Harare | Beans | kg | USD | 2024-01 | 1.25'],
  },
  {
    what: 'a letter behind a word, which is no franc',
    text: `Market,Commodity,Month,Policy,Price
Bern,Milk,2024-01,without F,0.7
Bern,Milk,2024-02,with F,0.72
`,
    asked: { 'fields.currency': null, 'fields.measure_unit': null },
    answers: { 'value.currency': 'CHF', 'value.measure_unit': 'kg' },
    prices: ['Bern | Milk | kg | CHF | 2024-01 | 0.7', 'Bern | Milk | kg | CHF | 2024-02 | 0.72'],
  },
  {
    what: 'a product that is called as a unit',
    text: `Month,Market,Gram Dal,Wheat
2024-01,Delhi,70,25
`,
    asked: { 'unpivot.columns': '{commodity}', 'fields.currency': null, 'fields.measure_unit': null },
    answers: { 'value.currency': 'INR', 'value.measure_unit': 'kg' },
    prices: ['Delhi | Gram Dal | kg | INR | 2024-01 | 70', 'Delhi | Wheat | kg | INR | 2024-01 | 25'],
  },
  {
    what: 'products of which some have a unit in their header',
    text: `Month,Market,Maize,Beans,Milk (500 ml)
2024-01,Nakuru,50,120,60
`,
    asked: {
      'confirm.money':
        'The headers have money and units of different kinds. Those like "Maize" are read, and "Milk (500 ml)" not: ' +
        'they need a mapping of their own.',
      'unpivot.columns': '{commodity}',
      'fields.currency': null,
      'fields.measure_unit': null,
      'confirm.unread': 'Columns with numbers are not read: "Milk (500 ml)".',
    },
    answers: { 'value.currency': 'KES', 'value.measure_unit': 'kg' },
    prices: ['Nakuru | Maize | kg | KES | 2024-01 | 50', 'Nakuru | Beans | kg | KES | 2024-01 | 120'],
  },
  {
    what: 'units that are known behind a currency alone',
    text: `Month,Market,"Corn, US dollars per bushel","Rice, US dollars per cwt"
2024-01,Chicago,4.74,17.7
`,
    asked: {},
    prices: ['Chicago | Corn | bushel | USD | 2024-01 | 4.74', 'Chicago | Rice | cwt | USD | 2024-01 | 17.7'],
  },
  {
    what: 'a header that speaks of thousands, and of a quantity',
    text: `Month,Market,Item,Price ('000 UGX per kg)
2024-01,Kampala,Beef,15
`,
    asked: {
      'confirm.thousands':
        '"Price (\'000 UGX per kg)" speaks of thousands: prices are stored as they stand, unless the mapping has "multiply".',
    },
    answers: { multiply: '1000' },
    prices: ['Kampala | Beef | kg | UGX | 2024-01 | 15000'],
  },
];

const propose = async (text: string, fileName = 'file.csv') =>
  (await proposeForTable(chunksOf(text), fileName, NOTHING_KNOWN, {})).proposal;

/** The mapping of a proposal as people complete it. */
function completed(proposal: Proposal, answers: Readonly<Record<string, string>> = {}): Mapping {
  const form = fieldsOfProposal(proposal);
  for (const { control } of proposal.questions) {
    const name = inputOf(control);
    const given = GIVEN[name.replace('from.', '')];
    if (name.startsWith('confirm.')) form.set(name, 'yes');
    else if (given !== undefined && answers[name] === undefined) {
      form.set(name, 'value');
      form.set(name.replace('from.', 'value.'), given);
    }
  }
  for (const [name, value] of Object.entries(answers)) form.set(name, value);
  const { mapping, violations } = mappingOfFields(form, proposal);
  expect(violations).toEqual([]);
  const checked = validateMapping(mapping);
  if ('violations' in checked) throw new Error(JSON.stringify(checked.violations));
  return checked.value;
}

/** A row of the format of prices. */
interface PriceRow {
  readonly series: Record<'market' | 'commodity' | 'measure_unit', { readonly name: string }> & {
    readonly currency: string;
  };
  readonly day: number;
  readonly value: number;
}

async function read(text: string, mapping: Mapping): Promise<{ prices: string[]; rejected: string[] }> {
  const { rows, rejects } = await collect(
    inputReader(mapping.name, { mapping })!(chunksOf(text), { mapping }),
  );
  const prices = (rows as unknown as PriceRow[]).map(({ series, day, value }) => {
    const { market, commodity, measure_unit, currency } = series;
    return [
      market.name,
      commodity.name,
      measure_unit.name,
      currency,
      isoFromDay(day).slice(0, 7),
      value,
    ].join(' | ');
  });
  return { prices, rejected: rejects.map(({ detail }) => detail) };
}

describe('a proposed mapping of a table with money', () => {
  it.each(tables)('reads or tells $what', async ({ text, asked, answers, prices, rejected = [] }) => {
    const proposal = await propose(text);
    const questions = proposal.questions.filter(
      ({ control }) => !OTHER_QUESTIONS.includes(control.replace('fields.', '')),
    );
    expect(
      Object.fromEntries(
        questions.map(({ control, text: words, proposed }) => [
          control,
          control.startsWith('confirm.') ? words : proposed,
        ]),
      ),
    ).toEqual(asked);
    expect(await read(text, completed(proposal, answers))).toEqual({ prices, rejected });
  });

  it('is offered the dollars of all countries that write prices so', async () => {
    const text = 'Month,Market,Product,Unit,Price (Dollars)\n2024-01,Ayr,Maize,kg,12.5\n';
    const { proposal } = await proposeForTable(chunksOf(text), 'file.csv', NOTHING_KNOWN, {});
    const question = proposal.questions.find(({ control }) => control === 'fields.currency')!;
    expect(question.answers.slice(0, 5).map(({ label }) => label)).toEqual([
      ...['USD', 'CAD', 'AUD', 'NZD', 'LRD'],
    ]);
  });

  it('takes no country from dollars that a title names', async () => {
    const countryOf = async (title: string) => {
      const { questions } = await propose(`${title}\nMonth,Market,Item,Unit,Price\n2024-01,A,Rice,kg,2\n`);
      return questions.find(({ control }) => control === 'fields.iso3_country_code')?.proposed;
    };
    expect(await countryOf('Prices in US dollars')).toBeNull();
    expect(await countryOf('Precios en dólares de los Estados Unidos')).toBeNull();
    expect(await countryOf('Prix en dollars des États-Unis')).toBeNull();
    expect(await countryOf('Kenya: prices in U.S. dollar per kg')).toBe('value:KEN');
    expect(await countryOf('Prices in the United States')).toBe('value:USA');
  });

  it('has thousands confirmed that a title names', async () => {
    const { questions } = await propose(
      'أسعار السلع (ألف ليرة لبنانية)\nMonth,Market,Item,Unit,Price\n2024-01,A,Rice,kg,90\n',
    );
    expect(questions.find(({ control }) => control === 'confirm.thousands')?.text).toBe(
      '"أسعار السلع (ألف ليرة لبنانية)" speaks of thousands: prices are stored as they stand, unless the mapping has "multiply".',
    );
  });

  it('has headers below titles with a year, and of one unit of each currency', async () => {
    const headerOf = async (text: string) => (await propose(text)).mapping.dialect?.headerRows ?? [1];
    expect(await headerOf('Prices,2024,\nItem,Month,Price\nRice,2024-01,70\nMaize,2024-01,50\n')).toEqual([
      2,
    ]);
    expect(await headerOf('Bulletin;;\nDate;1 USD;1 EUR\n2024-01-01;125;150\n2024-01-02;126;151\n')).toEqual([
      2,
    ]);
  });
});
