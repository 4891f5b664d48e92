import { chunksOf, collect } from '../../../test/support/import-input.js';
import { isoFromDay } from '../../lib/dates/calendar-date.js';
import { PERIOD_NAMES } from '../../price-series/periodicity.js';
import { ImportRejected } from './batch.js';
import { importFormats, type ImportOptions } from './index.js';
import { priceColumnOf, isCfaFranc, isMonth, periodOfWord } from './other-words.js';
import type { PriceRow } from './series.js';
import type { TableRecord } from './table-rows.js';

async function read(text: string, options: ImportOptions = {}, format = 'prices') {
  let notes: readonly string[] = [];
  const batches = importFormats[format]!(chunksOf(text), options);
  const watched = (async function* () {
    for await (const batch of batches) {
      notes = batch.notes;
      yield batch;
    }
  })();
  return { ...(await collect(watched)), notes };
}

/** What the rows of prices say. */
const told = (rows: readonly unknown[]) =>
  (rows as PriceRow[]).map(({ series, period, day, value }) => {
    if (!('market' in series)) throw new Error('The row has a uuid alone.');
    const { market, commodity, price_type, source, currency, measure_unit } = series;
    return [
      [market.iso3_country_code, market.admin_unit, market.name, commodity.name, price_type].join(' '),
      [source.name, currency, measure_unit.name, PERIOD_NAMES[period], isoFromDay(day), value].join(' '),
    ];
  });

const rejection = (text: string, options?: ImportOptions, format?: string) =>
  read(text, options, format).then(
    () => null,
    (error: unknown) => (error instanceof ImportRejected ? error.message : Promise.reject(error as Error)),
  );

describe('a file of an office', () => {
  it('may be in French, with months and the franc of the CFA', async () => {
    const header = 'Date;Marché;Produit;Unité;Prix;Devise;Pays;Région;Type de prix;Fréquence;Source';
    const { rows, rejects, notes } = await read(
      [
        header,
        '2023-03;Sikasso;Maïs;kg;212,5;FCFA;Mali;Sikasso;Détail;mensuel;OMA',
        "2023-03;N'Djamena;Sorgho;kg;1 250;F CFA;Tchad;;Détail;Mensuelle;SIM",
        '15/03/2023;Dakar;Riz;kg;400;XOF;SEN;Dakar;Gros;hebdomadaire;CSA',
      ].join('\n'),
    );
    expect(rejects).toEqual([]);
    expect(told(rows)).toEqual([
      ['MLI Sikasso Sikasso Maïs DÉTAIL', 'OMA XOF kg monthly 2023-03-01 212.5'],
      ["TCD  N'Djamena Sorgho DÉTAIL", 'SIM XAF kg monthly 2023-03-01 1250'],
      ['SEN Dakar Dakar Riz GROS', 'CSA XOF kg weekly 2023-03-15 400'],
    ]);
    expect(notes).toEqual([
      'Columns are read as others: Date as date, Marché as market, Produit as commodity, Unité as measure_unit, Prix as price_value, Devise as currency, Pays as iso3_country_code, Région as admin_unit, Type de prix as price_type, Fréquence as periodicity, Source as source.',
    ]);
  });

  it('may be in Spanish, without a column of frequencies or sources', async () => {
    const text =
      'fecha,mercado,producto,precio,unidad,moneda,país,tipo de precio\n2023-03,Ciudad de Guatemala,Maíz,4.5,lb,GTQ,Guatemala,MINORISTA\n' +
      '2023-04,Panamá,Maíz,1.5,lb,PAB,Panamá,MINORISTA\n';
    const { rows, rejects } = await read(text, { source: 'MAGA' });
    expect(rejects).toEqual([]);
    expect(told(rows)).toEqual([
      ['GTM  Ciudad de Guatemala Maíz MINORISTA', 'MAGA GTQ lb monthly 2023-03-01 4.5'],
      ['PAN  Panamá Maíz MINORISTA', 'MAGA PAB lb monthly 2023-04-01 1.5'],
    ]);
    expect(await rejection(text)).toBe(
      'No column names the source of the prices. Specify it with --source NAME (over HTTP: source=NAME).',
    );
    const dated = text.replace('2023-03,', '2023-03-01,');
    expect(await rejection(dated, { source: 'MAGA' })).toBe(
      'No column says the frequency of the prices, and "2023-03-01" is no month such as 2023-03. Specify' +
        ' --period monthly or --period weekly or --period daily (over HTTP: period=monthly or period=weekly or period=daily).',
    );
    expect((await read(dated, { source: 'MAGA', period: 'monthly' })).rows).toHaveLength(2);
  });

  it('may have no column of types, and rows with a blank one', async () => {
    const header = 'fecha,mercado,producto,precio,unidad,moneda,país';
    const row = '2023-03,Panamá,Maíz,1.5,lb,PAB,Panamá';
    expect(await rejection(`${header}\n${row}\n`)).toBe(
      'No column names the source of the prices. Specify it with --source NAME (over HTTP: source=NAME). ' +
        'No column says of which type the prices are, such as RETAIL or WHOLESALE. Specify it with --price-type TYPE (over HTTP: price_type=TYPE).',
    );
    expect(await rejection(`${header}\n${row}\n`, { source: 'MAGA', priceType: ' ' })).toMatch(
      /^No column says/,
    );
    // Not one row after the other.
    expect(await rejection(`${header}\n${row}\n`, { source: 'MAGA', priceType: 'x'.repeat(51) })).toBe(
      '--price-type (over HTTP: price_type=) must be at most 50 characters long.',
    );
    const options = { source: 'MAGA', priceType: 'mayorista' };
    expect(told((await read(`${header}\n${row}\n`, options)).rows)).toEqual([
      ['PAN  Panamá Maíz MAYORISTA', 'MAGA PAB lb monthly 2023-03-01 1.5'],
    ]);
    const typed = `${header},tipo de precio\n${row},MINORISTA\n${row.replace('2023-03', '2023-04')},\n`;
    const { rows, rejects } = await read(typed, options);
    expect([told(rows).map(([series]) => series), rejects]).toEqual([
      ['PAN  Panamá Maíz MINORISTA', 'PAN  Panamá Maíz MAYORISTA'],
      [],
    ]);
    expect((await read(typed, { source: 'MAGA' })).rejects).toMatchObject([{ line: 3, field: 'price_type' }]);
  });

  it('may have no column of countries; a row of another one than the option is rejected', async () => {
    const text =
      'date,market,product,price,unit,currency,type,source\n2023-03,Thika,Peas,70,kg,KES,Retail,Office\n';
    const header = text.replace(',type,', ',price type,');
    expect(await rejection(header)).toBe(
      'The input does not name its country. Specify it with --country CODE (over HTTP: country=CODE).',
    );
    expect(await rejection(header, { country: 'Kenya' })).toContain('--country (over HTTP: country=)');
    expect(told((await read(header, { country: 'KEN' })).rows)).toEqual([
      ['KEN  Thika Peas RETAIL', 'Office KES kg monthly 2023-03-01 70'],
    ]);
    // By another code of the country, too, of three letters, as over HTTP.
    expect(told((await read(header, { country: 'xkv' })).rows)).toEqual([
      ['XKX  Thika Peas RETAIL', 'Office KES kg monthly 2023-03-01 70'],
    ]);
    expect(await rejection(header, { country: 'KE' })).toBe(
      '--country (over HTTP: country=) must be a three-letter country code, not "KE".',
    );
    const [names, row] = header.trimEnd().split('\n');
    const others = [`${names},country`, `${row},`, `${row},Kenya`, `${row},UGA`, ''].join('\n');
    const { rows, rejects } = await read(others, { country: 'KEN' });
    expect(told(rows)).toHaveLength(2);
    expect(rejects).toMatchObject([
      {
        line: 4,
        field: 'iso3_country_code',
        reason: 'other_country',
        detail:
          'The row is of Uganda (UGA), not of Kenya (KEN), which --country (over HTTP: country=) names.',
      },
    ]);
  });

  it('of months rejects a row with another date, and not the file after some rows', async () => {
    const text = line({ date: '2023-03' }).replace(',frequency', '').replace(',monthly', '');
    const [header, row] = text.split('\n');
    const dates = ['2023-04-01', '2023-05-15', '', '2023-06'];
    const others = dates.map((date) => row!.replace('2023-03', date));
    const { rows, rejects } = await read([header, row, ...others, ''].join('\n'));
    expect(rows).toHaveLength(2);
    expect(rejects.map((one) => [one.line, one.field, one.detail])).toEqual([
      [3, 'date', 'date must be a month such as 2023-03, not "2023-04-01".'],
      [4, 'date', 'date must be a month such as 2023-03, not "2023-05-15".'],
      [5, 'date', 'date must be a calendar date written YYYY-MM-DD, not "".'],
    ]);
    expect(await rejection([header, others[0], row, ''].join('\n'))).toContain('"2023-04-01" is no month');
  });

  it('may be in Portuguese', async () => {
    const header =
      'Mês;Mercado;Produto;Unidade;Preço;Moeda;País;Região;Distrito;Tipo de preço;Frequência;Fonte';
    const { rows, rejects, notes } = await read(
      [
        header,
        '2024-03;Chimoio;Milho branco;kg;32,5;MZN;Moçambique;Manica;Chimoio;Retalho;mensal;SIMA',
        '15/03/2024;Bissau;Arroz;kg;450;XOF;Guiné-Bissau;;;Retalho;semanal;INE',
      ].join('\n'),
    );
    expect(rejects).toEqual([]);
    expect(told(rows)).toEqual([
      ['MOZ Manica Chimoio Milho branco RETALHO', 'SIMA MZN kg monthly 2024-03-01 32.5'],
      ['GNB  Bissau Arroz RETALHO', 'INE XOF kg weekly 2024-03-15 450'],
    ]);
    expect(notes).toEqual([
      'Columns are read as others: Mês as date, Mercado as market, Produto as commodity, Unidade as measure_unit, Preço as price_value, Moeda as currency, País as iso3_country_code, Região as admin_unit, Distrito as admin_unit2, Tipo de preço as price_type, Frequência as periodicity, Fonte as source.',
    ]);
    const second =
      'Data,Mercado,Produto,Unidade de medida,Preço,Divisa,Código do país,Tipo de preço,Periodicidade,Fonte,Comentário\n' +
      '2024-03-04,Praia,Feijão,kg,180,CVE,CPV,Retalho,Diário,INE,seco\n';
    expect(told((await read(second)).rows)).toEqual([
      ['CPV  Praia Feijão RETALHO', 'INE CVE kg daily 2024-03-04 180'],
    ]);
  });

  const office = (columns: string, ...rows: string[]) =>
    [
      `${columns},month,market,product,price,unit,currency,price type,source`,
      ...rows.map((row, index) => `${row},2023-0${index + 1},Thika,Peas,70,kg,KES,Retail,Office`),
      '',
    ].join('\n');

  it('may have the name of the country beside its code; one that is of another one is rejected', async () => {
    const rows = ['Kenya,KEN', 'KENYA,ken', 'Kenia,KEN', ',KEN', 'Kenya,', 'Uganda,KEN', 'Congo,COD'];
    for (const columns of ['country,iso3', 'Pays,code pays', 'country,iso3_country_code']) {
      const { rows: read_, rejects } = await read(office(columns, ...rows));
      expect(told(read_).map(([series]) => series!.slice(0, 3))).toEqual([...Array(5).fill('KEN'), 'COD']);
      expect(rejects).toEqual([
        {
          line: 7,
          field: 'country_name',
          reason: 'other_country',
          detail: 'country_name "Uganda" is Uganda (UGA), but iso3_country_code is Kenya (KEN).',
        },
      ]);
    }
    const { notes } = await read(office('país,código de país', 'Kenia,KEN'));
    expect(notes[0]).toContain('país as country_name, código de país as iso3_country_code');
    // Two columns of codes, or of names.
    expect(await rejection(office('iso3,country code', 'KEN,KEN'))).toBe(
      'The input is not in the format prices: the column iso3_country_code is there more than once.',
    );
    expect(await rejection(office('country,pays', 'Kenya,Kenya'))).toContain('is there more than once');
  });

  it('may have codes of two letters, and abbreviations of names', async () => {
    const { rows, rejects } = await read(office('country', 'KE', 'DRC', 'UAE', 'NA', 'XYZ'));
    expect(told(rows).map(([series]) => series!.slice(0, 3))).toEqual(['KEN', 'COD', 'ARE', 'XYZ']);
    expect(rejects.map(({ detail }) => detail)).toEqual([
      'iso3_country_code must be a three-letter country code, not "NA".',
    ]);
    const named = await read(office('country,iso3', 'Namibia,NA', ',NA'));
    expect(told(named.rows).map(([series]) => series!.slice(0, 3))).toEqual(['NAM']);
    expect(named.rejects).toMatchObject([{ line: 3, reason: 'invalid_country' }]);
  });

  it('is asked for its encoding where the header shows that it is not UTF-8', async () => {
    const text = Buffer.from('pays;marché;produit;prix\nMali;Ségou;Mil;250,5\n', 'latin1');
    const read_ = importFormats.prices!(chunksOf(text), {}).next();
    await expect(read_).rejects.toThrow(
      'The input is not UTF-8: its header has "march\ufffd". Specify the encoding that it was saved in with ' +
        '--encoding windows-1252 (over HTTP: encoding=windows-1252) or another, or save it in UTF-8.',
    );
  });

  it('may have the name of the country alone', async () => {
    const { rows, rejects } = await read(office('country_name', 'Kenya', 'Atlantis'));
    expect(told(rows).map(([series]) => series)).toEqual(['KEN  Thika Peas RETAIL']);
    expect(rejects).toMatchObject([{ line: 3, field: 'iso3_country_code' }]);
  });

  it('is told what is missing, and what that may be called', async () => {
    expect(await rejection('date,marché,produit,unité,devise,pays,région,type de prix\n')).toBe(
      'The input is not in the format prices: the column price_value is missing (also called price, prix, precio, preço).',
    );
    // Two columns that mean the same.
    expect(await rejection('date,mois,marché,produit,unité,prix,devise,pays,type de prix,source\n')).toBe(
      'The input is not in the format prices: the column date is there more than once.',
    );
  });

  const line = (values: Record<string, string>) => {
    const row = {
      date: '2023-03',
      market: 'A',
      product: 'B',
      unit: 'kg',
      price: '5',
      currency: 'XOF',
      country: 'MLI',
    };
    const all = { ...row, 'price type': 'RETAIL', source: 'S', frequency: 'monthly', ...values };
    return `${Object.keys(all).join(',')}\n${Object.values(all).join(',')}\n`;
  };

  it.each([
    [
      { currency: 'FCFA', country: 'KEN' },
      'currency',
      'currency "FCFA" is XOF or XAF, of which KEN has neither: write the code.',
    ],
    [
      { country: 'Tchadd' },
      'iso3_country_code',
      '"Tchadd" is not a known country name. Probably Chad (TCD) is meant.',
    ],
    [
      { country: 'Sahel' },
      'iso3_country_code',
      'iso3_country_code must be a three-letter country code, not "Sahel".',
    ],
    [
      { frequency: 'trimestriel' },
      'periodicity',
      'periodicity must be daily, weekly or monthly, not "trimestriel".',
    ],
    [{ frequency: 'daily' }, 'date', 'date must be a calendar date written YYYY-MM-DD, not "2023-03".'],
    [{ date: '2023-13' }, 'date', 'date must be a calendar date written YYYY-MM-DD, not "2023-13".'],
  ])('is rejected where there is no one reading: %j', async (values, field, detail) => {
    const { rows, rejects } = await read(line(values));
    expect([rows, rejects.map((one) => [one.field, one.detail])]).toEqual([[], [[field, detail]]]);
  });

  it('has months in tables of months, too', async () => {
    const values = async (text: string, format: string, options?: ImportOptions) => {
      const { rows, rejects } = await read(text, options, format);
      return [rows.map((row) => (row as TableRecord).values.date), rejects.map(({ detail }) => detail)];
    };
    const cpi = 'iso3_country_code,date,item,value,base_period\nTCD,2024-02,food,148.3,2015\n';
    expect(await values(cpi, 'cpi')).toEqual([['2024-02-01'], []]);
    const fx = (period: string) => `currency,date,period,rate\nXAF,2024-02,${period},600.5\n`;
    expect(await values(fx('monthly'), 'fx')).toEqual([['2024-02-01'], []]);
    expect(await values(fx('daily'), 'fx')).toEqual([
      [],
      ['date must be a calendar date written YYYY-MM-DD, not "2024-02".'],
    ]);
    const wfp =
      'date,admin1,admin2,market,latitude,longitude,category,commodity,unit,priceflag,pricetype,currency,price\n' +
      '2024-02,A,B,M,,,food,Maize,KG,actual,Retail,FCFA,300\n';
    const { rows } = await read(wfp, { country: 'TCD' }, 'wfp');
    expect(told(rows)).toEqual([
      ['TCD A M Maize RETAIL', 'World Food Programme (WFP) XAF KG monthly 2024-02-01 300'],
    ]);
    expect((await read(wfp, { country: 'TCD', period: 'daily' }, 'wfp')).rejects).toMatchObject([
      { field: 'date' },
    ]);
  });
});

describe('other words', () => {
  it('are compared without case, accents and signs', () => {
    expect(['UNIDAD_DE_MEDIDA', 'Marche', 'prix ', 'price_value', 'Prix moyen'].map(priceColumnOf)).toEqual([
      'measure_unit',
      'market',
      'price_value',
      'price_value',
      'Prix moyen',
    ]);
    expect(['MENSUAL', 'journalière', ' Weekly '].map(periodOfWord)).toEqual(['monthly', 'daily', 'weekly']);
    expect(['FCFA', 'F CFA', 'F.CFA', 'CFA', 'Francs CFA', 'f.c.f.a.'].map(isCfaFranc)).toEqual(
      Array(6).fill(true),
    );
    expect(['XOF', 'FCFP', 'CHF', 'francs'].map(isCfaFranc)).toEqual(Array(4).fill(false));
    expect(['2023-03', '2023-00', '2023-13', '23-03', '2023-3'].map(isMonth)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
