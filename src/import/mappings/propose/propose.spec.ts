import { parse } from 'csv-parse/sync';
import { findDelimiter } from './table/delimiter.js';
import { NOTHING_KNOWN } from './proposal.js';
import { proposeMapping } from './propose.js';
import { NoProposal } from './draft.js';
import { RowSampler } from './table/sample.js';

/** A table in the manner of ministries and statistical offices, and what is proposed for it. */
interface Layout {
  readonly what: string;
  readonly text: string;
  /** Without name and table. */
  readonly mapping: object;
  /** What is probably right, by the control of each question; null where nothing is. */
  readonly questions: Readonly<Record<string, string | null>>;
}

function propose(text: string, fileName: string, known = NOTHING_KNOWN) {
  const delimiter = findDelimiter(text);
  const sampler = new RowSampler();
  const records: string[][] = parse(text, { delimiter, relax_column_count: true });
  records.forEach((cells, index) => sampler.add({ number: index + 1, cells }));
  const sample = {
    fileName,
    sheetName: null,
    sheetNames: [],
    delimiter,
    isDecoded: true,
    rows: sampler.rows,
  };
  return proposeMapping(sample, known);
}

const layouts: readonly Layout[] = [
  {
    what: 'a long table with semicolons and French words',
    text: `Région;Marché;Produit;Unité;Date;Prix (FCFA)
Kayes;Kayes centre;Mil local;kg;15/01/2024;325,5
Kayes;Kayes centre;Maïs;kg;15/01/2024;275
Ségou;Ségou;Mil local;kg;15/01/2024;1 250
Ségou;Ségou;Maïs;kg;22/01/2024;-
`,
    mapping: {
      missingValues: ['', '-'],
      dialect: { delimiter: ';' },
      fields: {
        admin_unit: { column: 'Région' },
        market: { column: 'Marché' },
        commodity: { column: 'Produit' },
        measure_unit: { column: 'Unité' },
        price_value: { column: 'Prix (FCFA)', decimalChar: ',', groupChar: ' ' },
        date: { column: 'Date', format: '%d/%m/%Y' },
      },
    },
    questions: {
      'fields.price_type': null,
      'fields.currency': null,
      'fields.iso3_country_code': null,
      'fields.source': null,
      'fields.periodicity': 'value:weekly',
    },
  },
  {
    what: 'months as columns, below titles and above a total and a source',
    text: `Ministère du Commerce;;;;
Prix de détail en FCFA/kg - Mali;;;;
;;;;
Marché;Produit;janv-24;févr-24;mars-24
Bamako;Riz importé;450;460;n/d
;Mil;300;310;305
Kayes;Riz importé;470;475;480
;Mil;320;325;330
Total;;1540;1570;1115
Source : Observatoire du marché agricole;;;;
`,
    mapping: {
      missingValues: ['', 'n/d'],
      dialect: { delimiter: ';', headerRows: [4] },
      skip: [{ column: 'Marché', equals: 'Total' }],
      end: { column: 'Marché', startsWith: 'Source :' },
      unpivot: { columns: '{date}', value: 'price_value' },
      fields: {
        market: { column: 'Marché', fillDown: true },
        commodity: { column: 'Produit' },
        date: { format: '%b-%y', language: 'fr' },
        periodicity: { value: 'monthly' },
        price_value: {},
      },
    },
    questions: {
      'fields.price_type': 'value:RETAIL',
      'fields.currency': 'value:XOF',
      'fields.measure_unit': 'value:kg',
      'fields.iso3_country_code': 'value:MLI',
      'fields.source': 'value:Observatoire du marché agricole',
    },
  },
  {
    what: 'products with their units as columns',
    text: `Fecha,Mercado,Maíz blanco (quintal),Frijol rojo (libra),Arroz (libra)
05/01/2024,La Terminal,"1,250.50","9.25","5.10"
12/01/2024,La Terminal,"1,260.00","9.30","5.10"
19/01/2024,La Terminal,"1,270.00","9.40","5.20"
`,
    mapping: {
      dialect: {},
      unpivot: { columns: '{commodity} ({measure_unit})', value: 'price_value' },
      fields: {
        market: { column: 'Mercado' },
        commodity: { values: { 'Maíz blanco': 'Maíz blanco', 'Frijol rojo': 'Frijol rojo', Arroz: 'Arroz' } },
        date: { column: 'Fecha', format: '%d/%m/%Y' },
        price_value: { groupChar: ',' },
      },
    },
    questions: {
      'fields.price_type': null,
      'fields.currency': null,
      'fields.iso3_country_code': null,
      'fields.source': null,
      'fields.periodicity': 'value:weekly',
    },
  },
  {
    what: 'months below years as columns',
    text: `Kenya National Bureau of Statistics
Average retail prices (KSh per kg)
Market,2023,,2024,
,Nov,Dec,Jan,Feb
Nairobi,62.5,63,64.25,65
Mombasa,70,71.5,72,..
`,
    mapping: {
      missingValues: ['', '..'],
      dialect: { headerRows: [3, 4], headerJoin: ' | ' },
      unpivot: { columns: '{year} | {month}', value: 'price_value' },
      fields: {
        market: { column: 'Market' },
        month: {},
        year: {},
        periodicity: { value: 'monthly' },
        price_value: {},
      },
    },
    questions: {
      'fields.price_type': 'value:RETAIL',
      'fields.currency': 'value:KES',
      'fields.measure_unit': 'value:kg',
      'fields.iso3_country_code': 'value:KEN',
      'fields.source': null,
      'fields.commodity': null,
    },
  },
  {
    what: 'Portuguese months and a currency in the header',
    text: `Província;Mercado;Produto;Mês;Preço (MZN/kg)
Maputo;Zimpeto;Milho branco;jan/24;32,50
Maputo;Zimpeto;Arroz;fev/24;65,00
Nampula;Central;Milho branco;mar/24;28,75
`,
    mapping: {
      dialect: { delimiter: ';' },
      fields: {
        admin_unit: { column: 'Província' },
        market: { column: 'Mercado' },
        commodity: { column: 'Produto' },
        price_value: { column: 'Preço (MZN/kg)', decimalChar: ',' },
        date: { column: 'Mês', format: '%b/%y', language: 'pt' },
        currency: { value: 'MZN' },
        measure_unit: { value: 'kg' },
        periodicity: { value: 'monthly' },
      },
    },
    questions: { 'fields.price_type': null, 'fields.iso3_country_code': 'value:MOZ', 'fields.source': null },
  },
  {
    what: 'a Russian table that numbers its columns',
    text: `Средние потребительские цены на товары
Наименование товара;Единица измерения;январь 2024;февраль 2024
1;2;3;4
Мука пшеничная;кг;45,20;46,10
Рис;кг;120,00;121,50
`,
    mapping: {
      dialect: { delimiter: ';', headerRows: [2], commentRows: [3] },
      unpivot: { columns: '{date}', value: 'price_value' },
      fields: {
        commodity: { column: 'Наименование товара' },
        measure_unit: { column: 'Единица измерения' },
        date: { format: '%B %Y', language: 'ru' },
        periodicity: { value: 'monthly' },
        price_value: { decimalChar: ',' },
      },
    },
    questions: {
      'fields.price_type': 'value:RETAIL',
      'fields.currency': null,
      'fields.iso3_country_code': null,
      'fields.source': null,
      'fields.market': null,
    },
  },
  {
    what: 'an Arabic table with a column of years and one of months',
    text: `المحافظة,السوق,السلعة,الوحدة,السنة,الشهر,السعر (ريال)
صنعاء,السوق المركزي,قمح,كجم,2024,يناير,450
صنعاء,السوق المركزي,أرز,كجم,2024,يناير,900
عدن,كريتر,قمح,كجم,2024,فبراير,520
`,
    mapping: {
      dialect: {},
      fields: {
        admin_unit: { column: 'المحافظة' },
        market: { column: 'السوق' },
        commodity: { column: 'السلعة' },
        measure_unit: { column: 'الوحدة' },
        year: { column: 'السنة' },
        month: { column: 'الشهر', language: 'ar' },
        price_value: { column: 'السعر (ريال)' },
        periodicity: { value: 'monthly' },
      },
    },
    questions: {
      'fields.price_type': null,
      'fields.currency': null,
      'fields.iso3_country_code': null,
      'fields.source': null,
    },
  },
  {
    what: 'a market report with three prices and dates that may be either',
    text: `State,District,Market,Commodity,Variety,Grade,Arrival_Date,Min Price,Max Price,Modal Price
Punjab,Patiala,Rajpura,Wheat,Dara,FAQ,03/02/2024,2100,2300,2200
Punjab,Patiala,Rajpura,Wheat,Other,FAQ,03/02/2024,2000,2200,2150
Punjab,Patiala,Rajpura,Rice,Common,FAQ,04/02/2024,3100,3300,3200
`,
    mapping: {
      dialect: {},
      fields: {
        admin_unit: { column: 'State' },
        admin_unit2: { column: 'District' },
        market: { column: 'Market' },
        commodity: { column: 'Commodity' },
        date: { column: 'Arrival_Date', format: '%d/%m/%Y' },
        price_value: {},
      },
    },
    questions: {
      'fields.price_value': 'column:10',
      'fields.date.format': null,
      'fields.price_type': null,
      'fields.currency': null,
      'fields.measure_unit': null,
      'fields.iso3_country_code': null,
      'fields.source': null,
      'fields.periodicity': 'value:daily',
      'fields.commodity': 'join:4,5',
    },
  },
  {
    what: 'a row for each year',
    text: `Year,Jan,Feb,Mar,Apr,May,Jun,Jul,Aug,Sep,Oct,Nov,Dec,Average
2022,10.5,10.6,10.7,10.8,10.9,11,11.1,11.2,11.3,11.4,11.5,11.6,11.05
2023,11.5,11.6,11.7,11.8,11.9,12,12.1,12.2,12.3,12.4,12.5,12.6,12.05
`,
    mapping: {
      dialect: {},
      unpivot: { columns: '{month}', value: 'price_value' },
      fields: { year: { column: 'Year' }, month: {}, periodicity: { value: 'monthly' }, price_value: {} },
    },
    questions: {
      'fields.price_type': null,
      'fields.currency': null,
      'fields.measure_unit': null,
      'fields.iso3_country_code': null,
      'fields.source': null,
      'fields.market': null,
      'fields.commodity': null,
    },
  },
  {
    what: 'retail and wholesale prices beside each other',
    text: `Date;Marché;Denrée;Prix détail;Prix gros
janvier 2024;Lomé;Maïs;210;180
février 2024;Lomé;Maïs;215;185
`,
    mapping: {
      dialect: { delimiter: ';' },
      unpivot: { columns: '{price_type}', value: 'price_value' },
      fields: {
        market: { column: 'Marché' },
        commodity: { column: 'Denrée' },
        price_type: { values: { 'Prix détail': 'RETAIL', 'Prix gros': 'WHOLESALE' } },
        date: { column: 'Date', format: '%B %Y', language: 'fr' },
        periodicity: { value: 'monthly' },
        price_value: {},
      },
    },
    questions: {
      'fields.currency': null,
      'fields.measure_unit': null,
      'fields.iso3_country_code': null,
      'fields.source': null,
    },
  },
  {
    what: 'markets as columns, and weeks',
    text: `Week,Commodity,Unit,Nairobi,Mombasa,Kisumu
2024-W01,Maize,90 kg,4500,4700,4400
2024-W02,Maize,90 kg,4550,4750,4450
2024-W02,Beans,90 kg,9550,9750,9450
`,
    mapping: {
      dialect: {},
      unpivot: { columns: '{market}', value: 'price_value' },
      fields: {
        commodity: { column: 'Commodity' },
        measure_unit: { column: 'Unit' },
        market: { values: { Nairobi: 'Nairobi', Mombasa: 'Mombasa', Kisumu: 'Kisumu' } },
        date: { column: 'Week', format: '%G-W%V' },
        periodicity: { value: 'weekly' },
        price_value: {},
      },
    },
    questions: {
      'unpivot.columns': '{market}',
      'fields.price_type': null,
      'fields.currency': null,
      'fields.iso3_country_code': null,
      'fields.source': null,
    },
  },
  {
    what: 'markets below products as columns',
    text: `,Riz,,Maïs,
Mois,Bamako,Kayes,Bamako,Kayes
janv-24,450,470,300,320
févr-24,455,475,305,325
`,
    mapping: {
      dialect: { headerRows: [1, 2], headerJoin: ' | ' },
      unpivot: { columns: '{commodity} | {market}', value: 'price_value' },
      fields: {
        date: { column: 'Mois', format: '%b-%y', language: 'fr' },
        periodicity: { value: 'monthly' },
        price_value: {},
      },
    },
    questions: {
      'unpivot.columns': null,
      'fields.price_type': null,
      'fields.currency': null,
      'fields.measure_unit': null,
      'fields.iso3_country_code': null,
      'fields.source': null,
    },
  },
  {
    what: 'rows that head groups, with marks in place of prices',
    text: `Product;Unit;Jan 2024;Feb 2024;Mar 2024
CEREALS;-;-;-;-
Rice;kg;450;455;460
Millet;kg;300;305;n.q.
VEGETABLES;n.a.;n.q.;n.q.;n.q.
Onions;kg;600;650;-
`,
    mapping: {
      missingValues: ['', '-', 'n.q.'],
      dialect: { delimiter: ';' },
      unpivot: { columns: '{date}', value: 'price_value' },
      fields: {
        commodity: { column: 'Product' },
        measure_unit: { column: 'Unit' },
        date: { format: '%b %Y' },
        periodicity: { value: 'monthly' },
        price_value: {},
      },
    },
    questions: {
      'confirm.headings': null,
      'fields.price_type': null,
      'fields.currency': null,
      'fields.iso3_country_code': null,
      'fields.source': null,
      'fields.market': null,
    },
  },
  {
    what: 'months without any value, which head nothing',
    text: `Month,Maize,Rice
Jan 2024,10,20
Feb 2024,-,-
Mar 2024,11,21
`,
    mapping: {
      missingValues: ['', '-'],
      dialect: {},
      unpivot: { columns: '{commodity}', value: 'price_value' },
      fields: {
        commodity: { values: { Maize: 'Maize', Rice: 'Rice' } },
        date: { column: 'Month', format: '%b %Y' },
        periodicity: { value: 'monthly' },
        price_value: {},
      },
    },
    questions: {
      'unpivot.columns': null,
      'fields.price_type': null,
      'fields.currency': null,
      'fields.measure_unit': null,
      'fields.iso3_country_code': null,
      'fields.source': null,
      'fields.market': null,
    },
  },
  {
    what: 'rows that head groups',
    text: `Produit;Unité;janv-24;févr-24
CEREALES;;;
Riz;kg;450;455
Mil;kg;300;305
LEGUMES;;;
Oignon;kg;600;650
`,
    mapping: {
      dialect: { delimiter: ';' },
      unpivot: { columns: '{date}', value: 'price_value' },
      fields: {
        commodity: { column: 'Produit' },
        measure_unit: { column: 'Unité' },
        date: { format: '%b-%y', language: 'fr' },
        periodicity: { value: 'monthly' },
        price_value: {},
      },
    },
    questions: {
      'confirm.headings': null,
      'fields.price_type': null,
      'fields.currency': null,
      'fields.iso3_country_code': null,
      'fields.source': null,
      'fields.market': null,
    },
  },
  {
    what: 'numbers that may be thousands',
    text: `date,market,item,unit,price (UGX)
2024-01-05,Owino,Beans,kg,"3,500"
2024-01-12,Owino,Beans,kg,"3,600"
`,
    mapping: {
      dialect: {},
      fields: {
        market: { column: 'market' },
        commodity: { column: 'item' },
        measure_unit: { column: 'unit' },
        price_value: { column: 'price (UGX)' },
        date: { column: 'date', format: '%Y-%m-%d' },
        currency: { value: 'UGX' },
      },
    },
    questions: {
      'fields.price_type': null,
      'fields.iso3_country_code': 'value:UGA',
      'fields.source': null,
      'fields.periodicity': 'value:weekly',
      'fields.price_value.decimalChar': null,
    },
  },
  {
    what: 'a table without a header',
    text: `Owino,Beans,kg,2024-01,3500
Owino,Maize,kg,2024-01,1500
Kalerwe,Beans,kg,2024-01,3400
`,
    mapping: {
      dialect: { header: false },
      fields: {
        price_value: { column: 5 },
        date: { column: 4, format: '%Y-%m' },
        measure_unit: { column: 3 },
        periodicity: { value: 'monthly' },
      },
    },
    questions: {
      'fields.price_type': null,
      'fields.currency': null,
      'fields.iso3_country_code': null,
      'fields.source': null,
      'fields.market': null,
      'fields.commodity': null,
    },
  },
  {
    what: 'prices in two currencies',
    text: `Country,Market,Product,Month,Price in local currency,Currency,Price (USD/kg)
Niger,Niamey,Millet,2024-01,250,XOF,0.41
Chad,N'Djamena,Millet,2024-01,260,XAF,0.43
`,
    mapping: {
      dialect: {},
      fields: {
        iso3_country_code: { column: 'Country' },
        market: { column: 'Market' },
        commodity: { column: 'Product' },
        currency: { column: 'Currency' },
        date: { column: 'Month', format: '%Y-%m' },
        periodicity: { value: 'monthly' },
        price_value: {},
      },
    },
    questions: {
      'fields.price_value': null,
      'fields.price_type': null,
      'fields.measure_unit': 'value:kg',
      'fields.source': null,
    },
  },
  {
    what: 'the least and the highest price below each market',
    text: `Precios al mayoreo;;;;;;
Producto;Unidad;Guatemala;;Quetzaltenango;;
;;Mínimo;Máximo;Mínimo;Máximo;
Maíz blanco;quintal;150,00;160,00;145,00;155,00;
Frijol negro;quintal;500,00;520,00;490,00;515,00;
`,
    mapping: {
      dialect: { delimiter: ';', headerRows: [2, 3], headerJoin: ' | ' },
      unpivot: { columns: '{market} | Mínimo', value: 'price_value' },
      fields: {
        commodity: { column: 'Producto' },
        measure_unit: { column: 'Unidad' },
        date: {},
        price_value: { decimalChar: ',' },
      },
    },
    questions: {
      'unpivot.columns': null,
      'fields.date': null,
      'fields.price_type': 'value:WHOLESALE',
      'fields.currency': null,
      'fields.iso3_country_code': null,
      'fields.source': null,
      'fields.periodicity': null,
    },
  },
  {
    what: 'Spanish prices with columns that nothing names',
    text: `Fecha,Presentación,Origen,Destino,Precio Mín,Precio Max,Precio Frec,Obs.
15/01/2024,Kilogramo,Sinaloa,DF: Central de Abasto,10.00,12.00,11.00,
16/01/2024,Kilogramo,Sinaloa,DF: Central de Abasto,10.50,12.50,11.50,
`,
    mapping: {
      dialect: {},
      fields: {
        measure_unit: { column: 'Presentación' },
        date: { column: 'Fecha', format: '%d/%m/%Y' },
        price_value: {},
      },
    },
    questions: {
      'fields.price_value': 'column:7',
      'fields.price_type': null,
      'fields.currency': null,
      'fields.iso3_country_code': null,
      'fields.source': null,
      'fields.market': null,
      'fields.commodity': null,
      'fields.periodicity': 'value:daily',
    },
  },
  {
    what: 'years as columns and months as rows',
    text: `Prix moyens du mil (FCFA/kg) - Niamey;;;
Mois;2022;2023;2024
Janvier;210;240;250
Février;215;242;252
Mars;220;245;255
`,
    mapping: {
      dialect: { delimiter: ';', headerRows: [2] },
      unpivot: { columns: '{year}', value: 'price_value' },
      fields: {
        month: { column: 'Mois', language: 'fr' },
        year: {},
        periodicity: { value: 'monthly' },
        price_value: {},
      },
    },
    questions: {
      'fields.price_type': null,
      'fields.currency': null,
      'fields.measure_unit': 'value:kg',
      'fields.iso3_country_code': null,
      'fields.source': null,
      'fields.market': null,
      'fields.commodity': null,
    },
  },
  {
    what: 'Portuguese months as columns, with thousands',
    text: `Produto;Unidade;Jan/23;Fev/23;Mar/23
Arroz;kg;1.250,50;1.260,00;1.270,00
Feijão;kg;2.250,50;2.260,00;2.270,00
Fonte: INE;;;;
`,
    mapping: {
      dialect: { delimiter: ';' },
      end: { column: 'Produto', startsWith: 'Fonte:' },
      unpivot: { columns: '{date}', value: 'price_value' },
      fields: {
        commodity: { column: 'Produto' },
        measure_unit: { column: 'Unidade' },
        date: { format: '%b/%y', language: 'pt' },
        periodicity: { value: 'monthly' },
        price_value: { decimalChar: ',', groupChar: '.' },
      },
    },
    questions: {
      'fields.price_type': null,
      'fields.currency': null,
      'fields.iso3_country_code': null,
      'fields.source': 'value:INE',
      'fields.market': null,
    },
  },
  {
    what: 'a Russian table with the currency behind a comma',
    text: `Дата;Город;Продукт;Цена, сом/кг
05.01.2024;Бишкек;Мука;45,50
12.01.2024;Бишкек;Мука;46,00
19.01.2024;Ош;Мука;1 044,00
`,
    mapping: {
      dialect: { delimiter: ';' },
      fields: {
        market: { column: 'Город' },
        commodity: { column: 'Продукт' },
        price_value: { column: 'Цена, сом/кг', decimalChar: ',', groupChar: ' ' },
        date: { column: 'Дата', format: '%d.%m.%Y' },
        currency: { value: 'KGS' },
        measure_unit: { value: 'кг' },
      },
    },
    questions: {
      'fields.price_type': null,
      'fields.iso3_country_code': 'value:KGZ',
      'fields.source': null,
      'fields.periodicity': 'value:weekly',
    },
  },
  {
    what: 'weeks as columns',
    text: `Market,Commodity,Unit,05-Jan-24,12-Jan-24,19-Jan-24
Kampala,Beans,kg,"3,500","3,600","3,550"
Kampala,Maize,kg,"1,500","1,450","1,400"
`,
    mapping: {
      dialect: {},
      unpivot: { columns: '{date}', value: 'price_value' },
      fields: {
        market: { column: 'Market' },
        commodity: { column: 'Commodity' },
        measure_unit: { column: 'Unit' },
        date: { format: '%d-%b-%y' },
        price_value: {},
      },
    },
    questions: {
      'fields.price_type': null,
      'fields.currency': null,
      'fields.iso3_country_code': null,
      'fields.source': null,
      'fields.periodicity': 'value:weekly',
      'fields.price_value.decimalChar': null,
    },
  },
  {
    what: 'months of the Levant',
    text: `السلعة,الوحدة,كانون الثاني 2024,شباط 2024,آذار 2024
خبز,كغ,400,420,430
سكر,كغ,900,910,920
المصدر: المكتب المركزي للإحصاء,,,,
`,
    mapping: {
      dialect: {},
      end: { column: 'السلعة', startsWith: 'المصدر:' },
      unpivot: { columns: '{date}', value: 'price_value' },
      fields: {
        commodity: { column: 'السلعة' },
        measure_unit: { column: 'الوحدة' },
        date: { format: '%B %Y', language: 'ar-SY' },
        periodicity: { value: 'monthly' },
        price_value: {},
      },
    },
    questions: {
      'fields.price_type': null,
      'fields.currency': null,
      'fields.iso3_country_code': null,
      'fields.source': 'value:المكتب المركزي للإحصاء',
      'fields.market': null,
    },
  },
  {
    what: 'merged cells, an average and a note',
    text: `Table 4: Average wholesale prices by region (MK/kg),,,,
,,,,
Region,Market,Crop,Jan-2024,Feb-2024
Northern,Mzuzu,Maize,850,870
,,Beans,1900,1950
,Karonga,Maize,830,845
,,Beans,1850,1900
Southern,Limbe,Maize,900,910
,,Beans,2000,2050
Average,,Maize,860,875
Note: p = provisional,,,,
`,
    mapping: {
      dialect: { headerRows: [3] },
      skip: [{ column: 'Region', equals: 'Average' }],
      end: { column: 'Region', startsWith: 'Note:' },
      unpivot: { columns: '{date}', value: 'price_value' },
      fields: {
        admin_unit: { column: 'Region' },
        market: { column: 'Market', fillDown: true },
        commodity: { column: 'Crop' },
        date: { format: '%b-%Y' },
        periodicity: { value: 'monthly' },
        price_value: {},
      },
    },
    questions: {
      'fields.admin_unit.fillDown': 'true',
      'fields.price_type': 'value:WHOLESALE',
      'fields.currency': 'value:MWK',
      'fields.measure_unit': 'value:kg',
      'fields.iso3_country_code': null,
      'fields.source': null,
    },
  },
  {
    what: 'a header with line breaks, and months first',
    text: `Date,Market,Commodity,"Price
(KES/kg)"
1/15/2024,Nakuru,Maize,55.5
1/16/2024,Nakuru,Maize,56
`,
    mapping: {
      dialect: {},
      fields: {
        market: { column: 'Market' },
        commodity: { column: 'Commodity' },
        price_value: { column: 'Price (KES/kg)' },
        date: { column: 'Date', format: '%m/%d/%Y' },
        currency: { value: 'KES' },
        measure_unit: { value: 'kg' },
      },
    },
    questions: {
      'fields.price_type': null,
      'fields.iso3_country_code': 'value:KEN',
      'fields.source': null,
      'fields.periodicity': 'value:daily',
    },
  },
  {
    what: 'numbers with their currency',
    text: `Date,Market,Item,Unit,Retail price
2024-01-15,Nakuru,Maize,kg,"KSh 1,200.50"
2024-01-15,Eldoret,Maize,kg,"KSh 1,100.00"
`,
    mapping: {
      dialect: {},
      fields: {
        market: { column: 'Market' },
        commodity: { column: 'Item' },
        measure_unit: { column: 'Unit' },
        price_value: { column: 'Retail price', bareNumber: false, groupChar: ',' },
        date: { column: 'Date', format: '%Y-%m-%d' },
        price_type: { value: 'RETAIL' },
        currency: { value: 'KES' },
      },
    },
    questions: { 'fields.iso3_country_code': 'value:KEN', 'fields.source': null, 'fields.periodicity': null },
  },
  {
    what: 'two columns of dates',
    text: `date_collecte;date_saisie;marche;produit;unite;prix
05/01/2024;08/01/2024;Dakar;Riz;kg;400
20/01/2024;22/01/2024;Dakar;Riz;kg;410
`,
    mapping: {
      dialect: { delimiter: ';' },
      fields: {
        market: { column: 'marche' },
        commodity: { column: 'produit' },
        measure_unit: { column: 'unite' },
        price_value: { column: 'prix' },
        date: { column: 'date_collecte', format: '%d/%m/%Y' },
      },
    },
    questions: {
      'fields.date': 'column:1',
      'fields.price_type': null,
      'fields.currency': null,
      'fields.iso3_country_code': null,
      'fields.source': null,
      'fields.periodicity': null,
    },
  },
  {
    what: 'days as spreadsheets number them',
    text: `Date,Market,Commodity,Price/kg
45306,Harare,Maize,0.35
45313,Harare,Maize,0.36
`,
    mapping: {
      dialect: {},
      fields: {
        market: { column: 'Market' },
        commodity: { column: 'Commodity' },
        price_value: { column: 'Price/kg' },
        date: { column: 'Date', format: 'excel' },
        measure_unit: { value: 'kg' },
      },
    },
    questions: {
      'fields.price_type': null,
      'fields.currency': null,
      'fields.iso3_country_code': null,
      'fields.source': null,
      'fields.periodicity': 'value:weekly',
    },
  },
  {
    what: 'rows that name the market of those below',
    text: `Denrée;Unité;Prix
MARCHE DE DAKAR;;
Riz;kg;400
Mil;kg;250
MARCHE DE THIES;;
Riz;kg;390
Mil;kg;240
`,
    mapping: {
      dialect: { delimiter: ';' },
      fields: {
        commodity: { column: 'Denrée' },
        measure_unit: { column: 'Unité' },
        price_value: { column: 'Prix' },
        date: {},
      },
    },
    questions: {
      'confirm.headings': null,
      'fields.date': null,
      'fields.price_type': null,
      'fields.currency': null,
      'fields.iso3_country_code': null,
      'fields.source': null,
      'fields.market': null,
      'fields.periodicity': null,
      'confirm.duplicates': null,
    },
  },
  {
    what: 'two tables in one sheet',
    text: `Retail prices,,,
Commodity,Jan 2024,Feb 2024,Mar 2024
Maize,10,11,12
Rice,20,21,22
Wholesale prices,,,
Product,Apr 2024,May 2024,Jun 2024
Maize,8,9,10
Rice,18,19,20
`,
    mapping: {
      dialect: { headerRows: [2] },
      end: { column: 'Commodity', equals: 'Product' },
      unpivot: { columns: '{date}', value: 'price_value' },
      fields: {
        commodity: { column: 'Commodity' },
        date: { format: '%b %Y' },
        periodicity: { value: 'monthly' },
        price_value: {},
      },
    },
    questions: {
      'confirm.headings': null,
      'fields.price_type': 'value:RETAIL',
      'fields.currency': null,
      'fields.measure_unit': null,
      'fields.iso3_country_code': null,
      'fields.source': null,
      'fields.market': null,
      'confirm.second': null,
    },
  },
  {
    what: 'Spanish months, and a currency of one letter',
    text: `Año;Mes;Departamento;Municipio;Producto;Precio promedio Q/lb
2024;Enero;Guatemala;Mixco;Tomate;4.50
2024;Enero;Guatemala;Villa Nueva;Tomate;4.75
2024;Febrero;Guatemala;Mixco;Tomate;4.60
`,
    mapping: {
      dialect: { delimiter: ';' },
      fields: {
        admin_unit: { column: 'Departamento' },
        admin_unit2: { column: 'Municipio' },
        year: { column: 'Año' },
        month: { column: 'Mes', language: 'es' },
        commodity: { column: 'Producto' },
        price_value: { column: 'Precio promedio Q/lb' },
        currency: { value: 'GTQ' },
        measure_unit: { value: 'lb' },
        periodicity: { value: 'monthly' },
      },
    },
    questions: {
      'fields.price_type': null,
      'fields.iso3_country_code': 'value:GTM',
      'fields.source': null,
      'fields.market': null,
    },
  },
  {
    what: 'types of prices with a unit each',
    text: `Date,Market,Product,Retail (KES/kg),Wholesale (KES/90kg bag)
2024-01-15,Nakuru,Maize,55,4500
2024-01-15,Nakuru,Beans,120,9500
`,
    mapping: {
      dialect: {},
      unpivot: { columns: '{price_type} (KES/{measure_unit})', value: 'price_value' },
      fields: {
        market: { column: 'Market' },
        commodity: { column: 'Product' },
        price_type: { values: { Retail: 'RETAIL', Wholesale: 'WHOLESALE' } },
        date: { column: 'Date', format: '%Y-%m-%d' },
        currency: { value: 'KES' },
        price_value: {},
      },
    },
    questions: { 'fields.iso3_country_code': 'value:KEN', 'fields.source': null, 'fields.periodicity': null },
  },
  {
    what: 'prices in dollars and in francs',
    text: `Marché;Produit;Mois;Prix (USD);Prix (FCFA)
Dakar;Riz;2024-01;0,65;400
Dakar;Mil;2024-01;0,45;275
`,
    mapping: {
      dialect: { delimiter: ';' },
      fields: {
        market: { column: 'Marché' },
        commodity: { column: 'Produit' },
        date: { column: 'Mois', format: '%Y-%m' },
        periodicity: { value: 'monthly' },
        price_value: { decimalChar: ',' },
      },
    },
    questions: {
      'fields.price_value': null,
      'fields.price_type': null,
      'fields.currency': null,
      'fields.measure_unit': null,
      'fields.iso3_country_code': null,
      'fields.source': null,
    },
  },
  {
    what: 'a quantity beside the price',
    text: `Market,Product,Quantity (kg),Price,Date
Nakuru,Maize,90,4500,15/01/2024
Nakuru,Beans,90,9500,16/01/2024
`,
    mapping: {
      dialect: {},
      fields: {
        market: { column: 'Market' },
        commodity: { column: 'Product' },
        price_value: { column: 'Price' },
        date: { column: 'Date', format: '%d/%m/%Y' },
      },
    },
    questions: {
      'confirm.quantity': null,
      'fields.price_type': null,
      'fields.currency': null,
      'fields.measure_unit': null,
      'fields.iso3_country_code': null,
      'fields.source': null,
      'fields.periodicity': 'value:daily',
    },
  },
  {
    what: 'years and names of months of the Ethiopian calendar',
    text: `Region,Market,Commodity,Unit,Year,Month,Price (Birr)
Amhara,Debre Berhan,Teff white,quintal,2016,Meskerem,9800
Amhara,Debre Berhan,Teff white,quintal,2016,Tikimt,9950
Amhara,Debre Berhan,Teff white,quintal,2016,Hidar,10000
Oromia,Adama,Teff white,quintal,2016,Hidar,9900
`,
    mapping: {
      dialect: {},
      fields: {
        admin_unit: { column: 'Region' },
        market: { column: 'Market' },
        commodity: { column: 'Commodity' },
        measure_unit: { column: 'Unit' },
        price_value: { column: 'Price (Birr)' },
        year: { column: 'Year', calendar: 'ethiopic' },
        month: { column: 'Month', calendar: 'ethiopic' },
        currency: { value: 'ETB' },
        periodicity: { value: 'monthly' },
      },
    },
    questions: {
      'fields.price_type': null,
      'fields.iso3_country_code': 'value:ETH',
      'fields.source': null,
    },
  },
  {
    what: 'a download of SDMX',
    text: `STRUCTURE,FREQ,REF_AREA,COMMODITY,UNIT_MEASURE,TIME_PERIOD,OBS_VALUE
DATAFLOW,M,KE,MAIZE,KG,2024-01,45.5
DATAFLOW,M,KE,MAIZE,KG,2024-02,46.1
DATAFLOW,M,UG,MAIZE,KG,2024-01,1500
`,
    mapping: {
      dialect: {},
      fields: {
        iso3_country_code: { column: 'REF_AREA' },
        currency: { column: 'REF_AREA', values: { KE: 'KES', UG: 'UGX' } },
        commodity: { column: 'COMMODITY' },
        measure_unit: { column: 'UNIT_MEASURE' },
        price_value: { column: 'OBS_VALUE' },
        date: { column: 'TIME_PERIOD', format: '%Y-%m' },
        periodicity: { value: 'monthly' },
      },
    },
    questions: {
      'fields.price_type': null,
      'fields.currency': 'column:3',
      'fields.source': null,
      'fields.market': null,
    },
  },
  {
    what: 'rows in which a mark stands for all prices',
    text: `date,centre,Rice,Wheat,Sugar
2010-03-02,Delhi,23,15.5,45
2010-03-02,Shimla,25,13,45
2010-03-03,Agra,NR,NR,NR
2010-03-03,Delhi,23,15,39
2010-03-03,Shimla,NR,14,40
`,
    mapping: {
      missingValues: ['', 'NR'],
      dialect: {},
      unpivot: { columns: '{commodity}', value: 'price_value' },
      fields: {
        market: { column: 'centre' },
        commodity: { values: { Rice: 'Rice', Wheat: 'Wheat', Sugar: 'Sugar' } },
        date: { column: 'date', format: '%Y-%m-%d' },
        price_value: {},
      },
    },
    questions: {
      'unpivot.columns': '{commodity}',
      'fields.price_type': null,
      'fields.currency': null,
      'fields.measure_unit': null,
      'fields.iso3_country_code': null,
      'fields.source': null,
      'fields.periodicity': 'value:daily',
    },
  },
  {
    what: 'a product with few numbers and a word of a statistic in its name',
    text: `date,centre,Rice,Wheat,Sugar,"Oil, average"
2010-03-02,Delhi,23,15.5,45,NR
2010-03-02,Shimla,25,13,45,NR
2010-03-03,Agra,24,14,44,NR
2010-03-03,Delhi,23,15,39,61
`,
    mapping: {
      missingValues: ['', 'NR'],
      dialect: {},
      unpivot: { columns: '{commodity}', value: 'price_value' },
      fields: {
        market: { column: 'centre' },
        commodity: {
          values: { Rice: 'Rice', Wheat: 'Wheat', Sugar: 'Sugar', 'Oil, average': 'Oil, average' },
        },
        date: { column: 'date', format: '%Y-%m-%d' },
        price_value: {},
      },
    },
    questions: {
      'unpivot.columns': '{commodity}',
      'fields.price_type': null,
      'fields.currency': null,
      'fields.measure_unit': null,
      'fields.iso3_country_code': null,
      'fields.source': null,
      'fields.periodicity': 'value:daily',
      'confirm.statistics': null,
    },
  },
];

describe('a proposed mapping', () => {
  it.each(layouts)('fits $what', ({ text, mapping, questions }) => {
    const proposal = propose(text, 'file.csv');
    expect(proposal.mapping).toEqual({ name: 'file', table: 'prices', ...mapping });
    const asked = proposal.questions.map(({ control, proposed }) => [control, proposed] as const);
    expect(Object.fromEntries(asked)).toEqual(questions);
    expect(asked).toHaveLength(Object.keys(questions).length);
  });

  it.each([
    [
      'quarters',
      `Commodity,2023Q1,2023Q2
Maize,100,120
Rice,200,210
`,
      'The columns are quarters of a year, which cannot be stored: only daily, weekly and monthly prices can.',
    ],
    [
      'years alone',
      `Commodity,2019,2020,2021
Maize,100,120,130
Rice,200,210,220
`,
      'The table has years without months, which cannot be stored: only daily, weekly and monthly prices can.',
    ],
  ])('is none for %s', (_, text, reason) => {
    expect(() => propose(text, 'file.csv')).toThrow(new NoProposal(reason));
  });

  it('says why, in words', () => {
    const { evidence } = propose(layouts[1]!.text, 'file.csv');
    expect(evidence.map(({ control, text }) => `${control}: ${text}`)).toEqual([
      'dialect.headerRows: Header in row 4.',
      'dialect.headerRows: Above it, as from row 1: "Ministère du Commerce".',
      'skip: Row 9 with "Total" is left out.',
      'fields.market: The column is called "Marché".',
      'fields.commodity: The column is called "Produit".',
      'unpivot.columns: 3 columns become rows: "janv-24", "févr-24", "mars-24".',
      'fields.date: The headers of columns are dates such as "janv-24".',
      'fields.date.format: Month, year: 3 values.',
      'fields.market: 2 blank cells have the value above them.',
      'fields.periodicity: The dates are months without days.',
      'fields.price_value.decimalChar: The numbers are whole.',
      'end: The table ends above row 10: "Source : Observatoire du marché agricole".',
      'missingValues: Marks for missing values: "n/d".',
      'dialect.delimiter: Columns are separated by semicolons.',
    ]);
  });

  it('knows columns and headers by the names of stored records', () => {
    const known = {
      has: (table: string, name: string) => table === 'market' && ['Bamako', 'Kayes'].includes(name),
      countriesOfMarket: (name: string) => (name === 'Bamako' ? ['MLI'] : []),
    };
    const wide = propose(',Riz,,Mil,\nMois,Bamako,Kayes,Bamako,Kayes\njanv-24,1,2,3,4\n', 'a.csv', known);
    expect(wide.mapping.unpivot).toEqual({ columns: '{commodity} | {market}', value: 'price_value' });
    expect(wide.questions.map(({ control }) => control)).not.toContain('unpivot.columns');
    const long = propose('Lieu,Bien,Mois,Prix\nBamako,Riz,2024-01,1\nKayes,Riz,2024-01,2\n', 'a.csv', known);
    expect(long.mapping.fields.market).toEqual({ column: 'Lieu' });
    expect(long.evidence.find(({ control }) => control === 'fields.market')?.text).toBe(
      'The column "Lieu": 2 of 2 values are names of markets known here.',
    );
    expect(long.questions.find(({ control }) => control === 'fields.iso3_country_code')).toMatchObject({
      proposed: 'value:MLI',
      because: '1 of 2 markets are known in Mali.',
    });
  });

  it('sees a value in the middle of a long file that shows how others are written', () => {
    const row = (day: string, price: string) => `${day}/02/2024;Riz;kg;Dakar;${price}\n`;
    const plain = row('05', '400').repeat(3000);
    const text = `Date;Produit;Unité;Marché;Prix\n${plain}${row('05', '1.400')}${row('15', '400')}${plain}`;
    const { mapping, questions } = propose(text, 'a.csv');
    expect(mapping.fields.date).toEqual({ column: 'Date', format: '%d/%m/%Y' });
    expect(questions.find(({ control }) => control === 'fields.price_value.decimalChar')?.text).toBe(
      'No number shows which sign is the decimal one: is "1.400" 1400 or 1.400?',
    );
  });
});
