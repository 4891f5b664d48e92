import { setTimeout as sleep } from 'node:timers/promises';
import { JobLeases } from '../../src/operations/jobs/job-leases.js';
import { openDatabase } from '../support/open-database.js';

describe('the lease of a job', () => {
  let opened: Awaited<ReturnType<typeof openDatabase>>;
  let leases: JobLeases;
  beforeAll(async () => {
    opened = await openDatabase();
    leases = new JobLeases(opened.database, opened.unitOfWork);
  });
  afterEach(() => execute('DELETE FROM lease'));
  afterAll(() => opened.close());

  const execute = (sql: string) => opened.unitOfWork.run((transaction) => transaction.execute(sql));
  const rows = () => opened.database.rows('SELECT name, holder, progress FROM lease ORDER BY name');
  const nothing = () => ({ done: 0, total: 1 });
  /** Begins a round: every second time nobody has had the lease before, else a killed process. */
  const begin = async (round: number) => {
    await execute('DELETE FROM lease');
    if (round % 2 === 0)
      await execute("INSERT INTO lease (name, holder, progress) VALUES ('upload a', 'killed', '{}')");
  };

  it('is held by one request alone, and tells others the progress of the job every second', async () => {
    let done = 3;
    const held = await leases.acquire('upload a', () => ({ done, total: 7 }));
    expect(await leases.acquire('upload a', nothing)).toBeNull();
    expect(await leases.progressOf('upload a')).toEqual({ done: 3, total: 7 });
    expect(await leases.progressOf('upload b')).toBeNull();
    done = 5;
    while ((await leases.progressOf('upload a'))?.done !== 5) await sleep(50);
    const other = await leases.acquire('upload b', nothing);
    expect(other).not.toBeNull();
    await held!.end();
    expect(await leases.progressOf('upload a')).toBeNull();
    expect(await leases.progressOf('upload b')).toEqual({ done: 0, total: 1 });
    await other!.end();
  });

  it('is taken over by one request alone after its process was killed', async () => {
    for (let round = 0; round < 25; round++) {
      await begin(round);
      const takers = await Promise.all(
        Array.from({ length: 6 }, async (_, taker) => {
          // Each begins when the one before is at another step.
          for (let step = 0; step < (taker * round) % 17; step++) await new Promise(setImmediate);
          return leases.acquire('upload a', nothing);
        }),
      );
      const held = takers.filter((job) => job !== null);
      expect([round, held.length]).toEqual([round, 1]);
      await held[0]!.end();
    }
  });

  it('is given to one of many requests that ask at the same time, beside those for other jobs', async () => {
    for (let round = 0; round < 8; round++) {
      await begin(round);
      const takers = await Promise.all(
        Array.from({ length: 40 }, (_, taker) => leases.acquire(`upload ${'abcd'[taker % 4]}`, nothing)),
      );
      const held = takers.filter((job) => job !== null);
      expect([round, held.length]).toEqual([round, 4]);
      for (const job of held) await job.end();
    }
  });

  it('that was taken over is not released by its former holder', async () => {
    const former = await leases.acquire('upload a', nothing);
    await execute('UPDATE lease SET seen_at = seen_at - 15000');
    const held = await leases.acquire('upload a', () => ({ done: 1, total: 1 }));
    await former!.end();
    expect(await leases.progressOf('upload a')).toEqual({ done: 1, total: 1 });
    await held!.end();
  });

  it('leaves no row for longer than a day', async () => {
    await (await leases.acquire('upload a', nothing))!.end();
    await (await leases.acquire('upload b', nothing))!.end();
    await execute(`UPDATE lease SET seen_at = seen_at - ${24 * 3600 * 1000} WHERE name = 'upload a'`);
    await sleep(5);
    const held = await leases.acquire('upload c', nothing);
    expect(await rows()).toEqual([
      { name: 'upload b', holder: null, progress: '{"done":0,"total":1}' },
      { name: 'upload c', holder: expect.any(String), progress: '{"done":0,"total":1}' },
    ]);
    await held!.end();
  });
});
