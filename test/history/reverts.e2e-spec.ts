import { jest } from '@jest/globals';
import { AuditTrail } from '../../src/ledger/audit/audit-trail.js';
import { UnitOfWork } from '../../src/ledger/unit-of-work.js';
import { BatchReverts } from '../../src/history/revert/batch-reverts.js';
import { RevertLimits, Reverts } from '../../src/history/revert/reverts.js';
import { ImportLock } from '../../src/ledger/import-lock/import-lock.js';
import { ObservationStore } from '../../src/prices/store/observation-store.js';
import { FindingsFollower } from '../../src/quality/findings-follower.js';
import { driverStatements } from '../support/driver-statements.js';
import { expectProblem } from '../support/problems.js';
import { NO_COUNTS, NO_EFFECTS, RevertClient, wfpRow as row } from '../support/reverts.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

describe('H2: reverting a change set', () => {
  let service: TestApp;
  let admin: { Authorization: string };
  let client: RevertClient;
  beforeEach(async () => {
    service = await startTestApp();
    admin = await service.authHeader();
    client = await RevertClient.of(service);
  });
  afterEach(() => service?.close());

  const send: RevertClient['send'] = (...request) => client.send(...request);
  const prices = (...rows: string[]) => client.prices(...rows);
  const rates = (...rows: string[]) => client.rates(...rows);
  const revert = (id: number, query?: string) => client.revert(id, query);
  const published = () => client.published();
  const points = () => client.points();
  const values = () => client.values();
  const changeSet = async (id: number) =>
    (await service.http().get(`/api/v1/ChangeSet/${id}/`).expect(200)).body as Record<string, unknown>;

  it('leaves the data of a database that never had the import', async () => {
    const before = await published();
    const { change_set_id: id } = await prices(
      row('2024-01-15', 4000),
      row('2024-02-15', 4100),
      row('2024-02-15', 90, { market: 'Lamu', commodity: 'Rice' }),
    );
    const imported = await published();
    const counts = {
      ...NO_COUNTS,
      points: { ...NO_EFFECTS, removed: 3 },
      series: { ...NO_EFFECTS, removed: 2 },
      records: { ...NO_EFFECTS, removed: 6 },
    };
    expect(await revert(id, '?dry_run=true')).toEqual({ change_set: null, counts });
    expect(await published()).toEqual(imported);
    const result = await revert(id, '?reason=Wrong%20country');
    expect(result).toEqual({ change_set: id + 1, counts });
    expect(await published()).toEqual(before);
    expect(await changeSet(id)).toMatchObject({ reverted_by: id + 1 });
    expect(await changeSet(id + 1)).toMatchObject({
      kind: 'revert',
      state: 'done',
      reason: 'Wrong country',
      counts,
      reverted_by: null,
    });
    const { body } = await service.http().get('/api/v1/AuditLog/?action=revert').set(admin).expect(200);
    expect((body as { results: object[] }).results).toMatchObject([
      { table: 'change_set', record_id: id, after: { reverted_by: id + 1 }, change_set_id: id + 1 },
    ]);

    // What was reverted comes back, under the same ids.
    expect(await revert(id + 1)).toEqual({
      change_set: id + 2,
      counts: {
        ...NO_COUNTS,
        points: { ...NO_EFFECTS, added: 3 },
        series: { ...NO_EFFECTS, added: 2 },
        records: { ...NO_EFFECTS, added: 6 },
      },
    });
    expect(await published()).toEqual(imported);
    expect(await changeSet(id)).toMatchObject({ reverted_by: null });
    expect(await changeSet(id + 1)).toMatchObject({ reverted_by: id + 2 });

    // And goes again.
    expect((await revert(id)).counts).toEqual(counts);
    expect(await published()).toEqual(before);
  });

  it('leaves what has another value since, and brings back what was before', async () => {
    const first = await prices(row('2024-01-15', 4000), row('2024-02-15', 4100));
    const afterFirst = await published();
    const second = await prices(row('2024-02-15', 4200), row('2024-03-15', 4300));
    const afterSecond = await published();

    expect((await revert(second.change_set_id)).counts).toEqual({
      ...NO_COUNTS,
      points: { added: 0, changed: 1, removed: 1 },
    });
    expect(await published()).toEqual(afterFirst);
    await revert(second.change_set_id + 1);
    expect(await published()).toEqual(afterSecond);

    expect((await revert(first.change_set_id)).counts).toEqual({
      ...NO_COUNTS,
      points: { ...NO_EFFECTS, removed: 1 },
      changed_since: 1,
      still_used: 5,
    });
    expect(await values()).toEqual(['2024-02 4200', '2024-03 4300']);
    // Without the first import there was nothing before the second.
    expect((await revert(second.change_set_id)).counts).toMatchObject({
      points: { ...NO_EFFECTS, removed: 2 },
      series: { ...NO_EFFECTS, removed: 1 },
      records: { ...NO_EFFECTS, removed: 4 },
    });
    expect(await values()).toEqual([]);
  });

  it('reverts a value that the revert of another import has brought back', async () => {
    const before = await published();
    const first = await prices(row('2024-01-15', 4000));
    const second = await prices(row('2024-01-15', 4200));
    await revert(second.change_set_id);
    expect(await values()).toEqual(['2024-01 4000']);
    await revert(first.change_set_id);
    expect(await published()).toEqual(before);
  });

  it('goes back to the newest value before, where others were reverted in between', async () => {
    await prices(row('2024-01-15', 4000));
    const second = await prices(row('2024-01-15', 4100));
    const third = await prices(row('2024-01-15', 4200));
    expect((await revert(second.change_set_id)).counts).toEqual({ ...NO_COUNTS, changed_since: 1 });
    expect(await values()).toEqual(['2024-01 4200']);
    await revert(third.change_set_id);
    expect(await values()).toEqual(['2024-01 4000']);
  });

  it('leaves what another revert that counts reverts as well', async () => {
    const { change_set_id: file } = await prices(row('2024-03-15', 4200, { market: 'Nyeri' }));
    const after = await values();
    const first = await client.revertChecked(file);
    const before = await values();
    const again = await client.revertChecked(first);
    const second = await client.revertChecked(file);
    await client.revertChecked(again);
    expect(await values()).toEqual(before);
    const withoutSecond = await client.revertChecked(second);
    expect(await values()).toEqual(before);
    await client.revertChecked(first);
    expect(await values()).toEqual(after);
    await client.revertChecked(withoutSecond);
    expect(await values()).toEqual(before);
  });

  it('keeps series and records that later imports use', async () => {
    const first = await prices(row('2024-01-15', 4000), row('2024-01-15', 50, { commodity: 'Rice' }));
    await prices(row('2024-02-15', 4100), row('2024-02-15', 60, { commodity: 'Beans' }));
    const { counts } = await revert(first.change_set_id);
    expect(counts).toEqual({
      ...NO_COUNTS,
      points: { ...NO_EFFECTS, removed: 2 },
      series: { ...NO_EFFECTS, removed: 1 },
      // Rice goes. Market, source, unit and maize are used, as is the series of maize.
      records: { ...NO_EFFECTS, removed: 1 },
      still_used: 5,
    });
    expect(await values()).toEqual(['2024-02 4100', '2024-02 60']);
  });

  it('keeps records that a maintainer has changed', async () => {
    const { change_set_id: id } = await prices(row('2024-01-15', 4000));
    const { body } = await service.http().get('/api/v1/Source/').expect(200);
    const [source] = body as { id: number }[];
    await send('patch', `Source/${source!.id}/`, { license: 'CC0' }).expect(200);
    expect((await revert(id)).counts).toMatchObject({
      records: { ...NO_EFFECTS, removed: 3 },
      changed_since: 1,
    });
    expect(await published()).toMatchObject({
      Source: [{ license: 'CC0' }],
      Market: [],
      PriceSerie: { count: 0 },
    });
  });

  it('reverts rates, and dollars with them', async () => {
    await prices(row('2024-01-15', 4000));
    const without = await published();
    const first = await rates('KES,2024-01-01,160', 'UGX,2024-01-01,3800');
    const before = await published();
    const second = await rates('KES,2024-01-01,200', 'TZS,2024-01-01,2500', 'UGX,2024-01-01,3800');
    expect(await published()).not.toEqual(before);
    expect((await revert(second.change_set_id)).counts).toMatchObject({
      records: { added: 0, changed: 1, removed: 1 },
    });
    expect(await published()).toEqual(before);
    const again = await rates('KES,2024-01-01,200', 'UGX,2024-01-01,3800');
    expect((await revert(first.change_set_id)).counts).toEqual({
      ...NO_COUNTS,
      records: { ...NO_EFFECTS, removed: 1 },
      changed_since: 1,
      later_inputs: [
        { change_set_id: again.change_set_id, input: 'rates.csv', format: 'fx', digest: again.digest },
      ],
    });
    await revert(again.change_set_id);
    expect(await published()).toEqual(without);
  });

  it('ends a correction, or lets the one before it stand again', async () => {
    await prices(row('2024-01-15', 4000));
    const correct = async (price_value: number) => {
      const [point] = await points();
      await send('patch', point!.address, { price_value }).expect(200);
    };
    const corrections = async () =>
      service.database.rows('SELECT state, value, base_value FROM correction ORDER BY id');
    await correct(4050);
    await correct(4060);
    expect(await corrections()).toEqual([
      { state: 'withdrawn', value: 4050, base_value: 4000 },
      { state: 'standing', value: 4060, base_value: 4000 },
    ]);
    const second = await revert(4);
    expect(second.counts).toEqual({
      ...NO_COUNTS,
      points: { ...NO_EFFECTS, changed: 1 },
      corrections: { reopened: 1, rebased: 0, ended: 1 },
    });
    expect(await values()).toEqual(['2024-01 4050']);
    const standing = [
      { state: 'standing', value: 4050, base_value: 4000 },
      { state: 'withdrawn', value: 4060, base_value: 4000 },
    ];
    expect(await corrections()).toEqual(standing);
    await revert(second.change_set!);
    expect(await values()).toEqual(['2024-01 4060']);
    expect(await corrections()).toEqual([
      { state: 'withdrawn', value: 4050, base_value: 4000 },
      { state: 'standing', value: 4060, base_value: 4000 },
    ]);
    // The import gave the base of what stands; it has none without it.
    expect((await revert(2)).counts).toMatchObject({
      points: NO_EFFECTS,
      changed_since: 1,
      corrections: { reopened: 0, rebased: 1, ended: 0 },
    });
    expect((await corrections())[1]).toEqual({ state: 'standing', value: 4060, base_value: null });
    expect(await values()).toEqual(['2024-01 4060']);
  });

  it('lets a correction stand again that an import has superseded', async () => {
    await prices(row('2024-01-15', 4000), row('2024-02-15', 4100));
    const [point] = await points();
    await send('delete', point!.address).expect(204);
    const corrections = async () => service.database.rows('SELECT state, value, base_value FROM correction');
    const base = point!.price;
    const { change_set_id: id } = await prices(row(`${point!.date}-15`, 4200));
    expect(await corrections()).toEqual([{ state: 'superseded', value: null, base_value: base }]);
    expect(await values()).toContain(`${point!.date} 4200`);
    const { change_set: by, counts } = await revert(id);
    expect(counts).toMatchObject({
      points: { ...NO_EFFECTS, removed: 1 },
      corrections: { reopened: 1, rebased: 0, ended: 0 },
    });
    expect(await corrections()).toEqual([{ state: 'standing', value: null, base_value: base }]);
    expect(await values()).toHaveLength(1);
    await revert(by!);
    expect(await corrections()).toEqual([{ state: 'superseded', value: null, base_value: base }]);
    expect(await values()).toHaveLength(2);
  });

  it('gives a correction the base that the source has, by reverts of reverts', async () => {
    let { change_set_id: id } = await prices(row('2024-01-15', 4000));
    const [point] = await points();
    await send('patch', point!.address, { price_value: 4050 }).expect(200);
    for (const base of [null, 4000, null, 4000, null]) {
      id = await client.revertChecked(id);
      expect(await service.database.rows('SELECT state, base_value FROM correction')).toEqual([
        { state: 'standing', base_value: base },
      ]);
      expect(await values()).toEqual(['2024-01 4050']);
    }
  });

  describe('of rates', () => {
    const stored = async () => {
      const { body } = await service.http().get('/api/v1/FxRate/').expect(200);
      return body as { id: number; rate: number }[];
    };
    const correct = async (rate: number) => {
      const [record] = await stored();
      await send('patch', `FxRate/${record!.id}/`, { rate }).expect(200);
    };
    const remove = async () => {
      const [record] = await stored();
      await send('delete', `FxRate/${record!.id}/`).expect(204);
    };
    /** The rates, and the corrections of them: their state, and what they change. */
    const state = async () => ({
      rates: (await stored()).map(({ rate }) => rate),
      corrections: (
        await service.database.rows<{ state: string; base_value: number; value: number }>(
          'SELECT state, base_value, value FROM correction ORDER BY id',
        )
      ).map((row) => `${row.state} ${row.base_value} -> ${row.value}`),
    });
    /** Reverts the newest change set, expects the same of the dry run, and reverts the revert. */
    const revertNewest = async () => {
      const [row] = await service.database.rows<{ id: number }>('SELECT MAX(id) AS id FROM change_set');
      const before = await state();
      const { counts } = await revert(row!.id, '?dry_run=true');
      const result = await revert(row!.id);
      expect(result.counts).toEqual(counts);
      const after = await state();
      await revert(result.change_set!);
      expect(await state()).toEqual(before);
      await revert(row!.id);
      expect(await state()).toEqual(after);
      return { ...counts.corrections, ...after };
    };

    it('ends a correction, or lets the one before it stand again', async () => {
      await rates('KES,2024-01-01,150');
      await correct(155);
      await correct(156);
      expect(await revertNewest()).toEqual({
        reopened: 1,
        rebased: 0,
        ended: 1,
        rates: [155],
        corrections: ['standing 150 -> 155', 'withdrawn 150 -> 156'],
      });
      await remove();
      expect(await revertNewest()).toEqual({
        reopened: 1,
        rebased: 0,
        ended: 1,
        rates: [155],
        corrections: ['standing 150 -> 155', 'withdrawn 150 -> 156', 'withdrawn 150 -> null'],
      });
      // The file repeats the base, so the correction stands on.
      await rates('KES,2024-01-01,150');
      expect((await state()).rates).toEqual([155]);
    });

    it('lets a correction stand again that an import has superseded or confirmed', async () => {
      await rates('KES,2024-01-01,150');
      await correct(155);
      await rates('KES,2024-01-01,160');
      expect(await state()).toEqual({ rates: [160], corrections: ['superseded 150 -> 155'] });
      expect(await revertNewest()).toEqual({
        reopened: 1,
        rebased: 0,
        ended: 0,
        rates: [155],
        corrections: ['standing 150 -> 155'],
      });
      await rates('KES,2024-01-01,155');
      expect((await state()).corrections).toEqual(['confirmed 150 -> 155']);
      expect(await revertNewest()).toMatchObject({ reopened: 1, corrections: ['standing 150 -> 155'] });
    });

    it('lets a removal stand again, though the import has made another record', async () => {
      await rates('KES,2024-01-01,150');
      await remove();
      await rates('KES,2024-01-01,160');
      expect(await state()).toEqual({ rates: [160], corrections: ['superseded 150 -> null'] });
      expect(await revertNewest()).toEqual({
        reopened: 1,
        rebased: 0,
        ended: 0,
        rates: [],
        corrections: ['standing 150 -> null'],
      });
    });

    it('ends a correction and lets it stand again by reverts of reverts', async () => {
      await rates('KES,2024-01-01,150');
      await correct(155);
      let [{ id }] = (await service.database.rows<{ id: number }>(
        'SELECT MAX(id) AS id FROM change_set',
      )) as [{ id: number }];
      for (let times = 0; times < 3; times++) {
        id = (await revert(id)).change_set!;
        expect(await state()).toEqual({ rates: [150], corrections: ['withdrawn 150 -> 155'] });
        id = (await revert(id)).change_set!;
        expect(await state()).toEqual({ rates: [155], corrections: ['standing 150 -> 155'] });
      }
    });

    it('lets a correction stand again without the imports that have superseded it', async () => {
      await rates('KES,2024-01-01,150');
      await correct(155);
      const second = await rates('KES,2024-01-01,160');
      const third = await rates('KES,2024-01-01,165');
      await revert(second.change_set_id);
      expect(await state()).toEqual({ rates: [165], corrections: ['superseded 150 -> 155'] });
      await revert(third.change_set_id);
      expect(await state()).toEqual({ rates: [155], corrections: ['standing 150 -> 155'] });
    });

    it('gives a correction that stands the base from before', async () => {
      await rates('KES,2024-01-01,150');
      const second = await rates('KES,2024-01-01,151');
      await correct(155);
      const { counts, change_set: by } = await revert(second.change_set_id);
      expect(counts).toMatchObject({
        changed_since: 1,
        corrections: { reopened: 0, rebased: 1, ended: 0 },
      });
      expect(await state()).toEqual({ rates: [155], corrections: ['standing 150 -> 155'] });
      await rates('KES,2024-01-01,150');
      expect((await state()).rates).toEqual([155]);
      await revert(by!);
      expect(await state()).toEqual({ rates: [155], corrections: ['standing 151 -> 155'] });
      // Another record with the same key has the correction of the first one.
      await remove();
      await send('post', 'FxRate/', { currency: 'KES', date: '2024-01-01', rate: 157 }).expect(201);
      await revert(second.change_set_id);
      expect((await state()).corrections.at(-1)).toBe('standing 150 -> 157');
      await revert(second.change_set_id - 1);
      expect((await state()).corrections.at(-1)).toBe('standing null -> 157');
      expect((await state()).rates).toEqual([157]);
    });
  });

  it('shows series by themselves again that were joined', async () => {
    await prices(row('2024-01-15', 4000), row('2024-02-15', 90, { market: 'Lamu' }));
    const before = await published();
    const { body } = await service.http().get('/api/v1/PriceSerie/').expect(200);
    const [from, into] = (body as { results: { uuid: string }[] }).results;
    const merged = await send('post', `PriceSerie/${from!.uuid}/merge/`, { into: into!.uuid }).expect(200);
    const joined = await published();
    expect(joined.PriceSerie).toMatchObject({ count: 1 });
    const { change_set: by, counts } = await revert((merged.body as { change_set: number }).change_set);
    expect(counts).toEqual({ ...NO_COUNTS, series: { ...NO_EFFECTS, added: 1 } });
    expect(await published()).toEqual(before);
    expect((await revert(by!)).counts).toEqual({ ...NO_COUNTS, series: { ...NO_EFFECTS, removed: 1 } });
    expect(await published()).toEqual(joined);
    const { change_set: merge } = merged.body as { change_set: number };
    await revert(merge);
    expect(await published()).toEqual(before);
  });

  it('brings a record back that was merged into another one', async () => {
    await prices(row('2024-01-15', 4000), row('2024-02-15', 90, { market: 'Lamu' }));
    const before = await published();
    const { body } = await service.http().get('/api/v1/Market/').expect(200);
    const [one, other] = body as { id: number }[];
    const merged = await send('post', `Market/${one!.id}/merge/`, { into: other!.id }).expect(200);
    const after = await published();
    expect(after.Market).toHaveLength(1);
    const { change_set: by } = await revert((merged.body as { change_set: number }).change_set);
    expect(await published()).toEqual(before);
    const { counts } = await revert(by!, '?dry_run=true');
    expect(counts).toMatchObject({
      series: { ...NO_EFFECTS, changed: 1 },
      records: { added: 1, changed: 0, removed: 1 },
      still_used: 0,
    });
    expect((await revert(by!)).counts).toEqual(counts);
    expect(await published()).toEqual(after);
  });

  it('reverts another uuid of a series, and brings it back', async () => {
    await prices(row('2024-01-15', 4000));
    const { body } = await service.http().get('/api/v1/Market/').expect(200);
    const [market] = body as { id: number }[];
    await send('patch', `Market/${market!.id}/`, { market_name: 'Mombasa Town' }).expect(200);
    const { change_set_id: id } = await prices(row('2024-02-15', 4100, { market: 'Mombasa Town' }));
    const [alias] = await service.database.rows<{ uuid: string }>('SELECT uuid FROM series_alias');
    const found = async () => (await service.http().get(`/api/v1/PriceSerie/${alias!.uuid}/`)).status;
    expect(await found()).toBe(200);
    for (let times = 0; times < 2; times++) {
      const { change_set: by } = await revert(id);
      expect(await found()).toBe(404);
      await revert(by!);
      expect(await found()).toBe(200);
    }
    // Another import had made the series: it goes with its points, and so does its other uuid.
    await revert(id);
    const { change_set: by } = await revert(id - 2);
    expect(await values()).toEqual([]);
    await revert(by!);
    expect(await found()).toBe(404);
    await revert(id + 5);
    expect(await found()).toBe(200);
    expect(await values()).toHaveLength(2);
  });

  it('lists the inputs that repeated what has gone, to be imported again', async () => {
    const first = await prices(row('2024-01-15', 4000), row('2024-02-15', 4100));
    const other = await prices(row('2024-01-15', 90, { commodity: 'Rice' }));
    await prices(row('2024-03-15', 4300));
    const second = await prices(row('2024-02-15', 4100));
    expect(other.change_set_id).toBeLessThan(second.change_set_id);
    expect((await revert(first.change_set_id)).counts.later_inputs).toEqual([
      { change_set_id: second.change_set_id, input: '', format: 'wfp', digest: second.digest },
    ]);
    await prices(row('2024-02-15', 4100));
    expect(await values()).toEqual(['2024-01 90', '2024-02 4100', '2024-03 4300']);
  });

  describe('by the command', () => {
    const options = { reason: 'Test', dryRun: false, caller: null, requestId: null };
    /** The reverts of the command, in batches of one point. */
    const batchReverts = () => {
      const { app, database, unitOfWork, clock } = service;
      const limits = Object.assign(new RevertLimits(), { inRequest: 1, pointsInTransaction: 1 });
      const trail = new AuditTrail(clock);
      const reverts = new Reverts(database, unitOfWork, app.get(ObservationStore), trail, limits);
      const lock = new ImportLock(unitOfWork, clock);
      return new BatchReverts(database, lock, reverts, limits, app.get(FindingsFollower));
    };
    /** Begins a revert, as if the process were killed after some steps. */
    const revertKilled = async (id: number, steps: number) => {
      const { unitOfWork } = service;
      const change = jest.spyOn(unitOfWork, 'change');
      const real = UnitOfWork.prototype.change.bind(unitOfWork);
      let left = steps;
      change.mockImplementation((...args) => {
        if (left-- === 0) change.mockRejectedValue(new Error('killed'));
        return left < 0 ? Promise.reject(new Error('killed')) : real(...args);
      });
      await expect(batchReverts().revert(id, options)).rejects.toThrow('killed');
      change.mockRestore();
      await unitOfWork.run((transaction) => transaction.execute('UPDATE import_lock SET seen_at = 0'));
    };

    it('works in batches, and goes on after it was killed', async () => {
      const before = await published();
      const { change_set_id: id } = await prices(
        row('2024-01-15', 4000),
        row('2024-01-15', 90, { market: 'Lamu', commodity: 'Rice' }),
        row('2024-01-15', 70, { market: 'Lamu', commodity: 'Beans' }),
      );
      const { counts } = await batchReverts().revert(id, { ...options, dryRun: true });
      expect(counts).toMatchObject({
        points: { removed: 3 },
        series: { removed: 3 },
        records: { removed: 7 },
      });
      await revertKilled(id, 5);
      expect(await values()).toHaveLength(1);
      expect(await changeSet(id + 1)).toMatchObject({ kind: 'revert', state: 'interrupted' });
      expectProblem(await send('post', `ChangeSet/${id}/revert/`), { status: 409, code: 'not_revertible' });

      expect(await batchReverts().revert(id, options)).toEqual({ change_set: id + 1, counts });
      expect(await published()).toEqual(before);
      expect(await changeSet(id + 1)).toMatchObject({ state: 'done', counts, reason: 'Test' });
      await expect(batchReverts().revert(id, options)).rejects.toThrow('already');
      // The lock is free again.
      await prices(row('2024-01-15', 4000));
    });

    it('ends joins and makes them again, and counts them once if it was killed', async () => {
      await prices(row('2024-01-15', 4000), row('2024-02-15', 90, { market: 'Lamu' }));
      const before = await published();
      const { body } = await service.http().get('/api/v1/PriceSerie/').expect(200);
      const [from, into] = (body as { results: { uuid: string }[] }).results;
      await send('post', `PriceSerie/${from!.uuid}/merge/`, { into: into!.uuid }).expect(200);
      const joined = await published();
      const merge = await client.newest();
      // The second step ends the join; the fifth one is not before it is made again.
      await revertKilled(merge, 2);
      expect(await published()).toEqual(before);
      const parted = await batchReverts().revert(merge, options);
      expect(parted).toEqual({
        change_set: merge + 1,
        counts: { ...NO_COUNTS, series: { ...NO_EFFECTS, added: 1 } },
      });
      expect(await published()).toEqual(before);
      await revertKilled(merge + 1, 5);
      expect(await published()).toEqual(joined);
      expect((await batchReverts().revert(merge + 1, options)).counts).toEqual({
        ...NO_COUNTS,
        series: { ...NO_EFFECTS, removed: 1 },
      });
      expect(await published()).toEqual(joined);
    });
  });

  it('rejects what cannot be reverted', async () => {
    const { body } = await send('post', 'Source/', { name: 'A' }).expect(201);
    expect(body).toMatchObject({ name: 'A' });
    const notRevertible = { status: 409, code: 'not_revertible' };
    for (const id of [1, 2]) expectProblem(await send('post', `ChangeSet/${id}/revert/`), notRevertible);
    const { change_set_id: id } = await prices(row('2024-01-15', 4000), row('2024-02-15', 4100));
    await revert(id);
    expectProblem(await send('post', `ChangeSet/${id}/revert/`), notRevertible);
    expectProblem(await send('post', `ChangeSet/${id}/revert/?dry_run=true`), notRevertible);
    for (const unknown of ['99', 'x', '0'])
      expectProblem(await send('post', `ChangeSet/${unknown}/revert/`), { status: 404, code: 'not_found' });
    expectProblem(await service.http().post(`/api/v1/ChangeSet/${id + 1}/revert/`), {
      status: 401,
      code: 'not_authenticated',
    });
    expect((await send('post', `ChangeSet/${id + 1}/revert/?dryrun=true`)).body).toMatchObject({
      status: 400,
      errors: [{ name: 'dryrun', code: 'unknown_parameter' }],
    });
  });

  it.each([
    ['revert', ''],
    ['dry run', '?dry_run=true'],
  ])('a %s that is too large is rejected before it is planned or begun', async (_, query) => {
    const { change_set_id: id } = await prices(row('2024-01-15', 4000), row('2024-02-15', 4100));
    service.app.get(RevertLimits).inRequest = 5;
    const statements = await driverStatements(service.database, async () =>
      expectProblem(await send('post', `ChangeSet/${id}/revert/${query}`), {
        status: 409,
        code: 'too_large',
        extra: { max: 5 },
      }),
    );
    const ofRevert = /^(INSERT INTO|UPDATE) change_set\b|^SELECT r.number, c.id, c.kind/;
    expect(statements.filter((statement) => ofRevert.test(statement))).toEqual([]);
    expect(statements.length).toBeGreaterThan(0);
  });
});
