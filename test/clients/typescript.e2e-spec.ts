import { PriceData, ProblemError } from '../../clients/typescript/src/index.js';
import { onSqlite } from '../support/engines.js';
import { storeSeries } from '../support/price-fixture.js';
import { type ClientService, startClientService } from './client-service.js';

onSqlite.describe('the client for TypeScript', () => {
  let service: ClientService;
  let client: PriceData;
  beforeAll(async () => (service = await startClientService()));
  afterAll(() => service?.close());
  beforeEach(() => {
    service.requests.splice(0);
    client = new PriceData({ url: service.url });
  });

  const statuses = () => service.requests.map(({ status }) => status);
  const MAIZE = 'b1fa157e-92f7-5eb6-9940-559441f7a3fc';

  it('reads an address with its parameters, and says of which revision', async () => {
    const { data, revision, url } = await client.get('/api/v1/PriceSeriePrice/{uuid}', {
      path: { uuid: MAIZE },
      query: { latest: 1, periodicity: ['monthly'] },
    });
    const [point] = data.datapoints;
    const value: number = point!.price_value;
    expect([data.series.country_name, value, revision]).toEqual(['Aldoria', 0.69, 5]);
    expect(url).toBe(`${service.url}/api/v1/PriceSeriePrice/${MAIZE}?latest=1&periodicity=monthly`);
    expect(service.requests[0]!.headers['user-agent']).toMatch(/^pricedata-typescript\/\d+\.\d+\.\d+$/);
  });

  it('goes through the pages of a list as its items are taken', async () => {
    const query = { iso3_country_codes: ['XAA', 'XAB'], page_size: 8 };
    const uuids = new Set<string>();
    for await (const { uuid } of client.items('/api/v1/PriceSerie', { query })) uuids.add(uuid);
    expect([uuids.size, service.requests.length]).toEqual([20, 3]);
    service.requests.splice(0);
    for await (const { uuid } of client.items('/api/v1/PriceSerie', { query })) {
      expect(uuids).toContain(uuid);
      break;
    }
    expect(service.requests).toHaveLength(1);
  });

  it('finds no pages of an empty list', async () => {
    const query = { search: 'nothing of this name' };
    for await (const item of client.items('/api/v1/PriceSerie', { query })) throw new Error(item.uuid);
    expect(statuses()).toEqual([200]);
  });

  it('asks by ETag whether what it has still holds, for so many replies', async () => {
    const [one, two] = [await client.get('/api/v1/Source'), await client.get('/api/v1/Source')];
    expect(two).toEqual(one);
    expect(statuses()).toEqual([200, 304]);
    const small = new PriceData({ url: service.url, cachedReplies: 1 });
    service.requests.splice(0);
    for (const path of ['/api/v1/Source', '/api/v1/Market', '/api/v1/Source'] as const) await small.get(path);
    expect(statuses()).toEqual([200, 200, 200]);
  });

  it('throws problem details', async () => {
    const query = { measure: 'euro' as 'usd', page_size: 0 };
    const error = await client.get('/api/v1/PriceAggregate', { query }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ProblemError);
    const { status, code, message, problem } = error as ProblemError;
    expect([status, code, problem!.errors!.map(({ name }) => name).sort()]).toEqual([
      400,
      'invalid',
      ['measure', 'page_size'],
    ]);
    expect(message).toBe(`400 invalid: ${problem!.errors!.map(({ detail }) => detail).join(' ')}`);
    service.prepared.push({ status: 502, body: '<html>' });
    await expect(client.get('/api/v1/Source')).rejects.toThrow('502: no problem details');
  });

  it('comes back when a reply that is 429 or 503 says so, at most so often and so late', async () => {
    const past = new Date(0).toUTCString();
    service.prepared.push(
      { status: 429, headers: { 'Retry-After': '1' } },
      { status: 503, headers: { 'Retry-After': past } },
    );
    const started = performance.now();
    await client.get('/api/v1/Source');
    expect(performance.now() - started).toBeGreaterThanOrEqual(990);
    expect(statuses()).toEqual([429, 503, 200]);
    service.prepared.push({ status: 429, headers: { 'Retry-After': '3600' } });
    await expect(client.get('/api/v1/Market')).rejects.toThrow(ProblemError);
    service.prepared.push(
      ...(Array<{ status: number; headers: object }>(2).fill({
        status: 503,
        headers: { 'Retry-After': '0' },
      }) as never[]),
    );
    await expect(new PriceData({ url: service.url, retries: 1 }).get('/api/v1/Market')).rejects.toThrow(
      '503',
    );
  });

  it('stops waiting when the caller does', async () => {
    service.prepared.push({ status: 429, headers: { 'Retry-After': '60' } });
    const signal = AbortSignal.timeout(200);
    await expect(client.get('/api/v1/Source', { signal })).rejects.toThrow(/abort|timeout/i);
  });

  it('reads all pages of one state of the data, whatever changes meanwhile', async () => {
    const added = '00000000-0000-4000-8000-000000000001';
    const series = {
      uuid: added,
      market: { name: 'Aldor Bridge', iso3_country_code: 'XAA', country_name: 'Aldoria' },
      commodity: { name: 'Teff' },
      unit: { name: 'Basket' },
    };
    /** Reads all series of a country. @param change made when the first page has been read */
    const read = async (page_size: number, change: () => Promise<unknown>) => {
      const uuids: string[] = [];
      const query = { iso3_country_codes: ['XAA'], page_size };
      for await (const { uuid } of client.items('/api/v1/PriceSerie', { query })) {
        uuids.push(uuid);
        if (uuids.length === page_size) await change();
      }
      return uuids;
    };
    const nothing = () => Promise.resolve();
    const before = await read(4, nothing);
    expect(before.length).toBeGreaterThan(4);
    expect(await read(4, () => storeSeries(service.app.unitOfWork, [series]))).toEqual(before);
    const after = await read(4, nothing);
    expect(after.toSorted()).toEqual([...before, added].toSorted());
    // Then there is no second page any more.
    expect(await read(before.length, () => write(service, 'delete', `PriceSerie/${added}`))).toEqual(after);
    expect(await read(4, nothing)).toEqual(before);
  });

  it('goes on with lists that have no states', async () => {
    const query = { page_size: 2 };
    const read = async (change: () => Promise<unknown>) => {
      const ids: number[] = [];
      for await (const { id } of client.items('/api/v1/ChangeSet', { query })) {
        ids.push(id);
        if (ids.length === 2) await change();
      }
      return new Set(ids);
    };
    const expected = await read(() => Promise.resolve());
    expect(expected.size).toBeGreaterThan(4);
    expect(await read(() => write(service, 'post', 'Source', { source_name: 'Another' }))).toEqual(expected);
  });
});

/** Writes as a maintainer. */
async function write(
  { app }: ClientService,
  method: 'post' | 'delete',
  address: string,
  body?: object,
): Promise<void> {
  const { status, body: reply } = await app
    .http()
    [method](`/api/v1/${address}`)
    .set(await app.authHeader())
    .set('If-Match', '*')
    .send(body);
  expect({ reply, written: status < 300 }).toEqual({ reply, written: true });
}
