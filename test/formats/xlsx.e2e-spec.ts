import { unzipSync } from 'fflate';
import { randomBytes } from 'node:crypto';
import readExcelFile from 'read-excel-file/node';
import type { Note } from '../../src/platform/formats/xlsx/workbook-notes.js';
import { workbooks } from '../../src/platform/formats/xlsx/workbook-queue.js';
import { storeIndices, storeRates, storeSeries } from '../support/price-fixture.js';
import { expectProblem } from '../support/problems.js';
import { statementsOf } from '../support/statements.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { getFile } from './files.js';

const A = 'aaaaaaaa-0000-4000-8000-000000000001';
const B = 'bbbbbbbb-0000-4000-8000-000000000002';
const C = 'eeeeeeee-0000-4000-8000-000000000005';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** What XML 1.0 has no place for, not even escaped: a file with it cannot be opened. */
const NOT_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u;

const TEXT = [{ name: 'text', type: 'string' }] as const;

/** A workbook with one column. */
async function workbookOf(rows: readonly string[][], notes: readonly Note[]): Promise<Buffer> {
  const workbook = workbooks.begin('client');
  try {
    await workbook.start(TEXT, new AbortController().signal);
    for (let from = 0; from < rows.length; from += 100) await workbook.add(rows.slice(from, from + 100));
    return await workbook.finish(notes);
  } finally {
    await workbook.end();
  }
}

const sheetsOf = async (bytes: ArrayBuffer) =>
  (await readExcelFile(Buffer.from(bytes))).map(({ sheet, data }) => ({ sheet, data }));

describe('workbooks of lists', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await startTestApp();
    await storeRates(service.unitOfWork, [['KES', '2024-01-01', 150]]);
    await storeIndices(service.unitOfWork, [['KEN', '2024-01-01', 137.3]]);
    await storeSeries(service.unitOfWork, [
      {
        uuid: A,
        commodity: { name: '=HYPERLINK("x") maïs 😀' },
        source: { name: '+Ministry, "old"', url: 'https://example.org/', license: 'CC BY 4.0' },
        market: { name: "'Nairobi", regional_average: false },
        points: {
          monthly: [
            ['1899-12-01', 2.5],
            ['2024-01-01', 10.5, '@à'],
          ],
        },
      },
      { uuid: B },
    ]);
  });
  afterAll(() => service.close());

  const get = async (address: string, status = 200) => {
    const reply = await getFile(service, address);
    expect(reply.status).toBe(status);
    return reply;
  };

  it('of prices have rows with dates, numbers and texts as they are, and notes', async () => {
    const address = '/api/v1/PriceSeriePrice/?format=xlsx&iso3_country_codes=KEN';
    const { bytes, headers } = await get(address);
    expect(headers['content-type']).toBe(TYPE);
    expect(headers['content-disposition']).toBe(
      'attachment; filename="PriceSeriePrice_iso3_country_codes-KEN.xlsx"',
    );
    const [data, notes] = await sheetsOf(bytes);
    const csv = await service.http().get(address.replace('xlsx', 'csv')).expect(200);
    const [header, newest, oldest] = data!.data;
    expect([data!.sheet, data!.data.length, header!.join(',')]).toEqual([
      'Data',
      3,
      csv.text.split('\r\n')[0],
    ]);
    const series = [A, 'KEN', 'Kenya', '=HYPERLINK("x") maïs 😀', '100630', null, 'RETAIL', "'Nairobi"];
    const place = [null, null, null, null, null, '+Ministry, "old"', 'KES', 'Kg', 1, false];
    const about = [new Date('2024-01-01'), null, null, 'https://example.org/', 'CC BY 4.0', 'mass'];
    expect(newest).toEqual([
      ...[...series, ...place, ...about],
      ...[new Date('2024-01-01'), 'monthly', 10.5, '@à', false, 7.64748725418791, 0.07, false],
    ]);
    expect(oldest!.slice(24)).toEqual(['1899-12-01', 'monthly', 2.5, null, false, null, null, false]);
    const { origin } = new URL(service.http().get('/').url);
    expect(notes).toEqual({
      sheet: 'Notes',
      data: [
        ['address', `${origin}${address}`, null, null],
        ['Data-Revision', headers['data-revision'], null, null],
        ['sources and licences', `${origin}/api/v1/Source/`, null, null],
        ['source, source_url, source_license', '+Ministry, "old"', 'https://example.org/', 'CC BY 4.0'],
      ],
    });
  });

  it('have the header alone where there are no rows, one page, and 404 past the last', async () => {
    const [empty] = await sheetsOf(
      (await get('/api/v1/PriceSerie/?format=xlsx&iso3_country_codes=MLI')).bytes,
    );
    expect(empty!.data.length).toBe(1);
    const page = '/api/v1/PriceSerie/?format=xlsx&page_size=1&page=';
    const [second] = await sheetsOf((await get(`${page}2`)).bytes);
    expect(second!.data.map(([uuid]) => uuid)).toEqual(['uuid', B]);
    await get(`${page}3`, 404);
  });

  it('are the same bytes each time', async () => {
    const one = await getFile(service, '/api/v1/Commodity/', TYPE);
    const other = await getFile(service, '/api/v1/Commodity/', TYPE);
    expect(Buffer.from(other.bytes).equals(Buffer.from(one.bytes))).toBe(true);
  });

  it('are the same bytes where the entity tag is, also after a change of other data', async () => {
    const address = '/api/v1/Commodity/?format=xlsx&name=maize';
    const before = await get(address);
    await storeRates(service.unitOfWork, [['XOF', '2024-01-01', 600]]);
    const after = await get(address);
    expect(after.headers['data-revision']).not.toBe(before.headers['data-revision']);
    expect(after.headers.etag).toBe(before.headers.etag);
    expect(Buffer.from(after.bytes).equals(Buffer.from(before.bytes))).toBe(true);
  });

  it('can be had of a single series, and of records with members', async () => {
    // Those with values that are JSON in tables; the table of each list is tried with Parquet.
    for (const list of ['/api/v1/Finding/?', '/api/v1/ChangeSet/?', `/api/v1/PriceSeriePrice/${A}/?`]) {
      const { bytes, status } = await getFile(service, `${list}format=xlsx`);
      expect([list, status]).toEqual([list, 200]);
      expect((await sheetsOf(bytes)).map(({ sheet }) => sheet)).toEqual(['Data', 'Notes']);
    }
  });

  it('tell which month is not over', async () => {
    const market = { name: 'Zinder', iso3_country_code: 'NER' };
    const points = { daily: [['2024-01-05', 4]] } as const;
    await storeSeries(service.unitOfWork, [{ uuid: C, market, points }]);
    const prices = `/api/v1/PriceSeriePrice/${C}/?format=xlsx`;
    const [sheet] = await sheetsOf((await get(prices)).bytes);
    const [header, ...rows] = sheet!.data;
    const columns = ['periodicity', 'partial'].map((name) => header!.indexOf(name));
    expect(rows.map((row) => columns.map((column) => row[column]))).toEqual([
      ['daily', false],
      ['weekly', false],
      ['monthly', true],
    ]);
  });

  it('can be opened whatever characters their texts have', async () => {
    const comment = 'before\ufffeafter\uffff';
    const uuid = 'dddddddd-0000-4000-8000-000000000004';
    const market = { name: 'Niamey', iso3_country_code: 'NER' };
    const points = { monthly: [['2024-01-01', 1, comment]] } as const;
    await storeSeries(service.unitOfWork, [{ uuid, market, points }]);
    const { bytes } = await get(`/api/v1/PriceSeriePrice/${uuid}/?format=xlsx`);
    const [prices] = await sheetsOf(bytes);
    expect(prices!.data[1]).toContain('beforeafter');

    // No field accepts these; other databases and releases may have.
    const control = Array.from({ length: 0x20 }, (_, code) => String.fromCharCode(code));
    const texts = [...control, '\ufffe', '\uffff', '\ud83d', '\ude00', '\ud83d\0\ude00'];
    const cut = `${'x'.repeat(32_766)}😀`;
    const file = await workbookOf(
      [...texts.map((text) => [`[${text}]`]), [cut]],
      texts.map((text) => ['note', `[${text}]`]),
    );
    for (const [name, content] of Object.entries(unzipSync(file))) {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(content);
      expect([name, NOT_XML.exec(text)]).toEqual([name, null]);
    }
    const [data, notes] = await sheetsOf(Uint8Array.from(file).buffer);
    // The writer removes a character before an unpaired surrogate, too.
    const readable = /^\[?[\t\n\r\ufffd]*\]$/;
    expect(data!.data.slice(1, -1).filter(([text]) => !readable.test(text as string))).toEqual([]);
    expect(notes!.data.filter(([, text]) => !readable.test(text as string))).toEqual([]);
    expect(data!.data.at(-1)).toEqual(['x'.repeat(32_766)]);
  });

  it('have at most 500,000 cells', async () => {
    // 32 columns: 15,624 rows and a header.
    const daily = Array.from({ length: 15_625 }, (_, index): [string, number] => [
      new Date(Date.UTC(1980, 0, 1 + index)).toISOString().slice(0, 10),
      index + 1,
    ]);
    const uuid = 'cccccccc-0000-4000-8000-000000000003';
    const market = { name: 'Bamako', iso3_country_code: 'MLI' };
    await storeSeries(service.unitOfWork, [{ uuid, market, points: { daily } }]);
    const address = '/api/v1/PriceSeriePrice/?format=xlsx&iso3_country_codes=MLI&periodicity=daily';
    const reply = await service.http().get(address);
    expectProblem(reply, {
      status: 400,
      code: 'invalid',
      errors: [
        {
          in: 'query',
          name: 'format',
          code: 'too_many_items',
          detail:
            'A workbook has at most 500000 cells, of this list 15624 rows with 32 columns.' +
            ' Ask for fewer rows, or take format=csv or format=parquet.',
          max: 15624,
        },
      ],
    });
    // The rows are counted and not read, and without a body it is the same.
    const statements = await statementsOf(service.database, () => service.http().get(address).expect(400));
    expect(statements.filter((sql) => sql.includes('observation'))).toEqual([
      expect.stringMatching(/^SELECT COUNT\(\*\) FROM \(SELECT 1 FROM observation/),
    ]);
    await service.http().head(address).expect(400);
    for (const method of ['get', 'head'] as const) {
      const fits = `${address}&start_date=1980-01-02`;
      await service.http()[method](fits).expect(200);
    }
  });

  it('are rejected for too many derived points before any is read', async () => {
    const uuidOf = (kind: number, index: number) =>
      `dddddddd-0000-4000-800${kind}-${String(index).padStart(12, '0')}`;
    const dates = (count: number, at: (index: number) => number) =>
      Array.from({ length: count }, (_, index): [string, number] => [
        new Date(at(index)).toISOString().slice(0, 10),
        index + 1,
      ]);
    const months = (year: number, month: number, day: number) =>
      dates(125, (index) => Date.UTC(year, month + index, day));
    const fridays = (count: number) => dates(count, (index) => Date.UTC(1990, 0, 5 + 7 * index));
    const series = Array.from({ length: 125 }, (_, index) => [
      // Days at the end and at the begin of months.
      { kind: 1, iso3: 'COG', points: { daily: months(1990, 1, index % 2 === 0 ? 1 : 28) } },
      { kind: 2, iso3: 'TGO', points: { weekly: months(1990, 1, index % 2 === 0 ? 8 : 22) } },
      { kind: 3, iso3: 'GAB', points: { daily: fridays(125) } },
    ]).flat();
    await storeSeries(
      service.unitOfWork,
      series.map(({ kind, iso3, points }, index) => ({
        uuid: uuidOf(kind, index),
        market: { name: `Market ${index}`, iso3_country_code: iso3 },
        points,
      })),
    );
    for (const [country, period] of [
      ['COG', 'monthly'],
      ['TGO', 'monthly'],
      ['GAB', 'weekly'],
    ]) {
      const list = `/api/v1/PriceSeriePrice/?iso3_country_codes=${country}&periodicity=${period}`;
      const csv = await service.http().get(`${list}&format=csv`).expect(200);
      const points = csv.text.trimEnd().split('\r\n').length - 1;
      expect([country, points]).toEqual([country, 15_625]);
      const counts = async () => {
        const statements = await statementsOf(service.database, () =>
          service.http().get(`${list}&format=xlsx`).expect(400),
        );
        return statements.filter((sql) => sql.includes('observation')).map((sql) => sql.slice(0, 22));
      };
      // A week may not be over: as many are counted less.
      if (period === 'monthly') expect(await counts()).toEqual(Array(2).fill('SELECT COUNT(*) FROM ('));
      else await service.http().get(`${list}&format=xlsx`).expect(400);
      for (const method of ['get', 'head'] as const)
        await service.http()[method](`${list}&format=xlsx&start_date=1991-06-01`).expect(200);
    }
  });

  it('are 503 where too many wait, and work again afterwards', async () => {
    const waiting = Array.from({ length: 10 }, (_, client) => workbooks.begin(`client ${client % 2}`));
    const reply = await service.http().get('/api/v1/Market/?format=xlsx&page=1');
    expectProblem(reply, { status: 503, code: 'unavailable' });
    expect(reply.headers['retry-after']).toBe('5');
    for (const workbook of waiting) await workbook.end();
    await get('/api/v1/Market/?format=xlsx&page=1');
  });

  it('have places for others where one client has many', async () => {
    const waiting = Array.from({ length: 5 }, () => workbooks.begin('client'));
    expect(() => workbooks.begin('client')).toThrow('busy with other workbooks');
    await get('/api/v1/Market/?format=xlsx&page=1');
    for (const workbook of waiting) await workbook.end();
  });

  it('end with an error where their thread ends without a file', async () => {
    const workbook = workbooks.begin('client');
    await workbook.start(TEXT, new AbortController().signal);
    const file = workbook.finish([]);
    const failed = expect(file).rejects.toThrow('The thread of a workbook has ended');
    await workbook.end();
    await failed;
  });

  it('R1: hold no rows: texts that are longer than the memory of their thread are written', async () => {
    const text = (row: number) => `${row} ${'maïs 😀'.repeat(4000)}`;
    const rows = Array.from({ length: 8000 }, (_, row) => [text(row)]);
    const file = await workbookOf(rows, []);
    expect(file.length).toBeLessThan(4_000_000);
  });

  it('are rejected where their texts make too large a file', async () => {
    const rows = Array.from({ length: 2000 }, () => [randomBytes(18_000).toString('base64')]);
    await expect(workbookOf(rows, [])).rejects.toThrow(
      expect.objectContaining({ status: 400, violations: [expect.objectContaining({ name: 'format' })] }),
    );
    expect((await workbookOf([['maize']], [])).length).toBeGreaterThan(0);
  });
});
