import { jest } from '@jest/globals';
import { createConnection, type Connection } from 'mysql2/promise';
import { setTimeout as sleep } from 'node:timers/promises';
import { Environment } from '../../src/config/environment.js';
import { Database } from '../../src/database/database.js';
import { DataRevision } from '../../src/database/data-revision.js';
import type { Reads } from '../../src/database/reads.js';
import { UnitOfWork } from '../../src/database/unit-of-work.js';
import { entities } from '../../src/entities.js';
import { openDatabase } from '../support/open-database.js';
import { testServerUrl } from '../support/test-database.js';

const onServer = testServerUrl === null ? describe.skip : describe;
if (testServerUrl === null)
  console.log(
    'Without TEST_DATABASE_URL the tests of replicas are left out: the embedded database has none.',
  );

/**
 * Databases on one server stand for a primary and its replicas, and the test replicates when it wants to. Each holds a commodity
 * that is named after it, which is never replicated: so an answer tells where it is from.
 */
onServer('replicas', () => {
  type Opened = Awaited<ReturnType<typeof openDatabase>>;
  let primary: Opened;
  let replicas: Opened[];
  let server: Connection;
  let database: Database;
  let revision: DataRevision;
  let unitOfWork: UnitOfWork;

  const nameOf = ({ url }: Opened) => url.split('/').at(-1)!;

  beforeEach(async () => {
    [primary, ...replicas] = await Promise.all([openDatabase(), openDatabase(), openDatabase()]);
    server = await createConnection(testServerUrl!);
    for (const [place, opened] of [primary, ...replicas].entries()) {
      const name = place === 0 ? 'primary' : `replica ${place}`;
      await server.query(`INSERT INTO ${nameOf(opened)}.commodity (name) VALUES (?)`, [name]);
    }
    await open(replicas.map(({ url }) => url));
  });
  afterEach(async () => {
    await database.close();
    await server.end();
    for (const opened of [primary, ...replicas]) await opened.close();
  });

  async function open(replicaUrls: string[]) {
    await database?.close();
    database = new Database(
      new Environment({ DATABASE_URL: primary.url, DATABASE_REPLICA_URLS: replicaUrls.join(',') }),
      entities,
    );
    await database.connect();
    revision = new DataRevision(database);
    unitOfWork = new UnitOfWork(database, revision);
    await revision.ask();
  }

  const replicate = (replica: Opened) =>
    server.query(
      `UPDATE ${nameOf(replica)}.data_revision r, ${nameOf(primary)}.data_revision p SET r.revision = p.revision,
        r.reference_revision = p.reference_revision, r.series_revision = p.series_revision,
        r.rates_revision = p.rates_revision`,
    );
  const setRevision = (opened: Opened, all: number) =>
    server.query(`UPDATE ${nameOf(opened)}.data_revision SET revision = ?`, [all]);
  const write = () => unitOfWork.run(async () => undefined);

  /** Where so many reads at once are answered from, and by how many of them. */
  async function answeredBy(reads: Reads, count = 40): Promise<Record<string, number>> {
    const names: Record<string, number> = {};
    const found = await Promise.all(
      Array.from({ length: count }, () => reads.arrays<[string]>('SELECT name FROM commodity')),
    );
    for (const [row] of found) names[row![0]] = (names[row![0]] ?? 0) + 1;
    return names;
  }

  async function until(condition: () => boolean): Promise<void> {
    for (let left = 400; !condition(); left--) {
      if (left === 0) throw new Error(JSON.stringify(database.replicaFigures));
      await sleep(10);
    }
  }
  const untilCurrent = (count: number) => until(() => database.replicaFigures!.current === count);

  it('share the reading of published data while they are at the newest revision; nothing else is read from them', async () => {
    await untilCurrent(2);
    const shares = await answeredBy(database.anywhere);
    expect(Object.keys(shares).sort()).toEqual(['replica 1', 'replica 2']);
    expect(Math.min(...Object.values(shares))).toBeGreaterThan(10);
    expect(await answeredBy(database)).toEqual({ primary: 40 });
    expect(await database.view((arrays) => arrays('SELECT name FROM commodity'))).toEqual([['primary']]);
    expect(await unitOfWork.run((tx) => tx.rows('SELECT name FROM commodity'))).toEqual([
      { name: 'primary' },
    ]);
    expect(database.replicaFigures).toMatchObject({ configured: 2, up: 2, reads: 40, primaryReads: 0 });
  });

  it('are not read from after a write until they have it', async () => {
    await untilCurrent(2);
    await write();
    expect(await answeredBy(database.anywhere)).toEqual({ primary: 40 });
    await replicate(replicas[1]!);
    await untilCurrent(1);
    expect(await answeredBy(database.anywhere)).toEqual({ 'replica 2': 40 });
    await write();
    expect(await answeredBy(database.anywhere)).toEqual({ primary: 40 });
    for (const replica of replicas) await replicate(replica);
    await untilCurrent(2);
    expect(Object.keys(await answeredBy(database.anywhere)).sort()).toEqual(['replica 1', 'replica 2']);
  });

  it('are not read from after a write of another process has been heard of', async () => {
    await untilCurrent(2);
    await primary.unitOfWork.run(async () => undefined);
    await revision.ask();
    expect(await answeredBy(database.anywhere)).toEqual({ primary: 40 });
  });

  it('that show a newer revision make it known, and are read from as soon as it is', async () => {
    await untilCurrent(2);
    const { all } = revision.current()!;
    await primary.unitOfWork.run(async () => undefined);
    await replicate(replicas[0]!);
    await until(() => database.replicaFigures!.current === 1 && revision.current()?.all === all + 1);
    expect(await answeredBy(database.anywhere)).toEqual({ 'replica 1': 40 });
  });

  it('that have a revision which the primary never had are no replicas of it', async () => {
    await untilCurrent(2);
    await setRevision(replicas[0]!, revision.current()!.all + 100);
    await untilCurrent(1);
    expect(await answeredBy(database.anywhere)).toEqual({ 'replica 2': 40 });
    expect(revision.current()!.all).toBeLessThan(100);
  });

  it('are asked for several reads of one state together', async () => {
    await open([replicas[0]!.url]);
    await untilCurrent(1);
    const seen = await database.anywhere.view(async (arrays) => {
      const [before] = await arrays<[number]>('SELECT revision FROM data_revision');
      await setRevision(replicas[0]!, 77);
      const [after] = await arrays<[number]>('SELECT revision FROM data_revision');
      return [before![0], after![0], await arrays('SELECT name FROM commodity')];
    });
    const { all } = revision.current()!;
    expect(seen).toEqual([all, all, [['replica 1']]]);
  });

  /** Takes long in a replica alone. */
  const SLOW = "SELECT name, SLEEP(IF(name = 'primary', 0, 4)) AS slept FROM commodity";

  /** Ends the connections that are at the slow statement in a replica, as a server that dies would. */
  async function killSlow(replica: Opened): Promise<void> {
    for (let left = 200; ; left--) {
      const [rows] = await server.query(
        'SELECT ID FROM information_schema.PROCESSLIST WHERE DB = ? AND INFO = ?',
        [nameOf(replica), SLOW],
      );
      const found = rows as { ID: number }[];
      for (const { ID } of found) await server.query(`KILL CONNECTION ${ID}`);
      if (found.length > 0) return;
      if (left === 0) throw new Error('The statement is not there.');
      await sleep(10);
    }
  }

  it('that fail in the middle of a read are replaced by the primary, and read from again later', async () => {
    await open([replicas[0]!.url]);
    await untilCurrent(1);
    const reading = database.anywhere.rows(SLOW);
    await killSlow(replicas[0]!);
    expect(await reading).toEqual([{ name: 'primary', slept: 0 }]);
    expect(database.replicaFigures).toMatchObject({ up: 0, current: 0 });
    expect(await answeredBy(database.anywhere)).toEqual({ primary: 40 });
    await untilCurrent(1);
    expect(await answeredBy(database.anywhere)).toEqual({ 'replica 1': 40 });
  });

  it('that fail in the middle of several reads of one state have all of them done again by the primary', async () => {
    await open([replicas[0]!.url]);
    await untilCurrent(1);
    const begun: unknown[] = [];
    const reading = database.anywhere.view(async (arrays) => {
      begun.push(await arrays('SELECT name FROM commodity'));
      return arrays(SLOW);
    });
    await killSlow(replicas[0]!);
    expect(await reading).toEqual([['primary', 0]]);
    expect(begun).toEqual([[['replica 1']], [['primary']]]);
  });

  it('are not blamed for a statement that is wrong, nor for what is done with its rows', async () => {
    await open([replicas[0]!.url]);
    await untilCurrent(1);
    await expect(database.anywhere.rows('SELECT nothing FROM commodity')).rejects.toThrow(/nothing/);
    await expect(database.anywhere.view(() => Promise.reject(new Error('our own')))).rejects.toThrow(
      'our own',
    );
    expect(await answeredBy(database.anywhere)).toEqual({ 'replica 1': 40 });
    expect(database.replicaFigures).toMatchObject({ up: 1, primaryReads: 0 });
  });

  it('that cannot be reached, or hold no such database, leave all reading to the primary', async () => {
    await open([primary.url.replace(/:\d+\//, ':9/'), `${primary.url}_absent`]);
    await sleep(50);
    expect(await answeredBy(database.anywhere)).toEqual({ primary: 40 });
    expect(database.replicaFigures).toMatchObject({ configured: 2, up: 0, current: 0, primaryReads: 40 });
  });

  it('do not hide that the primary has lost what it had acknowledged', async () => {
    let times = 0;
    database.onRevisionRollback = () => void times++;
    const { all } = (await write(), revision.current()!);
    const clock = jest.spyOn(performance, 'now');
    const began = performance.now();
    const askAfter = (seconds: number) => {
      clock.mockReturnValue(began + seconds * 1000);
      return revision.ask();
    };
    try {
      await askAfter(0);
      await setRevision(primary, all - 1);
      expect((await askAfter(1)).all).toBe(all);
      await askAfter(30);
      expect(times).toBe(0);
      await askAfter(31);
      expect(times).toBe(1);

      await setRevision(primary, all);
      await askAfter(32);
      await setRevision(primary, all - 1);
      await askAfter(33);
      await askAfter(62);
      expect(times).toBe(1);
    } finally {
      clock.mockRestore();
    }
  });
});
