import { RevertClient, wfpRow as row } from '../support/reverts.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

describe('H2: reverting what is about a correction that has ended', () => {
  let service: TestApp;
  let client: RevertClient;
  beforeEach(async () => {
    service = await startTestApp();
    client = await RevertClient.of(service);
  });
  afterEach(() => service?.close());

  const importPrice = async (price: number) => (await client.prices(row('2024-01-15', price))).change_set_id;
  /** @returns the change set */
  const correct = async (price_value: number) => {
    const [point] = await client.points();
    await client.send('patch', point!.address, { price_value }).expect(200);
    return client.newest();
  };
  /** @returns the change set */
  const withdraw = async () => {
    const [standing] = await service.database.rows<{ id: number }>(
      "SELECT id FROM correction WHERE state = 'standing'",
    );
    await client.send('delete', `Correction/${standing!.id}/`).expect(204);
    return client.newest();
  };
  const prices = async () => (await client.values()).map((value) => Number(value.split(' ')[1]));

  /** How the corrections stand, in the order in which they were made. */
  const states = async () => {
    const { body } = await service.http().get('/api/v1/Correction/').expect(200);
    return (body as { results: { state: string }[] }).results.map(({ state }) => state).reverse();
  };

  /** Reverts a change set, and tells which are to be imported again. */
  const laterInputs = async (changeSet: number) => {
    const { counts } = await client.revert(changeSet, '?dry_run=true');
    expect((await client.revert(changeSet)).counts).toEqual(counts);
    return (counts.later_inputs as { change_set_id: number }[]).map((input) => input.change_set_id);
  };

  it('leaves the price that the source has confirmed, which nobody has changed', async () => {
    await importPrice(4000);
    const correction = await correct(4100);
    const confirmation = await importPrice(4100);
    const { counts, change_set: by } = await client.revert(correction);
    expect(counts).toMatchObject({ points: { changed: 0 }, changed_since: 0, later_inputs: [] });
    expect(await prices()).toEqual([4100]);

    // The price goes back with the confirmation, and returns with it.
    const again = await client.revertChecked(confirmation);
    expect(await prices()).toEqual([4000]);
    const returned = await client.revertChecked(again);
    expect(await prices()).toEqual([4100]);
    // Without the confirmation it is that of the correction, once it counts again.
    await client.revertChecked(by!);
    await client.revertChecked(returned);
    expect(await prices()).toEqual([4100]);
    await client.revertChecked(correction);
    expect(await prices()).toEqual([4000]);
  });

  it('knows a confirmation after it was reverted together with the correction', async () => {
    await importPrice(4000);
    const correction = await correct(4100);
    const confirmation = await importPrice(4100);
    const by = await client.revertChecked(confirmation);
    await client.revertChecked(correction);
    expect(await prices()).toEqual([4000]);
    await client.revertChecked(by);
    expect(await prices()).toEqual([4100]);
  });

  it('gives a later correction the confirmed price as its base', async () => {
    await importPrice(4000);
    const first = await correct(4100);
    await importPrice(4100);
    const second = await correct(4200);
    await client.revertChecked(first);
    await client.revertChecked(second);
    expect(await prices()).toEqual([4100]);
    await correct(4300);
    await withdraw();
    expect(await prices()).toEqual([4100]);
  });

  it('takes a withdrawn correction for nothing, whatever the source has', async () => {
    const first = await importPrice(4000);
    const second = await importPrice(4050);
    await correct(4100);
    const withdrawal = await withdraw();
    expect(await prices()).toEqual([4050]);
    const by = await client.revertChecked(second);
    expect(await prices()).toEqual([4000]);
    await client.revertChecked(by);
    expect(await prices()).toEqual([4050]);
    await client.revertChecked(second);
    await client.revertChecked(first);
    expect(await prices()).toEqual([]);
    await client.revertChecked(withdrawal);
    expect(await prices()).toEqual([4100]);
  });

  it('takes corrections that followed each other and were withdrawn for nothing', async () => {
    const first = await importPrice(4000);
    await correct(4100);
    await correct(4200);
    await correct(4000);
    await client.revertChecked(first);
    expect(await prices()).toEqual([]);
  });

  it('lets the source confirm a correction whose withdrawal is reverted after it', async () => {
    await importPrice(4000);
    const correction = await correct(4100);
    const withdrawal = await withdraw();
    const confirmation = await importPrice(4100);
    const by = await client.revertChecked(withdrawal);
    expect([await prices(), await states()]).toEqual([[4100], ['confirmed']]);
    await client.revertChecked(by);
    expect([await prices(), await states()]).toEqual([[4100], ['withdrawn']]);
    await client.revertChecked(withdrawal);
    await client.revertChecked(confirmation);
    expect([await prices(), await states()]).toEqual([[4100], ['standing']]);
    await client.revertChecked(correction);
    expect([await prices(), await states()]).toEqual([[4000], ['withdrawn']]);
  });

  it('lets the source supersede a correction whose withdrawal is reverted after it', async () => {
    await importPrice(4000);
    await correct(4100);
    const withdrawal = await withdraw();
    const later = await importPrice(4200);
    await client.revertChecked(withdrawal);
    expect([await prices(), await states()]).toEqual([[4200], ['superseded']]);
    await client.revertChecked(later);
    expect([await prices(), await states()]).toEqual([[4100], ['standing']]);
  });

  it('confirms a correction again that was withdrawn while the confirmation was reverted', async () => {
    await importPrice(4000);
    const correction = await correct(4100);
    const confirmation = await importPrice(4100);
    const by = await client.revertChecked(confirmation);
    const withdrawal = await withdraw();
    expect([await prices(), await states()]).toEqual([[4000], ['withdrawn']]);
    await client.revertChecked(by);
    expect([await prices(), await states()]).toEqual([[4100], ['confirmed']]);
    await client.revertChecked(withdrawal);
    expect([await prices(), await states()]).toEqual([[4100], ['confirmed']]);
    await client.revertChecked(confirmation);
    expect([await prices(), await states()]).toEqual([[4100], ['standing']]);
    await client.revertChecked(correction);
    expect(await prices()).toEqual([4000]);
  });

  it.each(['corrected again', 'superseded'])(
    'confirms a correction again that was %s while the confirmation was reverted',
    async (way) => {
      await importPrice(4000);
      await correct(4100);
      const by = await client.revertChecked(await importPrice(4100));
      const later = way === 'superseded' ? await importPrice(4200) : await correct(4200);
      await client.revertChecked(by);
      expect([await prices(), (await states())[0]]).toEqual([[4200], 'confirmed']);
      await client.revertChecked(later);
      expect([await prices(), (await states())[0]]).toEqual([[4100], 'confirmed']);
    },
  );

  it('names the imports that repeated what a correction overrules', async () => {
    const first = await importPrice(4000);
    await correct(4100);
    const repeated = await importPrice(4000);
    expect(await laterInputs(first)).toEqual([repeated]);
    expect(await prices()).toEqual([4100]);
    // As without the first one: to the correction of nothing, this is the source speaking.
    await importPrice(4000);
    expect([await prices(), await states()]).toEqual([[4000], ['superseded']]);
  });

  it('names the imports that repeated a confirmed value', async () => {
    await importPrice(4000);
    await correct(4100);
    const confirmation = await importPrice(4100);
    const repeated = await importPrice(4100);
    expect(await laterInputs(confirmation)).toEqual([repeated]);
    expect([await prices(), await states()]).toEqual([[4100], ['standing']]);
    await importPrice(4100);
    expect([await prices(), await states()]).toEqual([[4100], ['confirmed']]);
  });

  it('takes each of several withdrawals of a correction for nothing', async () => {
    const first = await importPrice(4000);
    const second = await importPrice(4050);
    await correct(4100);
    const withdrawal = await withdraw();
    const by = await client.revertChecked(withdrawal);
    const again = await withdraw();
    await client.revertChecked(by);
    await client.revertChecked(again);
    const { counts } = await client.revert(second);
    expect(counts).toMatchObject({ points: { changed: 1 }, changed_since: 0 });
    expect([await prices(), await states()]).toEqual([[4000], ['withdrawn']]);
    await client.revertChecked(first);
    expect(await prices()).toEqual([]);
    await client.revertChecked(withdrawal);
    expect([await prices(), await states()]).toEqual([[4100], ['standing']]);
  });

  it('does not call a price changed that others have changed there and back', async () => {
    const first = await importPrice(4000);
    await importPrice(4100);
    await importPrice(4000);
    expect((await client.revert(first)).counts).toMatchObject({ changed_since: 0 });
    expect(await prices()).toEqual([4000]);
  });

  describe('of rates', () => {
    const rates = async (rate: number) => (await client.rates(`KES,2024-01-01,${rate}`)).change_set_id;
    const stored = async () => {
      const { body } = await service.http().get('/api/v1/FxRate/').expect(200);
      return body as { id: number; rate: number }[];
    };
    const values = async () => (await stored()).map(({ rate }) => rate);
    const correctRate = async (rate: number) => {
      const [record] = await stored();
      await client.send('patch', `FxRate/${record!.id}/`, { rate }).expect(200);
    };
    it('leaves the rate that the source has confirmed', async () => {
      await rates(150);
      await correctRate(155);
      const correction = await client.newest();
      const confirmation = await rates(155);
      const { counts } = await client.revert(correction);
      expect(counts).toMatchObject({ records: { changed: 0 }, changed_since: 0 });
      expect(await values()).toEqual([155]);
      const by = await client.revertChecked(confirmation);
      expect(await values()).toEqual([150]);
      await client.revertChecked(by);
      expect(await values()).toEqual([155]);
    });

    it('lets the source confirm a correction whose withdrawal is reverted after it', async () => {
      await rates(150);
      await correctRate(155);
      const withdrawal = await withdraw();
      const confirmation = await rates(155);
      await client.revertChecked(withdrawal);
      expect([await values(), await states()]).toEqual([[155], ['confirmed']]);
      await client.revertChecked(confirmation);
      expect([await values(), await states()]).toEqual([[155], ['standing']]);
    });

    it('names the imports that repeated what a correction overrules, or a confirmed rate', async () => {
      const first = await rates(150);
      await correctRate(155);
      const repeated = await rates(150);
      expect(await laterInputs(first)).toEqual([repeated]);
      expect([await values(), await states()]).toEqual([[155], ['standing']]);
      const confirmation = await rates(155);
      const again = await rates(155);
      expect(await laterInputs(confirmation)).toEqual([again]);
      expect([await values(), await states()]).toEqual([[155], ['standing']]);
    });

    it('takes each of several withdrawals of a correction for nothing', async () => {
      const first = await rates(150);
      const second = await rates(152);
      await correctRate(155);
      const withdrawal = await withdraw();
      const by = await client.revertChecked(withdrawal);
      const again = await withdraw();
      await client.revertChecked(by);
      await client.revertChecked(again);
      const { counts } = await client.revert(second);
      expect(counts).toMatchObject({ records: { changed: 1 }, changed_since: 0 });
      await client.revertChecked(first);
      expect(await values()).toEqual([]);
      await client.revertChecked(withdrawal);
      expect([await values(), await states()]).toEqual([[155], ['standing']]);
    });

    it('takes a withdrawn correction for nothing', async () => {
      const first = await rates(150);
      const second = await rates(152);
      await correctRate(155);
      await withdraw();
      expect(await values()).toEqual([152]);
      await client.revertChecked(second);
      expect(await values()).toEqual([150]);
      await client.revertChecked(first);
      expect(await values()).toEqual([]);
    });
  });
});
