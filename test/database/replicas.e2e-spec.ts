import { jest } from '@jest/globals';
import { createConnection, type Connection } from 'mysql2/promise';
import { setTimeout as sleep } from 'node:timers/promises';
import { Environment } from '../../src/config/environment.js';
import { Database } from '../../src/database/database.js';
import { DataRevision } from '../../src/ledger/revision/data-revision.js';
import type { Reads } from '../../src/database/reads.js';
import { UnitOfWork } from '../../src/ledger/unit-of-work.js';
import { entities } from '../../src/entities.js';
import { onServer } from '../support/engines.js';
import { openDatabase } from '../support/open-database.js';
import { testServerUrl } from '../support/test-database.js';
import { testChange } from '../support/change-set.js';

/**
 * Databases on one server simulate a primary and its replicas, and the tests replicate explicitly.
 * Each contains a commodity named after it that is never replicated, which shows where a read was
 * served.
 */
onServer.describe('replicas', () => {
  type Opened = Awaited<ReturnType<typeof openDatabase>>;
  let primary: Opened;
  let replicas: Opened[];
  let server: Connection;
  let database: Database;
  let revision: DataRevision;
  let unitOfWork: UnitOfWork;

  const databaseName = ({ url }: Opened) => url.split('/').at(-1)!;

  beforeEach(async () => {
    [primary, ...replicas] = await Promise.all([openDatabase(), openDatabase(), openDatabase()]);
    server = await createConnection(testServerUrl!);
    for (const [index, opened] of [primary, ...replicas].entries()) {
      const name = index === 0 ? 'primary' : `replica ${index}`;
      await server.query(`INSERT INTO ${databaseName(opened)}.commodity (name) VALUES (?)`, [name]);
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
    await revision.refresh();
  }

  const replicate = (replica: Opened) =>
    server.query(
      `UPDATE ${databaseName(replica)}.data_revision r, ${databaseName(primary)}.data_revision p SET r.revision = p.revision,
        r.reference_revision = p.reference_revision, r.series_revision = p.series_revision,
        r.rates_revision = p.rates_revision`,
    );
  const setRevision = (opened: Opened, all: number) =>
    server.query(`UPDATE ${databaseName(opened)}.data_revision SET revision = ?`, [all]);
  const write = () => unitOfWork.change(testChange, async (transaction) => transaction.markModified('rates'));

  /** Counts concurrent reads by the server that served them. */
  async function countByServer(reads: Reads, count = 40): Promise<Record<string, number>> {
    const names: Record<string, number> = {};
    const found = await Promise.all(
      Array.from({ length: count }, () => reads.arrays<[string]>('SELECT name FROM commodity')),
    );
    for (const [row] of found) names[row![0]] = (names[row![0]] ?? 0) + 1;
    return names;
  }

  async function until(condition: () => boolean): Promise<void> {
    for (let left = 400; !condition(); left--) {
      if (left === 0) throw new Error(JSON.stringify(database.replicaMetrics));
      await sleep(10);
    }
  }
  const untilCurrent = (count: number) => until(() => database.replicaMetrics!.current === count);

  it('share the reads of published data while they are at the newest revision, and serve nothing else', async () => {
    await untilCurrent(2);
    const shares = await countByServer(database.anyServer);
    expect(Object.keys(shares).sort()).toEqual(['replica 1', 'replica 2']);
    expect(Math.min(...Object.values(shares))).toBeGreaterThan(10);
    expect(await countByServer(database)).toEqual({ primary: 40 });
    expect(await database.readSnapshot((arrays) => arrays('SELECT name FROM commodity'))).toEqual([
      ['primary'],
    ]);
    expect(await unitOfWork.run((transaction) => transaction.rows('SELECT name FROM commodity'))).toEqual([
      { name: 'primary' },
    ]);
    expect(database.replicaMetrics).toMatchObject({ configured: 2, up: 2, reads: 40, primaryReads: 0 });
  });

  it('are not read from after a write until they have replicated it', async () => {
    await untilCurrent(2);
    await write();
    expect(await countByServer(database.anyServer)).toEqual({ primary: 40 });
    await replicate(replicas[1]!);
    await untilCurrent(1);
    expect(await countByServer(database.anyServer)).toEqual({ 'replica 2': 40 });
    await write();
    expect(await countByServer(database.anyServer)).toEqual({ primary: 40 });
    for (const replica of replicas) await replicate(replica);
    await untilCurrent(2);
    expect(Object.keys(await countByServer(database.anyServer)).sort()).toEqual(['replica 1', 'replica 2']);
  });

  it('are not read from once this process has seen a write of another process', async () => {
    await untilCurrent(2);
    await primary.unitOfWork.change(testChange, async (transaction) => transaction.markModified('rates'));
    await revision.refresh();
    expect(await countByServer(database.anyServer)).toEqual({ primary: 40 });
  });

  it('that have a newer revision trigger a refresh, and are read from after it', async () => {
    await untilCurrent(2);
    const { all } = revision.current()!;
    await primary.unitOfWork.change(testChange, async (transaction) => transaction.markModified('rates'));
    await replicate(replicas[0]!);
    await until(() => database.replicaMetrics!.current === 1 && revision.current()?.all === all + 1);
    expect(await countByServer(database.anyServer)).toEqual({ 'replica 1': 40 });
  });

  it('with a revision that the primary never had are not read from', async () => {
    await untilCurrent(2);
    await setRevision(replicas[0]!, revision.current()!.all + 100);
    await untilCurrent(1);
    expect(await countByServer(database.anyServer)).toEqual({ 'replica 2': 40 });
    expect(revision.current()!.all).toBeLessThan(100);
  });

  it('serve all reads of a snapshot from one replica', async () => {
    await open([replicas[0]!.url]);
    await untilCurrent(1);
    const seen = await database.anyServer.readSnapshot(async (arrays) => {
      const [before] = await arrays<[number]>('SELECT revision FROM data_revision');
      await setRevision(replicas[0]!, 77);
      const [after] = await arrays<[number]>('SELECT revision FROM data_revision');
      return [before![0], after![0], await arrays('SELECT name FROM commodity')];
    });
    const { all } = revision.current()!;
    expect(seen).toEqual([all, all, [['replica 1']]]);
  });

  /** Slow on replicas only. */
  const SLOW = "SELECT name, SLEEP(IF(name = 'primary', 0, 4)) AS slept FROM commodity";

  /** Kills the connections running the slow statement on a replica, like a server failure. */
  async function killSlow(replica: Opened): Promise<void> {
    for (let left = 200; ; left--) {
      const [rows] = await server.query(
        'SELECT ID FROM information_schema.PROCESSLIST WHERE DB = ? AND INFO = ?',
        [databaseName(replica), SLOW],
      );
      const found = rows as { ID: number }[];
      for (const { ID } of found) await server.query(`KILL CONNECTION ${ID}`);
      if (found.length > 0) return;
      if (left === 0) throw new Error('The slow statement is not running.');
      await sleep(10);
    }
  }

  it('that fail during a read are replaced by the primary, and read from again later', async () => {
    await open([replicas[0]!.url]);
    await untilCurrent(1);
    const reading = database.anyServer.rows(SLOW);
    await killSlow(replicas[0]!);
    expect(await reading).toEqual([{ name: 'primary', slept: 0 }]);
    expect(database.replicaMetrics).toMatchObject({ up: 0, current: 0 });
    expect(await countByServer(database.anyServer)).toEqual({ primary: 40 });
    await untilCurrent(1);
    expect(await countByServer(database.anyServer)).toEqual({ 'replica 1': 40 });
  });

  it('that fail during a snapshot have all of its reads repeated on the primary', async () => {
    await open([replicas[0]!.url]);
    await untilCurrent(1);
    const begun: unknown[] = [];
    const reading = database.anyServer.readSnapshot(async (arrays) => {
      begun.push(await arrays('SELECT name FROM commodity'));
      return arrays(SLOW);
    });
    await killSlow(replicas[0]!);
    expect(await reading).toEqual([['primary', 0]]);
    expect(begun).toEqual([[['replica 1']], [['primary']]]);
  });

  it('are not marked down for an invalid statement or an error of the caller', async () => {
    await open([replicas[0]!.url]);
    await untilCurrent(1);
    await expect(database.anyServer.rows('SELECT nothing FROM commodity')).rejects.toThrow(/nothing/);
    await expect(
      database.anyServer.readSnapshot(() => Promise.reject(new Error('error of the caller'))),
    ).rejects.toThrow('error of the caller');
    expect(await countByServer(database.anyServer)).toEqual({ 'replica 1': 40 });
    expect(database.replicaMetrics).toMatchObject({ up: 1, primaryReads: 0 });
  });

  it('that are unreachable or lack the database leave all reads to the primary', async () => {
    await open([primary.url.replace(/:\d+\//, ':9/'), `${primary.url}_absent`]);
    await sleep(50);
    expect(await countByServer(database.anyServer)).toEqual({ primary: 40 });
    expect(database.replicaMetrics).toMatchObject({ configured: 2, up: 0, current: 0, primaryReads: 40 });
  });

  it('do not hide that the primary has lost acknowledged writes', async () => {
    let rollbacks = 0;
    database.onRevisionRollback = () => void rollbacks++;
    const { all } = (await write(), revision.current()!);
    const clock = jest.spyOn(performance, 'now');
    const began = performance.now();
    const askAfter = (seconds: number) => {
      clock.mockReturnValue(began + seconds * 1000);
      return revision.refresh();
    };
    try {
      await askAfter(0);
      await setRevision(primary, all - 1);
      expect((await askAfter(1)).all).toBe(all);
      await askAfter(30);
      expect(rollbacks).toBe(0);
      // A little later than the limit: the difference of two doubles may be a hair less.
      await askAfter(31.1);
      expect(rollbacks).toBe(1);

      await setRevision(primary, all);
      await askAfter(32.1);
      await setRevision(primary, all - 1);
      await askAfter(33);
      await askAfter(62);
      expect(rollbacks).toBe(1);
    } finally {
      clock.mockRestore();
    }
  });
});
