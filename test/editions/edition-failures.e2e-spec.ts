import { randomBytes, randomUUID } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Environment } from '../../src/config/environment.js';
import { sqliteHandle } from '../../src/database/database.js';
import { OutcomeUnknownError } from '../../src/database/errors/driver-errors.js';
import { HOLDER_TIMEOUT_MS } from '../../src/database/lease.js';
import { Editions } from '../../src/editions/editions.js';
import { EditionRunning } from '../../src/platform/errors/api-error.js';
import { storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { makeEditions } from './make-editions.js';
import { startMaker } from './maker-process.js';

/** Points with comments that hardly compress: files of more than 1 MB. */
const POINTS = 3000;
/** Room for files, in units of 1024 bytes: less than the files have. */
const ROOM = 512;

const names = (folder: string) => readdirSync(folder).sort();

describe('an edition that cannot be made', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pds-editions-'));
  let service: TestApp;
  let editions: ReturnType<typeof makeEditions>;
  beforeAll(async () => {
    service = await startTestApp({ EDITIONS_DIR: folder });
    editions = makeEditions(service);
    const daily = Array.from({ length: POINTS }, (_, index): [string, number, string] => [
      new Date(Date.UTC(2010, 0, 1 + index)).toISOString().slice(0, 10),
      index + 1,
      randomBytes(240).toString('hex'),
    ]);
    await storeSeries(service.unitOfWork, [{ uuid: randomUUID(), points: { daily } }]);
    // The limit of a process holds for what it writes into the database, too.
    if (service.database.embedded) sqliteHandle(service.database.writer).pragma('wal_checkpoint(TRUNCATE)');
  });
  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });

  const newest = async () =>
    ((await service.http().get('/api/v1/Edition/')).body as { results: object[] }).results[0];
  const begin = () => service.app.get(Editions).begin({ title: '2026-11', caller: null, requestId: null });

  /** Asserts that the next edition is made, and that nothing of any other is there. */
  async function assertNext(number: number): Promise<void> {
    await editions.make('2026-11');
    expect(await newest()).toMatchObject({ number, state: 'ready', points: POINTS });
    expect(names(folder)).toEqual([String(number)]);
    rmSync(join(folder, String(number)), { recursive: true });
  }

  it('because a file would be larger than its process may write leaves nothing', async () => {
    const { ended } = startMaker(service, (await begin()).holder, ROOM);
    expect(await ended).toEqual({ code: 1, signal: null, errors: expect.stringMatching(/^EFBIG: /m) });
    expect(names(folder)).toEqual([]);
    const error = 'A file would be larger than its process may write.';
    expect(await newest()).toMatchObject({ number: 1, state: 'failed', error, files: null });
    await assertNext(2);
  });

  it('because the disk is full leaves nothing', async () => {
    const disk = join(folder, 'disk');
    mkdirSync(disk);
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${ROOM}k`, 'tmpfs', disk]);
    const environment = service.app.get<{ editionsFolder: string }>(Environment);
    try {
      if (mounted.status !== 0)
        return void process.stdout.write('Skipped, may not mount a file system: editions on a full disk\n');
      environment.editionsFolder = disk;
      await expect(editions.make('2026-11')).rejects.toMatchObject({ code: 'ENOSPC' });
      expect(names(disk)).toEqual([]);
      expect(await newest()).toMatchObject({ number: 3, state: 'failed', error: 'The disk is full.' });
    } finally {
      environment.editionsFolder = folder;
      // Fails where a file is still open.
      if (mounted.status === 0) expect(spawnSync('umount', [disk]).status).toBe(0);
      rmSync(disk, { recursive: true });
    }
    await assertNext(4);
  });

  describe('because the last commit is not confirmed', () => {
    const lost = new OutcomeUnknownError(new Error('The connection was lost.'));
    let records: Editions;
    beforeAll(() => (records = service.app.get(Editions)));
    afterEach(() => {
      for (const name of ['finish', 'fail'] as const) delete (records as Partial<Editions>)[name];
    });

    it('is ready with its files where it was stored', async () => {
      records.finish = async (...values) => {
        await Editions.prototype.finish.apply(records, values);
        throw lost;
      };
      await editions.make('2026-11');
      const { number, state, error } = (await newest()) as { number: number; state: string; error: string };
      expect([state, error, names(folder)]).toEqual(['ready', '', [String(number)]]);
      await service.http().get(`/editions/${number}/SHA256SUMS`).expect(200);
      rmSync(join(folder, String(number)), { recursive: true });
    });

    it('has failed and leaves nothing where it was not stored', async () => {
      records.finish = () => Promise.reject(lost);
      await expect(editions.make('2026-11')).rejects.toBe(lost);
      expect(await newest()).toMatchObject({ state: 'failed', files: null });
      expect(names(folder)).toEqual([]);
    });

    it('leaves its files to the next one where the database cannot be asked', async () => {
      records.finish = records.fail = () => Promise.reject(lost);
      await expect(editions.make('2026-11')).rejects.toBe(lost);
      const { number, state } = (await newest()) as { number: number; state: string };
      expect([state, names(folder)]).toEqual(['running', [String(number)]]);
      await service.http().get(`/editions/${number}/SHA256SUMS`).expect(404);
      for (const name of ['finish', 'fail'] as const) delete (records as Partial<Editions>)[name];
      await service.unitOfWork.run((transaction) =>
        transaction.execute('UPDATE edition_lock SET holder = NULL WHERE id = 1'),
      );
      await assertNext(number + 1);
    });
  });

  it('because its process is killed is interrupted, and made way for after a time', async () => {
    const { holder, number } = await begin();
    const unfinished = join(folder, `.unfinished-${number}`);
    const { child, ended } = startMaker(service, holder);
    // Holds what the maker needs to name its folder, so that it cannot end before it is killed.
    await service.unitOfWork.run(async (transaction) => {
      await transaction.execute('UPDATE edition_lock SET edition = edition WHERE id = 1');
      while (!existsSync(join(unfinished, 'SHA256SUMS')) && child.exitCode === null) await sleep(20);
      child.kill('SIGKILL');
    });
    expect(await ended).toMatchObject({ code: null, signal: 'SIGKILL' });
    expect(names(folder)).toEqual([`.unfinished-${number}`]);
    const age = (milliseconds: number) =>
      service.unitOfWork.run((transaction) =>
        transaction.execute('UPDATE edition_lock SET seen_at = seen_at - ? WHERE id = 1', [milliseconds]),
      );
    // As if it had sent a heartbeat just now.
    await age(-HOLDER_TIMEOUT_MS);
    await expect(begin()).rejects.toThrow(EditionRunning);
    expect(await newest()).toMatchObject({ number, state: 'running' });
    await age(HOLDER_TIMEOUT_MS * 3);
    expect(await newest()).toMatchObject({ number, state: 'interrupted', files: null });
    await assertNext(number + 1);
    const { body } = await service.http().get(`/api/v1/Edition/${number}/`);
    expect(body).toMatchObject({ state: 'interrupted', ended_at: '2026-11-21T12:00:00.000Z', files: null });
  });

  it('with a number that a folder without a record has gets another', async () => {
    const { number } = (await newest()) as { number: number };
    mkdirSync(join(folder, String(number + 5)));
    writeFileSync(
      join(folder, String(number + 5), 'prices.parquet'),
      'served before the database was restored',
    );
    await editions.make('2026-11');
    expect(await newest()).toMatchObject({ number: number + 6, state: 'ready' });
    expect(names(folder)).toEqual([String(number + 5), String(number + 6)].sort());
  });
});
