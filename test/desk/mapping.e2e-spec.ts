import { zipSync } from 'fflate';
import type { Mapping } from '../../src/import/mappings/mapping.js';
import { tableRows } from '../explorer/pages.js';
import { rowsXml, workbookOf } from '../support/workbook.js';
import { expectDeskPage, formOf } from './desk.js';
import { alertOf, choicesOf, facts, startUploads, Uploader, type UploadService } from './uploads.js';

const WIDE = `Ministère du Commerce;;;
Prix de détail en FCFA/kg - Mali;;;
;;;
Marché;Produit;janv-24;févr-24
Bamako;Riz importé;450;460,5
;Mil;n/d;310
Total;;450;770,5
Source : Observatoire du marché agricole;;;
`;

describe('a file that no format knows', () => {
  let service: UploadService;
  let browser: Uploader;
  beforeAll(async () => {
    service = await startUploads();
    browser = new Uploader(service);
    await browser.login();
  });
  afterAll(() => service?.close());
  afterEach(async () => {
    for (const { id } of await service.uploads.list()) await service.uploads.remove(id);
  });

  /** Uploads a file for which a mapping is proposed. @returns its address, and the page */
  const describeFile = async (content: string | Buffer, name: string) => {
    const { headers } = await browser.upload({ content, name });
    const address = headers.location as string;
    const first = await browser.open(address);
    expect([first.status, first.headers.location]).toEqual([303, `${address}/mapping`]);
    return { address, html: await browser.page(`${address}/mapping`) };
  };
  const questionsOf = (html: string) =>
    [...html.matchAll(/<legend>([^<]*)<\/legend>/g)].map(([, text]) => text!.replaceAll('&quot;', '"'));
  /** What all rows have alike. */
  const inAllRows = (html: string) =>
    /In all of them:[\s\S]*?<\/p>/
      .exec(html)![0]
      .replace(/<[^>]+>/g, '')
      .replace(/\s+/g, ' ')
      .trim();
  const send = (address: string, fields: Record<string, string>) => browser.post(address, fields);
  const checked = async (address: string, fields: Record<string, string>) => {
    const { status, headers, text } = await send(`${address}/mapping`, fields);
    expect([status, text]).toEqual([303, '']);
    expect(headers.location).toBe(address);
    return browser.ended(address);
  };

  it('is described, checked with its rows side by side, and imported', async () => {
    const { address, html } = await describeFile(WIDE, 'prix.csv');
    expect(questionsOf(html)).toEqual([
      'Which prices are these?',
      'In which currency are the prices?',
      'Of which quantity are the prices, such as kg, 50 kg or l?',
      'Of which country are the prices?',
      'Who has published the prices?',
    ]);
    expect(tableRows(html, 'The columns of the file')).toEqual([
      ['1', 'Marché', 'Bamako', 'Market'],
      ['2', 'Produit', 'Riz importé, Mil', 'Product'],
      ['3', 'janv-24', '450', 'becomes rows'],
      ['4', 'févr-24', '460,5, 310', 'becomes rows'],
    ]);
    expect(html).toContain('Decimal comma: 1 values such as &quot;460,5&quot;.');
    const { fields } = formOf(html, '/mapping');
    const page = await checked(address, fields);
    expect(alertOf(page)).toBeNull();
    expect(facts(page)).toEqual({
      'Rows read': 5,
      Countries: 1,
      New: 3,
      'Left out': 2,
      'New series': 2,
      'New records': 5,
    });
    expect(tableRows(page, 'The first rows, in the file and as they would be stored')).toEqual([
      ['5', 'Bamako | Riz importé | 450 | 460,5', 'Riz importé', '2024-01-01', '450'],
      ['5', 'Bamako | Riz importé | 450 | 460,5', 'Riz importé', '2024-02-01', '460.5'],
      ['6', 'Mil | n/d | 310', 'Mil', '2024-02-01', '310'],
    ]);
    expect(inAllRows(page)).toBe(
      'In all of them: Country MLI; Market Bamako; Price type RETAIL; Source Observatoire du marché agricole; ' +
        'Currency XOF; Unit kg; Frequency monthly.',
    );
    expect(await browser.import(address)).toMatch(/^\/desk\/change-sets\/\d+$/);
    const { body } = await service.http().get('/api/v1/PriceSeriePrice/?iso3_country_codes=MLI').expect(200);
    const { results } = body as { results: { series: { commodity: string }; datapoints: object[] }[] };
    expect(results.map(({ series, datapoints }) => [series.commodity, datapoints.length])).toEqual([
      ['Riz importé', 2],
      ['Mil', 1],
    ]);
  });

  it('is described in the same way as a workbook, by the sheet that is chosen', async () => {
    const book = workbookOf([
      { name: 'Lisez-moi', rows: rowsXml([['Notes'], ['Prix de détail']]) },
      {
        name: 'Prix',
        rows: rowsXml([
          ['Ministère du Commerce'],
          ['Prix de détail en FCFA/kg - Mali'],
          ['Marché', 'Produit', 'janv-24', 'févr-24'],
          ['Bamako', 'Riz importé', 450, 460.5],
          ['Bamako', 'Mil', null, 310.25],
          ['Source : Observatoire du marché agricole'],
        ]),
      },
    ]);
    const { address, html } = await describeFile(book, 'prix.xlsx');
    expect(questionsOf(html)).toContain('Which sheet is to be read?');
    expect(tableRows(html, 'The columns of the file')).toEqual([
      ['1', 'Marché', 'Bamako', 'Market'],
      ['2', 'Produit', 'Riz importé, Mil', 'Product'],
      ['3', 'janv-24', '450', 'becomes rows'],
      ['4', 'févr-24', '460.5, 310.25', 'becomes rows'],
    ]);
    const { fields } = formOf(html, '/mapping');
    const page = await checked(address, fields);
    expect(alertOf(page)).toBeNull();
    expect(tableRows(page, 'The first rows, in the file and as they would be stored')).toEqual([
      ['4', 'Bamako | Riz importé | 450 | 460.5', 'Riz importé', '2024-01-01', '450'],
      ['4', 'Bamako | Riz importé | 450 | 460.5', 'Riz importé', '2024-02-01', '460.5'],
      ['5', 'Bamako | Mil | 310.25', 'Mil', '2024-02-01', '310.25'],
    ]);
  });

  it('is described as the file of an archive and the sheet of a workbook that are chosen', async () => {
    const table = (product: string) => [
      ['Marché', 'Produit', 'janv-24', 'févr-24'],
      ['Bamako', product, 450, 460.5],
    ];
    const book = workbookOf([
      { name: 'Riz', rows: rowsXml(table('Riz importé')) },
      { name: 'Mil', rows: rowsXml(table('Mil')) },
    ]);
    const files = { '2024/prix.xlsx': book, '2024/notes.csv': Buffer.from('a,b\n1,2\n') };
    const content = Buffer.from(zipSync(files));
    const { address, html } = await browser.check({ content, name: 'prix.zip' });
    expect(choicesOf(html, 'file')).toEqual(['', '2024/prix.xlsx', '2024/notes.csv']);
    const { fields } = formOf(html, '/check');
    const chosen = { ...fields, file: '2024/prix.xlsx', sheet: 'Mil', country: 'MLI', source: 'OMA' };
    await browser.post(`${address}/check`, chosen);
    const described = await browser.ended(`${address}/mapping`);
    expect(tableRows(described, 'The columns of the file')[1]).toEqual(['2', 'Produit', 'Mil', 'Product']);
    const { fields: answers } = formOf(described, '/mapping');
    const said = { price_type: 'RETAIL', currency: 'XOF', measure_unit: 'kg', iso3_country_code: 'MLI' };
    const values = Object.entries({ ...said, source: 'OMA' }).map(([field, text]) => [
      `value.${field}`,
      text,
    ]);
    const page = await checked(address, { ...answers, ...Object.fromEntries(values) });
    expect([alertOf(page), facts(page).New]).toEqual([null, 2]);
    expect(await browser.import(address)).toMatch(/^\/desk\/change-sets\/\d+$/);
  });

  it('has to be described whole before it is checked', async () => {
    const { address, html } = await describeFile(
      'Date,Market,Item,Price\n03/04/2024,Nakuru,Maize,"1,200"\n05/04/2024,Nakuru,Maize,"1,300"\n',
      'maize.csv',
    );
    const { fields } = formOf(html, '/mapping');
    const response = await send(`${address}/mapping`, { ...fields, 'value.currency': 'KES' });
    expectDeskPage(response, 400);
    expect(questionsOf(response.text)).toEqual([
      'Nothing shows the order of the dates: how is "03/04/2024" to be read?',
      'Which prices are these?',
      'In which currency are the prices?',
      'Of which quantity are the prices, such as kg, 50 kg or l?',
      'Of which country are the prices?',
      'Who has published the prices?',
      'How often is there a price: daily, weekly or monthly?',
      'No number shows which sign is the decimal one: is "1,200" 1200 or 1.200?',
    ]);
    // What was answered stays, and is not asked for again.
    expect(formOf(response.text, '/mapping').fields).toEqual({
      ...fields,
      'value.currency': 'KES',
      json: expect.any(String),
    });
    expect(response.text).not.toContain('Not answered yet: In which currency');
    expect(response.text).toContain('Not answered yet: Which prices are these?');
    const page = await checked(address, {
      ...fields,
      'format.date': '%d/%m/%Y',
      'from.price_type': 'value',
      'value.price_type': 'RETAIL',
      'value.currency': 'KES',
      'value.measure_unit': 'kg',
      'value.iso3_country_code': 'KEN',
      'value.source': 'Ministry',
      'from.periodicity': 'value',
      'value.periodicity': 'daily',
      decimal: '.',
      group: ',',
    });
    expect(alertOf(page)).toBeNull();
    expect(
      tableRows(page, 'The first rows, in the file').map((cells) => [cells[0], ...cells.slice(-2)]),
    ).toEqual([
      ['2', '2024-04-03', '1200'],
      ['3', '2024-04-05', '1300'],
    ]);
    // The mapping can be changed, and is as it was sent.
    const again = formOf(await browser.page(`${address}/mapping`), '/mapping').fields;
    expect([again['format.date'], again['value.currency'], again.group]).toEqual(['%d/%m/%Y', 'KES', ',']);
  });

  it('can be described by JSON, which is downloaded and taken as it is', async () => {
    const { address, html } = await describeFile(WIDE, 'prix.csv');
    await checked(address, formOf(html, '/mapping').fields);
    const download = await browser.open(`${address}/mapping.json`);
    expect([download.headers['content-type'], download.headers['content-disposition']]).toEqual([
      'application/json',
      'attachment; filename="prix.json"',
    ]);
    const mapping = JSON.parse(download.text) as Mapping;
    expect(mapping).toEqual({
      name: 'prix',
      table: 'prices',
      missingValues: ['', 'n/d'],
      dialect: { delimiter: ';', headerRows: [4] },
      skip: [{ column: 'Marché', equals: 'Total' }],
      end: { column: 'Marché', startsWith: 'Source :' },
      unpivot: { columns: '{date}', value: 'price_value' },
      fields: {
        iso3_country_code: { value: 'MLI' },
        market: { column: 'Marché', fillDown: true },
        commodity: { column: 'Produit' },
        price_type: { value: 'RETAIL' },
        source: { value: 'Observatoire du marché agricole' },
        currency: { value: 'XOF' },
        measure_unit: { value: 'kg' },
        date: { format: '%b-%y', language: 'fr' },
        periodicity: { value: 'monthly' },
        price_value: { decimalChar: ',' },
      },
    });
    const json = JSON.stringify({
      ...mapping,
      fields: { ...mapping.fields, comment: { value: 'Provisional' } },
    });
    const page = await checked(address, { ...formOf(html, '/mapping').fields, use_json: 'true', json });
    expect(inAllRows(page)).toContain('; Comment Provisional.');
    // What the fields cannot say stays when they are sent afterwards.
    const more = {
      ...mapping,
      title: 'Market bulletin',
      unpivot: { ...mapping.unpivot, except: ['Other (kg)'] },
      fields: {
        ...mapping.fields,
        market: { ...mapping.fields.market, values: { Ségou: 'Segou' }, others: 'keep' },
        market_info: { value: 'covered' },
      },
    };
    await checked(address, {
      ...formOf(html, '/mapping').fields,
      use_json: 'true',
      json: JSON.stringify(more),
    });
    const shown = formOf(await browser.page(`${address}/mapping`), '/mapping').fields;
    await checked(address, { ...shown, 'value.source': 'OMA' });
    const { text: after } = await browser.open(`${address}/mapping.json`);
    expect(JSON.parse(after)).toEqual({ ...more, fields: { ...more.fields, source: { value: 'OMA' } } });
    const { fields } = formOf(html, '/mapping');
    const broken = await send(`${address}/mapping`, { ...fields, use_json: 'true', json: '{"name":' });
    expectDeskPage(broken, 400);
    expect(broken.text).toContain('The mapping is no JSON.');
    const wrong = await send(`${address}/mapping`, {
      ...fields,
      use_json: 'true',
      json: '{"name":"a","table":"prices","fields":{"markt":{}}}',
    });
    expectDeskPage(wrong, 400);
    expect(alertOf(wrong.text)).toContain('Did you mean market?');
  });

  it('is proposed a mapping again with what is said of its table', async () => {
    const { address, html } = await describeFile(
      Buffer.from('Produit;Unite;Mois;Prix\nRiz;kg;2024-01;400\nMa\xefs;kg;2024-01;250\n', 'latin1'),
      'prix.csv',
    );
    expect(questionsOf(html)).toContain('The file is not in UTF-8: in which encoding is it?');
    const { fields } = formOf(html, '/mapping/propose');
    const wrong = await send(`${address}/mapping/propose`, {
      ...fields,
      encoding: 'klingon',
      header_rows: '1',
    });
    expectDeskPage(wrong, 400);
    expect(wrong.text).toContain('The encoding must be the label of one, such as windows-1251.');
    await send(`${address}/mapping/propose`, { ...fields, encoding: 'latin1', header_rows: '1' });
    const page = await browser.page(`${address}/mapping`);
    expect(questionsOf(page)).not.toContain('The file is not in UTF-8: in which encoding is it?');
    expect(tableRows(page, 'The columns of the file')[0]).toEqual(['1', 'Produit', 'Riz, Maïs', 'Product']);
    const download = await browser.open(`${address}/mapping.json`);
    expect(JSON.parse(download.text)).toMatchObject({ encoding: 'windows-1252' });
    const rows = await send(`${address}/mapping/propose`, { ...fields, header_rows: '3, 2' });
    expectDeskPage(rows, 400);
    expect(rows.text).toContain('The rows of the header must be numbers from 1 that rise, such as 3, 4.');
  });

  it('is read as exchange rates where people say so, and imported', async () => {
    const { address, html } = await describeFile(
      `Banque Centrale du Congo;;;
Date;Monnaie;Achat;Vente
15/01/2024;USD;2700,5;2710
15/01/2024;EUR;2950;2981
`,
      'taux.csv',
    );
    const questions = [
      'Does the file have prices of goods, exchange rates, or consumer price indices?',
      'Which of the columns is the rate: "Achat", "Vente"?',
      'What are the rates, such as "2700,5"?',
      'How often is there a rate: daily, or monthly as the average of the month?',
      'Who has published the rates?',
    ];
    expect(questionsOf(html)).toEqual(questions);
    expect(tableRows(html, 'The columns of the file')).toEqual([
      ['1', 'Date', '15/01/2024', 'Date'],
      ['2', 'Monnaie', 'USD, EUR', 'Currency'],
      ['3', 'Achat', '2700,5, 2950', 'not read'],
      ['4', 'Vente', '2710, 2981', 'not read'],
    ]);
    const { fields } = formOf(html, '/mapping');
    expect(fields.table).toBe('fx');
    // Another table is another proposal, and can be taken back.
    await send(`${address}/mapping`, { ...fields, table: 'prices' });
    const prices = await browser.page(`${address}/mapping`);
    expect(questionsOf(prices)).toContain('Of which country are the prices?');
    await send(`${address}/mapping/propose`, { ...formOf(prices, '/mapping/propose').fields, table: 'fx' });
    const again = await browser.page(`${address}/mapping`);
    expect(questionsOf(again)).toEqual(questions.slice(1));
    const said = {
      ...formOf(again, '/mapping').fields,
      'from.rate': 'column:4',
      'direction.rate': 'of',
      'from.period': 'value',
      'value.period': 'daily',
    };
    const open = await send(`${address}/mapping`, { ...said, 'per.rate': '' });
    expectDeskPage(open, 400);
    expect(open.text).toContain('Not answered yet: What are the rates, such as');
    const page = await checked(address, { ...said, 'per.rate': 'CDF' });
    expect(alertOf(page)).toBeNull();
    expect(tableRows(page, 'The first rows, in the file and as they would be stored')).toEqual([
      ['3', '15/01/2024 | USD | 2700,5 | 2710', 'CDF', '2710'],
      ['4', '15/01/2024 | EUR | 2950 | 2981', 'EUR', '0.909090909090909'],
    ]);
    expect(await browser.import(address)).toMatch(/^\/desk\/change-sets\/\d+$/);
    const { body } = await service.http().get('/api/v1/FxRate/').expect(200);
    expect(
      (body as Record<string, unknown>[])
        .map((rate) => [rate.currency, rate.date, rate.period, rate.rate, rate.source])
        .sort(),
    ).toEqual([
      ['CDF', '2024-01-15', 'daily', 2710, 'Banque Centrale du Congo'],
      ['EUR', '2024-01-15', 'daily', 0.909090909090909, 'Banque Centrale du Congo'],
    ]);
  });

  it('is proposed anew with the column of prices where headers name no markets', async () => {
    const { address, html } = await describeFile(
      'Commodity,Unit,Date,Current price,Old price\nEggs,dozen,2024-01-15,4.5,5\n',
      'eggs.csv',
    );
    expect(questionsOf(html)).toContain('What do the headers "Current price", "Old price" name?');
    expect(html).toContain('Neither: &quot;Current price&quot; is the price');
    await send(`${address}/mapping`, { ...formOf(html, '/mapping').fields, unpivot: 'column:4' });
    const page = await browser.page(`${address}/mapping`);
    expect(questionsOf(page)).not.toContain('What do the headers "Current price", "Old price" name?');
    expect(tableRows(page, 'The columns of the file')).toEqual([
      ['1', 'Commodity', 'Eggs', 'Product'],
      ['2', 'Unit', 'dozen', 'Unit'],
      ['3', 'Date', '2024-01-15', 'Date'],
      ['4', 'Current price', '4.5', 'Price'],
      ['5', 'Old price', '5', 'not read'],
    ]);
  });

  it('is rejected with the reason where no mapping can be proposed', async () => {
    const { html } = await browser.check({ content: 'Commodity,2023Q1,2023Q2\nMaize,1,2\n', name: 'a.csv' });
    expect(alertOf(html)).toMatch(
      /^The check has ended early: No mapping can be proposed: The columns are quarters of a year, which cannot be stored: only daily, weekly and monthly prices can\. The input is in none of the formats/,
    );
    expect(html).toContain('Describe the file by a mapping');
  });
});
