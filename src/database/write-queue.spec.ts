import { jest } from '@jest/globals';
import BetterSqlite3 from 'better-sqlite3';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import { DeadlineError } from './errors/driver-errors.js';
import { SqliteTransaction } from './sqlite/sqlite-transaction.js';
import { WriteQueue, type CommitLimits, type QueuedWrite } from './write-queue.js';

describe('WriteQueue', () => {
  let folder: string;
  let writer: BetterSqlite3.Database;
  let reader: BetterSqlite3.Database;
  /** The results of each commit. */
  let commits: string[][];
  let queue: WriteQueue<string[]>;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'pds-write-queue-'));
    writer = new BetterSqlite3(join(folder, 'file.sqlite'));
    writer.pragma('journal_mode = WAL');
    writer.exec('CREATE TABLE thing (name TEXT PRIMARY KEY, owner TEXT REFERENCES thing)');
    reader = new BetterSqlite3(join(folder, 'file.sqlite'), { readonly: true });
    commits = [];
    beforeCommit = () => undefined;
    queue = queueOf({ writes: 3, milliseconds: Infinity, gatherMs: 0 });
  });
  afterEach(() => {
    reader.close();
    writer.close();
    rmSync(folder, { recursive: true });
  });

  const queueOf = (limits: CommitLimits, connection = () => writer) =>
    new WriteQueue<string[]>(
      {
        open: async () => new SqliteTransaction(connection(), null as unknown as EntityManager),
        beforeCommit: async (results) => beforeCommit(results),
        onCommit: (results) => commits.push([...results]),
      },
      limits,
    );
  /** Fails where a test wants it to. */
  let beforeCommit: (results: readonly string[]) => void | Promise<void>;
  const run = (
    statements: () => Promise<string>,
    {
      shares = true,
      timeoutMs = 5000,
      deadline = Infinity,
    }: Partial<Pick<QueuedWrite<unknown, unknown>, 'shares' | 'deadline'>> & { timeoutMs?: number } = {},
  ): Promise<string> =>
    queue.run({
      begin: () => Promise.resolve([]),
      statements: async (results) => {
        const result = await statements();
        results.push(result);
        return result;
      },
      shares,
      waitUntil: performance.now() + timeoutMs,
      deadline,
    });
  const names = (connection = reader) =>
    connection.prepare('SELECT name FROM thing ORDER BY name').pluck().all() as string[];
  const execute = (sql: string, shares = true, result = sql) =>
    run(async () => (writer.exec(sql), result), { shares });
  const insert = (name: string, shares = true) =>
    execute(`INSERT INTO thing (name) VALUES ('${name}')`, shares, name);
  const outcomes = async (writes: readonly Promise<string>[]) =>
    (await Promise.allSettled(writes)).map((one) =>
      one.status === 'fulfilled' ? one.value : (one.reason as { code?: string; message: string }).code,
    );

  it('lets brief writes of one turn share a commit, up to a limit', async () => {
    expect(await outcomes(['A', 'B', 'C', 'D', 'E'].map((name) => insert(name)))).toEqual([
      'A',
      'B',
      'C',
      'D',
      'E',
    ]);
    expect(commits).toEqual([
      ['A', 'B', 'C'],
      ['D', 'E'],
    ]);
    expect(names()).toEqual(['A', 'B', 'C', 'D', 'E']);
  });

  describe('after a commit', () => {
    const turns = async (count: number) => {
      for (let turn = 0; turn < count; turn++) await nextTurn();
    };
    const commitTwo = async () => {
      queue = queueOf({ writes: 3, milliseconds: Infinity, gatherMs: 60_000 });
      await Promise.all([insert('A'), insert('B')]);
    };

    it('waits for as many writes as that had', async () => {
      await commitTwo();
      const first = insert('C');
      await turns(3);
      expect(commits).toEqual([['A', 'B']]);
      expect(await Promise.all([first, insert('D')])).toEqual(['C', 'D']);
      expect(commits).toEqual([
        ['A', 'B'],
        ['C', 'D'],
      ]);
    });

    it('waits no longer where a write is to be committed alone', async () => {
      await commitTwo();
      expect(await Promise.all([insert('C'), insert('long', false)])).toEqual(['C', 'long']);
      expect(commits).toEqual([['A', 'B'], ['C'], ['long']]);
    });

    it('waits for no write if that had one', async () => {
      queue = queueOf({ writes: 3, milliseconds: Infinity, gatherMs: 60_000 });
      await insert('A');
      await insert('B');
      expect(commits).toEqual([['A'], ['B']]);
    });

    it('waits for a time only, and for one write less the next time', async () => {
      queue = queueOf({ writes: 3, milliseconds: Infinity, gatherMs: 200 });
      await Promise.all([insert('A'), insert('B'), insert('C')]);
      await insert('D');
      const first = insert('E');
      await turns(3);
      expect(commits).toEqual([['A', 'B', 'C'], ['D']]);
      await Promise.all([first, insert('F')]);
      expect(commits).toEqual([['A', 'B', 'C'], ['D'], ['E', 'F']]);
    });

    it('does not begin a write whose time is over while it waits for others', async () => {
      await commitTwo();
      const statements = jest.fn(async () => 'late');
      const late = run(statements, { shares: true, timeoutMs: 10 });
      await expect(late).rejects.toThrow('The write waited too long in the queue.');
      expect(await Promise.all([insert('C'), insert('D')])).toEqual(['C', 'D']);
      expect(statements).not.toHaveBeenCalled();
    });
  });

  it('takes no more writes into a commit after a time', async () => {
    queue = queueOf({ writes: 3, milliseconds: 0, gatherMs: 0 });
    await Promise.all(['A', 'B'].map((name) => insert(name)));
    expect(commits).toEqual([['A'], ['B']]);
  });

  it('commits a write that is not brief alone, and acknowledges those before it at once', async () => {
    let end!: () => void;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const order: string[] = [];
    const noted = (write: Promise<string>) => write.then((name) => order.push(name));
    const first = noted(insert('A'));
    const statements = () => ended.then(() => 'long');
    const long = noted(run(statements, { shares: false, timeoutMs: 5000 }));
    const behind = noted(insert('B'));
    await first;
    for (let turn = 0; turn < 3; turn++) await nextTurn();
    expect([names(), order]).toEqual([['A'], ['A']]);
    end();
    await Promise.all([long, behind]);
    expect(order).toEqual(['A', 'long', 'B']);
    expect(commits).toEqual([['A'], ['long'], ['B']]);
  });

  it('neither shows nor acknowledges a write before its commit', async () => {
    const acknowledged: string[] = [];
    const first = insert('A').then((name) => acknowledged.push(name));
    const statements = async () => {
      await sleep(5);
      expect([names(), acknowledged]).toEqual([[], []]);
      expect(names(writer)).toEqual(['A']);
      return 'B';
    };
    await Promise.all([first, run(statements, { shares: true, timeoutMs: 5000 })]);
    expect(acknowledged).toEqual(['A']);
    expect(commits).toEqual([['A', 'B']]);
  });

  it('reverts only the statements of a write that fails', async () => {
    const duplicate = 'SQLITE_CONSTRAINT_PRIMARYKEY';
    const failing = () =>
      execute("INSERT INTO thing (name) VALUES ('X'); INSERT INTO thing VALUES ('A', NULL)");
    expect(await outcomes([insert('A'), failing(), insert('B')])).toEqual(['A', duplicate, 'B']);
    expect(commits).toEqual([['A', 'B']]);
    expect(names()).toEqual(['A', 'B']);
    // As the first of its commit, it has no savepoint.
    expect(await outcomes([failing(), insert('C'), insert('D')])).toEqual([duplicate, 'C', 'D']);
    expect(commits.slice(1)).toEqual([['C', 'D']]);
    expect(names()).toEqual(['A', 'B', 'C', 'D']);
  });

  it('makes each write by itself where what follows all of them fails, and rejects only its own', async () => {
    const calls: string[][] = [];
    beforeCommit = (results) => {
      calls.push([...results]);
      if (results.includes('B')) throw Object.assign(new Error('not B'), { code: 'NOT_B' });
    };
    expect(await outcomes([insert('A'), insert('B'), insert('C')])).toEqual(['A', 'NOT_B', 'C']);
    expect(calls).toEqual([['A', 'B', 'C'], ['A'], ['B'], ['C']]);
    expect([commits, names()]).toEqual([
      [['A'], ['C']],
      ['A', 'C'],
    ]);
  });

  it('commits no write whose deadline passes before the COMMIT, and those that shared it without it', async () => {
    const calls: string[][] = [];
    beforeCommit = async (results) => {
      calls.push([...results]);
      if (results.includes('A')) await sleep(60);
    };
    const late = run(async () => (writer.exec("INSERT INTO thing (name) VALUES ('A')"), 'A'), {
      deadline: performance.now() + 30,
    });
    expect(await outcomes([late, insert('B')])).toEqual([undefined, 'B']);
    await expect(late).rejects.toThrow(DeadlineError);
    expect(calls).toEqual([['A', 'B'], ['B']]);
    expect([commits, names()]).toEqual([[['B']], ['B']]);
  });

  it('rejects all writes of a commit that fails, also those that had failed before', async () => {
    writer.pragma('foreign_keys = ON');
    const dangling = "PRAGMA defer_foreign_keys = ON; INSERT INTO thing VALUES ('X', 'nobody')";
    const violation = 'SQLITE_CONSTRAINT_FOREIGNKEY';
    expect(await outcomes([insert('A'), insert('A'), execute(dangling)])).toEqual([
      violation,
      violation,
      violation,
    ]);
    expect([commits, names()]).toEqual([[], []]);
    await insert('B');
    expect(names()).toEqual(['B']);
  });

  it('rejects all writes of a transaction that the engine has rolled back', async () => {
    const duplicate = 'SQLITE_CONSTRAINT_PRIMARYKEY';
    const conflicting = "INSERT OR ROLLBACK INTO thing VALUES ('A', NULL)";
    expect(await outcomes([insert('A'), execute(conflicting), insert('B')])).toEqual([
      duplicate,
      duplicate,
      'B',
    ]);
    expect([commits, names()]).toEqual([[['B']], ['B']]);
  });

  it('fails a write for which the connection is closed, and goes on with the next', async () => {
    const connection = jest
      .fn(() => writer)
      .mockImplementationOnce(() => {
        throw Object.assign(new Error('closed'), { code: 'CLOSED' });
      });
    queue = queueOf({ writes: 1, milliseconds: Infinity, gatherMs: 0 }, connection);
    expect(await outcomes([insert('A'), insert('B')])).toEqual(['CLOSED', 'B']);
    expect(names()).toEqual(['B']);
  });

  it('waits for the lock of another process, no longer than a write may wait', async () => {
    const other = new BetterSqlite3(join(folder, 'file.sqlite'));
    writer.pragma('busy_timeout = 0');
    other.exec('BEGIN IMMEDIATE');
    const late = run(async () => 'late', { shares: true, timeoutMs: 30 });
    await expect(late).rejects.toMatchObject({ code: 'SQLITE_BUSY' });
    const writes = [insert('A'), insert('B')];
    await sleep(20);
    other.exec('COMMIT');
    other.close();
    expect(await outcomes(writes)).toEqual(['A', 'B']);
    expect(commits).toEqual([['A', 'B']]);
  });

  it('rejects a write that has waited too long, and goes on with those behind it', async () => {
    let end!: () => void;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const long = run(() => ended.then(() => ''), { shares: false, timeoutMs: 5000 });
    await nextTurn();
    const late = run(async () => 'late', { shares: true, timeoutMs: 10 });
    const behind = insert('B');
    expect(queue.waiting).toBe(2);
    await expect(late).rejects.toThrow('The write waited too long in the queue.');
    expect(queue.waiting).toBe(1);
    end();
    await Promise.all([long, behind]);
    expect([names(), queue.waiting]).toEqual([['B'], 0]);
  });

  it('does not begin a write whose time is over, though no timer could fire', async () => {
    const blocking = run(async () => {
      const end = performance.now() + 20;
      while (performance.now() < end);
      return 'A';
    });
    const statements = jest.fn(async () => 'late');
    const late = run(statements, { shares: true, timeoutMs: 10 });
    const long = insert('long', false);
    await expect(late).rejects.toThrow('The write waited too long in the queue.');
    expect(await Promise.all([blocking, long])).toEqual(['A', 'long']);
    expect(statements).not.toHaveBeenCalled();
    expect(commits).toEqual([['A'], ['long']]);
  });

  it('rejects writes where too many wait', async () => {
    const writes = Array.from({ length: 101 }, (_, index) => insert(`N${index}`));
    const settled = await Promise.allSettled(writes);
    expect(settled.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))).toEqual([
      'WriteQueueError: Too many writes are waiting.',
    ]);
    expect(names()).toHaveLength(100);
  });
});
