import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { ImportRunning } from '../../src/platform/errors/api-error.js';
import { LeaseLost } from '../../src/database/lease.js';
import { createInput } from '../../src/import/pipeline/input.js';
import { openImports } from '../support/imports.js';
import { someImport } from '../support/change-set.js';

interface Row {
  holder: string | null;
  host: string;
  process: number;
  seen_at: number;
}

describe('import lock', () => {
  let imports: Awaited<ReturnType<typeof openImports>>;
  beforeAll(async () => (imports = await openImports()));
  afterEach(() =>
    imports.unitOfWork.run((transaction) => transaction.execute('UPDATE import_lock SET holder = NULL')),
  );
  afterAll(() => imports.close());

  const row = async () =>
    (await imports.rows<Row>('SELECT holder, host, process, seen_at FROM import_lock'))[0]!;
  const set = (changes: string) =>
    imports.unitOfWork.run((transaction) => transaction.execute(`UPDATE import_lock SET ${changes}`));
  /** The id of a process that has exited. */
  const exitedPid = () => spawnSync(process.execPath, ['--version']).pid;

  it('lets one import run at a time', async () => {
    const held = await imports.lock.acquire(someImport);
    expect(await row()).toEqual({
      holder: expect.stringMatching(/^[0-9a-f-]{36}$/),
      host: hostname(),
      process: process.pid,
      seen_at: expect.any(Number),
    });
    await expect(imports.lock.acquire(someImport)).rejects.toBeInstanceOf(ImportRunning);
    held.stopHeartbeat();
    await imports.unitOfWork.run((transaction) => held.release(transaction));
    expect((await row()).holder).toBeNull();
    (await imports.lock.acquire(someImport)).stopHeartbeat();
  });

  it('rejects an import while another reads its input', async () => {
    let resume!: () => void;
    const slow = (async function* () {
      yield Buffer.from('name\nA\n');
      await new Promise<void>((resolve) => (resume = resolve));
    })();
    const request = { format: 'Source', options: {}, dryRun: false, caller: null, requestId: null };
    const first = imports.service.import(request, createInput(slow, '', null));
    while ((await row()).holder === null) await sleep(5);
    await expect(imports.importText('Source', 'name\nB\n')).rejects.toMatchObject({ code: 'import_running' });
    // A dry run stores nothing, so it does not need the lock.
    expect((await imports.importText('Source', 'name\nB\n', { dryRun: true })).new).toBe(1);
    while (resume === undefined) await sleep(5);
    resume();
    expect((await first).new).toBe(1);
    expect((await imports.importText('Source', 'name\nB\n')).new).toBe(1);
  });

  it('is taken over from an import without heartbeats for long, on any machine', async () => {
    const held = await imports.lock.acquire(someImport);
    held.stopHeartbeat();
    await set("host = 'elsewhere', seen_at = seen_at - 14000");
    await expect(imports.lock.acquire(someImport)).rejects.toBeInstanceOf(ImportRunning);
    await set('seen_at = seen_at - 1000');
    (await imports.lock.acquire(someImport)).stopHeartbeat();
  });

  it('is taken over sooner from a process of this machine that has exited', async () => {
    const pid = exitedPid();
    const start = performance.now();
    const held = await imports.lock.acquire(someImport);
    held.stopHeartbeat();
    await set(`process = ${pid}, seen_at = seen_at - 2500`);
    (await imports.lock.acquire(someImport)).stopHeartbeat();
    expect(performance.now() - start).toBeGreaterThan(300);
    expect((await row()).process).toBe(process.pid);
  });

  it('is not taken over sooner from a process of another machine', async () => {
    const held = await imports.lock.acquire(someImport);
    held.stopHeartbeat();
    await set(`process = ${exitedPid()}, host = 'elsewhere', seen_at = seen_at - 4000`);
    await expect(imports.lock.acquire(someImport)).rejects.toBeInstanceOf(ImportRunning);
  });

  it('sends heartbeats while nothing is stored', async () => {
    const held = await imports.lock.acquire(someImport);
    const { seen_at } = await row();
    while (Number((await row()).seen_at) === Number(seen_at)) await sleep(50);
    held.stopHeartbeat();
  });

  it('stops an import whose lock was taken over', async () => {
    const held = await imports.lock.acquire(someImport);
    held.stopHeartbeat();
    await set("holder = 'another'");
    const store = imports.unitOfWork.run(async (transaction) => {
      await transaction.execute("INSERT INTO source (name) VALUES ('Late')");
      await held.renew(transaction);
    });
    await expect(store).rejects.toBeInstanceOf(LeaseLost);
    expect(await imports.rows("SELECT id FROM source WHERE name = 'Late'")).toEqual([]);
    // Nor does it release the lock of another import.
    await imports.unitOfWork.run((transaction) => held.release(transaction));
    expect((await row()).holder).toBe('another');
  });

  it('is reported by the import that lost it', async () => {
    const slow = (async function* () {
      yield Buffer.from('name\nLost\n');
      await set("holder = 'another'");
    })();
    const request = { format: 'Source', options: {}, dryRun: false, caller: null, requestId: null };
    const report = await imports.service.import(request, createInput(slow, '', null));
    expect([report.new, report.error]).toEqual([
      0,
      'Another import took over the lock, because this one did not respond for too long.',
    ]);
  });
});
