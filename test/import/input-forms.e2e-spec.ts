import { zipSync } from 'fflate';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parseArguments, runImport } from '../../src/import/run-import.js';
import type { ImportOptions } from '../../src/import/formats/index.js';
import { openImports } from '../support/imports.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { rowsXml, workbookOf } from '../support/workbook.js';

type Cell = string | number;

const WORKBOOK = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Two rows of each format of tables. */
const TABLES: Readonly<Record<string, readonly (readonly Cell[])[]>> = {
  wfp: [
    [
      'date',
      'admin1',
      'admin2',
      'market',
      'latitude',
      'longitude',
      'category',
      'commodity',
      'unit',
      'priceflag',
      'pricetype',
      'currency',
      'price',
      'usdprice',
      'countryiso3',
    ],
    [
      '2024-01-15',
      'Coast',
      'Kitui',
      'Kitui',
      -1.375,
      38.125,
      'cereals',
      'Maize',
      'KG',
      'actual',
      'Retail',
      'KES',
      1.125,
      0.01,
      'KEN',
    ],
    [
      '2024-02-15',
      'Coast',
      'Kitui',
      'Kitui',
      -1.375,
      38.125,
      'cereals',
      'Maize',
      'KG',
      'actual',
      'Retail',
      'KES',
      1250,
      9.5,
      'KEN',
    ],
  ],
  prices: [
    [
      'iso3_country_code',
      'commodity',
      'price_type',
      'market',
      'market_code',
      'source',
      'currency',
      'measure_unit',
      'date',
      'periodicity',
      'price_value',
    ],
    ['KEN', 'Maize', 'RETAIL', 'Kitui', 7001, 'Ministry', 'KES', 'KG', '2024-01-01', 'monthly', 1.125],
    ['KEN', 'Maize', 'RETAIL', 'Kitui', 7001, 'Ministry', 'KES', 'KG', '2024-02-01', 'monthly', 2.25],
  ],
  fx: [
    ['currency', 'date', 'period', 'rate', 'rate_type'],
    ['KES', '2024-01-01', 'monthly', 129.125, 'official'],
    ['KES', '2024-02-01', 'monthly', 130.5, 'official'],
  ],
  cpi: [
    ['Area Code (M49)', 'Area', 'Item Code', 'Item', 'Months Code', 'Year', 'Value'],
    [404, 'Kenya', 23012, 'General Indices (2015 = 100)', 7001, 2024, 101.125],
    [404, 'Kenya', 23012, 'General Indices (2015 = 100)', 7002, 2024, 102.5],
  ],
  Commodity: [
    ['name', 'hs_code', 'category'],
    ['Maize', 100590, 'Cereals'],
    ['Beans', 71333, 'Pulses'],
  ],
};

const csv = (rows: readonly (readonly Cell[])[]) =>
  Buffer.from(rows.map((cells) => `${cells.join(',')}\n`).join(''));
const workbook = (rows: readonly (readonly Cell[])[], name = 'Sheet1') =>
  workbookOf([{ name, rows: rowsXml(rows) }]);
const records = ([header, ...rows]: readonly (readonly Cell[])[]) =>
  rows.map((cells) => Object.fromEntries(header!.map((name, index) => [name, cells[index]!])));
const json = (rows: readonly (readonly Cell[])[]) => Buffer.from(JSON.stringify({ data: records(rows) }));

describe('a table in another form than CSV', () => {
  let imports: Awaited<ReturnType<typeof openImports>>;
  let service: TestApp;
  const folder = mkdtempSync(join(tmpdir(), 'pds-forms-'));
  beforeAll(async () => {
    imports = await openImports();
    service = await startTestApp();
  });
  afterAll(async () => {
    await imports?.close();
    await service?.close();
    rmSync(folder, { recursive: true });
  });

  const fileOf = (bytes: Uint8Array, name: string) => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    return path;
  };

  /** What a dry run tells of a file, besides what differs by its bytes. */
  async function report(format: string, bytes: Uint8Array, options: ImportOptions = {}) {
    const told = await imports.importBytes(format, bytes, { ...options, dryRun: true });
    const { first_rows: rows, convention, error, new: added, rejects, series, records: made } = told;
    const values = rows.map(({ table, values: cells }) => ({ table, values: cells }));
    return { values, error, added, rejects, series, made, decimal: convention?.decimal ?? null };
  }

  it.each(Object.keys(TABLES))(
    'reads %s in a workbook and as JSON, alone and packed, as in CSV',
    async (format) => {
      const rows = TABLES[format]!;
      const expected = { ...(await report(format, csv(rows))), decimal: null };
      expect(expected).toMatchObject({ error: null, added: 2, rejects: [] });
      const book = workbook(rows);
      for (const bytes of [
        book,
        json(rows),
        Buffer.from(
          records(rows)
            .map((record) => JSON.stringify(record))
            .join('\n'),
        ),
        gzipSync(json(rows)),
        Buffer.from(zipSync({ 'folder/data.xlsx': book, 'README.txt': Buffer.from('x') })),
      ])
        expect(await report(format, bytes)).toEqual(expected);
    },
  );

  it('takes numbers of a workbook as they are, and asks for the sign of those that are texts', async () => {
    const [header, first, second] = TABLES.fx!;
    const withRate = (row: readonly Cell[], rate: Cell) =>
      row.map((cell, index) => (index === 3 ? rate : cell));
    const typed = workbook([header!, withRate(first!, 1.25), withRate(second!, 1250)]);
    expect((await report('fx', typed, { decimal: 'comma' })).values.map(({ values }) => values.rate)).toEqual(
      ['1.25', '1250'],
    );
    const texts = workbook([header!, first!, withRate(second!, '1,250')]);
    expect(await report('fx', texts)).toMatchObject({
      error:
        'No number of the input shows which sign is the decimal one: "1,250" in line 3 may be 1250 or 1.250. Specify --decimal comma or --decimal point (over HTTP: decimal=comma or decimal=point).',
    });
    const { values } = await report('fx', texts, { decimal: 'comma' });
    expect(values.map((row) => row.values.rate)).toEqual(['129.125', '1.25']);
  });

  it('reads a long workbook of prices in the thread of readers', async () => {
    const [header] = TABLES.prices!;
    const rows = Array.from({ length: 2000 }, (_, index) => [
      ...['KEN', 'Maize', 'RETAIL', `Market ${index % 20}`, '', 'Ministry', 'KES', 'KG'],
      ...[new Date(Date.UTC(2015, Math.floor(index / 20), 1)).toISOString().slice(0, 10), 'monthly'],
      index + 0.125,
    ]);
    const files = { 'xl/media/image1.png': randomBytes(1024 * 1024) };
    const bytes = workbookOf([{ name: 'Prices', rows: rowsXml([header!, ...rows]) }], { files });
    expect(await report('prices', bytes)).toMatchObject({ error: null, added: 2000, rejects: [] });
    const bomb = workbookOf([{ name: 'a', rows: rowsXml([header!]) + '<row/>'.repeat(1_048_576) }]);
    expect(await report('prices', Buffer.concat([bomb, Buffer.alloc(2 * 1024 * 1024)]))).toMatchObject({
      error: 'The workbook is damaged or not complete: open it, and save it as .xlsx again.',
      added: 0,
    });
  });

  it('is read by the command, from the sheet and the file that its options name', async () => {
    const other = workbookOf([
      { name: 'Rates', rows: rowsXml(TABLES.fx!) },
      { name: 'Old rates', rows: rowsXml(TABLES.fx!.slice(0, 2)) },
      { name: 'Commodities', rows: rowsXml(TABLES.Commodity!) },
    ]);
    const path = fileOf(Buffer.from(zipSync({ 'a.xlsx': other, 'b.csv': Buffer.from('x') })), 'data.zip');
    const run = async (...argv: string[]) => {
      const told: string[] = [];
      const code = await runImport(parseArguments(['fx', path, '--dry-run', ...argv]), async () => imports, {
        print: (text) => told.push(text),
        printError: (text) => told.push(text),
        progressStream: { isTTY: false, write: () => true },
      });
      return { code, told: told.join('\n') };
    };
    const several = await run('--file', 'a.xlsx');
    expect(several.code).toBe(1);
    expect(several.told).toContain(
      'Several sheets of the workbook have such a table: "Rates", "Old rates". Specify one with --sheet NAME (over HTTP: sheet=NAME).',
    );
    const one = await run('--file', 'a.xlsx', '--sheet', 'Old rates');
    expect(one.code).toBe(0);
    expect(one.told).toMatch(/The sheet read is "Old rates"\.[^]*\n {2}read +1\n {2}new +1\n/);
  });

  it('is read over HTTP, from the sheet and the file that its parameters name', async () => {
    const bytes = workbookOf([
      { name: 'A', rows: rowsXml(TABLES.Commodity!) },
      { name: 'B', rows: rowsXml(TABLES.Commodity!.slice(0, 2)) },
    ]);
    const auth = await service.authHeader();
    const post = (query: string, body: Buffer, type = WORKBOOK) =>
      service
        .http()
        .post(`/api/v1/Import/?format=Commodity&${query}`)
        .set(auth)
        .set('Content-Type', type)
        .serialize((data) => data as string)
        .send(body);
    const rejected = await post('', bytes).expect(400);
    expect(rejected.body).toMatchObject({
      errors: [
        {
          code: 'invalid_format',
          detail:
            'Several sheets of the workbook have such a table: "A", "B". Specify one with --sheet NAME (over HTTP: sheet=NAME).',
        },
      ],
    });
    const { body } = await post('sheet=A', bytes).expect(200);
    expect(body).toMatchObject({ new: 2, rejected: 0, notes: ['The sheet read is "A".'] });
    const packed = Buffer.from(zipSync({ 'x/a.xlsx': bytes, 'b.csv': csv(TABLES.Commodity!) }));
    const again = await post('file=b.csv&dry_run=true', packed, 'application/zip').expect(200);
    expect(again.body).toMatchObject({ unchanged: 2, new: 0 });
  });
});
