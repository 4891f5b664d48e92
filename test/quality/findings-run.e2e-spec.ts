import { ImportLock } from '../../src/database/revision/import-lock.js';
import { countsText, FindingsRun } from '../../src/quality/findings-run.js';
import { FindingsUpdater, lacksFindings } from '../../src/quality/findings-updater.js';
import { openDatabase } from '../support/open-database.js';
import { storePoints, storeSeries } from '../support/price-fixture.js';
import { TestClock } from '../support/test-app.js';

const UUID = '11111111-0000-4000-8000-000000000001';
const MONTHS = ['01', '02', '03', '04', '05', '06', '07'].map((month) => `2024-${month}-01`);
const withSlip = (slip: number) =>
  MONTHS.map((date): [string, number] => [date, date === '2024-04-01' ? slip : 360]);

describe('npm run findings', () => {
  let opened: Awaited<ReturnType<typeof openDatabase>>;
  beforeEach(async () => {
    opened = await openDatabase();
  });
  afterEach(() => opened?.close());

  const run = () => {
    const lock = new ImportLock(opened.unitOfWork, new TestClock());
    return new FindingsRun(lock).run();
  };
  const observe = () => FindingsUpdater.observe(opened.unitOfWork);
  const rows = (sql: string) => opened.database.rows<Record<string, unknown>>(sql);
  const states = () => rows('SELECT id, rule, state, change_set_id FROM finding ORDER BY id');
  const revision = async () =>
    (await rows('SELECT revision, checked_revision FROM data_revision')).map((row) =>
      Object.values(row).map(Number),
    )[0];

  it('does nothing in an empty database', async () => {
    observe();
    const before = await revision();
    const counts = await run();
    expect(counts).toEqual({});
    expect(countsText(counts)).toBe('There are no findings.');
    expect((await revision())![0]).toBe(before![0]);
  });

  it('finds what a release without findings has stored', async () => {
    await storeSeries(opened.unitOfWork, [{ uuid: UUID, points: { monthly: withSlip(3600) } }]);
    expect(await states()).toEqual([]);
    expect(await lacksFindings(opened.database)).toBe(true);
    observe();
    const counts = await run();
    expect(counts).toEqual({
      spike: { opened: 1, ended: 0, unchanged: 0 },
      decimal_slip: { opened: 1, ended: 0, unchanged: 0 },
    });
    expect(countsText(counts)).toBe(
      [
        '              opened  ended  unchanged',
        'decimal_slip       1      0          0',
        'spike              1      0          0',
      ].join('\n'),
    );
    expect(await lacksFindings(opened.database)).toBe(false);
    const [changeSet] = await rows('SELECT id, kind, state, counts FROM change_set ORDER BY id DESC LIMIT 1');
    expect(changeSet).toEqual({
      id: expect.any(Number),
      kind: 'findings',
      state: 'done',
      counts: JSON.stringify({ findings: counts }),
    });
    expect(await states()).toEqual([
      { id: 1, rule: 'spike', state: 'open', change_set_id: changeSet!.id },
      { id: 2, rule: 'decimal_slip', state: 'open', change_set_id: changeSet!.id },
    ]);
  });

  it('changes nothing where the findings are complete, and makes no revision', async () => {
    observe();
    const ids = await storeSeries(opened.unitOfWork, [{ uuid: UUID, points: { monthly: withSlip(3600) } }]);
    await storePoints(opened.unitOfWork, ids.get(UUID)!, { monthly: [['2024-08-01', 360]] });
    const [before, findings] = [await revision(), await states()];
    expect(await run()).toEqual({
      spike: { opened: 0, ended: 0, unchanged: 1 },
      decimal_slip: { opened: 0, ended: 0, unchanged: 1 },
    });
    expect(await states()).toEqual(findings);
    expect((await revision())![0]).toBe(before![0]);
    const [lock] = await rows('SELECT holder FROM import_lock');
    expect(lock).toEqual({ holder: null });
  });

  it('checks everything when it is run again after it was killed half way', async () => {
    await storeSeries(opened.unitOfWork, [{ uuid: UUID, points: { monthly: withSlip(3600) } }]);
    observe();
    // After the points of series are checked nothing gets through any more.
    const { unitOfWork } = opened;
    const change = unitOfWork.change.bind(unitOfWork);
    let transactions = 3;
    unitOfWork.change = (...args: Parameters<typeof change>) =>
      transactions-- > 0 ? (change(...args) as never) : Promise.reject(new Error('Killed.'));
    await expect(run()).rejects.toThrow('Killed.');
    unitOfWork.change = change;
    const [killed] = await rows('SELECT state FROM change_set ORDER BY id DESC LIMIT 1');
    expect([killed, (await states()).length]).toEqual([{ state: 'running' }, 2]);
    expect(await lacksFindings(opened.database)).toBe(true);
    // The lock times out.
    await unitOfWork.run((transaction) => transaction.execute('UPDATE import_lock SET seen_at = 0'));
    expect(await run()).toEqual({
      spike: { opened: 0, ended: 0, unchanged: 1 },
      decimal_slip: { opened: 0, ended: 0, unchanged: 1 },
    });
    expect(await lacksFindings(opened.database)).toBe(false);
    expect((await states()).map(({ state }) => state)).toEqual(['open', 'open']);
  });

  it('ends what no longer holds', async () => {
    observe();
    const ids = await storeSeries(opened.unitOfWork, [{ uuid: UUID, points: { monthly: withSlip(3600) } }]);
    opened.unitOfWork.observer = null;
    await storePoints(opened.unitOfWork, ids.get(UUID)!, { monthly: withSlip(720) });
    observe();
    expect(await run()).toEqual({
      spike: { opened: 0, ended: 1, unchanged: 0 },
      decimal_slip: { opened: 0, ended: 1, unchanged: 0 },
    });
    expect(await run()).toEqual({});
    expect((await states()).map(({ state }) => state)).toEqual(['gone', 'gone']);
  });
});
