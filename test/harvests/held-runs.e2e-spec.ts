import { createHash } from 'node:crypto';
import { Environment } from '../../src/config/environment.js';
import { HarvestScheduler } from '../../src/harvests/runs/harvest-scheduler.js';
import { expectProblem } from '../support/problems.js';
import { startTestApp } from '../support/test-app.js';
import { HarvestApp, pricesFile } from './harvest-app.js';

const FILE = pricesFile({ Bamako: [200, 210], Gao: [300, 310] });
/** Half of it: fewer rows and series than the limits allow. */
const HALF = pricesFile({ Bamako: [200, 210] });
const HALF_REASONS = [
  { limit: 'shrink_limit', detail: 'Rows: 2, where the file that was imported last had 4 (50 % fewer).' },
  { limit: 'shrink_limit', detail: 'Series: 1, where the file that was imported last had 2 (50 % fewer).' },
];
/** In order after the first one. */
const NEXT = pricesFile({ Bamako: [200, 210, 220], Gao: [300, 310, 320] });

let app: HarvestApp;
beforeEach(async () => {
  app = await HarvestApp.start();
  app.source.publish(FILE);
  await app.create();
  await app.run();
});
afterEach(() => app?.close());

/** The number of parts that are kept of all runs. */
const kept = async () => {
  const [row] = await app.service.database.rows<{ count: number | string }>(
    'SELECT COUNT(*) AS count FROM held_file',
  );
  return Number(row!.count);
};
const states = async () => (await app.runs()).map(({ state }) => state);
const decide = (run: number, what: string) => app.send('post', `Harvest/mali-oma/run/${run}/${what}`);

describe('a run whose file looks wrong', () => {
  it('is held: nothing is stored, and its file and report are shown', async () => {
    app.source.publish(HALF);
    const run = await app.run();
    expect(run).toEqual({
      id: 2,
      state: 'held',
      attempt: 1,
      due_at: '2026-11-21T12:00:00.000Z',
      not_before: '2026-11-21T12:00:00.000Z',
      started_at: '2026-11-21T12:00:00.000Z',
      ended_at: '2026-11-21T12:00:00.000Z',
      bytes: HALF.length,
      counts: {
        read: 2,
        new: 0,
        changed: 0,
        unchanged: 2,
        skipped: 0,
        rejected: 0,
        countries: { MLI: 1 },
      },
      change_set_id: null,
      error: '',
      held: HALF_REASONS,
      decided_by: '',
      reason: '',
    });
    expect(await app.points()).toBe(4);
    const report = await app.send('get', 'Harvest/mali-oma/run/2/report/').expect(200);
    expect(report.body).toMatchObject({ format: 'prices', dry_run: true, read: 2, bytes: HALF.length });
    const file = await app.send('get', 'Harvest/1/run/2/file/').expect(200);
    expect([file.headers['content-type'], file.headers['content-disposition'], String(file.body)]).toEqual([
      'application/octet-stream',
      'attachment; filename="harvest-run-2"',
      HALF,
    ]);
    for (const what of ['report', 'file']) {
      expectProblem(await app.send('get', `Harvest/mali-oma/run/1/${what}/`), {
        status: 404,
        code: 'not_found',
      });
      expectProblem(await app.service.http().get(`/api/v1/Harvest/1/run/2/${what}/`), {
        status: 401,
        code: 'not_authenticated',
      });
    }
  });

  it('is held for rejected rows, for changed values and for prices of long ago', async () => {
    const limits = async () => (await app.run()).held.map(({ limit }) => limit);
    app.source.publish(pricesFile({ Bamako: [200, -1], Gao: [300, 310] }));
    expect(await limits()).toEqual(['reject_limit']);
    app.source.publish(pricesFile({ Bamako: [200, 211], Gao: [300, 310] }));
    expect(await limits()).toEqual(['change_limit']);
    app.source.publish(NEXT.replaceAll('2026-03-01', '2020-03-01'));
    expect(await limits()).toEqual(['change_limit']);
    expect(await states()).toEqual(['held', 'superseded', 'superseded', 'done']);
  });

  it('is imported anyway by a maintainer, in whose name', async () => {
    app.source.publish(HALF.replace('210', '215'));
    await app.run();
    const asked = await decide(2, 'import/?reason=Gao%20is%20closed').expect(202);
    expect(asked.headers.location).toMatch(/\/api\/v1\/Harvest\/mali-oma\/run\/2\/$/);
    expect(asked.body).toMatchObject({ state: 'approved', decided_by: 'admin', reason: 'Gao is closed' });
    expectProblem(await decide(2, 'import/'), { status: 409, code: 'not_held' });
    app.source.asked.length = 0;
    const run = await app.runDue();
    expect(run).toMatchObject({
      ...{ id: 2, state: 'done', counts: { read: 2, changed: 1 }, decided_by: 'admin' },
      reason: 'Gao is closed',
    });
    expect([app.source.asked, await kept()]).toEqual([[], 0]);
    const set = await app.service.http().get(`/api/v1/ChangeSet/${run.change_set_id}/`).expect(200);
    expect(set.body).toMatchObject({ kind: 'import', reason: 'Gao is closed', input: 'harvest mali-oma' });
    const log = await app.send('get', 'AuditLog/?table=import').expect(200);
    expect((log.body as { results: { account: unknown }[] }).results[0]).toMatchObject({
      username: 'admin',
    });
    const decisions = await app.send('get', 'AuditLog/?table=harvest_run').expect(200);
    expect((decisions.body as { results: object[] }).results).toMatchObject([
      {
        ...{ action: 'update', record_id: 2, username: 'admin' },
        before: { state: 'held', reason: '' },
        after: { state: 'approved', reason: 'Gao is closed' },
      },
    ]);
    // It is what later files are compared with.
    expect(await app.run()).toMatchObject({ state: 'unchanged' });
  });

  it('is dismissed with a reason, and the same file is not held again', async () => {
    app.source.publish(HALF);
    await app.run();
    expectProblem(await decide(2, 'dismiss/'), {
      status: 400,
      code: 'invalid',
      errors: [{ in: 'query', name: 'reason', code: 'required' }],
    });
    expect((await decide(2, 'dismiss/?reason=Cut%20off').expect(200)).body).toMatchObject({
      ...{ state: 'dismissed', decided_by: 'admin', reason: 'Cut off', held: HALF_REASONS },
    });
    expect(await kept()).toBe(0);
    expectProblem(await decide(2, 'dismiss/?reason=again'), { status: 409, code: 'not_held' });
    expect(await app.run()).toMatchObject({ state: 'unchanged', held: [] });
    // By other limits it is decided anew.
    await app.send('patch', 'Harvest/1/', { shrink_limit: 50 }).expect(200);
    expect(await app.run()).toMatchObject({ state: 'done' });
  });

  it('is decided by maintainers only, of its own harvest', async () => {
    app.source.publish(HALF);
    await app.run();
    await app.create({ name: 'other' });
    for (const what of ['import/', 'dismiss/?reason=x']) {
      expectProblem(await app.service.http().post(`/api/v1/Harvest/1/run/2/${what}`), {
        status: 401,
        code: 'not_authenticated',
      });
      for (const path of ['other/run/2', 'none/run/2', '1/run/99'])
        expectProblem(await app.send('post', `Harvest/${path}/${what}`), { status: 404, code: 'not_found' });
      expectProblem(await decide(1, what), { status: 409, code: 'not_held' });
    }
    expect(await states()).toEqual(['held', 'done']);
  });

  it('stays while the source has the same file, and ends with one that is in order', async () => {
    app.source.publish(HALF);
    await app.run();
    expect(await app.run()).toMatchObject({ state: 'unchanged', bytes: HALF.length });
    expect(await states()).toEqual(['unchanged', 'held', 'done']);
    app.source.handler = (_, response) => response.writeHead(503).end();
    await app.run();
    expect((await app.runs()).at(-2)).toMatchObject({ state: 'held' });
    app.source.publish(NEXT);
    expect(await app.run()).toMatchObject({ state: 'done' });
    expect((await app.runs()).at(-2)).toMatchObject({ state: 'superseded' });
    expect([await app.points(), await kept()]).toEqual([6, 0]);
  });

  it('ends where the source has again what was imported last', async () => {
    app.source.publish(HALF);
    await app.run();
    app.source.publish(FILE);
    expect(await app.run()).toMatchObject({ state: 'unchanged' });
    expect([await states(), await kept()]).toEqual([['unchanged', 'superseded', 'done'], 0]);
  });

  it('gives its place to another one', async () => {
    app.source.publish(HALF);
    await app.run();
    app.source.publish(pricesFile({ Gao: [300, 310] }));
    expect(await app.run()).toMatchObject({ state: 'held' });
    expect(await states()).toEqual(['held', 'superseded', 'done']);
    expect(await app.service.database.rows('SELECT DISTINCT run_id FROM held_file')).toEqual([{ run_id: 3 }]);
  });

  it('ends when the harvest is to read another source, and goes with it', async () => {
    app.source.publish(HALF);
    await app.run();
    await app.send('patch', 'Harvest/1/', { owner: 'Awa' }).expect(200);
    expect(await states()).toEqual(['held', 'done']);
    await app.send('patch', 'Harvest/1/', { address: app.source.address('/other.csv') }).expect(200);
    expect([await states(), await kept()]).toEqual([['superseded', 'done'], 0]);
    await app.run();
    expect(await kept()).toBeGreaterThan(0);
    await app.send('delete', 'Harvest/1/').expect(204);
    expect(await kept()).toBe(0);
  });

  it('is imported by another process, whole, however long it is', async () => {
    // Rows that are rejected, of text that cannot be packed to less.
    const noise = Array.from({ length: 2000 }, (_, row) =>
      [1, 2, 3, 4, 5, 6, 7, 8, 9].map((part) =>
        createHash('sha512').update(`${row} ${part}`).digest('base64'),
      ),
    );
    const rows = noise.map(
      (texts) => `MLI,Millet,Retail,${texts.join('')},OMA,XOF,KG,2026-01-01,monthly,1\n`,
    );
    const long = NEXT.concat(...rows);
    app.source.publish(long);
    expect(await app.run()).toMatchObject({ state: 'held', held: [{ limit: 'reject_limit' }] });
    const file = await app.send('get', 'Harvest/1/run/2/file/').buffer(true).expect(200);
    expect(String(file.body) === long).toBe(true);
    await decide(2, 'import/').expect(202);
    const { databaseUrl } = app.service.app.get(Environment);
    const other = await startTestApp({ DATABASE_URL: databaseUrl });
    try {
      other.clock.milliseconds = app.service.clock.now();
      await other.app.get(HarvestScheduler).runDue();
    } finally {
      await other.close();
    }
    expect((await app.runs())[0]).toMatchObject({
      id: 2,
      state: 'done',
      counts: { read: 2006, new: 2 },
    });
    expect([await app.points(), await kept()]).toEqual([6, 0]);
  });

  it('is imported again where that fails, and is held again at last', async () => {
    app.source.publish(HALF);
    await app.run();
    await app.service.unitOfWork.run((transaction) =>
      transaction.execute("UPDATE held_file SET content = 'AAAA' WHERE name = 'file'"),
    );
    await decide(2, 'import/').expect(202);
    expect(await app.runDue()).toMatchObject({
      state: 'approved',
      attempt: 2,
      error: expect.stringMatching(/./),
    });
    for (const minutes of [1, 5, 25]) {
      await app.minutesLater(minutes);
      await app.runDue();
    }
    expect((await app.runs())[0]).toMatchObject({
      state: 'held',
      attempt: 1,
      decided_by: '',
      held: HALF_REASONS,
    });
  });
});
