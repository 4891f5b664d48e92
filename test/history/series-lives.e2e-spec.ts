import { NO_COUNTS, NO_EFFECTS, RevertClient, wfpRow as row } from '../support/reverts.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

describe('H2: a series or record that an import makes anew', () => {
  let service: TestApp;
  let client: RevertClient;
  beforeEach(async () => {
    service = await startTestApp();
    client = await RevertClient.of(service);
  });
  afterEach(() => service?.close());

  const imported = async (...rows: string[]) => (await client.prices(...rows)).change_set_id;
  const rates = async (...rows: string[]) => (await client.rates(...rows)).change_set_id;
  const get = async (path: string) =>
    (await service.http().get(`/api/v1/${path}`).expect(200)).body as unknown;
  /** The ids of all series and records that prices have. */
  const ids = async () => {
    const lists: Record<string, unknown> = {};
    for (const table of ['price_serie', 'commodity', 'market', 'source', 'measure_unit', 'fx_rate'])
      lists[table] = await service.database.rows(`SELECT id FROM ${table} ORDER BY id`);
    return lists;
  };
  const revision = async () => {
    const [found] = await service.database.rows<{ revision: number }>('SELECT revision FROM data_revision');
    return Number(found!.revision);
  };
  const maize = [row('2024-01-15', 4000), row('2024-02-15', 4100)];

  it('has the ids of its earlier life, and its points have theirs', async () => {
    const file = await imported(...maize, row('2024-01-15', 60, { market: 'Lamu' }));
    const before = { ids: await ids(), points: await client.points() };
    await client.revertChecked(file);
    await imported(row('2024-01-15', 70, { market: 'Kilifi' }));
    await imported(...maize, row('2024-01-15', 60, { market: 'Lamu' }));
    const after = { ids: await ids(), points: await client.points() };
    const kilifi = (point: { price: number }) => point.price === 70;
    expect(after.points.filter((point) => !kilifi(point))).toEqual(before.points);
    for (const [table, rows] of Object.entries(before.ids))
      expect(after.ids[table]).toEqual(expect.arrayContaining(rows as unknown[]));
  });

  it('has one history with its earlier life', async () => {
    const file = await imported(...maize);
    const [, january] = await client.points();
    const first = await revision();
    const without = await client.revertChecked(file);
    const gone = await revision();
    const again = await imported(row('2024-01-15', 4200), row('2024-02-15', 4100));
    const last = await revision();
    const versions = (await get(`${january!.address}versions/`)) as object[];
    expect(versions).toMatchObject([
      { price_value: 4200, change_set_id: again, kind: 'import', first_revision: last, last_revision: null },
      {
        price_value: null,
        change_set_id: without,
        kind: 'revert',
        first_revision: gone,
        last_revision: last - 1,
      },
      {
        price_value: 4000,
        change_set_id: file,
        kind: 'import',
        first_revision: first,
        last_revision: gone - 1,
      },
    ]);
    const published = (await get('PriceSeriePrice/?first_published=true')) as {
      results: { datapoints: { price_value: number }[] }[];
    };
    expect(published.results[0]!.datapoints.map(({ price_value }) => price_value)).toEqual([4100, 4000]);
    const differences = await get(
      `PriceSeriePrice/differences/?from=r${first}&to=r${last}&iso3_country_codes=KEN`,
    );
    expect(differences).toMatchObject([{ action: 'changed', before: 4000, after: 4200 }]);
    expect(await get(`PriceSerie/?as_of=r${gone}`)).toMatchObject({ results: [] });
  });

  it('has all of its prices when the revert that removed it is reverted', async () => {
    const file = await imported(...maize);
    const both = await client.published();
    const without = await client.revertChecked(file);
    await imported(row('2024-01-15', 4000));
    const { counts } = await client.revert(without, '?dry_run=true');
    expect(counts).toEqual({ ...NO_COUNTS, points: { ...NO_EFFECTS, added: 1 } });
    await client.revertChecked(without);
    expect(await client.published()).toEqual(both);
  });

  it('goes with the later import only where nothing else has made it', async () => {
    const file = await imported(...maize);
    const both = await client.published();
    const without = await client.revertChecked(file);
    const empty = await client.published();
    const second = await imported(...maize);
    expect(await client.published()).toEqual(both);
    const withoutSecond = await client.revertChecked(second);
    expect(await client.published()).toEqual(empty);
    await client.revertChecked(without);
    expect(await client.published()).toEqual(both);
    await client.revertChecked(withoutSecond);
    expect(await client.published()).toEqual(both);
    await client.revertChecked(file);
    expect(await client.published()).toEqual(both);
    await client.revertChecked(second);
    expect(await client.published()).toEqual(empty);
  });

  it('returns with the revert of an import after it was deleted and made anew', async () => {
    const empty = await client.published();
    const file = await imported(row('2024-01-15', 4000));
    const [point] = await client.points();
    const uuid = point!.address.split('/')[1]!;
    await client.send('delete', point!.address).expect(204);
    await client.send('delete', `PriceSerie/${uuid}/`).expect(204);
    const again = await imported(...maize);
    const made = await client.published();
    expect((await client.points()).map(({ address }) => address)).toContain(point!.address);
    await client.revertChecked(file);
    expect(await client.published()).toEqual(made);
    const without = await client.revertChecked(again);
    expect(await client.published()).toEqual(empty);
    await client.revertChecked(without);
    expect(await client.published()).toEqual(made);
  });

  it('has all of its rates when the revert that removed them is reverted', async () => {
    const file = await rates('KES,2024-01-01,150', 'KES,2024-02-01,151');
    const both = await client.published();
    const before = await ids();
    const without = await client.revertChecked(file);
    await rates('KES,2024-01-01,150');
    const { counts } = await client.revert(without, '?dry_run=true');
    expect(counts).toEqual({ ...NO_COUNTS, records: { ...NO_EFFECTS, added: 1 } });
    await client.revertChecked(without);
    expect(await client.published()).toEqual(both);
    expect(await ids()).toEqual(before);
  });
});
