import { jest } from '@jest/globals';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { FeedReader } from '../../src/history/feed/feed-reader.js';
import { Draining } from '../../src/platform/shutdown/draining.js';
import { ConcurrencyLimits } from '../../src/platform/http/overload/limits.js';
import { HTTP_LIMITS, httpLimits } from '../../src/platform/http/options.js';
import { driverStatements } from '../support/driver-statements.js';
import { expectProblem, queryViolation } from '../support/problems.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const PATH = '/api/v1/Changes/';
const HEAD =
  'date,admin1,admin2,market,latitude,longitude,category,commodity,unit,priceflag,pricetype,currency,price,usdprice\n';
const row = (date: string, price: number, market = 'Mombasa', currency = 'KES') =>
  `${date},Coast,Mombasa,${market},-4.05,39.67,cereals and tubers,Maize,90 KG,actual,Wholesale,${currency},${price},26\n`;

interface Item {
  revision: number;
  type: 'series' | 'record';
  uuid: string;
  table: string;
  id: number;
  action: string;
  changes: unknown[];
  [field: string]: unknown;
}
interface Page {
  results: Item[];
  next: string;
  more: boolean;
}

describe('H6: the change feed', () => {
  let service: TestApp;
  let admin: { Authorization: string };
  beforeEach(async () => {
    service = await startTestApp();
    service.clock.milliseconds = Date.parse('2030-01-01T00:00:00Z');
    admin = await service.authHeader();
  });
  afterEach(() => service?.close());

  const read = async (query = ''): Promise<Page> =>
    (
      await service
        .http()
        .get(PATH + query)
        .expect(200)
    ).body as Page;
  const now = async () => (await read('?since=now')).next;
  const since = async (token: string, query = '') => read(`?since=${token}${query}`);
  const send = (method: 'post' | 'put' | 'patch' | 'delete', path: string, body?: object) =>
    service.http()[method](`/api/v1/${path}`).set(admin).send(body);
  const upload = (csv: string, query = '') =>
    service
      .http()
      .post(`/api/v1/Import/?format=wfp&country=KEN${query}`)
      .set({ ...admin, 'Content-Type': 'text/csv' })
      .send(HEAD + csv)
      .expect(200);
  const at = '2030-01-01T00:00:00.000Z';
  const point = (price_value: number, comment = '') => ({ price_value, comment, calculated: false });

  it('begins with what the migration found', async () => {
    const page = await read('?points=true');
    expect(page.more).toBe(false);
    expect(page.results[0]).toEqual({
      revision: 1,
      at: expect.any(String),
      change_set_id: 1,
      kind: 'migration',
      type: 'record',
      table: 'PriceType',
      id: expect.any(Number),
      action: 'created',
      record: { id: page.results[0]!.id, name: expect.any(String), description: '' },
    });
    expect(new Set(page.results.map(({ table }) => table))).toEqual(new Set(['PriceType']));
    expect(await since(page.next)).toEqual({ results: [], next: page.next, more: false });
    expect(await read('?since=now')).toEqual({ results: [], next: page.next, more: false });
  });

  it('lists what was done to records', async () => {
    const token = await now();
    const { body } = await send('post', 'Source/?reason=New', { name: 'A' }).expect(201);
    const { id } = body as { id: number };
    await send('patch', `Source/${id}/`, { license: 'CC0' }).expect(200);
    await send('delete', `Source/${id}/`).expect(204);
    const page = await since(token, '&points=true');
    const item = (number: number, action: string, record: object | null) => ({
      revision: number,
      at,
      change_set_id: number,
      kind: 'record',
      type: 'record',
      table: 'Source',
      id,
      action,
      record,
    });
    expect(page).toEqual({
      results: [
        item(2, 'created', { id, name: 'A', url: '', license: '' }),
        item(3, 'changed', { id, name: 'A', url: '', license: 'CC0' }),
        item(4, 'removed', null),
      ],
      next: await now(),
      more: false,
    });
    expect((await since(token)).results[0]).not.toHaveProperty('record');
  });

  it('gives records as their addresses show them', async () => {
    await upload(row('2024-01-15', 1));
    await send('patch', 'Market/1/', { name: 'Mombasa Kongowea' }).expect(200);
    await send('patch', 'Commodity/1/', { name: 'White maize' }).expect(200);
    const date = '2024-01-01';
    await send('post', 'FxRate/', { currency: 'KES', date, rate: 150 }).expect(201);
    const index = { iso3_country_code: 'KEN', date, value: 100, base_period: '2019' };
    await send('post', 'Cpi/', index).expect(201);
    await send('post', 'Alias/', { table: 'Source', record_id: 1, name: 'WFP' }).expect(201);
    const { results } = await read('?points=true');
    const records = new Map<string, unknown>();
    for (const { type, table, id, record } of results)
      if (type === 'record') records.set(`${table}/${id}/`, record);
    const aliases = [1, 2, 3].map((id) => records.get(`Alias/${id}/`));
    expect(aliases).toMatchObject([
      { table: 'Market', record_id: 1, name: 'Mombasa', iso3_country_code: 'KEN' },
      { table: 'Commodity', record_id: 1, name: 'Maize' },
      { table: 'Source', record_id: 1, name: 'WFP' },
    ]);
    for (const [path, record] of records) {
      const { body } = await service.http().get(`/api/v1/${path}`).expect(200);
      expect([path, record]).toEqual([path, body]);
    }
    // Also as a revision has left one that has gone on since, or has gone.
    const before = records.get('Alias/3/');
    const token = await now();
    await send('delete', 'Alias/3/').expect(204);
    const gone = (await since(token, '&points=true')).results;
    expect(gone).toMatchObject([{ table: 'Alias', id: 3, action: 'removed', record: null }]);
    const again = (await read('?points=true')).results;
    expect(again.find(({ table, id }) => table === 'Alias' && id === 3)!.record).toEqual(before);
  });

  it('gives a rate whose correction an import confirms with the values that it keeps', async () => {
    const rates = (rate: number) =>
      service
        .http()
        .post('/api/v1/Import/?format=fx')
        .set({ ...admin, 'Content-Type': 'text/csv' })
        .send(`currency,date,rate\nKES,2024-01-01,${rate}\n`)
        .expect(200);
    await rates(100);
    await send('patch', 'FxRate/1/', { rate: 150 }).expect(200);
    const token = await now();
    const { body } = await rates(150);
    await send('post', `ChangeSet/${(body as { change_set_id: number }).change_set_id}/revert/`).expect(200);
    const { body: record } = await service.http().get('/api/v1/FxRate/1/').expect(200);
    const item = { type: 'record', table: 'FxRate', id: 1, action: 'changed', record };
    expect((await since(token, '&points=true')).results).toMatchObject([item, item]);
    // Each item is of its revision, also once the record has gone on.
    await send('patch', 'FxRate/1/', { rate: 160 }).expect(200);
    expect((await since(token, '&points=true')).results.slice(0, 2)).toMatchObject([item, item]);
  });

  it('lists what was done to series and their points', async () => {
    const token = await now();
    await upload(row('2024-01-15', 4000) + row('2024-02-15', 4100));
    const created = await since(token, '&points=true');
    const series = created.results.at(-1)!;
    expect(created.results.map(({ type, table }) => table ?? type)).toEqual([
      'Commodity',
      'Market',
      'MeasureUnit',
      'Source',
      'series',
    ]);
    const { body: entry } = await service.http().get(`/api/v1/PriceSerie/${series.uuid}/`).expect(200);
    const head = { at, type: 'series', uuid: series.uuid, iso3_country_code: 'KEN' };
    const ids = entry as Record<string, unknown>;
    expect(series).toEqual({
      ...head,
      revision: 2,
      change_set_id: 2,
      kind: 'import',
      action: 'created',
      points: { added: 2, changed: 0, removed: 0 },
      first_date: '2024-01-01',
      last_date: '2024-02-01',
      attributes: {
        id: expect.any(Number),
        commodity_id: ids.commodity_id,
        price_type_id: ids.price_type_id,
        market_id: ids.market_id,
        source_id: ids.source_id,
        measure_unit_id: ids.measure_unit_id,
        currency: 'KES',
        marked_periods: [],
      },
      entry,
      changes: [
        { periodicity: 'monthly', date: '2024-01-01', before: null, after: point(4000) },
        { periodicity: 'monthly', date: '2024-02-01', before: null, after: point(4100) },
      ],
    });
    const prices = (await service.http().get(`/api/v1/PriceSeriePrice/${series.uuid}/`).expect(200)).body as {
      datapoints: { id: number }[];
    };
    const address = `PriceSeriePrice/${series.uuid}/${prices.datapoints[0]!.id}/`;
    await send('patch', address, { price_value: 4200, comment: 'Ministry' }).expect(200);
    await send('delete', address).expect(204);
    const later = await since(created.next, '&points=true');
    const common = {
      ...head,
      kind: 'correction',
      action: 'changed',
      first_date: '2024-02-01',
      last_date: '2024-02-01',
    };
    expect(later.results).toEqual([
      {
        ...common,
        revision: 3,
        change_set_id: 3,
        points: { added: 0, changed: 1, removed: 0 },
        changes: [
          { periodicity: 'monthly', date: '2024-02-01', before: point(4100), after: point(4200, 'Ministry') },
        ],
      },
      {
        ...common,
        revision: 4,
        change_set_id: 4,
        points: { added: 0, changed: 0, removed: 1 },
        changes: [
          { periodicity: 'monthly', date: '2024-02-01', before: point(4200, 'Ministry'), after: null },
        ],
      },
    ]);
    // The same again, from the start: earlier values are as they were then.
    const again = await since(token, '&points=true');
    expect(again.results.slice(0, -2)).toEqual([
      ...created.results.slice(0, -1),
      { ...series, entry: (await service.http().get(`/api/v1/PriceSerie/${series.uuid}/`)).body },
    ]);
  });

  it('is read in parts that neither skip nor repeat, within a revision, too', async () => {
    await upload(
      ['A', 'B', 'C', 'D']
        .map((market) => row('2024-01-15', 1, market) + row('2024-02-15', 2, market))
        .join(''),
    );
    await send('post', 'Source/', { name: 'Another' }).expect(201);
    for (const query of ['', '&points=true']) {
      const whole = await read(`?limit=1000${query}`);
      for (const limit of [1, 2, 3, 7]) {
        const parts: Item[] = [];
        let page = await read(`?limit=${limit}${query}`);
        for (; page.more; page = await since(page.next, `&limit=${limit}${query}`)) {
          expect(page.results).toHaveLength(limit);
          parts.push(...page.results);
        }
        expect([...parts, ...page.results]).toEqual(whole.results);
        expect(page.next).toBe(whole.next);
      }
      const uuids = whole.results.flatMap(({ uuid }) => uuid ?? []);
      expect(uuids).toEqual([...uuids].sort());
    }
  });

  it('is filtered by the series as they are now; records and removals are for everybody', async () => {
    const token = await now();
    await upload(row('2024-01-15', 1, 'Mombasa', 'KES') + row('2024-01-15', 1, 'Nairobi', 'USD'));
    const { results } = await since(token, '&currencies=USD');
    expect(results.map(({ type, table }) => table ?? type)).toEqual([
      'Commodity',
      'Market',
      'Market',
      'MeasureUnit',
      'Source',
      'series',
    ]);
    const none = await since(token, '&uuids=00000000-0000-4000-8000-000000000000');
    expect(none.results.every(({ type }) => type === 'record')).toBe(true);
    expect(none.next).toBe(await now());
  });

  it('rejects what is no token, parameter or format', async () => {
    for (const token of ['x', 'e30', 'W10', 'WzFd', '*'])
      expectProblem(await service.http().get(`${PATH}?since=${token}`), {
        status: 400,
        code: 'invalid',
        errors: [queryViolation('since', 'invalid_format')],
      });
    expectProblem(await service.http().get(`${PATH}?limit=0&wait=61&points=2&page=1&format=csv`), {
      status: 400,
      code: 'invalid',
      errors: [
        queryViolation('limit', 'invalid_integer'),
        queryViolation('wait', 'out_of_range', { min: 0, max: 60 }),
        queryViolation('points', 'invalid_boolean'),
        queryViolation('page', 'unknown_parameter'),
        queryViolation('format', 'invalid_choice', { allowed: ['json'] }),
      ],
    });
    expect((await service.http().get(PATH).set('Accept', 'text/csv')).status).toBe(406);
    expect((await service.http().post(PATH).set(admin)).status).toBe(405);
    const answer = await service.http().get(PATH).expect(200);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('does not know the tokens of another history', async () => {
    await send('post', 'Source/', { name: 'A' }).expect(201);
    const token = await now();
    await service.unitOfWork.run((transaction) =>
      transaction.execute('UPDATE revision SET mark = ? WHERE number = 2', ['restored']),
    );
    const later = Buffer.from(JSON.stringify([99, 'x'])).toString('base64url');
    for (const unknown of [token, later]) {
      const response = await service.http().get(`${PATH}?since=${unknown}`);
      const start = `http://${(response.request as unknown as { host: string }).host}${PATH}`;
      expectProblem(response, { status: 410, code: 'token_unknown', extra: { start } });
    }
  });

  describe('waiting', () => {
    const waiting = () => service.app.get(ConcurrencyLimits).waiting.size;
    const untilWaiting = async (count: number) => {
      while (waiting() !== count) await sleep(5);
    };
    const open = async (query: string, headers: Record<string, string> = {}) => {
      const { port } = service.app.getHttpServer().address() as AddressInfo;
      const [response] = (await once(get({ port, path: PATH + query, headers }), 'response')) as [
        IncomingMessage,
      ];
      return response;
    };

    it('takes no place for a client that has left before', async () => {
      const reader = service.app.get(FeedReader);
      const read = reader.read.bind(reader);
      let hasRead = false;
      jest.spyOn(reader, 'read').mockImplementationOnce(async (...request) => {
        const page = await read(...request);
        call.destroy();
        await sleep(100);
        hasRead = true;
        return page;
      });
      const { port } = service.app.getHttpServer().address() as AddressInfo;
      const call = get({ port, path: `${PATH}?since=${await now()}&wait=60` });
      call.on('error', () => undefined);
      while (!hasRead) await sleep(5);
      await sleep(20);
      expect(waiting()).toBe(0);
    });

    it('ends with the next item, and does not count as work', async () => {
      const token = await now();
      const answer = since(token, '&wait=60');
      await untilWaiting(1);
      expect(service.app.get(ConcurrencyLimits).requests.size).toBe(0);
      await send('post', 'Source/', { name: 'A' }).expect(201);
      expect((await answer).results).toMatchObject([{ table: 'Source', action: 'created' }]);
      await untilWaiting(0);
    });

    it('does not begin where something was committed since the feed was read', async () => {
      const token = await now();
      const reader = service.app.get(FeedReader);
      const read = reader.read.bind(reader);
      jest.spyOn(reader, 'read').mockImplementationOnce(async (...request) => {
        const page = await read(...request);
        await send('post', 'Source/', { name: 'A' }).expect(201);
        return page;
      });
      expect((await since(token, '&wait=2')).results).toMatchObject([{ table: 'Source', action: 'created' }]);
    });

    it('goes on over what a filter leaves out', async () => {
      const token = await now();
      await upload(row('2024-01-15', 1, 'Mombasa', 'KES'));
      const begun = await since(token);
      const answer = since(begun.next, '&wait=60&currencies=USD');
      await untilWaiting(1);
      await upload(row('2024-02-15', 1, 'Mombasa', 'KES'));
      await upload(row('2024-02-15', 1, 'Mombasa', 'USD'));
      expect((await answer).results).toMatchObject([{ type: 'series', action: 'created', revision: 4 }]);
    });

    it('costs a commit as many statements with many clients as with few, whatever they ask for', async () => {
      for (const market of ['Mombasa', 'Kisumu', 'Garissa'])
        for (const currency of ['KES', 'USD']) await upload(row('2024-01-15', 1, market, currency));
      const filters = [
        '&currencies=USD',
        '&currencies=USD&limit=1',
        '&search=kisumu&points=true',
        '&market_ids=2,3&points=true',
        '&points=true&limit=2',
        '&iso3_country_codes=UGA',
      ];
      const both = (date: string) =>
        ['KES', 'USD'].map((currency) => row(date, 2, 'Kisumu', currency)).join('') +
        row(date, 2, 'Garissa', 'USD');
      const statementsWith = async (clients: number, date: string) => {
        const before = waiting();
        const token = await now();
        const queries = Array.from({ length: clients }, (_, index) => {
          const filter = filters[index % filters.length]!;
          return filter.includes('limit') ? filter : `${filter}&limit=${100 + index}`;
        });
        const answers = queries.map((query) => since(token, `${query}&wait=60`));
        await untilWaiting(before + clients);
        let pages: Page[] = [];
        const statements = await driverStatements(service.database, async () => {
          await upload(both(date));
          // Those whose filter leaves out all that has happened go on waiting.
          const woken = answers.filter((_, index) => !queries[index]!.includes('UGA'));
          pages = await Promise.all(woken);
        });
        const asked = queries.filter((query) => !query.includes('UGA'));
        for (const [index, query] of asked.entries()) {
          const { results, next, more } = await since(token, query);
          expect(pages[index]!.results).toEqual(results);
          if (!more) expect(pages[index]).toEqual({ results, next, more });
        }
        return statements.filter((sql) => /(series|record)_change|record_version/.test(sql)).length;
      };
      const few = await statementsWith(6, '2024-02-15');
      expect(few).toBeGreaterThan(0);
      expect(await statementsWith(60, '2024-03-15')).toBe(few);
      service.app.get(Draining).begin();
      await untilWaiting(0);
    });

    it('ends with nothing when the time has passed, at once for HEAD, and when the service stops', async () => {
      const token = await now();
      expect(await since(token, '&wait=1')).toEqual({ results: [], next: token, more: false });
      await service.http().head(`${PATH}?since=${token}&wait=60`).expect(200);
      const answer = since(token, '&wait=60');
      await untilWaiting(1);
      service.app.get(Draining).begin();
      expect(await answer).toEqual({ results: [], next: token, more: false });
      expect(await since(token, '&wait=60')).toEqual({ results: [], next: token, more: false });
    });

    it('is woken by a write of another process', async () => {
      const token = await now();
      const answer = since(token, '&wait=60');
      await untilWaiting(1);
      // As another process does: nothing is announced, and polling finds it.
      const other = service.revision.publish.bind(service.revision);
      service.revision.publish = () => Promise.resolve();
      await send('post', 'Source/', { name: 'A' }).expect(201);
      service.revision.publish = other;
      expect((await answer).results).toHaveLength(1);
    });

    it('rejects more clients than the process holds, and frees the place of one that leaves', async () => {
      const limits = service.app.get<{ waitingClients: number }>(HTTP_LIMITS);
      expect(limits.waitingClients).toBe(500);
      const token = await now();
      try {
        limits.waitingClients = 1;
        const events = await open(`?since=${token}`, { Accept: 'text/event-stream' });
        await untilWaiting(1);
        for (const headers of [{}, { Accept: 'text/event-stream' }])
          expectProblem(await service.http().get(`${PATH}?since=${token}&wait=60`).set(headers), {
            status: 503,
            code: 'unavailable',
          });
        await service.http().get(`${PATH}?since=${token}`).expect(200);
        events.destroy();
        await untilWaiting(0);
      } finally {
        limits.waitingClients = httpLimits.waitingClients = 500;
      }
    });

    it('gives the same as server-sent events', async () => {
      const token = await now();
      await send('post', 'Source/', { name: 'A' }).expect(201);
      const events = await open(`?since=now&points=true`, {
        Accept: 'text/event-stream',
        'Last-Event-ID': token,
      });
      expect(events.statusCode).toBe(200);
      expect(events.headers['content-type']).toBe('text/event-stream; charset=utf-8');
      expect(events.headers['cache-control']).toBe('no-store');
      let text = '';
      events.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      const ids = () => [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id!);
      const data = () => [...text.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json!) as Item);
      while (ids().length < 2) await sleep(5);
      await send('post', 'Source/', { name: 'B' }).expect(201);
      while (data().length < 2) await sleep(5);
      expect(data()).toEqual((await since(token, '&points=true')).results);
      // The id of each event is the token to go on after it.
      expect((await since(ids()[0]!)).results).toHaveLength(1);
      service.app.get(Draining).begin();
      await once(events, 'end');
      expect((await since(ids().at(-1)!)).results).toEqual([]);
    });

    it('rejects the id of no event', async () => {
      const response = await service
        .http()
        .get(PATH)
        .set({ Accept: 'text/event-stream', 'Last-Event-ID': 'x' });
      expectProblem(response, {
        status: 400,
        code: 'invalid',
        errors: [{ in: 'header', name: 'Last-Event-ID', code: 'invalid_format' }],
      });
    });
  });

  it('lists what was there before the migration as created by it', async () => {
    await upload(row('2024-01-15', 1) + row('2024-02-15', 2));
    await send('patch', 'Source/1/', { license: 'CC0' }).expect(200);
    // As a database looks that was migrated after the import.
    await service.unitOfWork.run(async (transaction) => {
      for (const table of [
        'market',
        'commodity',
        'measure_unit',
        'price_serie',
        'series_period',
        'observation',
      ])
        await transaction.execute(`UPDATE ${table} SET since = 0`);
      await transaction.execute('UPDATE record_version SET since = 0');
      await transaction.execute('DELETE FROM series_change');
      await transaction.execute("DELETE FROM record_change WHERE action = 'created'");
    });
    const { results } = await read('?points=true');
    const tail = results.filter(({ table }) => table !== 'PriceType');
    expect(tail.map(({ revision, action, table, type }) => [revision, action, table ?? type])).toEqual([
      [1, 'created', 'Commodity'],
      [1, 'created', 'Market'],
      [1, 'created', 'MeasureUnit'],
      [1, 'created', 'Source'],
      [1, 'created', 'series'],
      [3, 'changed', 'Source'],
    ]);
    expect(tail[3]!.record).toMatchObject({ license: 'CC BY-IGO' });
    expect(tail[4]).toMatchObject({
      kind: 'migration',
      points: { added: 2, changed: 0, removed: 0 },
      first_date: '2024-01-01',
      last_date: '2024-02-01',
      changes: [
        { before: null, after: point(1) },
        { before: null, after: point(2) },
      ],
    });
    const parts: Item[] = [];
    let page = await read('?limit=1&points=true');
    for (; page.more; page = await since(page.next, '&limit=1&points=true')) parts.push(...page.results);
    expect([...parts, ...page.results]).toEqual(results);
  });
});
