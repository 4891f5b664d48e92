import { RevertClient, wfpRow as row } from '../support/reverts.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

describe('H2: reverting imports whose records were renamed there and back', () => {
  let service: TestApp;
  let client: RevertClient;
  beforeEach(async () => {
    service = await startTestApp();
    client = await RevertClient.of(service);
  });
  afterEach(() => service?.close());

  const imported = async (price: number, market?: string) =>
    (await client.prices(row('2024-01-15', price, market === undefined ? {} : { market }))).change_set_id;
  const rename = async (from: string, to: string) => {
    const { body } = await service.http().get('/api/v1/Market/').expect(200);
    const { id } = (body as { id: number; name: string }[]).find(({ name }) => name === from)!;
    await client.send('patch', `Market/${id}/`, { name: to }).expect(200);
  };
  const thereAndBack = async () => {
    await rename('Mombasa', 'Kongowea');
    await rename('Kongowea', 'Mombasa');
  };
  /** The names of markets, and of their aliases. */
  const names = async () => {
    const { Market: markets, Alias: aliases } = await client.published();
    const ofAliases = (aliases as { results: { name: string }[] }).results;
    return [markets as { name: string }[], ofAliases].map((list) => list.map(({ name }) => name));
  };

  it('takes the record with the import, as nobody has changed it', async () => {
    const before = await client.published();
    const first = await imported(4000);
    await thereAndBack();
    const { counts } = await client.revert(first, '?dry_run=true');
    expect(counts).toMatchObject({ records: { removed: 4 }, changed_since: 0, still_used: 0 });
    const by = await client.revertChecked(first);
    expect(await client.published()).toEqual(before);
    await client.revertChecked(by);
    expect([await client.values(), await names()]).toEqual([['2024-01 4000'], [['Mombasa'], ['Kongowea']]]);
  });

  it('takes it though an import between has found it by its other name', async () => {
    const before = await client.published();
    const first = await imported(4000);
    await rename('Mombasa', 'Kongowea');
    const second = await imported(4100, 'Kongowea');
    await rename('Kongowea', 'Mombasa');
    const third = await imported(4200);
    for (const id of [first, second, third]) await client.revertChecked(id);
    expect(await client.published()).toEqual(before);
  });

  it('leaves a record that has another name', async () => {
    const first = await imported(4000);
    await rename('Mombasa', 'Kongowea');
    expect((await client.revert(first)).counts).toMatchObject({ records: { removed: 3 }, changed_since: 1 });
    expect(await names()).toEqual([['Kongowea'], ['Mombasa']]);
  });

  it('leaves a record that another import has given the same fields again', async () => {
    const first = await imported(4000);
    const header = 'iso3_country_code,admin_unit,admin_unit2,name,latitude,longitude,code';
    for (const code of ['K1', ''])
      await service
        .http()
        .post('/api/v1/Import/?format=Market')
        .set({ ...(await service.authHeader()), 'Content-Type': 'text/csv' })
        .send(`${header}\nKEN,Coast,Mombasa,Mombasa,-4.05,39.67,${code}\n`)
        .expect(200);
    expect(await client.published()).toMatchObject({ Market: [{ name: 'Mombasa', code: '' }] });
    await client.revertChecked(first);
    expect(await names()).toEqual([['Mombasa'], []]);
  });
});
