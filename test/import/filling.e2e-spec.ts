import { storedRecord } from '../reference/reference-tables.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const COLUMNS = [
  'iso3_country_code',
  'commodity',
  'hs_code',
  'category',
  'price_type',
  'market',
  'market_type',
  'market_code',
  'market_info',
  'latitude',
  'longitude',
  'source',
  'source_url',
  'source_license',
  'currency',
  'measure_unit',
  'date',
  'periodicity',
  'price_value',
];

const ROW: Record<string, string | number> = {
  iso3_country_code: 'KEN',
  commodity: 'Maize',
  price_type: 'RETAIL',
  market: 'Kitui',
  source: 'Ministry',
  currency: 'KES',
  measure_unit: 'kg',
  date: '2024-01-01',
  periodicity: 'monthly',
  price_value: 50,
};

const file = (...rows: Record<string, string | number>[]) =>
  [
    COLUMNS.join(','),
    ...rows.map((row) => COLUMNS.map((name) => ({ ...ROW, ...row })[name] ?? '').join(',')),
  ].join('\n');

const FULL = {
  hs_code: '1005',
  category: 'cereals',
  market_type: 'Town',
  market_code: '7',
  market_info: 'near the bridge',
  latitude: -1.37,
  longitude: 38.01,
  source_url: 'https://example.org/',
  source_license: 'CC0',
};

describe('H4: filling of records by price files', () => {
  let service: TestApp;
  let admin: { Authorization: string };
  beforeEach(async () => {
    service = await startTestApp();
    admin = await service.authHeader();
  });
  afterEach(() => service?.close());

  const send = (method: 'post' | 'put' | 'patch', path: string, body: object) =>
    service.http()[method](`/api/v1/${path}`).set(admin).send(body);
  const upload = async (text: string, query = 'format=prices') =>
    (
      await service
        .http()
        .post(`/api/v1/Import/?${query}`)
        .set({ ...admin, 'Content-Type': 'text/csv' })
        .send(text)
        .expect(200)
    ).body as { [field: string]: unknown };
  const get = async (path: string) =>
    (await service.http().get(`/api/v1/${path}`).expect(200)).body as unknown;
  const records = async () => ({
    markets: await get('Market/'),
    commodities: await get('Commodity/'),
    sources: await get('Source/'),
  });

  it('fills what is empty, and keeps what the fields were', async () => {
    await upload(file({}));
    const before = await records();
    expect(await upload(file(FULL), 'format=prices&dry_run=true')).toMatchObject({ filled: 9 });
    expect(await records()).toEqual(before);
    expect(await upload(file(FULL))).toMatchObject({ unchanged: 1, filled: 9, attribute_conflicts: 0 });
    expect(await records()).toMatchObject({
      markets: [{ type: 'Town', code: '7', info: 'near the bridge', latitude: -1.37, longitude: 38.01 }],
      commodities: [{ hs_code: '1005', category: 'cereals' }],
      sources: [{ url: 'https://example.org/', license: 'CC0' }],
    });
    const versions = await service.database.rows<{ attributes: string }>(
      'SELECT table_name, since, until, attributes FROM record_version ORDER BY table_name',
    );
    expect(
      versions.map((version) => ({ ...version, attributes: JSON.parse(version.attributes) as unknown })),
    ).toEqual([
      {
        table_name: 'commodity',
        since: 2,
        until: 3,
        attributes: storedRecord('Commodity', { name: 'Maize' }),
      },
      { table_name: 'market', since: 2, until: 3, attributes: expect.objectContaining({ code: '' }) },
      { table_name: 'source', since: 2, until: 3, attributes: storedRecord('Source', { name: 'Ministry' }) },
    ]);
    expect(
      await service.database.rows(
        'SELECT table_name, action FROM record_change WHERE revision = 3 ORDER BY table_name',
      ),
    ).toEqual(['commodity', 'market', 'source'].map((table_name) => ({ table_name, action: 'changed' })));
    expect(await get('PriceSerie/')).toMatchObject({ results: [{ hs_code: '1005', market_type: 'Town' }] });
    // Again: nothing to fill, and no new revision.
    expect(await upload(file(FULL))).toMatchObject({ filled: 0, attribute_conflicts: 0 });
    expect(await service.database.rows('SELECT COUNT(*) AS count FROM record_version')).toEqual([
      { count: 3 },
    ]);
  });

  it('never replaces a value, and lists the others', async () => {
    await upload(file({ ...FULL, market_code: '', latitude: '' }));
    const report = await upload(file({ ...FULL, category: 'food', longitude: 38 }));
    const record_id = expect.any(Number) as number;
    expect(report).toMatchObject({
      filled: 2,
      attribute_conflicts: 2,
      conflicting_attributes: [
        { table: 'Commodity', record_id, field: 'category', stored: 'cereals', given: 'food' },
        { table: 'Market', record_id, field: 'longitude', stored: 38.01, given: 38 },
      ],
    });
    expect(await records()).toMatchObject({
      markets: [{ code: '7', latitude: -1.37, longitude: 38.01 }],
      commodities: [{ category: 'cereals' }],
    });
    const { results } = (await get('ChangeSet/')) as { results: { counts: unknown }[] };
    expect(results[0]!.counts).toMatchObject({ filled: 2, attribute_conflicts: 2 });
  });

  it('leaves fields alone that a maintainer has written, even to empty', async () => {
    await upload(file({}));
    const [market] = (await get('Market/')) as [{ id: number }];
    const [source] = (await get('Source/')) as [{ id: number; name: string }];
    const path = `Market/${market.id}/`;
    const written = await send('patch', path, { market_code: '', market_latitude: null }).expect(200);
    // Nothing has changed: neither the record nor the data.
    expect(written.headers.etag).toBe('"1"');
    expect(await get('ChangeSet/?kind=record')).toMatchObject({ count: 0 });
    await send('patch', path, { market_info: 'closed' }).expect(200);
    await send('patch', path, { market_info: '' }).expect(200);
    await send('put', `Source/${source.id}/`, { source_name: source.name }).expect(200);
    expect(await upload(file(FULL))).toMatchObject({ filled: 4, attribute_conflicts: 0 });
    expect(await records()).toMatchObject({
      markets: [{ type: 'Town', code: '', info: '', latitude: null, longitude: 38.01 }],
      commodities: [{ hs_code: '1005', category: 'cereals' }],
      sources: [{ url: '', license: '' }],
    });
  });

  it('fills the fields that a maintainer has left out of a new record', async () => {
    await send('post', 'Commodity/', { commodity_name: 'Maize', commodity_category: '' }).expect(201);
    await upload(file(FULL));
    expect(await get('Commodity/')).toMatchObject([{ hs_code: '1005', category: '' }]);
  });

  it('ends in the same state in whatever order the files come', async () => {
    const files = [
      file({ market_code: '7', hs_code: '1005' }),
      file({
        latitude: -1.37,
        longitude: 38.01,
        price_type: 'WHOLESALE',
        source_url: 'https://example.org/',
      }),
      file({ market_type: 'Town', category: 'cereals', market_code: '7', date: '2024-02-01' }),
      file({ commodity: 'Beans' }, { commodity: 'Beans', category: 'pulses', price_type: 'WHOLESALE' }),
    ];
    const orders = [
      [0, 1, 2, 3],
      [3, 2, 1, 0],
      [2, 0, 3, 1],
    ];
    const withoutIds = (value: unknown) => JSON.stringify(value).replace(/"id":\d+,/g, '');
    const states = new Set<string>();
    for (const order of orders) {
      const other = await startTestApp();
      const headers = { ...(await other.authHeader()), 'Content-Type': 'text/csv' };
      for (const index of order)
        await other.http().post('/api/v1/Import/?format=prices').set(headers).send(files[index]).expect(200);
      const lists = [];
      for (const table of ['Market', 'Commodity', 'Source']) {
        const { body } = await other.http().get(`/api/v1/${table}/`).expect(200);
        lists.push((body as object[]).map(withoutIds).sort());
      }
      states.add(JSON.stringify(lists));
      await other.close();
    }
    expect(states.size).toBe(1);
  });
});
