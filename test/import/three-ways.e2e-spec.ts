import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Environment } from '../../src/config/environment.js';
import { ImportService } from '../../src/import/import.service.js';
import { MappingStore } from '../../src/import/mappings/stored/mapping-store.js';
import { parseArguments, runImport } from '../../src/import/run-import.js';
import { importFormats } from '../../src/import/formats/index.js';
import { exitCodeOf } from '../../src/import/pipeline/import-report.js';
import type { ImportReport } from '../../src/import/pipeline/import-report.dto.js';
import { contentsOf } from '../support/contents.js';
import { startUploads, Uploader, type UploadService } from '../desk/uploads.js';
import { fixture } from '../support/import-input.js';
import { SHIPPED_FILES, shippedFileName } from '../support/shipped-files.js';

type Options = Readonly<Record<string, string>>;

/** An input: its format, name without a folder, content, and options by their names over HTTP. */
type File = readonly [format: string, name: string, content: string | Buffer, options?: Options];

const ok = (format: string, name: string) => [format, name, readFileSync(fixture(`ok/${name}`))] as const;

const PRICES =
  'iso3_country_code,commodity,price_type,market,source,currency,measure_unit,date,periodicity,price_value';
const prices = (columns: string, values: string): File => [
  'prices',
  'prices.csv',
  `${PRICES}${columns}\nKEN,Beans,RETAIL,Thika,Ministry,KES,kg,2024-01-01,monthly,50${values}\n`,
];
const wfp = (text: string): File => ['wfp', 'wfp_food_prices_ken.csv', text];

/**
 * A file of each format, and for each field that a file of prices may fill one that leaves it
 * empty and one that fills it, so that records are made, changed, filled and found again.
 */
const FILES: readonly File[] = [
  ok('Market', 'Market.csv'),
  ['Market', 'markets.csv', 'name,type,iso3_country_code,admin_unit\nKitui,Town,KEN,Eastern\n'],
  ok('fx', 'fx_own.csv'),
  ['fx', 'fx.csv', 'currency,date,period,rate,rate_type\nKES,2021-01-01,monthly,110,official\n'],
  ok('cpi', 'cpi_own.csv'),
  ok('fpma', 'fpma_series.json'),
  ok('fpma', 'fpma_prices.ndjson'),
  wfp(
    'date,admin1,admin2,market,latitude,longitude,category,commodity,unit,priceflag,pricetype,currency,price,usdprice\n' +
      '2021-01-15,North,,Alpha,,,,Maize,KG,actual,Retail,KES,40,0.4\n',
  ),
  wfp(
    'date,admin1,admin2,market,market_id,latitude,longitude,category,commodity,commodity_id,unit,priceflag,pricetype,currency,price,usdprice\n' +
      '2021-01-15,North,,Alpha,7001,1.5,37.5,cereals and tubers,Maize,51,KG,actual,Retail,KES,41,0.4\n' +
      '2021-02-15,North,,Alpha,7001,1.5,37.5,cereals and tubers,Maize,51,KG,actual,Retail,KES,-1,0.4\n',
  ),
  prices('', ''),
  prices(
    ',hs_code,category,market_type,market_code,market_info,latitude,longitude,source_url,source_license',
    ',0713,pulses,Town,T-1,near the bridge,-1.03,37.07,https://example.org/,CC0',
  ),
  [
    'prices',
    'no-types.csv',
    'product,market,currency,unit,date,price\nPeas,Thika,KES,kg,2024-01-09,70\n',
    { country: 'KEN', source: 'Ministry', price_type: 'FARM GATE', period: 'daily' },
  ],
  // Each table, and the layouts of publishers.
  ...['Commodity', 'Cpi', 'FxRate', 'MeasureUnit', 'PriceType', 'Source'].map((table) =>
    ok(table, `${table}.csv`),
  ),
  ...['fx_imf.csv', 'fx_fed.csv', 'fx_wfp_daily.csv'].map((name) => ok('fx', name)),
  ...['cpi_fao_long.csv', 'cpi_fao_wide.csv'].map((name) => ok('cpi', name)),
  ...['wfp_global_by_year.csv', 'wfp_vam_comma.csv', 'wfp_vam_semicolon.csv', 'wfp_food_prices_lka.csv'].map(
    (name) => [...ok('wfp', name), {}] as const,
  ),
  ok('prices', 'prices_all_columns.csv'),
  ...Object.entries(SHIPPED_FILES).map(([format, text]) => [format, shippedFileName(format), text] as const),
  // What people have: other signs and dates, encodings, compression, and answers to questions.
  [
    'prices',
    'utf-16.csv',
    Buffer.from(
      `\ufeffPrix du mil\n${PRICES.replaceAll(',', ';')}\n` +
        'NER;Mil;RETAIL;Zinder;SIMA;FCFA;kg;01/03/2024;monthly;1.250,5\n' +
        'NER;Mil;RETAIL;Zinder;SIMA;FCFA;kg;01/04/2024;monthly;NA\n',
      'utf16le',
    ),
    { dates: 'dmy' },
  ],
  [
    'prices',
    'cyrillic.csv',
    Buffer.concat([
      Buffer.from(`${PRICES}\nKGZ,`),
      // "Хлеб" in Windows-1251.
      Buffer.from([0xd5, 0xeb, 0xe5, 0xe1]),
      Buffer.from(',RETAIL,Osh,NSC,KGS,kg,2024-01-01,monthly,52\n'),
    ]),
    { encoding: 'windows-1251' },
  ],
  [
    'prices',
    'tabs.csv.gz',
    gzipSync(
      `${PRICES.replaceAll(',', '\t')}\nGHA\tGari\tRETAIL\tTamale\tMoFA\tGHS\tkg\t2024-01-01\tmonthly\t2.125\n`,
    ),
    { decimal: 'point' },
  ],
  ['fx', 'inverted.csv', 'currency,date,period,rate\nGHS,2024-01-01,monthly,0.08\n', { invert: 'true' }],
  [
    'fx',
    'januaries.csv',
    'currency,date,rate\nGHS,2021-01-01,5.8\nGHS,2022-01-01,6\n',
    { period: 'monthly' },
  ],
];

/** Files that are rejected with a question, or as of no layout: nothing is stored. */
const REJECTED: readonly File[] = [
  ['fx', 'yearly.csv', 'currency,date,rate\nGHS,2014-01-01,2.4\nGHS,2015-01-01,3.2\n', {}],
  ['wfp', 'wfp_food_prices_ken.csv', 'a,b\n1,2\n', {}],
  ['wfp', 'prices_lka.csv', readFileSync(fixture('ok/wfp_food_prices_lka.csv')), {}],
  ['cpi', 'page.csv', '<!doctype html><title>Not found</title>', {}],
];

/** A mapping that is stored, and a file that it reads. */
const OFFICE = {
  name: 'office',
  table: 'prices',
  dialect: { delimiter: ';', headerRows: [2] },
  skip: [{ column: 'Produit', startsWith: 'Moyenne' }],
  unpivot: { columns: '{date}', value: 'price_value' },
  fields: {
    iso3_country_code: { value: 'MLI' },
    market: { column: 'commerce' },
    commodity: { column: 'Produit' },
    measure_unit: { value: 'kg' },
    currency: { value: 'XOF' },
    price_type: { value: 'RETAIL' },
    source: { value: 'OMA' },
    date: { format: '%B %Y', language: 'fr' },
    periodicity: { value: 'monthly' },
    price_value: { decimalChar: ',' },
  },
};
const OFFICE_FILE =
  'Bulletin;;;\ncommerce;Produit;août 2024;septembre 2024\nBamako;Maïs;250,5;260\nBamako;Mil;x;300\n' +
  'Bamako;Moyenne;275;280\n';

/** The options of formats. */
const OPTIONS: Readonly<Record<string, Options>> = {
  fx: { source: 'Office' },
  cpi: { source: 'Office' },
  wfp: { source: 'Office', country: 'KEN' },
};

/** The options of a file: every way takes them by the same names. */
const optionsOf = ([format, , , options]: File): Options => options ?? OPTIONS[format] ?? {};

/** Tables by the columns that refer to them, by position: of `price_serie`, and of its points. */
const REFERENCES: Record<string, Record<number, string>> = {
  price_serie: { 2: 'commodity', 3: 'price_type', 4: 'market', 5: 'source', 6: 'measure_unit' },
  series_period: { 0: 'price_serie' },
  observation: { 0: 'price_serie' },
};

/** The tables with ids numbered from 1: on a server, a check that is rolled back leaves gaps. */
function withoutGaps(tables: Record<string, unknown[][]>): Record<string, unknown[][]> {
  const ranks = (table: string) => new Map(tables[table]!.map(([id], index) => [id, index + 1]));
  return Object.fromEntries(
    Object.entries(tables).map(([table, rows]) => {
      const references = REFERENCES[table] ?? {};
      const targets =
        table in REFERENCES && table !== 'price_serie' ? references : { 0: table, ...references };
      const columns = Object.entries(targets).map(
        ([column, target]) => [Number(column), ranks(target)] as const,
      );
      return [
        table,
        rows.map((row) => {
          const numbered = [...row];
          for (const [column, rank] of columns) numbered[column] = rank.get(row[column]);
          return numbered;
        }),
      ];
    }),
  );
}

describe('the command, the route and the desk', () => {
  const services: UploadService[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'three-ways-'));
  const start = async () => {
    const service = await startUploads();
    services.push(service);
    return service;
  };
  afterAll(async () => {
    for (const service of services) await service.close();
    rmSync(folder, { recursive: true });
  });

  /** The command line for a file, which is written into a folder. */
  function commandLine(file: File): string[] {
    const [format, name, content] = file;
    const options = Object.entries(optionsOf(file)).flatMap(([option, value]) => [
      `--${option.replaceAll('_', '-')}`,
      value,
    ]);
    const flags = options.filter((option) => option !== 'true');
    const path = join(folder, name);
    writeFileSync(path, content);
    return [format, path, '--reason', name, ...flags];
  }

  /** Runs the command as its process does. @returns its exit code and errors */
  async function runHere({ app }: UploadService, file: File): Promise<[number, string]> {
    const services = { service: app.get(ImportService), mappings: app.get(MappingStore) };
    let errors = '';
    const code = await runImport(parseArguments(commandLine(file)), () => Promise.resolve(services), {
      print: () => undefined,
      printError: (text) => (errors += text),
      progressStream: { isTTY: false, write: () => true },
    });
    return [code, errors];
  }

  /** Runs the command in a process of its own. @returns its exit code and errors */
  async function runCommand(
    service: UploadService,
    file: File,
    more: readonly string[] = [],
  ): Promise<[number, string]> {
    const child = spawn(
      process.execPath,
      [
        '--import',
        './test/support/typescript-in-processes.mjs',
        'src/commands/import.command.ts',
        ...commandLine(file),
        ...more,
      ],
      {
        env: { ...process.env, DATABASE_URL: service.app.get(Environment).databaseUrl, NODE_OPTIONS: '' },
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    return [code, errors.replace(/^Database: .*\n/, '')];
  }

  it('store the same for the same files of all formats', async () => {
    const [command, route, desk] = [await start(), await start(), await start()];
    const header = await route.authHeader();
    const browser = new Uploader(desk);
    await browser.login();
    const formats = new Set(FILES.map(([format]) => format));
    expect([...formats].sort()).toEqual(Object.keys(importFormats).sort());
    for (const file of [...FILES, ...REJECTED]) {
      const [format, name, content] = file;
      const query = new URLSearchParams({ format, input: name, ...optionsOf(file) });
      const type = format === 'fpma' ? 'application/json' : 'text/csv';
      const isRejected = REJECTED.includes(file);
      const { status, body } = await route
        .http()
        .post(`/api/v1/Import/?${query}`)
        .set({ ...header, 'Content-Type': name.endsWith('.ndjson') ? 'application/x-ndjson' : type })
        // A buffer would be written as JSON.
        .send(format === 'fpma' ? content.toString() : content);
      expect([name, status, body]).toEqual([name, isRejected ? 400 : 200, expect.anything()]);
      const code = isRejected ? 1 : exitCodeOf(body as ImportReport);
      // A process takes seconds to start: the first one of those that store, and of the others.
      const run = file === FILES[0] || file === REJECTED[0] ? runCommand : runHere;
      expect([name, ...(await run(command, file))]).toEqual([name, code, '']);
      const fields = { format, ...optionsOf(file) };
      const { address, html } = await browser.check({ content, name, fields });
      expect([name, html.includes('role="alert"')]).toEqual([name, isRejected]);
      if (!isRejected) await browser.import(address, fields);
    }
    const stored = withoutGaps(await contentsOf(command.database));
    expect(withoutGaps(await contentsOf(route.database))).toEqual(stored);
    expect(withoutGaps(await contentsOf(desk.database))).toEqual(stored);
    // The files have filled what was empty, and each format has stored something.
    expect(stored.market).toContainEqual(
      expect.arrayContaining(['Thika', 'Town', 'T-1', 'near the bridge', -1.03, 37.07]),
    );
    expect(stored.market).toContainEqual(expect.arrayContaining(['Alpha', '7001', 1.5, 37.5]));
    expect(stored.commodity).toContainEqual(expect.arrayContaining(['Beans', '0713', 'pulses']));
    expect(stored.price_type).toContainEqual(expect.arrayContaining(['FARM GATE']));
    expect(stored.source).toContainEqual(expect.arrayContaining(['Ministry', 'https://example.org/', 'CC0']));
    expect(stored.fx_rate).toContainEqual(expect.arrayContaining(['KES', '2021-01-01', 110]));
    expect(stored.commodity).toContainEqual(expect.arrayContaining(['Хлеб']));
    expect(stored.market).toContainEqual(expect.arrayContaining(['Zinder', 'NER']));
    expect(stored.fx_rate).toContainEqual(expect.arrayContaining(['GHS', '2024-01-01', 12.5]));
    expect(stored.fx_rate!.filter((row) => row.includes('GHS'))).toHaveLength(3);
    expect(stored.observation!.length).toBeGreaterThan(4);
  }, 600_000);

  it('store and report the same of a file that a stored mapping reads', async () => {
    const [command, route, desk] = [await start(), await start(), await start()];
    const header = await route.authHeader();
    const browser = new Uploader(desk);
    await browser.login();
    for (const service of [command, route, desk]) {
      const token = await service.authHeader();
      for (const path of ['Market', 'commerce']) {
        const mapping = { ...OFFICE, fields: { ...OFFICE.fields, market: { column: path } } };
        const http = service.http();
        const sent = path === 'Market' ? http.post('/api/v1/Mapping/') : http.put('/api/v1/Mapping/office/');
        const { status } = await sent.set(token).send(mapping);
        expect(status).toBe(path === 'Market' ? 201 : 200);
      }
    }
    const file: File = ['office', 'office.csv', OFFICE_FILE];
    const reportFile = join(folder, 'report.json');
    expect(await runCommand(command, file, ['--report', reportFile])).toEqual([3, '']);
    const { body } = await route
      .http()
      .post('/api/v1/Import/?format=office&input=office.csv')
      .set(header)
      .type('text/csv')
      .send(OFFICE_FILE);
    const { address } = await browser.check({
      content: OFFICE_FILE,
      name: 'office.csv',
      fields: { format: 'office' },
    });
    await browser.import(address);
    const reports = [
      JSON.parse(readFileSync(reportFile, 'utf8')) as ImportReport,
      body as ImportReport,
      (await desk.uploads.report(address.split('/').at(-1)!))!,
    ].map(({ seconds: _, rows_per_second: _rate, change_set_id: _id, ...report }) => report);
    expect(reports[0]).toMatchObject({
      format: 'office',
      mapping_version: 2,
      new: 3,
      rejected: 1,
      series: 2,
      skipped: { left_out: 1 },
    });
    expect(reports[1]).toEqual(reports[0]);
    expect(reports[2]).toEqual(reports[0]);
    const stored = withoutGaps(await contentsOf(command.database));
    expect(stored.observation).toHaveLength(3);
    expect(withoutGaps(await contentsOf(route.database))).toEqual(stored);
    expect(withoutGaps(await contentsOf(desk.database))).toEqual(stored);
  }, 120_000);
});
