import { fieldsOfProposal, mappingOfFields } from '../../src/desk/upload/mapping/mapping-fields.js';
import { ImportRejected } from '../../src/import/formats/batch.js';
import { inputReader } from '../../src/import/formats/index.js';
import { validateMapping } from '../../src/import/mappings/mapping.js';
import { NOTHING_KNOWN } from '../../src/import/mappings/propose/proposal.js';
import { proposeForTable, type WritingOptions } from '../../src/import/mappings/propose/proposed-table.js';
import { isoFromDay } from '../../src/lib/dates/calendar-date.js';
import { chunksOf, collect } from '../support/import-input.js';

/*
 * Files of strangers, from the proposal to what is stored: each value is right, or the page has
 * said of what it is not sure.
 */

/** A file, what the page says of its values, and what is stored of it. */
interface StrangersFile {
  readonly what: string;
  readonly text: string;
  readonly fileName?: string;
  /** Questions about its values, beside those that every file has. */
  readonly asked: readonly string[];
  /** The column that people say to have the price, in place of others that become rows. */
  readonly priceColumn?: number;
  /** What people answer, by the fields of the form. */
  readonly answers?: Readonly<Record<string, string>>;
  /** `market, commodity, unit, date, value` and status, or the values of a row. */
  readonly stored: readonly string[];
  readonly rejected?: readonly string[];
  readonly skipped?: Readonly<Record<string, number>>;
}

/** What everybody answers, where the file does not say it. */
const USUAL: Readonly<Record<string, string>> = {
  ...{ iso3_country_code: 'MLI', market: 'Kayes', commodity: 'Rice', price_type: 'RETAIL', source: 'Office' },
  ...{ currency: 'XOF', measure_unit: 'kg', periodicity: 'daily', base_period: '2010' },
};

const HEADER = 'Market,Commodity,Unit,Date,Price\n';
const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October'],
  ...['November', 'December'],
];

const files: readonly StrangersFile[] = [
  {
    what: 'abbreviations for missing values, in small and capital letters, also in the first row',
    text: `Mercado;Producto;Unidad;Fecha;Precio
Zacapa;Maíz;libra;2024-01-15;S/C
Zacapa;Arroz;libra;2024-01-15;12,5
Zacapa;Frijol;libra;2024-01-15;s/c
Zacapa;Papa;libra;2024-01-15;n.q.
Zacapa;Sal;libra;2024-01-15;10,25
`,
    asked: [],
    stored: ['Zacapa, Arroz, libra, 2024-01-15, 12.5', 'Zacapa, Sal, libra, 2024-01-15, 10.25'],
    skipped: { no_value: 3 },
  },
  {
    what: 'ranges of days within a month and across two',
    text: `${HEADER}Ayr,Maize,kg,1-7 Jan 2024,12
Ayr,Maize,kg,29 Jan - 4 Feb 2024,13
Ayr,Maize,kg,5-11 Feb 2024,14
`,
    asked: ['Ranges of days such as "1-7 Jan 2024" are read as their last day.'],
    answers: { 'value.periodicity': 'weekly' },
    stored: [
      ...['Ayr, Maize, kg, 2024-01-07, 12', 'Ayr, Maize, kg, 2024-02-04, 13'],
      'Ayr, Maize, kg, 2024-02-11, 14',
    ],
  },
  {
    what: 'ranges of days in Polish, within a month and across two',
    text: `Rynek;Towar;Jednostka;Okres;Cena zł
Lublin;Mąka;kg;3–9.03.2025;2,10
Lublin;Mąka;kg;10–16.03.2025;2,20
Lublin;Mąka;kg;31.03–6.04.2025;2,30
`,
    asked: ['Ranges of days such as "3–9.03.2025" are read as their last day.'],
    answers: { 'from.market': 'column:1', 'from.commodity': 'column:2', 'value.periodicity': 'weekly' },
    stored: [
      ...['Lublin, Mąka, kg, 2025-03-09, 2.1', 'Lublin, Mąka, kg, 2025-03-16, 2.2'],
      'Lublin, Mąka, kg, 2025-04-06, 2.3',
    ],
  },
  {
    what: 'ranges of days in Portuguese words',
    text: `Mercado,Produto,Unidade,Semana,Preço (R$)
SP,Tomate,kg,de 03/11/2025 a 07/11/2025,"5,20"
SP,Tomate,kg,de 10/11/2025 a 14/11/2025,"5,40"
`,
    asked: ['Ranges of days such as "de 03/11/2025 a 07/11/2025" are read as their last day.'],
    answers: { 'value.periodicity': 'weekly' },
    stored: ['SP, Tomate, kg, 2025-11-07, 5.2', 'SP, Tomate, kg, 2025-11-14, 5.4'],
  },
  {
    what: 'weeks by their first and last days in a cell, beside the year and the month',
    text: `produto;uf;ano;mes;data_inicial_final_semana;semana;valor_produto_kg
FEIJAO;MT;2025;11;03-11-2025 - 07-11-2025;1;2,32
FEIJAO;MT;2025;11;10-11-2025 - 14-11-2025;2;2,5
FEIJAO;PA;2025;12;01-12-2025 - 05-12-2025;1;3,5
`,
    asked: ['Ranges of days such as "03-11-2025 - 07-11-2025" are read as their last day.'],
    answers: { 'from.market': 'column:2' },
    stored: [
      ...['MT, FEIJAO, kg, 2025-11-07, 2.32', 'MT, FEIJAO, kg, 2025-11-14, 2.5'],
      'PA, FEIJAO, kg, 2025-12-05, 3.5',
    ],
  },
  {
    what: 'a column in which most values are missing',
    text: `Commodity,Unit,Date,Nairobi,Kisumu,Nakuru
Maize,kg,2024-01-15,12.5,n.q.,NR
Beans,kg,2024-01-15,14,n.q.,11
Rice,kg,2024-01-15,20,50,18
`,
    asked: ['What do the headers "Nairobi", "Kisumu", "Nakuru" name?'],
    stored: [
      ...['Nairobi, Maize, kg, 2024-01-15, 12.5', 'Nairobi, Beans, kg, 2024-01-15, 14'],
      ...['Nakuru, Beans, kg, 2024-01-15, 11', 'Nairobi, Rice, kg, 2024-01-15, 20'],
      ...['Kisumu, Rice, kg, 2024-01-15, 50', 'Nakuru, Rice, kg, 2024-01-15, 18'],
    ],
    skipped: { no_value: 3 },
  },
  {
    what: 'a word that repeats among numbers, and one that stands in another column, too',
    text: `${HEADER}Ayr,Maize,kg,2024-01-15,12
Ayr,Beans,kg,2024-01-15,flooded
Ayr,Rice,kg,2024-01-15,14
Ayr,Tea,kg,2024-01-15,flooded
Ayr,NC,kg,2024-01-15,16
Ayr,Oil,kg,2024-01-15,NC
`,
    asked: [
      'These are read as marks for missing values: "flooded" in 2 cells; "NC", which stands in "Commodity", too.',
    ],
    stored: [...['Ayr, Maize, kg, 2024-01-15, 12', 'Ayr, Rice, kg, 2024-01-15, 14']],
    rejected: ['Commodity is required.'],
    skipped: { no_value: 3 },
  },
  {
    what: 'numbers with footnotes',
    text: `${HEADER}Ayr,Maize,kg,2024-01-15,12.5*
Ayr,Beans,kg,2024-01-15,12.5 (1)
Ayr,Rice,kg,2024-01-15,12.5p
Ayr,Tea,kg,2024-01-15,1 250 a/
Ayr,Salt,kg,2024-01-15,33.5¹
Ayr,Milk,kg,2024-01-15,33.5
`,
    asked: [
      'Signs of footnotes stand behind numbers. They are left out, whatever they say: "12.5*" is 12.5, "12.5p" is 12.5, "1 250 a/" is 1 250, "33.5¹" is 33.5. Rows with digits in them are rejected: "12.5 (1)".',
    ],
    stored: [
      ...['Ayr, Maize, kg, 2024-01-15, 12.5', 'Ayr, Rice, kg, 2024-01-15, 12.5'],
      ...[
        'Ayr, Tea, kg, 2024-01-15, 1250',
        'Ayr, Salt, kg, 2024-01-15, 33.5',
        'Ayr, Milk, kg, 2024-01-15, 33.5',
      ],
    ],
    rejected: ['Price must be a number with a decimal point and blanks between thousands, not "12.5 (1)".'],
  },
  {
    what: 'a spread beside the lowest, the highest and the modal price',
    text: `Market,Commodity,Unit,Date,min,max,modal,spread
Ayr,Onions,kg,2024-01-15,200,1252,800,1052
Oban,Onions,kg,2024-01-15,210.5,1335,780,1124.5
`,
    asked: ['Which of the columns is the price: "min", "max", "modal"?'],
    stored: ['Ayr, Onions, kg, 2024-01-15, 800', 'Oban, Onions, kg, 2024-01-15, 780'],
  },
  {
    what: 'units with their currency in Thai, and long names in place of codes of markets',
    text: `market_id,market,product,date,price,unit
"Northern provinces, wholesale | Chiang Mai | Mueang Mai",Chiang Mai,Rice,2024-01-15,2040,บาท/100 กก.
"Northern provinces, wholesale | Chiang Rai | Central market",Chiang Rai,Rice,2024-01-15,2050,บาท/100 กก.
`,
    asked: [],
    stored: [
      ...['Chiang Mai, Rice, 100 กก., 2024-01-15, 2040', 'Chiang Rai, Rice, 100 กก., 2024-01-15, 2050'],
    ],
  },
  {
    what: 'units in words that are not known',
    text: `market,product,date,price,unit
Ayr,Rice,2024-01-15,2040,zed/100 gub
Ayr,Beans,2024-01-15,2050,zed/100 gub
`,
    asked: ['Units that may have a currency in them are stored as they stand: "zed/100 gub".'],
    stored: ['Ayr, Rice, zed/100 gub, 2024-01-15, 2040', 'Ayr, Beans, zed/100 gub, 2024-01-15, 2050'],
  },
  {
    what: 'the only words in a column that is called by codes',
    text: `date,series_id,value,unit
2024-01-15,beef,5.5,kg
2024-01-15,palm_oil,1.25,kg
`,
    asked: [],
    answers: { 'from.commodity': 'column:2' },
    stored: ['Kayes, beef, kg, 2024-01-15, 5.5', 'Kayes, palm_oil, kg, 2024-01-15, 1.25'],
  },
  {
    what: 'days of the Buddhist calendar, in Vietnamese and Thai words',
    text: `Thị trường,Mặt hàng,Đơn vị,วันที่,Giá
Huế,Gạo,kg,15/01/2567,35.5
Huế,Gạo,kg,22/01/2567,36.25
`,
    asked: ['Of which calendar is the year "2567"?'],
    stored: ['Huế, Gạo, kg, 2024-01-15, 35.5', 'Huế, Gạo, kg, 2024-01-22, 36.25'],
  },
  {
    what: 'days of the Persian calendar, in Swahili words',
    text: `Soko,Bidhaa,Kipimo,Tarehe,Bei
Kariakoo,Mahindi,kg,1402/10/25,35.5
Kariakoo,Mahindi,kg,1402/11/02,36.25
`,
    asked: ['Of which calendar is the year "1402"?'],
    stored: ['Kariakoo, Mahindi, kg, 2024-01-15, 35.5', 'Kariakoo, Mahindi, kg, 2024-01-22, 36.25'],
  },
  {
    what: 'dates of contracts and none of their prices',
    text: `product,expiry,price,unit
Rice,29-05-2026,5.5,kg
Beans,29-05-2026,1.25,kg
`,
    asked: ['Which column has the date of the prices? Those of contracts lie ahead: "expiry".'],
    answers: { 'from.date': 'value', 'value.date': '2026-05-04', 'format.date': '' },
    stored: ['Kayes, Rice, kg, 2026-05-04, 5.5', 'Kayes, Beans, kg, 2026-05-04, 1.25'],
  },
  {
    what: 'months of contracts before the days of their prices',
    text: `product,contract_month,close,observation_date,unit
Rice,2026-09-01,5.5,2026-08-11,kg
Beans,2026-12-01,1.25,2026-08-11,kg
`,
    asked: ['Which column has the date: "contract_month", "observation_date"?'],
    stored: ['Kayes, Rice, kg, 2026-08-11, 5.5', 'Kayes, Beans, kg, 2026-08-11, 1.25'],
  },
  {
    what: 'other numbers beside the lowest and the highest price',
    text: `Market,Commodity,Unit,Date,low,high,lots
Ayr,Onions,kg,2024-01-15,20.5,25.25,14
Oban,Onions,kg,2024-01-15,21.5,26.25,12
`,
    asked: ['Which column has the price?'],
    answers: { 'from.price_value': 'column:6' },
    stored: ['Ayr, Onions, kg, 2024-01-15, 25.25', 'Oban, Onions, kg, 2024-01-15, 26.25'],
  },
  {
    what: 'a title above the middle of the header',
    text: `,,,Average Monthly Prices of Essential Items for the month of August 2018,,
No.,Description,Unit,Ayr,Oban,Wick
1,Maize,10 kg,330,312.5,325
2,Beans,kg,96.5,89.25,66.25
`,
    asked: [
      'What do the headers "Ayr", "Oban", "Wick" name?',
      'No column has dates: of which date are the prices?',
    ],
    answers: { unpivot: '{market}', 'from.commodity': 'column:2' },
    stored: [
      ...['Ayr, Maize, 10 kg, 2018-08-01, 330', 'Oban, Maize, 10 kg, 2018-08-01, 312.5'],
      ...['Wick, Maize, 10 kg, 2018-08-01, 325', 'Ayr, Beans, kg, 2018-08-01, 96.5'],
      ...['Oban, Beans, kg, 2018-08-01, 89.25', 'Wick, Beans, kg, 2018-08-01, 66.25'],
    ],
  },
  {
    what: 'months in a column called otherwise, one of them written wrong',
    text: `Product,Year,Name,Ayr,Oban
${MONTHS.map((month, at) => `Maize,2024,${month},${at + 1}.5,${at + 2}.25`).join('\n')}
Maize,2025,Janaury,14,15
`,
    asked: [
      'What do the headers "Ayr", "Oban" name?',
      'Not all months are names of one language: "Janaury". Rows with others are rejected.',
    ],
    stored: MONTHS.flatMap((_, at) => {
      const date = `2024-${String(at + 1).padStart(2, '0')}-01`;
      return [`Ayr, Maize, kg, ${date}, ${at + 1}.5`, `Oban, Maize, kg, ${date}, ${at + 2}.25`];
    }),
    rejected: ['Name must be a month, not "Janaury".', 'Name must be a month, not "Janaury".'],
  },
  {
    what: 'a column of years with texts among them, in Turkish',
    text: `Pazar,Ürün,Birim,Yıl,Ocak,Şubat
Sivas,Buğday,kg,2023,10.5,11.25
Sivas,Buğday,kg,2024,12.5,13.25
Sivas,Un,kg,Elektrik,2024,20.5
`,
    asked: [],
    stored: [
      ...['Sivas, Buğday, kg, 2023-01-01, 10.5', 'Sivas, Buğday, kg, 2023-02-01, 11.25'],
      ...['Sivas, Buğday, kg, 2024-01-01, 12.5', 'Sivas, Buğday, kg, 2024-02-01, 13.25'],
    ],
    rejected: [
      'Yıl must be a year of four digits, not "Elektrik".',
      'Yıl must be a year of four digits, not "Elektrik".',
    ],
  },
  {
    what: 'codes of goods among the names of columns',
    text: `,Date,AveragePrice,Total Volume,4011,4061,Total Bags,Market
0,2024-01-07,1.25,640.5,100.5,453.75,86.25,Ayr
1,2024-01-14,1.5,660,110,460,90,Ayr
2,2024-01-07,1.75,320,60,200,60,Oban
`,
    asked: ['Which column has the price?'],
    priceColumn: 3,
    stored: [
      'Ayr, Rice, kg, 2024-01-07, 1.25',
      'Ayr, Rice, kg, 2024-01-14, 1.5',
      'Oban, Rice, kg, 2024-01-07, 1.75',
    ],
  },
  {
    what: 'tabs, and the name of a column among its values',
    text: 'item\tprice\tunit\tdate\nRice\t1.9\tunit\t2024-01-15\nRice\t0.53\t100g\t2024-01-15\nBeans\t0.8\tunit\t2024-01-15\n',
    asked: [],
    stored: [
      'Kayes, Rice, unit, 2024-01-15, 1.9',
      'Kayes, Rice, 100g, 2024-01-15, 0.53',
      'Kayes, Beans, unit, 2024-01-15, 0.8',
    ],
  },
  {
    what: 'a column called value beside others that are called as products are, and a change of an index',
    text: `data,valor,IPCA,arroz,feijao,leite
2024-01-01,251.5,0.5,6.25,18.75,16.25
2024-02-01,250.75,-0.25,6.5,17.25,15.5
`,
    asked: [
      'What do the headers "valor", "arroz", "feijao", … name?',
      'Columns with numbers are not read: "IPCA".',
    ],
    answers: { unpivot: '{commodity}' },
    stored: [
      ...['Kayes, valor, kg, 2024-01-01, 251.5', 'Kayes, arroz, kg, 2024-01-01, 6.25'],
      ...['Kayes, feijao, kg, 2024-01-01, 18.75', 'Kayes, leite, kg, 2024-01-01, 16.25'],
      ...['Kayes, valor, kg, 2024-02-01, 250.75', 'Kayes, arroz, kg, 2024-02-01, 6.5'],
      ...['Kayes, feijao, kg, 2024-02-01, 17.25', 'Kayes, leite, kg, 2024-02-01, 15.5'],
    ],
  },
  {
    what: 'units behind the names of products, with the numbers of notes behind them',
    text: `Monthly average retail prices
Products,January 2024,February 2024
,Dollars,
"Butter, 454 grams 4",5.75,5.5
"Milk, 2 litres 4 5",4.25,4.5
"Beef, per kilogram 4",17.25,16.5
"Lemons, unit 4",0.75,0.8
Tea (20 bags) 5,4.25,4.35
Notes:
4,Collected for the Consumer Price Index.
`,
    asked: ['Does the file have prices of goods, exchange rates, or consumer price indices?'],
    answers: { table: 'prices' },
    stored: [
      ...['Kayes, Butter, 454 grams 4, 454 grams, 2024-01-01, 5.75'],
      ...['Kayes, Butter, 454 grams 4, 454 grams, 2024-02-01, 5.5'],
      ...['Kayes, Milk, 2 litres 4 5, 2 litres, 2024-01-01, 4.25'],
      ...['Kayes, Milk, 2 litres 4 5, 2 litres, 2024-02-01, 4.5'],
      ...['Kayes, Beef, per kilogram 4, kilogram, 2024-01-01, 17.25'],
      ...['Kayes, Beef, per kilogram 4, kilogram, 2024-02-01, 16.5'],
      ...['Kayes, Lemons, unit 4, unit, 2024-01-01, 0.75', 'Kayes, Lemons, unit 4, unit, 2024-02-01, 0.8'],
      ...['Kayes, Tea (20 bags) 5, 20 bags, 2024-01-01, 4.25'],
      ...['Kayes, Tea (20 bags) 5, 20 bags, 2024-02-01, 4.35'],
    ],
    rejected: [
      'January 2024 must be a number with a decimal point and nothing between thousands, not "Dollars".',
    ],
    skipped: { no_value: 1 },
  },
  {
    what: 'units behind names in a column that is called otherwise than products are',
    text: `Market\tGood, unit\tJan 2024\tFeb 2024
Ayr\tMaize, 90 kg bag\t120.5\t121
Ayr\tBeans, kg\t3.5\t3.6
`,
    asked: [],
    answers: { 'from.commodity': 'column:2' },
    stored: [
      ...[
        'Ayr, Maize, 90 kg bag, 90 kg bag, 2024-01-01, 120.5',
        'Ayr, Maize, 90 kg bag, 90 kg bag, 2024-02-01, 121',
      ],
      ...['Ayr, Beans, kg, kg, 2024-01-01, 3.5', 'Ayr, Beans, kg, kg, 2024-02-01, 3.6'],
    ],
  },
  {
    what: 'rows that say the money of those below them',
    text: `Products,January 2024,February 2024
,Dollars,
Butter (kg),5.75,5.5
Milk (l),1.25,
Bread (kg),4.25,
Rice (kg),3.5,3.75
,Cents per litre,
Petrol (l),124.5,117.25
`,
    asked: [
      'Rows say in which money those below them are: "Dollars" in row 2, "Cents per litre" in row 7. A mapping reads one currency and factor for all of them.',
    ],
    stored: [
      ...['Kayes, Butter (kg), kg, 2024-01-01, 5.75', 'Kayes, Butter (kg), kg, 2024-02-01, 5.5'],
      ...['Kayes, Milk (l), l, 2024-01-01, 1.25', 'Kayes, Bread (kg), kg, 2024-01-01, 4.25'],
      ...['Kayes, Rice (kg), kg, 2024-01-01, 3.5', 'Kayes, Rice (kg), kg, 2024-02-01, 3.75'],
      ...['Kayes, Petrol (l), l, 2024-01-01, 124.5', 'Kayes, Petrol (l), l, 2024-02-01, 117.25'],
    ],
    rejected: [
      'January 2024 must be a number with a decimal point and nothing between thousands, not "Dollars".',
      'January 2024 must be a number with a decimal point and nothing between thousands, not "Cents per litre".',
    ],
    skipped: { no_value: 4 },
  },
  {
    what: 'one product by two sources',
    text: `Source,Market,Product,Unit,Date,Price
Office,Ayr,Maize,kg,2024-01-15,5.5
Bureau,Ayr,Maize,kg,2024-01-15,6.5
`,
    asked: [],
    stored: ['Ayr, Maize, kg, 2024-01-15, 5.5', 'Ayr, Maize, kg, 2024-01-15, 6.5'],
  },
  {
    what: 'French words for a shop and the name of a product',
    text: `nom_produit,prix,magasin,date_releve
Riz 1 kg,725.0,Bakel,2024-01-15
Huile 1 l,1250.0,Bakel,2024-01-15
`,
    asked: [],
    stored: ['Bakel, Riz 1 kg, kg, 2024-01-15, 725', 'Bakel, Huile 1 l, kg, 2024-01-15, 1250'],
  },
  {
    what: 'rows without a value at its end, with marks beside them',
    text: `Marché;Produit;Unité;Temps;Prix;Note
Gao;Mil;kg;01-2024;250,5;
Gao;Mil;kg;02-2024;262,25;
Gao;Riz;kg;01-2024;400,75;
Gao;Riz;kg;02-2024;;-
`,
    asked: [],
    stored: [
      'Gao, Mil, kg, 2024-01-01, 250.5',
      'Gao, Mil, kg, 2024-02-01, 262.25',
      'Gao, Riz, kg, 2024-01-01, 400.75',
    ],
    skipped: { no_value: 1 },
  },
  {
    what: 'references of HTML and signs that are not seen in headers and cells',
    text:
      '\ufeffMarket&nbsp;name,Comm\u00adodity,Unit,Date,Price\u200b\n' +
      'Ayr\u00a0West,Maize &amp; meal,kg,2024-01-15,1&nbsp;250\n' +
      'Ayr West,\u200bMa&iuml;s,kg,2024-01-22,1\u202f350\n',
    asked: [],
    stored: ['Ayr West, Maize & meal, kg, 2024-01-15, 1250', 'Ayr West, Maïs, kg, 2024-01-22, 1350'],
  },
  {
    what: 'dates behind a word in headers, beside changes in percent',
    text: `Market,Item,Price 2024-01-05,Price 2024-01-12,Change
Ayr,Rice (kg),12.5,13,4%
Ayr,Oil (l),22.5,23,2.2%
`,
    asked: [],
    stored: [
      ...['Ayr, Rice (kg), kg, 2024-01-05, 12.5', 'Ayr, Rice (kg), kg, 2024-01-12, 13'],
      ...['Ayr, Oil (l), l, 2024-01-05, 22.5', 'Ayr, Oil (l), l, 2024-01-12, 23'],
    ],
  },
  {
    what: 'the day in a title, which may be a month first',
    text: `Prices of 05/02/2024,,,
Market,Commodity,Unit,Price
Ayr,Maize,kg,12
Ayr,Rice,kg,22
`,
    asked: [
      'No column has dates: of which date are the prices?',
      'Nothing shows the order of the dates: how is "05/02/2024" to be read?',
    ],
    answers: { 'format.date': '%m/%d/%Y' },
    stored: ['Ayr, Maize, kg, 2024-05-02, 12', 'Ayr, Rice, kg, 2024-05-02, 22'],
  },
  ...[
    ['.', '1250'],
    [',', '1.25'],
  ].map(([sign, value]): StrangersFile => ({
    what: `numbers that do not show their decimal sign, which is said to be ${sign}`,
    text: `${HEADER}Ayr,Maize,kg,2024-01-15,"1,250"\nAyr,Beans,kg,2024-01-15,"2,250"\n`,
    asked: ['No number shows which sign is the decimal one: is "1,250" 1250 or 1.250?'],
    answers: { decimal: sign! },
    stored: [
      `Ayr, Maize, kg, 2024-01-15, ${value}`,
      `Ayr, Beans, kg, 2024-01-15, ${value!.replace('1', '2')}`,
    ],
  })),
  {
    what: 'indices by months, beside their weights, under a name that is that of a format',
    fileName: 'cpi.csv',
    text: `Consumer price indices (December 2020 = 100)
Division,Weight,Jan-24,Feb-24
All items,100,134.2,135.1
Food and non-alcoholic beverages,32.91,140.3,141.9
Transport,9.65,118.0,118.1
`,
    asked: [
      'Does the file have prices of goods, exchange rates, or consumer price indices?',
      'Rows of other items are left out: "Transport".',
      'Columns with numbers are not read: "Weight".',
    ],
    stored: [
      'MLI, 2024-01-01, general, 134.2, December 2020, Office',
      'MLI, 2024-02-01, general, 135.1, December 2020, Office',
      'MLI, 2024-01-01, food, 140.3, December 2020, Office',
      'MLI, 2024-02-01, food, 141.9, December 2020, Office',
    ],
    skipped: { left_out: 1 },
  },
  {
    what: 'indices beside their changes in percent',
    text: `National Bureau of Statistics
Table 1: Inflation
Month,All Items,Food,MoM,YoY
Jan-23,110.1,120.2,1.1,20.1
Feb-23,111.1,121.2,1.0,21.1
`,
    asked: [
      'Does the file have prices of goods, exchange rates, or consumer price indices?',
      'Columns with numbers are not read: "MoM", "YoY".',
      'The file speaks of "Table 1: Inflation": the values are read as indices, not as changes in percent.',
    ],
    stored: [
      ...['MLI, 2023-01-01, general, 110.1, 2010, Office', 'MLI, 2023-01-01, food, 120.2, 2010, Office'],
      ...['MLI, 2023-02-01, general, 111.1, 2010, Office', 'MLI, 2023-02-01, food, 121.2, 2010, Office'],
    ],
  },
  {
    what: 'years and months without a word of what they are',
    text: `Year,Jan,Feb,Mar
2022,110.1,110.5,111.2
2023,121.1,121.5,122.2
`,
    asked: ['Does the file have prices of goods, exchange rates, or consumer price indices?'],
    answers: { table: 'prices' },
    stored: [
      ...['01, 110.1', '02, 110.5', '03, 111.2'].map(
        (end) => `Kayes, Rice, kg, 2022-${end.replace(',', '-01,')}`,
      ),
      ...['01, 121.1', '02, 121.5', '03, 122.2'].map(
        (end) => `Kayes, Rice, kg, 2023-${end.replace(',', '-01,')}`,
      ),
    ],
  },
  {
    what: 'opening, highest, lowest and closing prices, and inflation',
    text: `market,year,month,o_maize,h_maize,l_maize,c_maize,inflation_maize
Ayr,2023,1,50.1,52.2,48.3,51.4,10.2
Ayr,2023,2,51.1,53.2,49.3,52.4,10.3
`,
    asked: [
      'Which of the columns is the price: "o_maize", "h_maize", "l_maize", "c_maize"?',
      'Tables with such columns have estimates, such as the Real Time Prices of the World Bank: they are stored as prices that were observed.',
      'Columns with numbers are not read: "o_maize", "h_maize", "l_maize", "inflation_maize".',
    ],
    stored: ['Ayr, maize, kg, 2023-01-01, 51.4', 'Ayr, maize, kg, 2023-02-01, 52.4'],
  },
  {
    what: 'year, month and day in columns of their own',
    text: `Market,Commodity,Unit,Year,Month,Day,Price
Ayr,Maize,kg,2024,1,5,12
Ayr,Maize,kg,2024,2,12,13
`,
    asked: [],
    stored: ['Ayr, Maize, kg, 2024-01-05, 12', 'Ayr, Maize, kg, 2024-02-12, 13'],
  },
  {
    what: 'days whose year has a column',
    text: `Market,Commodity,Unit,Year,Date,Price
Ayr,Maize,kg,2024,15-Jan,12
Ayr,Maize,kg,2024,22-Jan,12.5
`,
    asked: [],
    stored: ['Ayr, Maize, kg, 2024-01-15, 12', 'Ayr, Maize, kg, 2024-01-22, 12.5'],
  },
  {
    what: 'weeks whose year has a column',
    text: `Market,Commodity,Unit,Year,Week,Price
Ayr,Maize,kg,2024,12,12
Ayr,Maize,kg,2024,13,12.5
`,
    asked: ['Weeks are read as those of ISO 8601: the first one has the first Thursday.'],
    stored: ['Ayr, Maize, kg, 2024-03-22, 12', 'Ayr, Maize, kg, 2024-03-29, 12.5'],
  },
  {
    what: 'periods of the year, of which the thirteenth is its average',
    text: `series_id,year,period,value
APU0000708111,2023,M01,4.82
APU0000708111,2023,M02,4.21
APU0000708111,2023,M13,2.80
`,
    asked: [],
    stored: ['Kayes, Rice, kg, 2023-01-01, 4.82', 'Kayes, Rice, kg, 2023-02-01, 4.21'],
    skipped: { left_out: 1 },
  },
  {
    what: 'numbers of months that are called periods',
    text: `Market,Commodity,Unit,Year,Period,Price
Ayr,Maize,kg,2023,1,12
Ayr,Maize,kg,2023,12,14
`,
    asked: ['The numbers of "Period" are read as months: they must be no quarters, weeks or other periods.'],
    stored: ['Ayr, Maize, kg, 2023-01-01, 12', 'Ayr, Maize, kg, 2023-12-01, 14'],
  },
  {
    what: 'six digits of day, month and year',
    text: `${HEADER}Ayr,Maize,kg,150124,12.5\nAyr,Maize,kg,220124,13.5\n`,
    asked: ['Nothing shows the order of the dates: how is "150124" to be read?'],
    answers: { 'format.date': '%d%m%y' },
    stored: ['Ayr, Maize, kg, 2024-01-15, 12.5', 'Ayr, Maize, kg, 2024-01-22, 13.5'],
  },
  {
    what: 'a group of columns whose row of the header ends with it',
    text: `,,,2024
Market,Commodity,Unit,Jan,Feb
Ayr,Maize,kg,12,13
Ayr,Beans,kg,14,15
`,
    asked: ['The columns are months: of which year?'],
    stored: [
      ...['Ayr, Maize, kg, 2024-01-01, 12', 'Ayr, Maize, kg, 2024-02-01, 13'],
      ...['Ayr, Beans, kg, 2024-01-01, 14', 'Ayr, Beans, kg, 2024-02-01, 15'],
    ],
  },
  {
    what: 'columns of quarters and of the average of the year between months',
    text: `Produit;Marché;Unité;Jan-23;Fév-23;Mars-23;1er trimestre;Avr-23;2023;Moyenne annuelle
Mil;Kayes;kg;200;210;220;210;230;215;216
Riz;Kayes;kg;400;410;420;410;430;415;416
`,
    asked: [],
    stored: [
      ...['Kayes, Mil, kg, 2023-01-01, 200', 'Kayes, Mil, kg, 2023-02-01, 210'],
      ...['Kayes, Mil, kg, 2023-03-01, 220', 'Kayes, Mil, kg, 2023-04-01, 230'],
      ...['Kayes, Riz, kg, 2023-01-01, 400', 'Kayes, Riz, kg, 2023-02-01, 410'],
      ...['Kayes, Riz, kg, 2023-03-01, 420', 'Kayes, Riz, kg, 2023-04-01, 430'],
    ],
  },
  {
    what: 'quarters and averages below years, between months',
    text: `Commodity,Market,Unit,2022,2022,2022,2022,2023,2023,2023,2023
,,,Jan,Feb,Q1,Average,Jan,Feb,Q1,Average
Maize,Ayr,kg,40,41,42,43,50,51,52,53
Beans,Ayr,kg,90,91,92,93,94,95,96,97
`,
    asked: [],
    stored: [
      ...['Ayr, Maize, kg, 2022-01-01, 40', 'Ayr, Maize, kg, 2022-02-01, 41'],
      ...['Ayr, Maize, kg, 2023-01-01, 50', 'Ayr, Maize, kg, 2023-02-01, 51'],
      ...['Ayr, Beans, kg, 2022-01-01, 90', 'Ayr, Beans, kg, 2022-02-01, 91'],
      ...['Ayr, Beans, kg, 2023-01-01, 94', 'Ayr, Beans, kg, 2023-02-01, 95'],
    ],
  },
  {
    what: 'rows of quarters and averages between months',
    text: `${HEADER}Ayr,Maize,kg,2023-01,40
Ayr,Maize,kg,2023-02,41
Ayr,Maize,kg,2023-Q1,42
Ayr,Maize,kg,2023-04,43
Ayr,Maize,kg,2023 average,44
Ayr,Maize,kg,2023,45
`,
    asked: [],
    stored: [
      ...['Ayr, Maize, kg, 2023-01-01, 40', 'Ayr, Maize, kg, 2023-02-01, 41'],
      'Ayr, Maize, kg, 2023-04-01, 43',
    ],
    skipped: { longer_than_month: 3 },
  },
  {
    what: 'quarters and averages among the names of months',
    text: `Year,Month,Market,Commodity,Unit,Price
2023,January,Ayr,Maize,kg,40
2023,February,Ayr,Maize,kg,41
2023,2nd quarter,Ayr,Maize,kg,42
2023,Annual average,Ayr,Maize,kg,43
2024,January,Ayr,Maize,kg,44
`,
    asked: [],
    stored: [
      ...['Ayr, Maize, kg, 2023-01-01, 40', 'Ayr, Maize, kg, 2023-02-01, 41'],
      'Ayr, Maize, kg, 2024-01-01, 44',
    ],
    skipped: { longer_than_month: 2 },
  },
  {
    what: 'arrivals beside the lowest, the highest and the modal price',
    text: `Arrival Date,Market,Commodity,Arrivals (Tonnes),Min Price (Rs./Quintal),Max Price (Rs./Quintal),Modal Price (Rs./Quintal)
13/02/2024,Aluva,Onion,12,2000,2400,2200
14/02/2024,Aluva,Onion,4.5,2100,2300,2250
`,
    asked: [
      'Which of the columns is the price: "Min Price (Rs./Quintal)", "Max Price (Rs./Quintal)", "Modal Price (Rs./Quintal)"?',
    ],
    stored: ['Aluva, Onion, Quintal, 2024-02-13, 2200', 'Aluva, Onion, Quintal, 2024-02-14, 2250'],
  },
  {
    what: 'amounts that are supplied beside types of prices, and quantities of prices',
    text: `Date,Market,Commodity,Unit,Supply (kg),Weight,Wholesale,Retail
2024-01-15,Ayr,Maize,kg,1200,90,40,45
2024-01-16,Ayr,Maize,kg,1300,90,41,46
2024-01-17,Ayr,Maize,kg,1400,50,42,47
`,
    asked: [
      'The column "Weight" is not read: prices must not be for these quantities, such as 90, 50.',
      'Columns with numbers are not read: "Weight".',
    ],
    stored: [
      ...['Ayr, Maize, kg, 2024-01-15, 40', 'Ayr, Maize, kg, 2024-01-15, 45'],
      ...['Ayr, Maize, kg, 2024-01-16, 41', 'Ayr, Maize, kg, 2024-01-16, 46'],
      ...['Ayr, Maize, kg, 2024-01-17, 42', 'Ayr, Maize, kg, 2024-01-17, 47'],
    ],
  },
  {
    what: 'a currency in the middle of a file that none of the first rows has',
    text: `Country,${HEADER.replace('Price', 'Currency,Price')}${Array.from(
      { length: 600 },
      (_, day) =>
        `${day < 500 ? 'Kenya' : 'Uganda'},Ayr,Maize,kg,${isoFromDay(19_000 + 719_163 + day)},National currency,${day + 1}`,
    ).join('\n')}\n`,
    asked: ['Currencies are read as Kenya = KES, Uganda = UGX. Rows of others are rejected.'],
    stored: Array.from(
      { length: 600 },
      (_, day) => `Ayr, Maize, kg, ${isoFromDay(19_000 + 719_163 + day)}, ${day + 1}`,
    ),
  },
  {
    what: 'country, market, product and money in one header',
    text: `Date,Kenya - Nairobi - Maize - KES/90kg,Kenya - Mombasa - Maize - KES/90kg,Uganda - Kampala - Beans - UGX/kg
2023-01,4000,4200,2500
2023-02,4100,4300,2600
`,
    asked: [
      'What do the headers "Kenya - Nairobi - Maize - KES/90kg", "Kenya - Mombasa - Maize - KES/90kg", "Uganda - Kampala - Beans - UGX/kg" name?',
    ],
    answers: { unpivot: '{iso3_country_code} - {market} - {commodity} - {currency}/{measure_unit}' },
    stored: [
      ...['Nairobi, Maize, 90kg, 2023-01-01, 4000', 'Mombasa, Maize, 90kg, 2023-01-01, 4200'],
      ...['Kampala, Beans, kg, 2023-01-01, 2500', 'Nairobi, Maize, 90kg, 2023-02-01, 4100'],
      ...['Mombasa, Maize, 90kg, 2023-02-01, 4300', 'Kampala, Beans, kg, 2023-02-01, 2600'],
    ],
  },
  {
    what: 'sorts of products that look like parts of a header',
    text: `Date,Market,"Rice, local","Rice, imported"\n2023-01,Ayr,40,42\n2023-02,Ayr,41,43\n`,
    asked: ['What do the headers "Rice, local", "Rice, imported" name?'],
    stored: [
      ...['Ayr, Rice, local, kg, 2023-01-01, 40', 'Ayr, Rice, imported, kg, 2023-01-01, 42'],
      ...['Ayr, Rice, local, kg, 2023-02-01, 41', 'Ayr, Rice, imported, kg, 2023-02-01, 43'],
    ],
  },
  {
    what: 'the day on which it was written down beside that of the price',
    text: `Date_Scraped,Date_Param,Commodity_Name,Market,Price
2026-02-12,2022-01-15,Rice,Ayr,10
2026-02-12,2022-01-17,Rice,Ayr,11
`,
    asked: ['Which column has the date: "Date_Scraped", "Date_Param"?'],
    stored: ['Ayr, Rice, kg, 2022-01-15, 10', 'Ayr, Rice, kg, 2022-01-17, 11'],
  },
  {
    what: 'a table that was turned, with counted columns above its header',
    text: `,0,1,2
Item Labels,"Beans,sold loose",Bread,Eggs
Jan-17,353.6,302.87,47.42
Feb-17,337.11,299.75,42.9
`,
    asked: ['What do the headers "Beans,sold loose", "Bread", "Eggs" name?'],
    answers: { unpivot: '{commodity}', 'from.commodity': '' },
    stored: [
      ...['Kayes, Beans,sold loose, kg, 2017-01-01, 353.6', 'Kayes, Bread, kg, 2017-01-01, 302.87'],
      ...['Kayes, Eggs, kg, 2017-01-01, 47.42', 'Kayes, Beans,sold loose, kg, 2017-02-01, 337.11'],
      ...['Kayes, Bread, kg, 2017-02-01, 299.75', 'Kayes, Eggs, kg, 2017-02-01, 42.9'],
    ],
  },
  {
    what: 'another table beside it, changes, and the places of the highest prices',
    text: `Items,Average of May-22,Average of Jun-22,MoM,Highest,,Items,NORTH,SOUTH
Eggs,689.5,704.25,2.1,Rivers (900.48),,Beans,428.5,355
Bread,65.5,68.5,4.4,Delta (80.13),,Beef,1705,1502
`,
    asked: ['Another table stands beside the first one, from column 7 on. Only the first one is read.'],
    stored: [
      ...['Kayes, Eggs, kg, 2022-05-01, 689.5', 'Kayes, Eggs, kg, 2022-06-01, 704.25'],
      ...['Kayes, Bread, kg, 2022-05-01, 65.5', 'Kayes, Bread, kg, 2022-06-01, 68.5'],
    ],
  },
  {
    what: 'a category that tells rows apart, of which series are not',
    text: `Market,Category,Commodity,Unit,Date,Price
Ayr,White,Maize,kg,2023-01-05,40
Ayr,Yellow,Maize,kg,2023-01-05,42
`,
    asked: [],
    answers: { 'from.commodity': 'join:3,2' },
    stored: ['Ayr, Maize White, kg, 2023-01-05, 40', 'Ayr, Maize Yellow, kg, 2023-01-05, 42'],
  },
  {
    what: 'statistics in place of markets, and a name that may be one',
    text: `date,centre,Rice,Wheat
2010-01-04,DELHI,20,13
2010-01-04,AGRA,21,14
2010-01-04,Total,22,15
2010-01-04,Maximum Price,22,15
2010-01-04,Average Price,20.5,13.5
`,
    asked: [
      'What do the headers "Rice", "Wheat" name?',
      'Names such as "Total" may be averages or totals of others: they are read like these.',
    ],
    stored: [
      ...['DELHI, Rice, kg, 2010-01-04, 20', 'DELHI, Wheat, kg, 2010-01-04, 13'],
      ...['AGRA, Rice, kg, 2010-01-04, 21', 'AGRA, Wheat, kg, 2010-01-04, 14'],
      ...['Total, Rice, kg, 2010-01-04, 22', 'Total, Wheat, kg, 2010-01-04, 15'],
    ],
    skipped: { left_out: 2 },
  },
  {
    what: 'tags of HXL above coordinates, and a world market among countries',
    text: `date,country,market,lat,lon,commodity,unit,currency,price
#date,#country,#loc,#geo+lat,#geo+lon,#item,#unit,#currency,#value
2024-01-15,Kenya,Ayr,1.5,36.5,Maize,kg,USD,40
2024-01-15,INTERNATIONAL PRICES,Gulf,1.5,36.5,Maize,kg,USD,30
`,
    asked: ['No countries that are known: "INTERNATIONAL PRICES". Rows with them are rejected.'],
    stored: ['Ayr, Maize, kg, 2024-01-15, 40'],
    rejected: ['country must be a three-letter country code, not "INTERNATIONAL PRICES".'],
    skipped: { hxl_tags: 1 },
  },
  {
    what: 'a market whose name begins as a word before units does',
    text: `Commodity,Unit,Date,Nakuru,Port Reitz\nMaize,kg,2024-01-15,12,13\nBeans,kg,2024-01-15,14,15\n`,
    asked: ['What do the headers "Nakuru", "Port Reitz" name?'],
    stored: [
      ...['Nakuru, Maize, kg, 2024-01-15, 12', 'Port Reitz, Maize, kg, 2024-01-15, 13'],
      ...['Nakuru, Beans, kg, 2024-01-15, 14', 'Port Reitz, Beans, kg, 2024-01-15, 15'],
    ],
  },
  {
    what: 'prices of two days beside a product, which are no markets',
    text: `Commodity,Unit,Date,Current_Price,Old_Price
Eggs,dozen,2024-01-15,4.5,5
Milk,l,2024-01-15,2.25,2
`,
    asked: ['What do the headers "Current_Price", "Old_Price" name?'],
    priceColumn: 4,
    stored: ['Kayes, Eggs, dozen, 2024-01-15, 4.5', 'Kayes, Milk, l, 2024-01-15, 2.25'],
  },
  {
    what: 'a column called price beside other numbers that are none',
    text: `Product,Unit,Date,price,in_stock,price_per_kg
Eggs,dozen,2024-01-15,4.5,1,5.5
Milk,l,2024-01-15,2.25,1,2.5
`,
    asked: ['Which column has the price?'],
    answers: { 'from.price_value': 'column:4' },
    stored: ['Kayes, Eggs, dozen, 2024-01-15, 4.5', 'Kayes, Milk, l, 2024-01-15, 2.25'],
  },
  {
    what: 'words of prices that are written together, beside other numbers',
    text: `ciudad,mes,clave_ciudad,especificacion,preciopromedio,unidad
Morelia,2017-09,1,Grano,23.51,kg
Colima,2017-09,2,Grano,29,kg
`,
    asked: ['Which column has the price?'],
    answers: { 'from.commodity': 'column:4' },
    stored: ['Morelia, Grano, kg, 2017-09-01, 23.51', 'Colima, Grano, kg, 2017-09-01, 29'],
  },
  {
    what: 'a market with amounts in two currencies, of one product',
    text: `mes_ano,cidade,valor_original,valor_reais
01-1989,Recife,44.95,0.02
02-1989,Recife,51.23,0.03
`,
    asked: ['Which column has the price?'],
    answers: { 'from.price_value': 'column:4' },
    stored: ['Recife, Rice, kg, 1989-01-01, 0.02', 'Recife, Rice, kg, 1989-02-01, 0.03'],
  },
  {
    what: 'Indonesian words, and a price in rupiah',
    text: `No;Komoditas;Tanggal;Provinsi;Kota / Kelurahan;Pasar;Satuan;Harga (Rp)
1;Bawang Merah;13/01/2019;Jawa Barat;Kota Bekasi;Pasar Kranji;kg;32.000
2;Bawang Merah;13/01/2019;Jawa Barat;Kota Depok;Pasar Agung;kg;-
`,
    asked: ['No number shows which sign is the decimal one: is "32.000" 32000 or 32.000?'],
    answers: { decimal: ',' },
    stored: ['Pasar Kranji, Bawang Merah, kg, 2019-01-13, 32000'],
    skipped: { no_value: 1 },
  },
  {
    what: 'Turkish words, and the year in another column than the month',
    text: `halismi,urunismi,birim,yil,ay,fiyat
Ankara,Ananas,adet,2023,1,26.5
Ankara,Armut,kg,2023,2,7
`,
    asked: [],
    stored: ['Ankara, Ananas, adet, 2023-01-01, 26.5', 'Ankara, Armut, kg, 2023-02-01, 7'],
  },
  {
    what: 'days beside their years and months',
    text: `Commodity,Market,Unit,Date,Price,Year,Month
Maize,Ayr,kg,2025-07-30,40,2025,July
Maize,Ayr,kg,2025-07-31,41,2025,July
`,
    asked: [],
    stored: ['Ayr, Maize, kg, 2025-07-30, 40', 'Ayr, Maize, kg, 2025-07-31, 41'],
  },
  {
    what: 'names of months among periods, and a blank column of weeks',
    text: `Year,Period,Week Ending,State,Commodity,Unit,Value
2024,APR,,Ohio,Corn,bushel,4.31
2024,MAY,,Ohio,Corn,bushel,4.5
`,
    asked: [],
    answers: { 'from.market': 'column:4' },
    stored: ['Ohio, Corn, bushel, 2024-04-01, 4.31', 'Ohio, Corn, bushel, 2024-05-01, 4.5'],
  },
  {
    what: 'years that are written with the sign of thousands',
    text: `ciudad,ano,mes,producto,unidad,precio
Colima,"2,017",9,Grano,kg,23.5
Colima,"2,016",10,Grano,kg,24
`,
    asked: [],
    stored: ['Colima, Grano, kg, 2017-09-01, 23.5', 'Colima, Grano, kg, 2016-10-01, 24'],
  },
  {
    what: 'remarks in two cells above its header, one of which has a unit before a comma',
    text: `Boi;INDICADOR DO BOI GORDO
Nota;por arroba, descontado o prazo de pagamento
Fonte;Escritório
Data;Valor
14/01/2016;149,34
15/01/2016;148,9
`,
    asked: [],
    stored: ['Kayes, Rice, arroba, 2016-01-14, 149.34', 'Kayes, Rice, arroba, 2016-01-15, 148.9'],
  },
  {
    what: 'a word for regions below that for dates, in three rows of the header',
    text: `,MAIZE (UGX/kg),,RICE (UGX/kg),
Date,Kampala,Gulu,Kampala,Gulu
Region:,Central,Northern,Central,Northern
14-Jan-2024,949,877,2100,2200
15-Jan-2024,859,908,2150,2250
`,
    asked: [
      'What do the headers "MAIZE (UGX/kg) | Kampala | Central", "MAIZE (UGX/kg) | Gulu | Northern", "RICE (UGX/kg) | Kampala | Central", … name?',
    ],
    answers: { unpivot: '{commodity} (UGX/kg) | {market} | {admin_unit}' },
    stored: [
      ...['Kampala, MAIZE, kg, 2024-01-14, 949', 'Gulu, MAIZE, kg, 2024-01-14, 877'],
      ...['Kampala, RICE, kg, 2024-01-14, 2100', 'Gulu, RICE, kg, 2024-01-14, 2200'],
      ...['Kampala, MAIZE, kg, 2024-01-15, 859', 'Gulu, MAIZE, kg, 2024-01-15, 908'],
      ...['Kampala, RICE, kg, 2024-01-15, 2150', 'Gulu, RICE, kg, 2024-01-15, 2250'],
    ],
  },
  {
    what: 'a price whose column has a name beside a column that may have products',
    text: '商品,最低价,Date\n素鸡,11.5,2024-01-15\n百叶,10,2024-01-16\n',
    asked: [],
    answers: { 'from.commodity': 'column:1' },
    stored: ['Kayes, 素鸡, kg, 2024-01-15, 11.5', 'Kayes, 百叶, kg, 2024-01-16, 10'],
  },
  {
    what: 'forecasts and estimates among observed prices, in the words of an office',
    text: `Marché;Produit;Unité;Mois;Prix (FCFA);Nature
Kayes;Maïs;kg;janvier 2024;250,5;observé
Kayes;Maïs;kg;mars 2024;270;Prévision
Kayes;Mil;kg;mars 2024;320;estimé
`,
    asked: [],
    stored: [
      'Kayes, Maïs, kg, 2024-01-01, 250.5',
      'Kayes, Maïs, kg, 2024-03-01, 270, forecast',
      'Kayes, Mil, kg, 2024-03-01, 320, estimated',
    ],
  },
  {
    what: 'codes of observation status',
    text: `Market,Commodity,Unit,Date,Price,OBS_STATUS
Ayr,Maize,kg,2024-01-15,50,A
Ayr,Maize,kg,2024-01-16,52,E
Ayr,Maize,kg,2024-01-17,53,F
`,
    asked: [],
    stored: [
      'Ayr, Maize, kg, 2024-01-15, 50',
      'Ayr, Maize, kg, 2024-01-16, 52, estimated',
      'Ayr, Maize, kg, 2024-01-17, 53, forecast',
    ],
  },
  {
    what: 'a column that asks whether a price is a forecast',
    text: `Market,Commodity,Unit,Date,Price,Forecast?
Ayr,Maize,kg,2024-01-15,50,no
Ayr,Maize,kg,2024-01-16,52,yes
`,
    asked: [],
    stored: ['Ayr, Maize, kg, 2024-01-15, 50', 'Ayr, Maize, kg, 2024-01-16, 52, forecast'],
  },
  {
    what: 'words of forecasts among others',
    text: `Market,Commodity,Unit,Date,Price,Remark
Ayr,Maize,kg,2024-01-15,50,rainy
Ayr,Maize,kg,2024-01-16,52,forecast
`,
    asked: ['"Remark" may be of estimates or forecasts: all prices are stored as observed.'],
    stored: ['Ayr, Maize, kg, 2024-01-15, 50', 'Ayr, Maize, kg, 2024-01-16, 52'],
  },
];

/** Questions that every file has: who, where, what, how often. */
const isUsual = (control: string): boolean => Object.hasOwn(USUAL, control.replace('fields.', ''));

async function readByProposal({ text, fileName = 'file.csv', answers = {}, priceColumn }: StrangersFile) {
  const propose = (said: WritingOptions) => proposeForTable(chunksOf(text), fileName, NOTHING_KNOWN, said);
  const first = await propose({});
  const { proposal } = priceColumn === undefined ? first : await propose({ priceColumn });
  const form = fieldsOfProposal(proposal);
  for (const { control, proposed } of proposal.questions) {
    const field = control.replace('fields.', '');
    if (control.startsWith('confirm.')) form.set(control, 'yes');
    else if (proposed === null && isUsual(control) && !form.get(`from.${field}`)?.startsWith('column')) {
      form.set(`from.${field}`, 'value');
      form.set(`value.${field}`, USUAL[field]!);
    }
  }
  for (const [field, value] of Object.entries(answers)) form.set(field, value);
  const asked = first.proposal.questions.filter(({ control }) => !isUsual(control)).map((one) => one.text);
  const described = mappingOfFields(form, proposal);
  expect(described.violations).toEqual([]);
  const checked = validateMapping(described.mapping);
  if ('violations' in checked) throw new Error(JSON.stringify(checked.violations));
  const mapping = checked.value;
  const { rows, rejects, skipped } = await collect(
    inputReader(mapping.name, { mapping })!(chunksOf(text), { mapping }),
  );
  const stored = (rows as unknown as StoredRow[]).map((row) =>
    'values' in row
      ? Object.values(row.values).join(', ')
      : [
          ...[row.series.market.name, row.series.commodity.name, row.series.measure_unit.name],
          ...[isoFromDay(row.day), row.value],
          ...(row.series.status === 'observed' ? [] : [row.series.status]),
        ].join(', '),
  );
  return { asked, stored, rejected: rejects.map(({ detail }) => detail), skipped };
}

type Named = Readonly<Record<'name', string>>;
type StoredRow =
  | { readonly values: Readonly<Record<string, string | number>> }
  | {
      readonly series: Readonly<Record<'market' | 'commodity' | 'measure_unit', Named>> & {
        readonly status: string;
      };
      readonly day: number;
      readonly value: number;
    };

describe('a file of strangers', () => {
  it.each(files)('is read right, or in doubt told, with $what', async (file) => {
    const { asked, stored, rejected = [], skipped = {} } = file;
    expect(await readByProposal(file)).toEqual({ asked, stored, rejected, skipped });
  });

  it.each([
    [
      'codes and marks of a statistical office',
      `REF_DATE,GEO,DGUID,Products,UOM,SCALAR_FACTOR,VECTOR,VALUE,STATUS
2023-01,Ottawa,2016A01,Beef,US dollars,units,v1,15.5,A
2023-02,Ottawa,2016A01,Beef,US dollars,units,v1,15.6,A
2023-01,Halifax,2016A02,Beef,US dollars,units,v2,16.5,E
`,
      { market: ['column:2'] },
    ],
    [
      'a currency and a mark in all rows',
      'Area,Item,Element,Months,Year,Unit,Value,Flag\nKenya,Maize,Producer Price (LCU/tonne),January,2020,LCU,5,A\n',
      { market: [] },
    ],
    [
      'codes of months',
      `code,year,month,product,unit,price
P2024Jan,2024,Jan,Maize,kg,5.5
P2024Jan,2024,Jan,Beans,kg,6.5
P2024Feb,2024,Feb,Maize,kg,5.75
P2024Feb,2024,Feb,Beans,kg,6.75
`,
      { market: [] },
    ],
    [
      'codes of series that nothing else names',
      `series_id,year,period,value,footnote_codes
A101,2024,M01,3.5,
A101,2024,M02,3.25,
A202,2025,M01,1.75,
A202,2025,M02,1.5,
`,
      { market: ['column:1'], commodity: ['column:1'] },
    ],
    [
      'numbers of goods beside their market',
      'code;date;prix;marche\n1001;2025-01-01;12,5;Kayes\n1002;2025-01-02;13,5;Kayes\n1001;2025-01-03;12,7;Kayes\n',
      { commodity: ['column:1'] },
    ],
    [
      'a code of each market, and an id of each row',
      'id,market,market_id,date,price\n1,Ayr,7,2025-01-01,12\n2,Ayr,7,2025-01-02,13\n3,Leith,8,2025-01-01,14\n',
      { commodity: [] },
    ],
    [
      'a product or a market that several columns say',
      `Detail 1;Detail 2;Place;Time;Price
Gross;Fat;Ayr;01-2024;5,5
Net;Fat;Ayr;01-2024;5,25
Gross;Protein;Ayr;01-2024;6,5
Net;Protein;Ayr;01-2024;6,25
`,
      {
        market: ['column:1', 'column:2', 'column:3', 'join:1,2'],
        commodity: ['column:1', 'column:2', 'column:3', 'join:1,2'],
      },
    ],
  ])('is asked for names only of columns that may have them, with %s', async (_, text, columns) => {
    const { proposal } = await proposeForTable(chunksOf(text), 'file.csv', NOTHING_KNOWN, {});
    const offered = proposal.questions
      .filter(({ control }) => ['fields.market', 'fields.commodity'].includes(control))
      .map(({ control, answers }) => [control.replace('fields.', ''), answers.map(({ value }) => value)]);
    expect(Object.fromEntries(offered)).toEqual(columns);
  });

  it('is said to be rejected with two prices of one month that no column tells apart', async () => {
    const text =
      'Market,Product,Unit,Year,Month,Price\nAyr,Shoes,pair,2024,1,5.5\nAyr,Shoes,pair,2024,1,6.5\n';
    const { proposal } = await proposeForTable(chunksOf(text), 'file.csv', NOTHING_KNOWN, {});
    expect(proposal.questions.find(({ control }) => control === 'confirm.duplicates')?.text).toBe(
      'Rows 2 and 3 have different prices of one series and date, and no column tells them apart: a file of monthly prices that has such rows is rejected.',
    );
  });

  it('is said to have two prices of one month that only codes tell apart', async () => {
    const text =
      'series_id,year,period,value\nA1,2024,M01,5.5\nA1,2024,M02,5.5\nA2,2024,M01,6.5\nA2,2024,M02,6.5\n';
    const { proposal } = await proposeForTable(chunksOf(text), 'file.csv', NOTHING_KNOWN, {});
    // The questions of market and product offer the column.
    expect(proposal.questions.map(({ control }) => control)).not.toContain('confirm.duplicates');
    expect(proposal.questions.find(({ control }) => control === 'fields.commodity')).toMatchObject({
      text: 'Which column has the commodity, or of which one are all prices?',
      answers: [{ value: 'column:1', label: 'The column "series_id": A1, A2' }],
    });
  });

  it.each([
    [
      'money in its headers',
      'Monthly prices (2010=100 for indices)\n,Oil,Gas index\n,($/bbl),(2010=100)\n1960M01,1.6,2\n1960M02,1.7,3\n',
      'prices',
      null,
    ],
    [
      'indices among names of goods',
      'Date,Food Price Index,Maize,Rice,Wheat\n2020-01,100,3,4,5\n2020-02,101,4,5,6\n',
      'prices',
      null,
    ],
    ['indices alone', 'Date,Food,All items\n2020-01,100,101\n2020-02,102,103\n', 'cpi', 'cpi'],
    [
      'indices in Indonesian',
      't,Bulan,Tahun,IHK\n1,Januari,2023,112.81\n2,Februari,2023,112.56\n',
      'cpi',
      'cpi',
    ],
    [
      'indices in Turkish, with columns without names behind the months',
      `Kategori,Yıl,Ocak,Şubat,Mart,
Tüketici Fiyat Endeksi (2003=100),2005,111.95,112.92,113.03,1
Tüketici Fiyat Endeksi (2003=100),2006,117.61,120.44,122,2
`,
      'cpi',
      'cpi',
    ],
    [
      'indices beside codes of provinces',
      `Province,COICOP,Products,Weights,Date,Consumer price index
0,00,GENERAL INDEX (CPI),1000,2009-02-01,81.3
0,01,Food and non-alcoholic beverages,273,2009-02-01,76.5
0,01.1,Bread,53,2009-02-01,85.4
`,
      'cpi',
      'cpi',
    ],
  ])('is taken for prices or indices by what most of it has, with %s', async (_, text, table, asked) => {
    const { proposal } = await proposeForTable(chunksOf(text), 'file.csv', NOTHING_KNOWN, {});
    const question = proposal.questions.find(({ control }) => control === 'table');
    expect([proposal.mapping.table, question?.proposed]).toEqual([table, asked]);
  });

  it.each([
    [
      'confirm.indices',
      'values near 100 for years',
      `date,cpi\n${Array.from({ length: 60 }, (_, at) => `20${String(14 + Math.floor(at / 12))}-${String((at % 12) + 1).padStart(2, '0')},${(99 + (at % 7) * 0.5).toFixed(1)}`).join('\n')}\n`,
      'Nearly all values lie between 85 and 118: they must be no changes, in which the month or the year before is 100.',
    ],
    [
      'confirm.items',
      'food with beverages and without',
      'Item,Date,Consumer price index\nAll items,2024-01,110\nFood and beverages,2024-01,111\nFood,2024-01,112\n',
      'Rows of other items are left out: "Food".',
    ],
  ])('has to have %s said of %s', async (control, _, text, said) => {
    const { proposal } = await proposeForTable(chunksOf(text), 'file.csv', NOTHING_KNOWN, {});
    expect(proposal.questions.find((one) => one.control === control)?.text).toBe(said);
  });

  it.each([
    [
      'changes alone',
      'Month,% change,Inflation\n2024-01,1.2,10.3\n2024-02,1.3,10.4\n',
      'The columns of numbers have changes, which are no indices: "% change", "Inflation".',
    ],
    [
      'ranges of days',
      `${HEADER}Ayr,Maize,kg,"Jan 1-7, 2024",12\nAyr,Maize,kg,"Jan 8-14, 2024",13\n`,
      'The column "Date" has ranges of days, of which the last one is no date: "Jan 1-7, 2024".',
    ],
    [
      'years that begin in the middle of one',
      'Market,Commodity,Unit,2022/23,2023/24\nAyr,Maize,kg,12,13\n',
      'The columns are "2022/23", "2023/24", …: a mapping does not read days and weeks without a year, weeks of a month, and years that begin in the middle of one.',
    ],
    [
      'months of a year that begins in the middle of one',
      'Commodity,Market,2023/24,\n,,Dec,Jan\nMaize,Ayr,12,13\nRice,Ayr,14,15\n',
      'The columns are months, of which "2023/24" does not say the year of each: only those of one year can be read.',
    ],
    [
      'weeks without a year',
      'Commodity,Unit,Week 1,Week 2\nMaize,kg,12,13\nRice,kg,14,15\n',
      'The columns are "Week 1", "Week 2", …: a mapping does not read days and weeks without a year, weeks of a month, and years that begin in the middle of one.',
    ],
    [
      'weeks of months, beside their averages',
      'Commodity,Unit,Wk1 Jan 2024,Wk2 Jan 2024,Avg Jan 2024\nMaize,kg,12,13,12.5\nRice,kg,14,15,14.5\n',
      'The columns are "Wk1 Jan 2024", "Wk2 Jan 2024", …: a mapping does not read days and weeks without a year, weeks of a month, and years that begin in the middle of one.',
    ],
    [
      'days of a calendar that is not read',
      `${HEADER}Ayr,Maize,kg,1445/06/15,12\nAyr,Beans,kg,1445/06/15,13\n`,
      'The column "Date" has days of a calendar that is not read: "1445/06/15".',
    ],
    [
      'weeks of months in a column',
      'Week_month,Rice,Maize\nw4_mar_25,6300,4100\nw3_mar_25,6550,4150\n',
      'The column "Week_month" has weeks without a year or of a month: "w4_mar_25".',
    ],
    [
      'weeks of months in Roman numbers',
      'Minggu,Telur,Ayam\nSep 2021 (I),21750,35250\nSep 2021 (II),21000,35500\nOkt 2021 (I),20400,34500\n',
      'The column "Minggu" has weeks without a year or of a month: "Sep 2021 (I)".',
    ],
    [
      'ranges of days beside years and months',
      `produto;uf;ano;mes;data_inicial_final_semana;valor_produto_kg
Milho;MT;2025;11;Nov 24-28, 2025;2,32
Milho;MT;2025;11;Nov 17-21, 2025;2,35
`,
      'The column "data_inicial_final_semana" has ranges of days, of which the last one is no date: "Nov 24-28, 2025".',
    ],
    [
      'days without a year',
      `${HEADER}Ayr,Maize,kg,15-Jan,12\nAyr,Maize,kg,22-Jan,13\n`,
      'The column "Date" has days without a year: "15-Jan".',
    ],
    [
      'dates that are none',
      `${HEADER}Ayr,Maize,kg,5/1,12\nAyr,Maize,kg,19/1,13\n`,
      'The column "Date" is called as dates are, but "5/1" and "19/1" are none that can be read.',
    ],
    [
      'weeks as columns beside codes and the year',
      'Year,Item Cod,Location,Items,W1,W2\n2023,385,Ayr,Maize,29.5,30\n2023,386,Ayr,Beans,49.5,50\n',
      'The columns are "W1", "W2", …: a mapping does not read days and weeks without a year, weeks of a month, and years that begin in the middle of one.',
    ],
    [
      'dates of a calendar that is not read, below a word with another in it',
      'TransDate,MarketName,CropName,Price\n115.05.17,Ayr,Maize,12.5\n115.05.18,Ayr,Maize,13\n',
      'The column "TransDate" is called as dates are, but "115.05.17" and "115.05.18" are none that can be read.',
    ],
    [
      'lists within records of JSON',
      '{"market":"Ayr","status":"ok","prices":[{"name":{"en":"Maize"},"price":12.5}]}',
      'No column of the table has numbers. Lists and objects within records are not read: prices.',
    ],
  ])('is not read with %s', async (_, text, reason) => {
    await expect(proposeForTable(chunksOf(text), 'file.csv', NOTHING_KNOWN, {})).rejects.toThrow(
      new ImportRejected(reason),
    );
  });
});
