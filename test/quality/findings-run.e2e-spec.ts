import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { ImportLock } from '../../src/ledger/import-lock/import-lock.js';
import { countsText, FindingsRun } from '../../src/quality/findings-run.js';
import { FindingsFollower, lacksFindings } from '../../src/quality/findings-follower.js';
import { openDatabase } from '../support/open-database.js';
import { storePoints, storeSeries, type SeriesSpec } from '../support/price-fixture.js';
import { TestClock } from '../support/test-app.js';
import { followed } from '../support/followed.js';

const UUID = '11111111-0000-4000-8000-000000000001';
const MONTHS = ['01', '02', '03', '04', '05', '06', '07'].map((month) => `2024-${month}-01`);
const withSlip = (slip: number) =>
  MONTHS.map((date): [string, number] => [date, date === '2024-04-01' ? slip : 360]);

/** In 15 markets each of 20 commodities, of which every fifth has a slip in the same month. */
const manySeries = (): SeriesSpec[] =>
  Array.from({ length: 300 }, (_, number) => ({
    uuid: `22222222-0000-4000-8000-${String(number).padStart(12, '0')}`,
    commodity: { name: `Commodity ${Math.floor(number / 15)}` },
    market: { name: `Market ${number % 15}`, iso3_country_code: 'KEN', country_name: 'Kenya' },
    points: { monthly: withSlip(number % 5 === 0 ? 3600 : 360) },
  }));

/** The findings, whatever their ids and the operations that opened them. */
const CONTENT =
  'SELECT subject, rule, severity, scope, state, serie_id, iso3_country_code, period, day, value, expected,' +
  ' ratio, members, detail, reason FROM finding ORDER BY subject, finding_key';

/** Starts the command in a process of its own. */
function startCommand(url: string) {
  const script = 'src/commands/findings.command.ts';
  const child = spawn(process.execPath, ['--import', './test/support/typescript-in-processes.mjs', script], {
    env: { ...process.env, DATABASE_URL: url, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'close').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as string | null,
    output,
  }));
  return { child, ended };
}

describe('npm run findings', () => {
  let opened: Awaited<ReturnType<typeof openDatabase>>;
  beforeEach(async () => {
    opened = await openDatabase();
  });
  afterEach(() => opened?.close());

  const run = () => {
    const lock = new ImportLock(opened.unitOfWork, new TestClock());
    return new FindingsRun(lock, new FindingsFollower()).run();
  };
  const observe = () => followed(opened.unitOfWork);
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

  it('finds everything when it is run again after its process was killed half way', async () => {
    const whole = await openDatabase();
    try {
      await storeSeries(whole.unitOfWork, manySeries());
      followed(whole.unitOfWork);
      await new FindingsRun(new ImportLock(whole.unitOfWork, new TestClock()), new FindingsFollower()).run();
      const all = await whole.database.rows<Record<string, unknown>>(CONTENT);
      expect(new Set(all.map(({ rule }) => rule))).toEqual(
        new Set(['spike', 'decimal_slip', 'batch', 'month_suspect']),
      );

      await storeSeries(opened.unitOfWork, manySeries());
      const killed = startCommand(opened.url);
      const found = () => rows(CONTENT);
      // After its first transaction with findings, in a later one.
      while ((await found()).length === 0 && killed.child.exitCode === null) await sleep(5);
      killed.child.kill('SIGKILL');
      expect(await killed.ended).toEqual({ code: null, signal: 'SIGKILL', output: '' });
      const half = await found();
      expect(half.length).toBeGreaterThan(0);
      expect(half.length).toBeLessThan(all.length);
      expect(all).toEqual(expect.arrayContaining(half));
      expect(await lacksFindings(opened.database)).toBe(true);

      const { code, output } = await startCommand(opened.url).ended;
      expect([code, output]).toEqual([0, expect.stringMatching(/^ +opened  ended  unchanged\n/)]);
      expect(await found()).toEqual(all);
      expect(await lacksFindings(opened.database)).toBe(false);
      const runs = await rows("SELECT state FROM change_set WHERE kind = 'findings' ORDER BY id");
      expect(runs).toEqual([{ state: 'interrupted' }, { state: 'done' }]);
    } finally {
      await whole.close();
    }
  }, 180_000);

  it('ends what no longer holds', async () => {
    observe();
    const ids = await storeSeries(opened.unitOfWork, [{ uuid: UUID, points: { monthly: withSlip(3600) } }]);
    opened.unitOfWork.followers = [];
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
