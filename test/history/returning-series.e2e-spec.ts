import { NO_COUNTS, NO_EFFECTS, RevertClient, wfpRow as row } from '../support/reverts.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

describe('H2: series and records that went because nothing used them', () => {
  let service: TestApp;
  let client: RevertClient;
  beforeEach(async () => {
    service = await startTestApp();
    client = await RevertClient.of(service);
  });
  afterEach(() => service?.close());

  const imported = async (...rows: string[]) => (await client.prices(...rows)).change_set_id;
  /** Sets or removes the first price of a market, and returns the change set. */
  const correct = async (price_value: number | null, market = 'Mombasa') => {
    const uuid = (await uuids()).get(market)!;
    const { address } = (await client.points()).find((point) => point.address.includes(uuid))!;
    if (price_value === null) await client.send('delete', address).expect(204);
    else await client.send('patch', address, { price_value }).expect(200);
    return client.newest();
  };
  const merge = async (table: string, key: number | string, into: number | string) => {
    await client.send('post', `${table}/${key}/merge/`, { into }).expect(200);
    return client.newest();
  };
  /** The uuids of the stored series, by the names of their markets. */
  const uuids = async () => {
    const rows = await service.database.rows<{ name: string; uuid: string }>(
      'SELECT m.name, s.uuid FROM price_serie s JOIN market m ON m.id = s.market_id ORDER BY s.id',
    );
    return new Map(rows.map(({ name, uuid }) => [name, uuid]));
  };
  /** What the address of a uuid answers: the series, or the status of an error. */
  const found = async (uuid: string) => {
    const { status, body } = await service.http().get(`/api/v1/PriceSerie/${uuid}/`);
    return status === 200 ? (body as object) : status;
  };
  const maize = [row('2024-01-15', 4000), row('2024-02-15', 4100)];

  it('come back with a correction, though the import is reverted', async () => {
    const empty = await client.published();
    const file = await imported(...maize);
    const correction = await correct(4050);
    await client.revertChecked(file);
    const corrected = await client.published();
    const revert = await client.revertChecked(correction);
    expect(await client.published()).toEqual(empty);
    const { counts, change_set: by } = await client.revert(revert);
    expect(counts).toEqual({
      ...NO_COUNTS,
      points: { ...NO_EFFECTS, added: 1 },
      series: { ...NO_EFFECTS, added: 1 },
      records: { ...NO_EFFECTS, added: 4 },
      corrections: { reopened: 1, rebased: 0, ended: 0 },
    });
    expect(await client.published()).toEqual(corrected);
    await client.revertChecked(by!);
    expect(await client.published()).toEqual(empty);
  });

  it('come back with the import, though another change set took them away', async () => {
    const empty = await client.published();
    const file = await imported(...maize);
    const before = await client.published();
    const correction = await correct(4050);
    const both = await client.published();
    const withoutFile = await client.revertChecked(file);
    const withoutCorrection = await client.revertChecked(correction);
    expect(await client.published()).toEqual(empty);
    const again = await client.revertChecked(withoutFile);
    expect(await client.published()).toEqual(before);
    await client.revertChecked(withoutCorrection);
    expect(await client.published()).toEqual(both);
    await client.revertChecked(again);
    expect(await client.values()).toEqual(['2024-02 4050']);
  });

  it('come back for a series of another import', async () => {
    const empty = await client.published();
    const first = await imported(...maize);
    const second = await imported(row('2024-01-15', 90, { commodity: 'Rice' }));
    await client.revertChecked(first);
    const rice = await client.published();
    const revert = await client.revertChecked(second);
    expect(await client.published()).toEqual(empty);
    await client.revertChecked(revert);
    expect(await client.published()).toEqual(rice);
  });

  it('stay away where another import has made them anew', async () => {
    const file = await imported(...maize);
    const correction = await correct(4050);
    await client.revertChecked(file);
    const revert = await client.revertChecked(correction);
    await imported(...maize);
    const anew = await client.published();
    const { counts } = await client.revert(revert, '?dry_run=true');
    expect(counts).toMatchObject({ points: NO_EFFECTS, series: NO_EFFECTS, changed_since: 1 });
    await client.revertChecked(revert);
    expect(await client.published()).toEqual(anew);
  });

  it('come back without what was reverted while they were away', async () => {
    await imported(row('2024-01-15', 50, { market: 'Lamu', commodity: 'Rice' }));
    const file = await imported(...maize);
    const correction = await correct(4050);
    await client.revertChecked(file);
    const corrected = await client.published();
    const { body } = await service.http().get('/api/v1/Market/').expect(200);
    const ids = new Map((body as { id: number; name: string }[]).map(({ id, name }) => [name, id]));
    const merged = await merge('Market', ids.get('Mombasa')!, ids.get('Lamu')!);
    const revert = await client.revertChecked(correction);
    await client.revertChecked(merged);
    await client.revertChecked(revert);
    expect(await client.published()).toEqual(corrected);
  });

  it('come back with their other uuids, also those that another revert has removed', async () => {
    const empty = await client.published();
    const file = await imported(...maize);
    const { body } = await service.http().get('/api/v1/Market/').expect(200);
    const [{ id: market }] = body as [{ id: number }];
    await client.send('patch', `Market/${market}/`, { market_name: 'Mombasa Town' }).expect(200);
    // The file repeats a price, so that it gives nothing but the other uuid.
    const renamed = await imported(row('2024-01-15', 4000, { market: 'Mombasa Town' }));
    const [alias] = await service.database.rows<{ uuid: string }>('SELECT uuid FROM series_alias');
    const state = async () => [await client.published(), await found(alias!.uuid)];
    const before = await state();
    expect(before[1]).toMatchObject({ uuid: (await uuids()).get('Mombasa Town') });

    const correction = await correct(4050, 'Mombasa Town');
    const withoutFile = await client.revertChecked(file);
    const corrected = await state();
    expect(corrected[1]).toMatchObject({ uuid: (await uuids()).get('Mombasa Town') });
    const withoutCorrection = await client.revertChecked(correction);
    expect(await found(alias!.uuid)).toBe(404);
    expect((await client.published()).PriceSerie).toEqual(empty.PriceSerie);
    const again = await client.revertChecked(withoutFile);
    expect(await state()).toEqual(before);
    const without = await client.revertChecked(again);
    await client.revertChecked(withoutCorrection);
    expect(await state()).toEqual(corrected);

    // Without the file that made it, the uuid stays away, whatever brings the series back.
    await client.revertChecked(correction);
    const withoutRenamed = await client.revertChecked(renamed);
    await client.revertChecked(without);
    expect(await found(alias!.uuid)).toBe(404);
    await client.revertChecked(withoutRenamed);
    expect(await state()).toEqual(before);
  });

  it('do not come back under a uuid that leads to another series by now', async () => {
    // Another series uses the commodity, the type, the unit and the source meanwhile.
    await imported(row('2024-01-15', 50, { market: 'Lamu' }));
    const withoutFile = await client.revertChecked(await imported(...maize));
    await imported(row('2024-01-15', 4000, { market: 'Mombasa Town' }));
    const { body } = await service.http().get('/api/v1/Market/').expect(200);
    const { id: market } = (body as { id: number; name: string }[]).find(
      ({ name }) => name === 'Mombasa Town',
    )!;
    await client.send('patch', `Market/${market}/`, { market_name: 'Mombasa' }).expect(200);
    await imported(row('2024-01-15', 4000));
    await client.send('patch', `Market/${market}/`, { market_name: 'Mombasa Port' }).expect(200);
    const [alias] = await service.database.rows<{ uuid: string }>('SELECT uuid FROM series_alias');
    const state = async () => [
      (await client.published()).PriceSerie,
      await found(alias!.uuid),
      await client.points(),
    ];
    const before = await state();
    expect(before[1]).toMatchObject({ uuid: (await uuids()).get('Mombasa Port') });

    await client.revertChecked(withoutFile);
    expect(await state()).toEqual(before);
  });

  it('come back with a join', async () => {
    await imported(row('2024-01-15', 50, { market: 'Lamu' }));
    const lamu = await client.published();
    const file = await imported(...maize);
    const found = await uuids();
    const join = await merge('PriceSerie', found.get('Mombasa')!, found.get('Lamu')!);
    const joined = await client.published();
    const withoutFile = await client.revertChecked(file);
    const apart = await client.revertChecked(join);
    expect(await client.published()).toEqual(lamu);
    await client.revertChecked(apart);
    await client.revertChecked(withoutFile);
    expect(await client.published()).toEqual(joined);
  });

  it('stay for a join that is made again', async () => {
    await imported(row('2024-01-15', 50, { market: 'Lamu' }));
    const file = await imported(row('2024-01-15', 4000));
    const found = await uuids();
    await correct(4050);
    const join = await merge('PriceSerie', found.get('Mombasa')!, found.get('Lamu')!);
    const joined = await client.published();
    await client.revertChecked(file);
    expect(await client.published()).toEqual(joined);
    const apart = await client.revertChecked(join);
    const removal = await correct(null);
    const { counts } = await client.revert(apart, '?dry_run=true');
    expect(counts).toEqual({ ...NO_COUNTS, series: { ...NO_EFFECTS, removed: 1 }, still_used: 1 });
    await client.revertChecked(apart);
    await client.revertChecked(removal);
    expect(await client.published()).toEqual(joined);
  });
});
