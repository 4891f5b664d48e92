import { setTimeout as sleep } from 'node:timers/promises';
import { NoMirror } from '../../src/mirror/mirror.js';
import { MirrorSource, SourceRejected } from '../../src/mirror/mirror-source.js';
import { addressOf, differentExports, runMirror } from '../support/mirrors.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const HEAD =
  'date,admin1,admin2,market,latitude,longitude,category,commodity,unit,priceflag,pricetype,currency,price,usdprice\n';
const row = (date: string, price: number, market = 'Mombasa', commodity = 'Maize') =>
  `${date},Coast,Mombasa,${market},-4.05,39.67,cereals and tubers,${commodity},90 KG,actual,Wholesale,KES,${price},26\n`;

interface Done {
  change_set: number;
}

describe('H7: a mirror', () => {
  let source: TestApp;
  let copy: TestApp;
  let admin: { Authorization: string };
  beforeEach(async () => {
    source = await startTestApp();
    copy = await startTestApp();
    admin = await source.authHeader();
  });
  afterEach(async () => {
    await source?.close();
    await copy?.close();
  });

  const send = async (method: 'post' | 'patch' | 'delete', path: string, body?: object, status = 200) => {
    const response = await source.http()[method](`/api/v1/${path}`).set(admin).send(body);
    expect([path, response.status, response.body]).toEqual([path, status, response.body]);
    return response.body as { id: number };
  };
  const upload = (csv: string, format = 'wfp&country=KEN') =>
    source
      .http()
      .post(`/api/v1/Import/?format=${format}`)
      .set({ ...admin, 'Content-Type': 'text/csv' })
      .send(csv)
      .expect(200);
  const run = (signal = new AbortController().signal, once = true, limit = 3) =>
    runMirror(copy, {
      source: new MirrorSource(addressOf(source), signal, () => undefined, limit),
      signal,
      once,
      onCopied: () => undefined,
      onRejected: (problem) => {
        throw new Error(problem);
      },
    });
  const different = () => differentExports(source, copy);
  const series = async () =>
    (
      (await source.http().get('/api/v1/PriceSeriePrice/').expect(200)).body as {
        results: { uuid: string; datapoints: { id: number }[] }[];
      }
    ).results;

  it('has findings of its own, without what maintainers have made of those of its source', async () => {
    const months = ['01', '02', '03', '04', '05', '06', '07'];
    const slip = months.map((month) => row(`2024-${month}-15`, month === '04' ? 3600 : 360));
    await upload(HEAD + slip.join(''));
    await send('patch', 'Finding/1/', { state: 'dismissed', reason: 'A true price.' });
    await send('post', 'MeasureUnit/', { name: 'Sack' }, 201);
    await run();
    const findings = async ({ http, revision }: TestApp) => {
      await revision.refresh();
      const { body } = await http().get('/api/v1/Finding/').expect(200);
      const { results } = body as { results: { rule: string; state: string; reason: string }[] };
      return results.map(({ rule, state, reason }) => [rule, state, reason].join(' ')).sort();
    };
    expect(await findings(source)).toEqual(['decimal_slip open ', 'spike dismissed A true price.']);
    expect(await findings(copy)).toEqual(['decimal_slip open ', 'spike open ', 'unknown_unit open ']);
  });

  it('copies estimates, forecasts and what is provisional', async () => {
    const header =
      'iso3_country_code,market,commodity,price_type,source,currency,measure_unit,date,periodicity,price_value,status\n';
    const line = (status: string, price: number, market = 'Kitui') =>
      `KEN,${market},Maize,RETAIL,Bureau,KES,kg,2024-01-01,monthly,${price},${status}\n`;
    await upload(header + line('', 50) + line('E', 51) + line('F', 52) + line('P', 53, 'Busia'), 'prices');
    await run();
    expect(await different()).toEqual([]);
    const { body } = await copy.http().get('/api/v1/PriceSerie/?status=all').expect(200);
    const { results } = body as { results: { status: string }[] };
    const statuses = ['estimated', 'forecast', 'observed', 'observed'];
    expect(results.map(({ status }) => status).sort()).toEqual(statuses);
    const prices = await copy
      .http()
      .get('/api/v1/PriceSeriePrice/?format=csv&status=all&search=busia')
      .expect(200);
    expect(prices.text).toMatch(/,53,.*,provisional\r\n$/);
  });

  it('is equal to its source, whatever is done there', async () => {
    await run();
    expect(await different()).toEqual([]);
    await upload(
      HEAD +
        ['A', 'B', 'C']
          .map((market) => row('2024-01-15', 10, market) + row('2024-02-15', 11, market))
          .join(''),
    );
    await upload('currency,date,rate\nKES,2024-01-01,100\nKES,2024-02-01,110\n', 'fx');
    await run();
    expect(await different()).toEqual([]);

    const [first, second] = await series();
    const point = `PriceSeriePrice/${first!.uuid}/${first!.datapoints[0]!.id}/`;
    await send('patch', point, { price_value: 12.5, comment: 'Ministry' });
    await send('delete', `PriceSeriePrice/${second!.uuid}/${second!.datapoints[1]!.id}/`, undefined, 204);
    // Two records change their names with a third: one takes what the other had.
    const { id: one } = await send('post', 'Source/', { name: 'One' }, 201);
    const { id: two } = await send('post', 'Source/', { name: 'Two' }, 201);
    await send('patch', `Source/${one}/`, { name: 'Three' });
    await send('patch', `Source/${two}/`, { name: 'One' });
    await send('delete', `Source/${one}/`, undefined, 204);
    await send('patch', 'FxRate/1/', { rate: 101 });
    await send('delete', 'FxRate/2/', undefined, 204);
    await upload(HEAD + row('2024-03-15', 13, 'A') + row('2024-03-15', 13, 'D', 'Rice'));
    await run();
    expect(await different()).toEqual([]);

    await send('post', `PriceSerie/${first!.uuid}/merge/`, { into: second!.uuid, factor: 2 });
    await run();
    expect(await different()).toEqual([]);
    await upload(HEAD + row('2024-04-15', 14, 'A') + row('2024-04-15', 15, 'B'));
    await run();
    expect(await different()).toEqual([]);
    expect((await copy.http().get(`/api/v1/PriceSerie/${first!.uuid}/`).expect(200)).body).toMatchObject({
      uuid: second!.uuid,
    });
    // The records that series refer to go together with the references to them.
    const entry = (await source.http().get(`/api/v1/PriceSerie/${second!.uuid}/`)).body as {
      commodity_id: number;
    };
    const { id: white } = await send('post', 'Commodity/', { name: 'White maize' }, 201);
    await send('post', `Commodity/${entry.commodity_id}/merge/`, { into: white });
    await run();
    expect(await different()).toEqual([]);
    // Reverting an import and a join.
    const sets = (await source.http().get('/api/v1/ChangeSet/?kind=import,merge')).body as {
      results: { id: number; kind: string }[];
    };
    await send('post', `ChangeSet/${sets.results.find(({ kind }) => kind === 'import')!.id}/revert/`);
    await run();
    expect(await different()).toEqual([]);
    await send('post', `ChangeSet/${sets.results.findLast(({ kind }) => kind === 'merge')!.id}/revert/`);
    await run();
    expect(await different()).toEqual([]);
    await copy.http().get(`/api/v1/PriceSerie/${first!.uuid}/`).expect(200);
    // Whatever the size of the parts, and although the source has gone on since.
    const other = copy;
    copy = await startTestApp();
    await run(undefined, true, 1000);
    expect(await different()).toEqual([]);
    await other.close();
  });

  it('keeps a rate whose correction the source has confirmed, and the revert of that', async () => {
    const rates = (rate: number) => upload(`currency,date,rate\nKES,2024-01-01,${rate}\n`, 'fx');
    await rates(100);
    await send('patch', 'FxRate/1/', { rate: 101 });
    await run();
    const { body } = await rates(101);
    expect(body).toMatchObject({ corrections_confirmed: 1 });
    await run();
    expect(await different()).toEqual([]);
    await send('post', `ChangeSet/${(body as { change_set_id: number }).change_set_id}/revert/`);
    await run();
    expect(await different()).toEqual([]);
    expect((await copy.http().get('/api/v1/FxRate/1/').expect(200)).body).toMatchObject({ rate: 101 });
  });

  describe('of joined series', () => {
    /** Each mirror copies after each operation, or all operations in one run. */
    let late: TestApp;
    beforeEach(async () => (late = await startTestApp()));
    afterEach(() => late?.close());

    /** Does something that is one change set, follows it with one mirror, and returns its id. */
    const operation = async (path: string, body?: object) => {
      const { change_set: id } = (await send('post', path, body)) as unknown as Done;
      await run();
      expect(await different()).toEqual([]);
      return id;
    };
    const revert = (id: number) => operation(`ChangeSet/${id}/revert/`);
    const join = (from: string, into: string) => operation(`PriceSerie/${from}/merge/`, { into });
    /** Copies all operations in one run, with parts of some number of items. */
    const expectCopied = async (limit: number) => {
      const early = copy;
      copy = late;
      await run(undefined, true, limit);
      expect(await different()).toEqual([]);
      copy = early;
    };
    const uuidsOf = async () => {
      const rows = await source.database.rows<{ name: string; uuid: string }>(
        'SELECT m.name, s.uuid FROM price_serie s JOIN market m ON m.id = s.market_id ORDER BY m.name',
      );
      return rows.map(({ uuid }) => uuid) as [string, string, string];
    };
    /** Imports the prices of some markets, and returns the change set. */
    const prices = async (...rows: string[]) => {
      const { body } = await upload(HEAD + rows.join(''));
      return (body as { change_set_id: number }).change_set_id;
    };
    /** The oldest price of the only series that is listed. */
    const shown = async () => {
      const [one, ...others] = (await series()) as unknown as { datapoints: { price_value: number }[] }[];
      expect(others).toEqual([]);
      return one!.datapoints.at(-1)!.price_value;
    };
    /** The places of all joins that were made, in the order of the feed. */
    const places = async () => {
      const { body } = await source.http().get('/api/v1/Changes/?points=true').expect(200);
      const { results } = body as { results: { joined_into?: { place: number } | null }[] };
      return results.flatMap(({ joined_into: made }) => (made ? [made.place] : []));
    };

    it.each([3, 1000])('shows the same points, in parts of %d items', async (limit) => {
      await prices(row('2024-01-15', 10, 'A'), row('2024-01-15', 11, 'B'), row('2024-02-15', 12, 'C'));
      const [a, b, c] = await uuidsOf();
      const first = await join(a, c);
      await join(b, c);
      expect(await shown()).toBe(10);
      // A join that is made again by a revert has its former place, another one comes last.
      const parted = await revert(first);
      await revert(parted);
      expect(await shown()).toBe(10);
      const again = await revert(first);
      const second = await join(a, c);
      expect(await shown()).toBe(11);
      await revert(second);
      await revert(again);
      expect(await shown()).toBe(10);
      expect(await places()).toEqual([1, 2, 1, 4, 1]);
      await expectCopied(limit);
    });

    it('has the periodicity of series that were joined in turn', async () => {
      await prices(row('2024-01-15', 10, 'A'), row('2024-02-15', 11, 'B'), row('2024-03-15', 12, 'C'));
      const [a, b, c] = await uuidsOf();
      const first = await join(a, b);
      await join(b, c);
      await revert(await revert(first));
      await revert(first);
      await expectCopied(1000);
    });

    it.each([1, 3, 1000])(
      'has the series that go and come back with a join, in parts of %d items',
      async (limit) => {
        await prices(row('2024-01-15', 50, 'Lamu', 'Rice'));
        const file = await prices(row('2024-01-15', 10, 'A'), row('2024-02-15', 11, 'B'));
        const [a, b] = await uuidsOf();
        const joined = await join(a, b);
        // Neither series has points any more: they go with the join.
        const without = await revert(file);
        const parted = await revert(joined);
        expect(await series()).toHaveLength(1);
        await revert(parted);
        await revert(without);
        expect(await series()).toHaveLength(2);
        await expectCopied(limit);
      },
    );
  });

  it('finds series under their other uuids as long as its source does', async () => {
    await upload(HEAD + row('2024-01-15', 10));
    await send('patch', 'Market/1/', { market_name: 'Mombasa Town' });
    const { body } = await upload(HEAD + row('2024-01-15', 10, 'Mombasa Town'));
    const { change_set_id: renamed } = body as { change_set_id: number };
    const [alias] = await source.database.rows<{ uuid: string }>('SELECT uuid FROM series_alias');
    const expectFound = async (status: number) => {
      await run();
      await copy.revision.refresh();
      for (const { http } of [source, copy])
        await http().get(`/api/v1/PriceSerie/${alias!.uuid}/`).expect(status);
    };
    const revert = async (id: number) =>
      ((await send('post', `ChangeSet/${id}/revert/`)) as unknown as Done).change_set;
    await expectFound(200);
    const by = await revert(renamed);
    await expectFound(404);
    await revert(by);
    await expectFound(200);
  });

  it('goes on where it was after any interruption, while others write', async () => {
    const prices = Array.from({ length: 30 }, (_, number) =>
      row(`2024-${String((number % 12) + 1).padStart(2, '0')}-15`, number + 1, `M${number % 7}`),
    );
    let writing = true;
    const writer = (async () => {
      for (const price of prices) await upload(HEAD + price);
      writing = false;
    })();
    while (writing) {
      const stop = new AbortController();
      const running = run(stop.signal, false);
      await sleep(100 + Math.random() * 300);
      stop.abort();
      await running;
    }
    await writer;
    await run();
    expect(await different()).toEqual([]);
    const imports = await copy.http().get('/api/v1/ChangeSet/?kind=import&state=done').expect(200);
    expect((imports.body as { results: object[] }).results[0]).toMatchObject({
      format: 'mirror',
      input: `${addressOf(source)}api/v1/Changes/`,
    });
  });

  it('keeps nothing of a part that fails', async () => {
    await upload(HEAD + row('2024-01-15', 10));
    const broken = new MirrorSource(addressOf(source), new AbortController().signal, () => undefined);
    const { read } = broken;
    broken.read = async (token, wait) => {
      const page = await read.call(broken, token, wait);
      const unknown = { type: 'record', table: 'Weather', id: 1, record: {} };
      if (page.results.length > 0) Object.assign(page.results.at(-1)!, unknown);
      return page;
    };
    const outcome = runMirror(copy, {
      source: broken,
      signal: new AbortController().signal,
      once: true,
      onCopied: () => undefined,
      onRejected: (problem) => {
        throw new Error(problem);
      },
    });
    await expect(outcome).rejects.toThrow('a table Weather, which this release does not know');
    expect(await copy.database.rows('SELECT * FROM mirror')).toEqual([]);
    expect(await copy.database.rows('SELECT * FROM commodity')).toEqual([]);
    await run();
    expect(await different()).toEqual([]);
  });

  it('needs a database without other data, and a source that knows its token', async () => {
    const { body } = await copy
      .http()
      .post('/api/v1/Source/')
      .set(await copy.authHeader())
      .send({ name: 'Own' })
      .expect(201);
    await expect(run()).rejects.toThrow(NoMirror);
    await copy
      .http()
      .delete(`/api/v1/Source/${(body as { id: number }).id}/`)
      .set(await copy.authHeader())
      .expect(204);
    await run();
    await source.unitOfWork.run((transaction) => transaction.execute("UPDATE revision SET mark = 'other'"));
    await source
      .http()
      .post('/api/v1/Source/')
      .set(await source.authHeader())
      .send({ name: 'Later' })
      .expect(201);
    await expect(run()).rejects.toThrow(SourceRejected);
  });
});
