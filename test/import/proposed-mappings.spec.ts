import fc from 'fast-check';
import { fieldsOfProposal, inputOf, mappingOfFields } from '../../src/desk/upload/mapping/mapping-fields.js';
import { inputReader } from '../../src/import/formats/index.js';
import { ImportRejected } from '../../src/import/formats/batch.js';
import { type Mapping, validateMapping } from '../../src/import/mappings/mapping.js';
import { NOTHING_KNOWN } from '../../src/import/mappings/propose/proposal.js';
import { proposeForTable, type ProposedTable } from '../../src/import/mappings/propose/proposed-table.js';
import { isoFromDay } from '../../src/lib/dates/calendar-date.js';
import { chunksOf, collect } from '../support/import-input.js';
import { assertProperty } from '../support/property.js';

/*
 * Tables of known prices, written in random ways: whoever answers the questions of the proposal as
 * they know them gets these prices back. Where the proposal does not fit, it has to say so: by a
 * question, by rejected rows or by rejecting the file. No other price may be read.
 */

/** A price of a table. */
interface Price {
  readonly market: string;
  readonly commodity: string;
  readonly unit: string;
  readonly date: string;
  readonly value: number;
}

interface Language {
  readonly tag: string;
  readonly market: string;
  readonly commodity: string;
  readonly unit: string;
  readonly date: string;
  readonly price: string;
  readonly titles: readonly string[];
  readonly note: string;
  readonly total: string;
  readonly markets: readonly string[];
  readonly commodities: readonly (readonly [name: string, unit: string])[];
}

const LANGUAGES: readonly Language[] = [
  {
    ...{ tag: 'en', market: 'Market', commodity: 'Commodity', unit: 'Unit', date: 'Date', price: 'Price' },
    titles: ['Ministry of Agriculture', 'Market bulletin No. 12'],
    ...{ note: 'Source: field offices', total: 'Total' },
    markets: ['Nakuru', 'Kisumu', 'Port Reitz', 'Eldoret West'],
    commodities: [
      ['Maize', 'kg'],
      ['Dry beans', '90 kg'],
      ['Cooking oil', 'l'],
      ['Rice (imported)', 'kg'],
    ],
  },
  {
    ...{ tag: 'fr', market: 'Marché', commodity: 'Produit', unit: 'Unité', date: 'Date', price: 'Prix' },
    titles: ['Ministère de l’Agriculture', 'Bulletin n° 12'],
    ...{ note: 'Source : relevés des agents', total: 'Moyenne' },
    markets: ['Kayes', 'Ségou', 'San', 'Bla-Centre'],
    commodities: [
      ['Mil', 'kg'],
      ['Riz importé', '50 kg'],
      ['Huile', 'l'],
      ['Niébé', 'kg'],
    ],
  },
  {
    ...{
      tag: 'es',
      market: 'Mercado',
      commodity: 'Producto',
      unit: 'Unidad',
      date: 'Fecha',
      price: 'Precio',
    },
    titles: ['Secretaría de Agricultura', 'Boletín 12'],
    ...{ note: 'Fuente: encuestas', total: 'Promedio' },
    markets: ['La Terminal', 'San Miguel', 'Estelí', 'Choluteca'],
    commodities: [
      ['Maíz blanco', 'kg'],
      ['Frijol rojo', 'lb'],
      ['Arroz', 'kg'],
      ['Aceite', 'l'],
    ],
  },
  {
    ...{ tag: 'pt', market: 'Mercado', commodity: 'Produto', unit: 'Unidade', date: 'Data', price: 'Preço' },
    titles: ['Ministério da Agricultura', 'Boletim 12'],
    ...{ note: 'Fonte: inquéritos', total: 'Total' },
    markets: ['Zimpeto', 'Gorongosa', 'Montepuez', 'Alto Molócuè'],
    commodities: [
      ['Milho', 'kg'],
      ['Feijão', 'kg'],
      ['Óleo', 'l'],
      ['Farinha', '25 kg'],
    ],
  },
  {
    ...{ tag: 'ru', market: 'Рынок', commodity: 'Товар', unit: 'Единица', date: 'Дата', price: 'Цена' },
    titles: ['Министерство сельского хозяйства', 'Бюллетень 12'],
    ...{ note: 'Источник: обследование', total: 'Среднее' },
    markets: ['Ошский', 'Аламединский', 'Дордой', 'Нарынский'],
    commodities: [
      ['Мука', 'кг'],
      ['Рис', 'кг'],
      ['Масло', 'л'],
      ['Лук', '50 кг'],
    ],
  },
  {
    ...{ tag: 'ar', market: 'السوق', commodity: 'السلعة', unit: 'الوحدة', date: 'التاريخ', price: 'السعر' },
    titles: ['وزارة الزراعة', 'نشرة الأسواق'],
    ...{ note: 'المصدر: المكاتب', total: 'المتوسط' },
    markets: ['كريتر', 'المعلا', 'تعز', 'المكلا'],
    commodities: [
      ['قمح', 'كجم'],
      ['أرز', 'كجم'],
      ['زيت', 'لتر'],
      ['سكر', 'كجم'],
    ],
  },
];

const monthName = (tag: string, month: number, width: 'long' | 'short') =>
  new Intl.DateTimeFormat(`${tag}-u-ca-gregory-nu-latn`, { month: width, timeZone: 'UTC' }).format(
    Date.UTC(2024, month - 1, 1),
  );

type DateWriter = (iso: string, tag: string) => string;
const split = (iso: string) => iso.split('-') as [string, string, string];

/** Ways to write days, and months. */
const DAYS: Readonly<Record<string, DateWriter>> = {
  '%Y-%m-%d': (iso) => iso,
  '%d/%m/%Y': (iso) => split(iso).reverse().join('/'),
  '%m/%d/%Y': (iso) => `${split(iso)[1]}/${split(iso)[2]}/${split(iso)[0]}`,
  '%d.%m.%y': (iso) => `${split(iso)[2]}.${split(iso)[1]}.${split(iso)[0].slice(2)}`,
  '%d-%b-%Y': (iso, tag) =>
    `${split(iso)[2]}-${monthName(tag, Number(split(iso)[1]), 'short')}-${split(iso)[0]}`,
  '%Y%m%d': (iso) => iso.replaceAll('-', ''),
};
const MONTHS: Readonly<Record<string, DateWriter>> = {
  '%Y-%m': (iso) => iso.slice(0, 7),
  '%m/%Y': (iso) => `${split(iso)[1]}/${split(iso)[0]}`,
  '%b-%y': (iso, tag) => `${monthName(tag, Number(split(iso)[1]), 'short')}-${split(iso)[0].slice(2)}`,
  '%B %Y': (iso, tag) => `${monthName(tag, Number(split(iso)[1]), 'long')} ${split(iso)[0]}`,
};

const LAYOUTS = ['long', 'filled', 'months', 'years', 'commodities', 'units', 'markets', 'both'] as const;

interface Writing {
  readonly language: Language;
  readonly layout: (typeof LAYOUTS)[number];
  readonly isDaily: boolean;
  readonly format: number;
  readonly delimiter: string;
  readonly decimal: ',' | '.';
  readonly group: '' | ' ' | 'other';
  readonly titles: number;
  readonly hasNote: boolean;
  readonly hasTotal: boolean;
  readonly missing: string;
  /** Behind some of the prices. */
  readonly footnote: string;
  readonly markets: number;
  readonly commodities: number;
  readonly dates: number;
  readonly start: number;
  readonly values: readonly number[];
}

const writings: fc.Arbitrary<Writing> = fc.record({
  language: fc.constantFrom(...LANGUAGES),
  layout: fc.constantFrom(...LAYOUTS),
  isDaily: fc.boolean(),
  format: fc.nat(5),
  delimiter: fc.constantFrom(',', ';', '\t'),
  decimal: fc.constantFrom(',' as const, '.' as const),
  group: fc.constantFrom('' as const, ' ' as const, 'other' as const),
  titles: fc.nat(2),
  hasNote: fc.boolean(),
  hasTotal: fc.boolean(),
  missing: fc.constantFrom('', '-', 'n/d', '…', 'NR', 'n.q.'),
  footnote: fc.constantFrom('', '', '*', ' (p)', ' (1)'),
  markets: fc.integer({ min: 1, max: 4 }),
  commodities: fc.integer({ min: 1, max: 4 }),
  dates: fc.integer({ min: 2, max: 14 }),
  start: fc.integer({ min: 738_000, max: 739_600 }),
  values: fc.array(
    fc.oneof(
      fc.integer({ min: 1, max: 9_999 }),
      fc.integer({ min: 100, max: 999_999 }).map((cents) => cents / 100),
      fc.integer({ min: 1000, max: 9999 }).map((thousandths) => thousandths / 1000),
    ),
    { minLength: 8, maxLength: 40 },
  ),
});

/** The prices of a table, by their place in it; null where one is missing. */
function pricesOf({
  language,
  markets,
  commodities,
  dates,
  start,
  isDaily,
  values,
  layout,
}: Writing): (Price | null)[] {
  const prices: (Price | null)[] = [];
  const daily = isDaily && layout !== 'years';
  for (let date = 0; date < dates; date++)
    for (const market of language.markets.slice(0, markets))
      for (const [commodity, unit] of language.commodities.slice(0, commodities)) {
        const index = prices.length;
        const iso = isoFromDay(start + date * (daily ? 1 : 31));
        const value = values[(index * 7) % values.length]!;
        const day = daily ? iso : `${iso.slice(0, 7)}-01`;
        prices.push(index % 11 === 10 ? null : { market, commodity, unit, date: day, value });
      }
  return prices;
}

/** A price as the table writes it. */
function textOf(value: number, { decimal, group }: Writing): string {
  const [whole = '', fraction] = String(value).split('.');
  const between = group === 'other' ? (decimal === ',' ? '.' : ',') : group;
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, between);
  return fraction === undefined ? grouped : `${grouped}${decimal}${fraction}`;
}

/** The rows of a table, as cells. */
function tableOf(writing: Writing, prices: readonly (Price | null)[]): string[][] {
  const { language, layout, missing, isDaily, format, titles, hasNote, hasTotal } = writing;
  const markets = language.markets.slice(0, writing.markets);
  const commodities = language.commodities.slice(0, writing.commodities);
  const daily = isDaily && layout !== 'years';
  const writers = Object.values(daily ? DAYS : MONTHS);
  const write = writers[format % writers.length]!;
  const dateOf = (iso: string) => write(iso, language.tag);
  const perDate = markets.length * commodities.length;
  const dates = Array.from({ length: writing.dates }, (_, index) => {
    const iso = isoFromDay(writing.start + index * (daily ? 1 : 31));
    return daily ? iso : `${iso.slice(0, 7)}-01`;
  });
  const cell = (date: number, market: number, commodity: number) => {
    const price = prices[date * perDate + market * commodities.length + commodity];
    if (price === null || price === undefined) return missing;
    return textOf(price.value, writing) + ((date + market + commodity) % 5 === 4 ? writing.footnote : '');
  };
  const rows: string[][] = [];
  const header: string[][] = [];
  const { market: m, commodity: c, unit: u, date: d, price: p } = language;
  switch (layout) {
    case 'long':
    case 'filled':
      header.push([m, c, u, d, p]);
      markets.forEach((market, mi) =>
        commodities.forEach(([commodity, unit], ci) =>
          dates.forEach((date, di) =>
            rows.push([
              layout === 'filled' && (ci > 0 || di > 0) ? '' : market,
              commodity,
              unit,
              dateOf(date),
              cell(di, mi, ci),
            ]),
          ),
        ),
      );
      break;
    case 'months':
      header.push([m, c, u, ...dates.map(dateOf)]);
      markets.forEach((market, mi) =>
        commodities.forEach(([commodity, unit], ci) =>
          rows.push([market, commodity, unit, ...dates.map((_, di) => cell(di, mi, ci))]),
        ),
      );
      break;
    case 'years': {
      const years = dates.map((date) => date.slice(0, 4));
      header.push(
        ['', '', '', ...years.map((year, index) => (index > 0 && years[index - 1] === year ? '' : year))],
        [m, c, u, ...dates.map((date) => monthName(language.tag, Number(split(date)[1]), 'short'))],
      );
      markets.forEach((market, mi) =>
        commodities.forEach(([commodity, unit], ci) =>
          rows.push([market, commodity, unit, ...dates.map((_, di) => cell(di, mi, ci))]),
        ),
      );
      break;
    }
    case 'commodities':
    case 'units':
      if (layout === 'commodities')
        header.push([m, d, ...commodities.map(([commodity, unit]) => `${commodity} (${unit})`)]);
      else
        header.push(
          [m, d, ...commodities.map(([commodity]) => commodity)],
          ['', '', ...commodities.map(([, unit]) => `(XOF/${unit})`)],
        );
      markets.forEach((market, mi) =>
        dates.forEach((date, di) =>
          rows.push([market, dateOf(date), ...commodities.map((_, ci) => cell(di, mi, ci))]),
        ),
      );
      break;
    case 'markets':
      header.push([c, u, d, ...markets]);
      commodities.forEach(([commodity, unit], ci) =>
        dates.forEach((date, di) =>
          rows.push([commodity, unit, dateOf(date), ...markets.map((_, mi) => cell(di, mi, ci))]),
        ),
      );
      break;
    case 'both':
      header.push(
        ['', ...commodities.flatMap(([commodity]) => markets.map((_, mi) => (mi === 0 ? commodity : '')))],
        [d, ...commodities.flatMap(() => [...markets])],
      );
      dates.forEach((date, di) =>
        rows.push([
          dateOf(date),
          ...commodities.flatMap((_, ci) => markets.map((__, mi) => cell(di, mi, ci))),
        ]),
      );
  }
  const width = header.at(-1)!.length;
  const padded = (text: string) => [text, ...Array.from({ length: width - 1 }, () => '')];
  return [
    ...language.titles.slice(0, titles).map(padded),
    ...header,
    ...rows,
    ...(hasTotal
      ? [
          [
            language.total,
            ...Array.from({ length: width - 1 }, (_, index) => (index === width - 2 ? '1' : '')),
          ],
        ]
      : []),
    ...(hasNote ? [padded(language.note)] : []),
  ];
}

const csvOf = (rows: readonly string[][], delimiter: string): string =>
  rows
    .map((row) =>
      row
        .map((text) => (text.includes(delimiter) || text.includes('"') ? `"${text}"` : text))
        .join(delimiter),
    )
    .join('\n') + '\n';

/** What somebody who knows the table answers. */
function answer(proposed: ProposedTable, writing: Writing): URLSearchParams {
  const { proposal } = proposed;
  const form = fieldsOfProposal(proposal);
  const { layout, isDaily, format, decimal, group } = writing;
  const daily = isDaily && layout !== 'years';
  const formats = Object.keys(daily ? DAYS : MONTHS);
  const constant = (field: string, value: string) => {
    form.set(`from.${field}`, 'value');
    form.set(`value.${field}`, value);
  };
  for (const { control, answers } of proposal.questions) {
    const name = inputOf(control);
    if (name === 'decimal') {
      form.set(name, decimal);
      const between = group === 'other' ? (decimal === ',' ? '.' : ',') : group;
      if (between !== '') form.set('group', between);
    } else if (name === 'format.date') form.set(name, formats[format % formats.length]!);
    else if (name === 'unpivot') {
      const isMarkets = layout === 'markets' || (layout === 'both' && writing.commodities === 1);
      const isBoth = layout === 'both' && writing.commodities > 1 && writing.markets > 1;
      const expected = isBoth ? /\{commodity\}.*\{market\}/ : isMarkets ? /\{market\}/ : /\{commodity\}/;
      form.set(name, answers.find(({ value }) => expected.test(value))!.value);
    } else if (name.startsWith('confirm.')) form.set(name, 'yes');
    else if (name === 'from.iso3_country_code') constant('iso3_country_code', 'MLI');
    else if (name === 'from.currency') constant('currency', 'XOF');
    else if (name === 'from.price_type') constant('price_type', 'RETAIL');
    else if (name === 'from.source') constant('source', 'Test');
    else if (name === 'from.periodicity') constant('periodicity', daily ? 'daily' : 'monthly');
    else if (name === 'from.measure_unit')
      constant('measure_unit', layout === 'both' ? 'kg' : writing.language.commodities[0]![1]);
    else if (name === 'from.market') constant('market', writing.language.markets[0]!);
    else if (name === 'from.commodity') constant('commodity', writing.language.commodities[0]![0]);
    else if (name.startsWith('fill.')) form.set(name, layout === 'filled' ? 'true' : 'false');
  }
  // What is left of a question that had two fields in it.
  const pattern = form.get('unpivot') ?? '';
  for (const field of ['market', 'commodity'] as const)
    if (!form.get(`from.${field}`) && !pattern.includes(`{${field}}`))
      constant(
        field,
        field === 'market' ? writing.language.markets[0]! : writing.language.commodities[0]![0],
      );
  return form;
}

const keyOf = ({ market, commodity, unit, date, value }: Price) =>
  [market, commodity, unit, date, value].join(' | ');

/** The prices that are read by a mapping, and whether anything was told. */
async function read(text: string, mapping: Mapping): Promise<{ keys: string[]; told: string[] }> {
  try {
    const options = { mapping };
    const { rows, rejects } = await collect(inputReader(mapping.name, options)!(chunksOf(text), options));
    const keys = (
      rows as unknown as {
        series: { market: { name: string }; commodity: { name: string }; measure_unit: { name: string } };
        day: number;
        value: number;
      }[]
    ).map(({ series, day, value }) =>
      keyOf({
        market: series.market.name,
        commodity: series.commodity.name,
        unit: series.measure_unit.name,
        date: isoFromDay(day),
        value,
      }),
    );
    return { keys, told: rejects.map(({ detail }) => detail) };
  } catch (error) {
    if (error instanceof ImportRejected) return { keys: [], told: [error.message] };
    throw error;
  }
}

describe('proposed mappings', () => {
  const outcomes = { same: 0, told: 0, none: 0 };

  it('give the prices of random tables back, or say what they do not know', async () => {
    const property = fc.asyncProperty(writings, async (writing) => {
      const prices = pricesOf(writing);
      const isSame = writing.layout === 'both';
      const known = prices
        .filter((price) => price !== null)
        .map((price) => keyOf(isSame ? { ...price, unit: 'kg' } : price))
        .sort();
      const text = csvOf(tableOf(writing, prices), writing.delimiter);
      let proposed: ProposedTable;
      try {
        proposed = await proposeForTable(chunksOf(text), 'table.csv', NOTHING_KNOWN, {});
      } catch (error) {
        if (!(error instanceof ImportRejected)) throw error;
        outcomes.none++;
        return;
      }
      const { mapping, violations } = mappingOfFields(answer(proposed, writing), proposed.proposal);
      if (violations.length > 0) {
        outcomes.told++;
        return;
      }
      const checked = validateMapping(mapping);
      if ('violations' in checked)
        throw new Error(`${JSON.stringify(mapping)}\n${JSON.stringify(checked.violations)}\n${text}`);
      const { keys, told } = await read(text, checked.value);
      const confirmed = proposed.proposal.questions.filter(({ control }) => control.startsWith('confirm.'));
      const wrong = keys.filter((key) => !known.includes(key));
      const isTold = told.length > 0 || confirmed.length > 0;
      const found = [...keys].sort();
      if (JSON.stringify(found) === JSON.stringify(known)) outcomes.same++;
      else if (isTold && wrong.length === 0) outcomes.told++;
      else
        throw new Error(
          `${text}\n${JSON.stringify(mapping)}\nwrong: ${wrong.slice(0, 3).join('; ')}\nmissing: ${known
            .filter((key) => !keys.includes(key))
            .slice(0, 3)
            .join(
              '; ',
            )}\ntold: ${told.slice(0, 3).join('; ')}\nquestions: ${proposed.proposal.questions.map(({ control }) => control).join(', ')}`,
        );
    });
    await assertProperty('proposed mappings', property, { numRuns: 400 });
    process.stdout.write(`proposed mappings: ${JSON.stringify(outcomes)}\n`);
  });
});
