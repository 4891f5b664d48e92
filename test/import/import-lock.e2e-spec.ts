import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { ImportRunning } from '../../src/common/errors/api-error.js';
import { ImportLockLost } from '../../src/import/import-lock.js';
import { makeInput } from '../../src/import/input.js';
import { openImports } from '../support/imports.js';

interface Row {
  holder: string | null;
  host: string;
  process: number;
  seen_at: number;
}

describe('import lock', () => {
  let imports: Awaited<ReturnType<typeof openImports>>;
  beforeAll(async () => (imports = await openImports()));
  afterEach(() => imports.unitOfWork.run((tx) => tx.execute('UPDATE import_lock SET holder = NULL')));
  afterAll(() => imports.close());

  const row = async () =>
    (await imports.rows<Row>('SELECT holder, host, process, seen_at FROM import_lock'))[0]!;
  const set = (changes: string) =>
    imports.unitOfWork.run((tx) => tx.execute(`UPDATE import_lock SET ${changes}`));
  /** The number of a process that has ended. */
  const gone = () => spawnSync(process.execPath, ['--version']).pid;

  it('lets one import run at a time', async () => {
    const held = await imports.lock.take();
    expect(await row()).toEqual({
      holder: expect.stringMatching(/^[0-9a-f-]{36}$/),
      host: hostname(),
      process: process.pid,
      seen_at: expect.any(Number),
    });
    await expect(imports.lock.take()).rejects.toBeInstanceOf(ImportRunning);
    held.stop();
    await imports.unitOfWork.run((tx) => held.giveBack(tx));
    expect((await row()).holder).toBeNull();
    (await imports.lock.take()).stop();
  });

  it('refuses an import while another reads its input', async () => {
    let goOn!: () => void;
    const slow = (async function* () {
      yield Buffer.from('name\nA\n');
      await new Promise<void>((resolve) => (goOn = resolve));
    })();
    const request = { format: 'Source', options: {}, dryRun: false, caller: null, requestId: null };
    const first = imports.service.import(request, makeInput(slow, '', null));
    while ((await row()).holder === null) await sleep(5);
    await expect(imports.importText('Source', 'name\nB\n')).rejects.toMatchObject({ code: 'import_running' });
    // A dry run stores nothing, so it need not wait.
    expect((await imports.importText('Source', 'name\nB\n', { dryRun: true })).new).toBe(1);
    while (goOn === undefined) await sleep(5);
    goOn();
    expect((await first).new).toBe(1);
    expect((await imports.importText('Source', 'name\nB\n')).new).toBe(1);
  });

  it('is taken over from an import that has been silent for long, whatever its machine', async () => {
    const held = await imports.lock.take();
    held.stop();
    await set("host = 'elsewhere', seen_at = seen_at - 14000");
    await expect(imports.lock.take()).rejects.toBeInstanceOf(ImportRunning);
    await set('seen_at = seen_at - 1000');
    (await imports.lock.take()).stop();
  });

  it('is taken over from a process of this machine that has ended, once its silence says so, too', async () => {
    const held = await imports.lock.take();
    held.stop();
    await set(`process = ${gone()}, seen_at = seen_at - 2500`);
    const began = performance.now();
    (await imports.lock.take()).stop();
    expect(performance.now() - began).toBeGreaterThan(300);
    expect((await row()).process).toBe(process.pid);
  });

  it('is not taken over from a process of another machine with a number that is free here', async () => {
    const held = await imports.lock.take();
    held.stop();
    await set(`process = ${gone()}, host = 'elsewhere', seen_at = seen_at - 4000`);
    await expect(imports.lock.take()).rejects.toBeInstanceOf(ImportRunning);
  });

  it('gives signs of life while nothing is stored', async () => {
    const held = await imports.lock.take();
    const { seen_at } = await row();
    while (Number((await row()).seen_at) === Number(seen_at)) await sleep(50);
    held.stop();
  });

  it('stops an import whose lock was taken over', async () => {
    const held = await imports.lock.take();
    held.stop();
    await set("holder = 'another'");
    const store = imports.unitOfWork.run(async (tx) => {
      await tx.execute("INSERT INTO source (name) VALUES ('Late')");
      await held.confirm(tx);
    });
    await expect(store).rejects.toBeInstanceOf(ImportLockLost);
    expect(await imports.rows("SELECT id FROM source WHERE name = 'Late'")).toEqual([]);
    // Nor does it give back what is another's.
    await imports.unitOfWork.run((tx) => held.giveBack(tx));
    expect((await row()).holder).toBe('another');
  });

  it('is reported by the import that lost it', async () => {
    const slow = (async function* () {
      yield Buffer.from('name\nLost\n');
      await set("holder = 'another'");
    })();
    const request = { format: 'Source', options: {}, dryRun: false, caller: null, requestId: null };
    const report = await imports.service.import(request, makeInput(slow, '', null));
    expect([report.new, report.error]).toEqual([
      0,
      'Another import has taken over, because this one had stopped for too long.',
    ]);
  });
});
