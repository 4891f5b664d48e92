import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { Environment } from '../../src/config/environment.js';
import { contentsOf } from '../support/contents.js';
import { startUploads, Uploader, type UploadService } from '../desk/uploads.js';
import { fixture } from '../support/import-input.js';

type Options = Readonly<Record<string, string>>;

/** An input: its format, name without a folder, text, and options by their names over HTTP. */
type File = readonly [format: string, name: string, text: string, options?: Options];

const ok = (format: string, name: string): File => [
  format,
  name,
  readFileSync(fixture(`ok/${name}`), 'utf8'),
];

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
];

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
  const start = async () => {
    const service = await startUploads();
    services.push(service);
    return service;
  };
  afterAll(async () => {
    for (const service of services) await service.close();
  });

  /** Runs the command in a process of its own. @returns its exit code and errors */
  async function runCommand(service: UploadService, file: File): Promise<[number, string]> {
    const [format, name, text] = file;
    const options = Object.entries(optionsOf(file)).flatMap(([option, value]) => [
      `--${option.replaceAll('_', '-')}`,
      value,
    ]);
    const child = spawn(
      process.execPath,
      [
        '--import',
        './test/support/typescript-in-processes.mjs',
        'src/commands/import.command.ts',
        format,
        '-',
        '--reason',
        name,
        ...options,
      ],
      {
        env: { ...process.env, DATABASE_URL: service.app.get(Environment).databaseUrl, NODE_OPTIONS: '' },
        stdio: ['pipe', 'ignore', 'pipe'],
      },
    );
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    child.stdin.end(text);
    const [code] = (await once(child, 'close')) as [number];
    return [code, errors.replace(/^Database: .*\n/, '')];
  }

  it('store the same for the same files of all formats', async () => {
    const [command, route, desk] = [await start(), await start(), await start()];
    const header = await route.authHeader();
    const browser = new Uploader(desk);
    await browser.login();
    for (const file of FILES) {
      const [format, name, text] = file;
      const query = new URLSearchParams({ format, ...optionsOf(file) });
      const fields = Object.fromEntries(query);

      const hasRejects = text.includes(',-1,');
      expect([basename(name), ...(await runCommand(command, file))]).toEqual([name, hasRejects ? 3 : 0, '']);
      const type = format === 'fpma' ? 'application/json' : 'text/csv';
      const { body } = await route
        .http()
        .post(`/api/v1/Import/?${query}`)
        .set({ ...header, 'Content-Type': name.endsWith('.ndjson') ? 'application/x-ndjson' : type })
        .send(text)
        .expect(200);
      expect([name, (body as { error: unknown }).error]).toEqual([name, null]);
      const { address } = await browser.check({ content: text, name, fields });
      await browser.import(address, fields);
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
    expect(stored.cpi).toHaveLength(3);
    expect(stored.observation!.length).toBeGreaterThan(4);
  }, 300_000);
});
