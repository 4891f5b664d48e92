import { INDICATOR_FIELDS } from '../../src/analysis/indicators/indicator-fields.js';
import { NotConnectedError } from '../../src/database/errors/driver-errors.js';
import { ServiceLog } from '../../src/platform/logging/service-log.js';
import { PriceSeriesService } from '../../src/price-series/price-series.service.js';
import { SampleData } from '../../src/sample/sample-data.js';
import { MAX_CHARACTERS } from '../../src/mcp/answer.js';
import { storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { connectClient } from './mcp-client.js';

type Json = Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any

const MAIZE = { country: 'Borunda', commodity: 'maize' };

describe('/mcp', () => {
  let service: TestApp;
  let connected: Awaited<ReturnType<typeof connectClient>>;
  beforeAll(async () => {
    service = await startTestApp();
    await service.app.get(SampleData).load();
    connected = await connectClient(service);
  });
  afterAll(async () => {
    await connected.client.close();
    await service.close();
  });

  const ask = async (name: string, values: Json): Promise<Json> => {
    const { text, isError } = await connected.ask(name, values);
    expect({ name, values, isError, text: isError ? text : '' }).toEqual({
      name,
      values,
      isError: false,
      text: '',
    });
    expect(text.length).toBeLessThanOrEqual(MAX_CHARACTERS);
    return JSON.parse(text) as Json;
  };
  const api = async (path: string): Promise<Json> =>
    (await service.http().get(`/api/v1/${path}`).expect(200)).body as Json;
  const find = async (values: Json): Promise<Json> => {
    const { series } = await ask('find_series', values);
    return (series as Json[])[0]!;
  };
  /** What must stand beside each number. */
  const expectQuotable = (answer: Json, uuid: string) =>
    expect(answer).toMatchObject({
      uuid,
      unit: expect.stringMatching(/^[A-Z]{3} per .+/) as string,
      currency: expect.stringMatching(/^[A-Z]{3}$/) as string,
      source: expect.stringMatching(/./) as string,
      as_of: expect.stringMatching(/^r\d+$/) as string,
      page: `${connected.origin}/series/${uuid}`,
    });

  it('lists six tools that change nothing', async () => {
    const { tools } = await connected.client.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual(
      ['find_series', 'describe', 'get_prices', 'get_indicators', 'explain', 'list_changes'].map((name) => [
        name,
        true,
      ]),
    );
    expect(connected.client.getInstructions()).toContain('find_series');
  });

  it('finds series by names and codes, page by page', async () => {
    const { body } = await service.http().get('/api/v1/PriceSerie/?page_size=1').expect(200);
    const all = await ask('find_series', {});
    expect(all).toMatchObject({
      count: (body as Json).count,
      page: 1,
      go_on: 'There are more: ask again with page 2.',
    });
    expect(all.series).toHaveLength(20);
    const second = await ask('find_series', { page: 2 });
    expect((second.series as Json[])[0]!.uuid).not.toBe((all.series as Json[])[0]!.uuid);
    expect((await ask('find_series', { page: 9999 })).series).toEqual([]);
    const byName = await ask('find_series', MAIZE);
    expect(byName).toEqual(await ask('find_series', { country: 'xab', commodity: 'MAÏZE' }));
    expect(byName.series).toEqual([
      expect.objectContaining({ country: 'Borunda', commodity: 'Maize (white)', market: 'Borun Central' }),
    ]);
  });

  it('answers names that nobody has with the nearest ones', async () => {
    expect(await connected.ask('find_series', { commodity: 'maise' })).toEqual({
      text: 'No commodity is called "maise". The nearest names are: Maize (white); Maize (yellow).',
      isError: true,
    });
    expect((await connected.ask('find_series', { country: 'Borundi' })).text).toBe(
      'No country is called "Borundi". The nearest names are: Borunda.',
    );
    expect((await connected.ask('find_series', { market: 'Saint Eli' })).text).toContain('Saint-Élie');
    expect((await connected.ask('find_series', { price_type: 'qqqqqqqq' })).text).toBe(
      'No price type is called "qqqqqqqq".',
    );
  });

  it('tells what is wrong with a question', async () => {
    const { uuid } = await find(MAIZE);
    const none = '00000000-0000-4000-8000-000000000000';
    const failures: [string, Json, RegExp][] = [
      ['describe', { uuid: 'x' }, /uuid/i],
      ['describe', { uuid: none }, /^There is no price series with this uuid\.$/],
      ['get_prices', { uuid: none }, /^There is no price series with this uuid\.$/],
      ['get_prices', { uuid, latest: 501 }, /500/],
      ['get_prices', { uuid, start_date: '2026-02-30' }, /must be a date, YYYY-MM-DD/],
      ['get_prices', { uuid, periodicity: 'daily' }, /^The series has no daily prices; it has: /],
      ['get_prices', { uuid, as_of: 'r999999' }, /revision/],
      ['get_prices', { uuid, as_of: 'then' }, /^as_of must be a date, an instant/],
      ['get_prices', { uuid, mode: 'x' }, /mode/],
      ['explain', { uuid, date: '1950-01-01' }, /^The series has no monthly price in 1950-01\.$/],
      ['list_changes', {}, /since/],
      ['list_changes', { since: '2000-01-01', as_of: '2026-01-01' }, /^as_of needs a uuid: /],
      ['get_prices', { uuid, start_date: '2026-02-01', end_date: '2026-01-31' }, /^start_date must not be/],
      ['get_indicators', { uuid, start_date: '2026-02-01', end_date: '2026-01-31' }, /^start_date must not/],
      ['find_series', { country: ' ' }, /^No country is called " "\.$/],
      ['find_series', { market: ' ' }, /^No market is called " "\.$/],
      ['find_series', { commodity: '  ' }, /^No commodity is called "  "\.$/],
      ['find_series', { price_type: ' ' }, /^No price type is called " "\.$/],
    ];
    for (const [name, values, problem] of failures) {
      const { text, isError } = await connected.ask(name, values);
      expect({ name, values, isError }).toEqual({ name, values, isError: true });
      expect(text).toMatch(problem);
      expect(text).not.toMatch(/SELECT|node_modules|\bat \//);
    }
  });

  it.each([
    [MAIZE],
    [{ country: 'Aldoria', commodity: 'rice' }],
    [{ country: 'XAC', commodity: 'sugar' }],
    [{ market: 'Saint-Élie', commodity: 'beans' }],
    [{ commodity: 'wheat', price_type: 'EXPORT' }],
  ])('answers questions about %j with the values of the API', async (names) => {
    const { uuid } = await find(names);
    // What is it?
    const described = await ask('describe', { uuid });
    expectQuotable(described, uuid as string);
    expect(described.entry).toEqual(await api(`PriceSerie/${uuid}/`));
    // What does it cost now, and what did it cost in the last two years?
    for (const measure of ['nominal', 'usd', 'real'] as const) {
      const asked = await ask('get_prices', { uuid, measure, latest: 24 });
      expectQuotable(asked, uuid as string);
      const { datapoints } = await api(`PriceSeriePrice/${uuid}/?periodicity=monthly&latest=24`);
      const member = { nominal: 'price_value', usd: 'price_value_dollar', real: 'price_value_real' }[measure];
      const values = (points: Json[], name: string) =>
        points.map((point) => [point.date, point[name] as number | null]);
      const expected = values(datapoints as Json[], member);
      expect(values(asked.prices as Json[], 'value')).toEqual(
        expected.slice(0, (asked.prices as Json[]).length),
      );
      expect((asked.prices as Json[]).length).toBe(expected.length);
    }
    // Is it unusual?
    const { observations, ...rest } = await ask('get_indicators', { uuid });
    expectQuotable(rest, uuid as string);
    expect(observations).toEqual((await api(`PriceSerieIndicator/${uuid}/?latest=1`)).observations);
    // How does the number come about?
    const date = (observations as Json[])[0]!.date as string;
    const explained = await ask('explain', { uuid, date, number: 'alps' });
    expectQuotable(explained, uuid as string);
    const { body } = await service
      .http()
      .get(`/api/v1/PriceSerieIndicator/${uuid}/?latest=1&indicators=alps&explain=true`)
      .expect(200);
    expect(explained.observation).toEqual(((body as Json).observations as Json[])[0]);
  });

  it('cuts long answers and says how to go on', async () => {
    const { uuid } = await find(MAIZE);
    const all = await ask('get_prices', { uuid, latest: 500 });
    const months = await ask('get_indicators', { uuid, latest: 120 });
    expect(all.cut).toBeUndefined();
    const shown = (months.observations as Json[]).length;
    expect(months.cut).toBe(
      `Only ${shown} of 50 fit into this answer. Ask again with end_date before ${(months.observations as Json[])[shown - 1]!.date}.`,
    );
  });

  it('says that there are more months than were asked for', async () => {
    const { uuid } = await find(MAIZE);
    const two = await ask('get_prices', { uuid, latest: 2 });
    const [, { date }] = two.prices as [Json, Json];
    expect(two.go_on).toBe(`There are more. Ask again with end_date before ${date}.`);
    const months = await ask('get_indicators', { uuid, latest: 2 });
    expect([months.go_on, (months.observations as Json[]).map((month) => month.date)]).toEqual([
      two.go_on,
      (two.prices as Json[]).map((price) => price.date),
    ]);
    // Any day of a month stands for the month.
    const range = { start_date: `${date.slice(0, 7)}-28`, end_date: `${date.slice(0, 7)}-28` };
    const one = await ask('get_indicators', { uuid, latest: 2, ...range });
    expect([one.go_on, one.observations]).toEqual([undefined, [(months.observations as Json[])[1]]]);
  });

  it('explains every number of forty years within an answer, and says where all of it is', async () => {
    const uuid = 'ABCDEF00-0000-F000-0000-00000000000A';
    const monthly = Array.from({ length: 480 }, (_, month): [string, number] => [
      `${1986 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01`,
      100 + month + 10 * Math.sin(month),
    ]);
    const names = { commodity: { name: 'Teff' }, market: { name: 'Addis' }, unit: { name: 'Basket' } };
    await storeSeries(service.unitOfWork, [{ uuid: uuid.toLowerCase(), ...names, points: { monthly } }]);
    for (const number of INDICATOR_FIELDS) {
      const {
        api: address,
        observation,
        seasonal,
      } = await ask('explain', { uuid, date: '2025-06-15', number });
      const { pathname, search } = new URL(address as string);
      const { body } = await service.http().get(`${pathname}${search}`).expect(200);
      const reply = body as { observations: Json[]; explain: Json };
      expect([observation]).toEqual(reply.observations);
      expect(seasonal).toEqual((reply.explain.seasonal as Json[] | null)?.[5] ?? null);
    }
    await ask('get_prices', { uuid, latest: 500 });
    await ask('get_indicators', { uuid, latest: 120 });
    await ask('list_changes', { uuid, since: '2000-01-01' });
  });

  it('tells what has changed', async () => {
    const { uuid } = await find(MAIZE);
    const changes = await ask('list_changes', { since: '2000-01-01' });
    expect(changes.change_sets).toEqual((await api('ChangeSet/')).results);
    const ofSeries = await ask('list_changes', { since: '2000-01-01', uuid });
    const { datapoints } = await api(`PriceSeriePrice/${uuid}/`);
    expectQuotable(ofSeries, uuid as string);
    expect((ofSeries.changes as Json[]).length).toBeGreaterThan(0);
    expect((ofSeries.changes as Json[])[0]).toMatchObject({ action: 'added', before: null });
    expect(datapoints).not.toEqual([]);
    // From the beginning of the day on, in both cases.
    const today = '2026-11-21';
    expect((await ask('list_changes', { since: today })).count).toBe(changes.count);
    expect((await ask('list_changes', { since: today, uuid })).changes).toEqual(ofSeries.changes);
    const { change_sets, api: address } = await ask('list_changes', { since: today });
    const { pathname, search } = new URL(address as string);
    const { body } = await service.http().get(`${pathname}${search}`).expect(200);
    expect(change_sets).toEqual((body as Json).results);
  });

  it('serves only pages that may ask, and POST alone', async () => {
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    };
    const post = () =>
      service.http().post('/mcp').set('Accept', 'application/json, text/event-stream').send(initialize);
    const { text } = await post().expect(200);
    expect(text).toContain('price-data-service');
    await post().set('Origin', connected.origin).expect(200);
    const { body } = await post().set('Origin', 'https://stranger.example').expect(403);
    expect(body).toMatchObject({ code: 'forbidden' });
    const batch = await service.http().post('/mcp').send([initialize, initialize]).expect(400);
    expect(batch.body).toMatchObject({ code: 'invalid', errors: [{ code: 'invalid_type', pointer: '' }] });
    await service.http().get('/mcp').expect(405).expect('Allow', /POST/);
    await service
      .http()
      .post('/mcp')
      .set('Accept', 'application/json, text/event-stream')
      .send('{')
      .set('Content-Type', 'application/json')
      .expect(400);
  });
});

describe('a service without pages', () => {
  it('names the addresses of the API', async () => {
    const service = await startTestApp({ EXPLORER: 'off' });
    const { client, origin, ask } = await connectClient(service);
    try {
      await service.app.get(SampleData).load();
      const { series } = JSON.parse((await ask('find_series', MAIZE)).text) as { series: Json[] };
      expect(series[0]!.page).toBe(`${origin}/api/v1/PriceSerie/${series[0]!.uuid}/`);
      expect((await service.http().get('/llms.txt').expect(200)).text).not.toContain('/browse');
    } finally {
      await client.close();
      await service.close();
    }
  });
});

describe('a service that fails', () => {
  it('logs why, and tells nobody', async () => {
    const service = await startTestApp({ LOG_LEVEL: 'error' });
    const { client, ask } = await connectClient(service);
    const lines: string[] = [];
    service.app.get(ServiceLog).sink.write = (line) => void lines.push(line);
    try {
      const series = service.app.get(PriceSeriesService);
      series.state = () => Promise.reject(new Error('A secret.'));
      expect(await ask('find_series', {})).toEqual({
        text: 'Something went wrong. The request is logged under its id.',
        isError: true,
      });
      expect(lines.map((line) => JSON.parse(line) as Json)).toEqual([
        {
          level: 'error',
          time: expect.any(String) as string,
          msg: 'question failed',
          id: expect.stringMatching(/./) as string,
          tool: 'find_series',
          err: expect.objectContaining({ message: 'A secret.' }) as object,
        },
      ]);
      series.state = () => Promise.reject(new NotConnectedError());
      expect((await ask('find_series', {})).text).toBe('The service is temporarily unavailable. Try again.');
    } finally {
      await client.close();
      await service.close();
    }
  });
});

describe('a service with limits', () => {
  it('counts questions as reads of the address', async () => {
    const service = await startTestApp({ THROTTLE_READS: '3' });
    const ask = () =>
      service
        .http()
        .post('/mcp')
        .set('Accept', 'application/json, text/event-stream')
        .send({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
    try {
      const statuses: number[] = [];
      for (let each = 0; each < 4; each++) statuses.push((await ask()).status);
      expect(statuses).toEqual([200, 200, 200, 429]);
      await service.http().get('/api/v1/PriceSerie/').expect(429);
    } finally {
      await service.close();
    }
  });
});

describe('MCP=off', () => {
  it('leaves nothing but the words of llms.txt about the API', async () => {
    const service = await startTestApp({ MCP: 'off' });
    try {
      await service.http().post('/mcp').send({}).expect(404);
      const { text } = await service.http().get('/llms.txt').expect(200);
      expect(text).toContain('/openapi.json');
      expect(text).not.toContain('mcp');
    } finally {
      await service.close();
    }
  });
});
