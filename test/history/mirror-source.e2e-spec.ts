import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MirrorSource } from '../../src/mirror/mirror-source.js';
import { storedRecord } from '../reference/reference-tables.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { runMirror } from '../support/mirrors.js';

const item = (revision: number) => ({ revision, at: '2026-01-01T00:00:00Z', change_set_id: 1, kind: 'edit' });
const record = (table: string, id: number, values: object) => ({
  ...item(5),
  type: 'record',
  table,
  id,
  action: 'created',
  record: { id, ...values },
});
const source = (id: number, name: unknown) => record('Source', id, { name, url: '', license: '' });
const market = (id: number, latitude: number) =>
  record('Market', id, {
    ...{ name: `Market ${id}`, type: '', code: '', iso3_country_code: 'KEN', country_name: 'Kenya' },
    ...{ admin_unit: '', admin_unit2: '', latitude, longitude: 1, info: '', regional_average: false },
  });
const value = (price_value: unknown, comment = '') => ({ price_value, comment, calculated: false });
const series = (uuid: string, id: number, market_id: number, points: [string, unknown][]) => ({
  ...item(6),
  type: 'series',
  uuid,
  iso3_country_code: 'KEN',
  action: 'created',
  points: { added: 1, changed: 0, removed: 0 },
  first_date: null,
  last_date: null,
  attributes: {
    ...{ id, commodity_id: 1, price_type_id: 12, market_id, source_id: 1, measure_unit_id: 1 },
    ...{ currency: 'KES', marked_periods: [] },
  },
  changes: points.map(([date, price]) => ({
    periodicity: 'monthly',
    date,
    before: null,
    after: value(price),
  })),
});
const GOOD = '2d1f1b7e-41d5-4b7c-9a61-0f3f5c9f3a10';
const OTHER = '2d1f1b7e-41d5-4b7c-9a61-0f3f5c9f3a11';

describe('a mirror of a service that does not behave', () => {
  let copy: TestApp;
  let server: Server;
  let reply: { status?: number; headers?: Record<string, string>; body: unknown };
  let asked: string[];
  beforeEach(async () => {
    copy = await startTestApp();
    asked = [];
    server = createServer((request, response) => {
      asked.push(request.url!);
      response.writeHead(reply.status ?? 200, reply.headers);
      response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await copy.close();
  });

  const run = async () => {
    const { signal } = new AbortController();
    const rejected: string[] = [];
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await runMirror(copy, {
      source: new MirrorSource(base, signal, () => undefined, 10, 20_000),
      signal,
      once: true,
      onCopied: () => undefined,
      onRejected: (problem) => rejected.push(problem),
    });
    return rejected;
  };

  it('stores nothing that the API would reject, says what, and copies the rest', async () => {
    const commodity = record('Commodity', 1, { name: 'Maize', hs_code: null, category: '' });
    const unit = record('MeasureUnit', 1, { name: 'kg', dimension: 'mass', conversion_factor: 1 });
    reply = {
      body: {
        results: [
          ...[commodity, unit, source(1, 'Ministry'), source(2, 'x'.repeat(201)), source(3, null)],
          ...[market(1, -1.5), market(2, 91)],
          series(GOOD, 1, 1, [
            ['2024-01-01', 50],
            ['2024-02-01', -1],
            ['2024-02-30', 5],
            ['2024-03-01', '7'],
          ]),
          series(OTHER, 2, 2, [['2024-01-01', 50]]),
        ],
        next: 't1',
        more: false,
      },
    };
    expect(await run()).toEqual([
      expect.stringMatching(/^Source 2, revision 5: .*name must be at most 200 characters long\.$/),
      expect.stringMatching(/^Source 3, revision 5: .*name must not be null\.$/),
      expect.stringMatching(/^Market 2, revision 5: .*latitude must be at most 90\.$/),
      `Series ${GOOD}, revision 6, monthly price of 2024-02-01: price_value must be greater than 0.`,
      expect.stringMatching(/a price: date must be a calendar date written YYYY-MM-DD\.$/),
      `Series ${GOOD}, revision 6, monthly price of 2024-03-01: price_value must be a number.`,
      `Series ${OTHER}, revision 6: there is no market 2.`,
    ]);
    await copy.revision.refresh();
    const { body } = await copy.http().get('/api/v1/PriceSeriePrice/').expect(200);
    expect(body).toMatchObject({
      count: 1,
      results: [{ uuid: GOOD, datapoints: [{ date: '2024-01-01', price_value: 50 }] }],
    });
    expect(await copy.database.rows('SELECT id FROM source')).toEqual([{ id: 1 }]);
  });

  it('gives fields that a former release does not have their defaults', async () => {
    const results = [record('Commodity', 7, { name: 'Maize' }), record('Source', 1, { url: '' })];
    reply = { body: page(results) };
    expect(await run()).toEqual([expect.stringMatching(/^Source 1, revision 5: .*name/)]);
    const read = async () => (await copy.http().get('/api/v1/Commodity/').expect(200)).body as unknown;
    await copy.revision.refresh();
    expect(await read()).toEqual([storedRecord('Commodity', { id: 7, name: 'Maize' })]);
    const later = { ...record('Commodity', 7, { name: 'Maize', hs_code: '1005' }), revision: 2 ** 31 };
    reply = { body: { ...page([later]), next: 'u' } };
    expect(await run()).toEqual([]);
    await copy.revision.refresh();
    expect(await read()).toEqual([storedRecord('Commodity', { id: 7, name: 'Maize', hs_code: '1005' })]);
  });

  it.each([
    ['redirects', { status: 302, headers: { Location: 'http://127.0.0.2/' }, body: '' }, 'redirects'],
    ['sends a body without an end', { body: 'x'.repeat(30_000) }, 'longer than 20000 bytes'],
    ['sends more than was asked for', { body: page(Array(11).fill(source(1, 'A'))) }, 'at most 10'],
    ['has more for ever, and sends nothing', { body: page([], true) }, 'sends nothing'],
    ['has a token of any length', { body: { ...page([]), next: 'x'.repeat(301) } }, '1 to 300 characters'],
    ['is another kind of service', { body: { items: [] } }, 'no part of a feed'],
  ])('ends where it %s', async (_, sent, message) => {
    reply = sent;
    await expect(run()).rejects.toThrow(message);
    expect(asked).toHaveLength(1);
    expect(await copy.database.rows('SELECT id FROM source')).toEqual([]);
  });
});

function page(results: unknown[], more = false) {
  return { results, next: 't', more };
}
