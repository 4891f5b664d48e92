import { jest } from '@jest/globals';
import { createPool } from 'mysql2/promise';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { Environment } from '../../src/config/environment.js';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { driverErrorKind } from '../../src/database/errors/driver-errors.js';
import type { Database } from '../../src/database/database.js';
import { DataRevision } from '../../src/ledger/revision/data-revision.js';
import { ServerTransaction } from '../../src/database/server/server-transaction.js';
import { UnitOfWork, type Transaction } from '../../src/ledger/unit-of-work.js';
import { Commodity } from '../../src/reference/commodity/commodity.entity.js';
import { testChange } from '../support/change-set.js';
import { onServer } from '../support/engines.js';
import { openDatabase } from '../support/open-database.js';
import { testServerUrl } from '../support/test-database.js';

type Callback = (error: Error | null, result?: unknown) => void;

const REVISION = {
  revision: 7,
  reference_revision: 1,
  series_revision: 1,
  rates_revision: 1,
  findings_revision: 1,
  checked_revision: 0,
  at: '',
};

/**
 * A stubbed server connection. `errorFor` returns the error number of a statement, or null; `none`
 * if the server does not reply.
 */
function stubbedDatabase(errorFor: (sql: string, count: number) => number | 'none' | null) {
  const sent: string[] = [];
  /** Statements that were sent together. */
  const packets: string[][] = [];
  let waiting: Callback | null = null;
  let answer: () => void = () => undefined;
  const connection = {
    destroyed: false,
    aborted: false,
    stream: {
      destroy(reason: Error) {
        connection.aborted = true;
        waiting?.(reason);
      },
    },
    format: (sql: string) => sql,
    query(query: string | { sql: string }, ...rest: unknown[]) {
      // Statements that are sent together: the server executes them until one fails.
      const statements = (typeof query === 'string' ? query : query.sql).split(';\n');
      packets.push(statements);
      const results: unknown[] = [];
      let errno: number | 'none' | null = null;
      for (const sql of statements) {
        sent.push(sql);
        errno = errorFor(sql, sent.filter((one) => one === sql).length);
        if (errno !== null) break;
        results.push(sql.startsWith('SELECT d.*') ? [REVISION] : { affectedRows: 1 });
      }
      const result = statements.length === 1 ? (results[0] ?? { affectedRows: 1 }) : results;
      // As in the driver, the callback of the returned command may be replaced.
      const command = { onResult: rest.at(-1) as Callback, once: () => undefined };
      if (errno === 'none') {
        waiting = (error) => command.onResult(error);
        answer = () => command.onResult(null, [...results, { affectedRows: 1 }]);
      } else
        process.nextTick(() =>
          errno === null
            ? command.onResult(null, result)
            : command.onResult(Object.assign(new Error('stubbed error'), { errno })),
        );
      return command;
    },
    destroy() {
      this.destroyed = true;
    },
  };
  const query = (sql: string) =>
    new Promise<void>((resolve, reject) =>
      connection.query(sql, (error: Error | null) => (error ? reject(error) : resolve())),
    );
  const runner = { connect: async () => connection, release: async () => undefined, manager: {}, query };
  const database = {
    embedded: false,
    assertInPlace: () => undefined,
    connected: true,
    storageUnavailable: false,
    waitUntilCaughtUp: async () => undefined,
    requireRevision: () => undefined,
    writer: { createQueryRunner: () => runner },
  } as unknown as Database;
  const unitOfWork = new UnitOfWork(database, new DataRevision(database));
  // A commit takes other writes for some milliseconds, which a busy machine may need for one.
  Reflect.set(unitOfWork['queue'], 'limits', { writes: 32, milliseconds: 60_000, gatherMs: 4 });
  return { sent, packets, connection, database, unitOfWork, answer: () => answer() };
}

/** A transaction that changes published data, of a change set that exists already. */
const insertIn = (unitOfWork: UnitOfWork, deadline = Infinity) =>
  unitOfWork.change(
    2,
    async (transaction) => {
      transaction.markModified('rates');
      await transaction.execute('INSERT 1');
      return 'stored';
    },
    deadline,
  );

const FULL_TRANSACTION = [
  'START TRANSACTION',
  'SELECT d.*, r.mark FROM data_revision d LEFT JOIN revision r ON r.number = d.revision WHERE d.id = 1 FOR UPDATE',
  'INSERT 1',
  'INSERT INTO revision (number, `at`, change_set_id, mark) VALUES (?, ?, ?, ?)',
  'UPDATE data_revision SET revision = ?, reference_revision = ?, series_revision = ?, rates_revision = ?,' +
    ' findings_revision = ?, `at` = ? WHERE id = 1',
  'COMMIT',
];

describe('W13: transactions on a cluster', () => {
  it('are retried as a whole after one deadlock at COMMIT', async () => {
    const { sent, unitOfWork } = stubbedDatabase((sql, count) =>
      sql === 'COMMIT' && count === 1 ? 1213 : null,
    );
    expect(await insertIn(unitOfWork)).toBe('stored');
    expect(sent).toEqual([...FULL_TRANSACTION, 'ROLLBACK', ...FULL_TRANSACTION]);
  });

  it.each([1213, 1205, 1020, 3101])('fail after three attempts with error %d', async (errno) => {
    const { sent, unitOfWork } = stubbedDatabase((sql) => (sql === 'COMMIT' ? errno : null));
    const failure = await insertIn(unitOfWork).catch((error: unknown) => error);
    expect(driverErrorKind(failure)).toBe('busy');
    expect(sent).toEqual([
      ...FULL_TRANSACTION,
      'ROLLBACK',
      ...FULL_TRANSACTION,
      'ROLLBACK',
      ...FULL_TRANSACTION,
      'ROLLBACK',
    ]);
  });

  it('send nothing after an error that may have ended them, even if the work ignores it', async () => {
    const { sent, unitOfWork } = stubbedDatabase((sql, count) =>
      sql === 'INSERT 1' && count === 1 ? 1213 : null,
    );
    await unitOfWork.change(2, async (transaction) => {
      transaction.markModified('rates');
      await transaction.execute('INSERT 1').catch(() => undefined);
      await transaction.execute('INSERT 2').catch(() => undefined);
    });
    expect(sent).toEqual([
      ...FULL_TRANSACTION.slice(0, 3),
      'ROLLBACK',
      ...FULL_TRANSACTION.slice(0, 3),
      'INSERT 2',
      ...FULL_TRANSACTION.slice(3),
    ]);
  });

  const insertShared = (unitOfWork: UnitOfWork, sql: string, deadline = Infinity) =>
    unitOfWork.change(
      testChange,
      async (transaction) => {
        transaction.markModified('rates');
        await transaction.execute(sql);
        return `${sql} in ${transaction.revision}`;
      },
      deadline,
    );
  const inserts = (sent: readonly string[]) =>
    sent.filter((sql) => /^(START|INSERT \d|SAVEPOINT|ROLLBACK|COMMIT)/.test(sql));

  it('share a commit, each in a savepoint, and are all made again after a deadlock', async () => {
    const { sent, unitOfWork } = stubbedDatabase((sql, count) =>
      sql === 'INSERT 2' && count === 1 ? 1213 : null,
    );
    const writes = [1, 2, 3].map((number) => insertShared(unitOfWork, `INSERT ${number}`));
    expect(await Promise.all(writes)).toEqual(['INSERT 1 in 8', 'INSERT 2 in 9', 'INSERT 3 in 8']);
    expect(inserts(sent)).toEqual([
      ...['START TRANSACTION', 'INSERT 1', 'SAVEPOINT write_1', 'INSERT 2', 'ROLLBACK'],
      ...['START TRANSACTION', 'INSERT 1', 'SAVEPOINT write_1', 'INSERT 2', 'COMMIT'],
      ...['START TRANSACTION', 'INSERT 3', 'COMMIT'],
    ]);
  });

  it('share a commit without one that has waited too long for a lock, which is made after it', async () => {
    const { sent, unitOfWork } = stubbedDatabase((sql, count) =>
      sql === 'INSERT 2' && count === 1 ? 1205 : null,
    );
    const order: string[] = [];
    const writes = [1, 2, 3].map(async (number) => {
      order.push(await insertShared(unitOfWork, `INSERT ${number}`));
    });
    await Promise.all(writes);
    expect(order).toEqual(['INSERT 1 in 8', 'INSERT 2 in 8', 'INSERT 3 in 8']);
    expect(inserts(sent)).toEqual([
      ...['START TRANSACTION', 'INSERT 1', 'SAVEPOINT write_1', 'INSERT 2', 'ROLLBACK'],
      ...['START TRANSACTION', 'INSERT 1', 'COMMIT'],
      ...['START TRANSACTION', 'INSERT 2', 'COMMIT'],
      ...['START TRANSACTION', 'INSERT 3', 'COMMIT'],
    ]);
  });

  it('F3: answer one that has waited too long for a lock at its deadline, and not those before it', async () => {
    const { connection, unitOfWork, answer } = stubbedDatabase((sql, count) =>
      sql === 'INSERT 2' && count === 1 ? 1205 : sql === 'COMMIT' && count === 1 ? 'none' : null,
    );
    const other = insertShared(unitOfWork, 'INSERT 1');
    const late = insertShared(unitOfWork, 'INSERT 2', performance.now() + 40);
    expect(driverErrorKind(await late.catch((error: unknown) => error))).toBe('unavailable');
    expect(connection.aborted).toBe(false);
    answer();
    expect(await other).toBe('INSERT 1 in 8');
  });

  it('revert only what they have written themselves in a commit that they share', async () => {
    const { sent, unitOfWork } = stubbedDatabase((sql) => (sql === 'INSERT 2' ? 1062 : null));
    const writes = [1, 2, 3].map((number) => insertShared(unitOfWork, `INSERT ${number}`));
    const settled = await Promise.allSettled(writes);
    expect(
      settled.map((one) => (one.status === 'fulfilled' ? one.value : driverErrorKind(one.reason))),
    ).toEqual(['INSERT 1 in 8', 'duplicate', 'INSERT 3 in 9']);
    expect(inserts(sent)).toEqual([
      ...['START TRANSACTION', 'INSERT 1', 'SAVEPOINT write_1', 'INSERT 2'],
      ...['ROLLBACK TO SAVEPOINT write_1', 'SAVEPOINT write_2', 'INSERT 3', 'COMMIT'],
    ]);
  });

  it('F4: all report an unknown outcome when the connection is lost at the COMMIT that they share', async () => {
    const { sent, unitOfWork } = stubbedDatabase((sql) => (sql === 'COMMIT' ? 2013 : null));
    const writes = [1, 2].map((number) => insertShared(unitOfWork, `INSERT ${number}`));
    const settled = await Promise.allSettled(writes);
    expect(settled.map((one) => one.status === 'rejected' && driverErrorKind(one.reason))).toEqual([
      'outcome_unknown',
      'outcome_unknown',
    ]);
    expect(sent.filter((sql) => sql === 'COMMIT')).toHaveLength(1);
  });

  it('F3: are made again without one of them whose deadline has passed', async () => {
    const { sent, connection, unitOfWork } = stubbedDatabase((sql, count) =>
      sql === 'INSERT 2' && count === 1 ? 'none' : null,
    );
    const late = insertShared(unitOfWork, 'INSERT 1', performance.now() + 300);
    const other = insertShared(unitOfWork, 'INSERT 2');
    expect(driverErrorKind(await late.catch((error: unknown) => error))).toBe('unavailable');
    expect(connection.aborted).toBe(true);
    expect(await other).toBe('INSERT 2 in 8');
    expect(inserts(sent).slice(-3)).toEqual(['START TRANSACTION', 'INSERT 2', 'COMMIT']);
  });

  it('F4: send one COMMIT without a reply, though the deadline of another passed while they began anew', async () => {
    const { sent, database, unitOfWork } = stubbedDatabase((sql, count) =>
      sql === 'COMMIT' ? 2013 : sql === 'INSERT 2' && count === 1 ? 1213 : null,
    );
    const deadline = performance.now() + 400;
    let opened = 0;
    // The second attempt has its connection after the deadline of the first write.
    database.waitUntilCaughtUp = async () => {
      if (++opened > 1) await sleep(deadline + 30 - performance.now());
    };
    const late = insertShared(unitOfWork, 'INSERT 1', deadline);
    const other = insertShared(unitOfWork, 'INSERT 2');
    const kinds = await Promise.all(
      [late, other].map((write) => write.catch((error: unknown) => driverErrorKind(error))),
    );
    expect(kinds).toEqual(['unavailable', 'outcome_unknown']);
    expect(inserts(sent).slice(-4)).toEqual(['START TRANSACTION', 'INSERT 2', 'COMMIT', 'ROLLBACK']);
    expect(sent.filter((sql) => sql === 'COMMIT')).toHaveLength(1);
  });

  it('answer those that wait to be made alone at their deadlines', async () => {
    // What follows the writes fails, so that each is made alone; the first one then hangs.
    const { connection, unitOfWork } = stubbedDatabase((sql, count) =>
      sql.startsWith('INSERT INTO change_set') && count === 1
        ? 1062
        : sql === 'INSERT 1' && count === 2
          ? 'none'
          : null,
    );
    const first = insertShared(unitOfWork, 'INSERT 1', performance.now() + 300);
    const second = insertShared(unitOfWork, 'INSERT 2', performance.now() + 60);
    const kindOf = (error: unknown) => driverErrorKind(error);
    const begun = performance.now();
    expect(await second.catch(kindOf)).toBe('unavailable');
    expect(performance.now() - begun).toBeLessThan(290);
    expect(connection.aborted).toBe(false);
    expect(await first.catch(kindOf)).toBe('unavailable');
  });

  it('F3: wait for the COMMIT that they share after the deadline of one of them', async () => {
    const { connection, unitOfWork, answer } = stubbedDatabase((sql) => (sql === 'COMMIT' ? 'none' : null));
    const late = insertShared(unitOfWork, 'INSERT 1', performance.now() + 300);
    const other = insertShared(unitOfWork, 'INSERT 2');
    expect(driverErrorKind(await late.catch((error: unknown) => error))).toBe('outcome_unknown');
    expect(connection.aborted).toBe(false);
    answer();
    expect(await other).toBe('INSERT 2 in 9');
  });

  it('are rolled back without retry after other errors', async () => {
    const { sent, unitOfWork } = stubbedDatabase((sql) => (sql === 'INSERT 1' ? 1062 : null));
    const failure = await unitOfWork
      .run((transaction) => transaction.execute('INSERT 1'))
      .catch((error: unknown) => error);
    expect(driverErrorKind(failure)).toBe('duplicate');
    expect(sent).toEqual(['START TRANSACTION', 'INSERT 1', 'ROLLBACK']);
  });

  it('F4: are not retried when the connection is lost at COMMIT, and report an unknown outcome', async () => {
    for (const errno of [2013, 0]) {
      const { sent, unitOfWork } = stubbedDatabase((sql) =>
        ['COMMIT', 'ROLLBACK'].includes(sql) ? errno : null,
      );
      const failure = await insertIn(unitOfWork).catch((error: unknown) => error);
      expect(driverErrorKind(failure)).toBe('outcome_unknown');
      expect(sent).toEqual([...FULL_TRANSACTION, 'ROLLBACK']);
    }
  });

  it('close the connection when the rollback fails', async () => {
    const { connection, unitOfWork } = stubbedDatabase((sql) => (sql.startsWith('S') ? null : 2006));
    await expect(unitOfWork.run((transaction) => transaction.execute('INSERT 1'))).rejects.toThrow(
      'stubbed error',
    );
    expect(connection.destroyed).toBe(true);
  });

  it('F3: send no COMMIT after their deadline, whatever they wait for', async () => {
    for (const waiting of FULL_TRANSACTION.slice(0, 3)) {
      const { sent, connection, unitOfWork } = stubbedDatabase((sql) => (sql === waiting ? 'none' : null));
      const failure = await insertIn(unitOfWork, performance.now() + 20).catch((error: unknown) => error);
      expect(driverErrorKind(failure)).toBe('unavailable');
      expect(connection.aborted).toBe(true);
      await sleep(20);
      expect(sent).not.toContain('COMMIT');
    }
  });

  it('F3: report an unknown outcome when the COMMIT is not confirmed by their deadline', async () => {
    // Those before COMMIT are sent with it: the server may execute it after they have waited.
    for (const waiting of [3, 4, 5]) {
      const { sent, connection, unitOfWork } = stubbedDatabase((sql) =>
        sql === FULL_TRANSACTION[waiting] ? 'none' : null,
      );
      const failure = await insertIn(unitOfWork, performance.now() + 300).catch((error: unknown) => error);
      expect(driverErrorKind(failure)).toBe('outcome_unknown');
      expect(connection.aborted).toBe(true);
      expect(sent.slice(0, waiting + 1)).toEqual(FULL_TRANSACTION.slice(0, waiting + 1));
    }
  });

  it('send what nobody waits for with the next statement, in order, and drop it with what is reverted', async () => {
    const { packets, unitOfWork } = stubbedDatabase(() => null);
    const writes = [1, 3, 5].map((number) =>
      unitOfWork.change(testChange, async (transaction) => {
        transaction.markModified('rates');
        await transaction.execute(`INSERT ${number}`);
        await transaction.executeWithNext(`INSERT ${number + 1}`);
        if (number === 3) throw new Error('not to be stored');
      }),
    );
    const settled = await Promise.allSettled(writes);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(packets.map((packet) => packet.map((sql) => sql.slice(0, 20)))).toEqual([
      ['START TRANSACTION', 'SELECT d.*, r.mark F'],
      ['INSERT 1'],
      ['INSERT 2', 'SAVEPOINT write_1'],
      ['INSERT 3'],
      ['ROLLBACK TO SAVEPOIN'],
      ['SAVEPOINT write_2'],
      ['INSERT 5'],
      ['INSERT 6', 'INSERT INTO change_s'],
      ['INSERT INTO change_s'],
      ['INSERT INTO revision', 'UPDATE data_revision', 'COMMIT'],
    ]);
  });

  it('F3: send what waits before it is long: many rows would need the time of many statements', async () => {
    const { packets, unitOfWork } = stubbedDatabase(() => null);
    const rows = 'x'.repeat(10_000);
    await unitOfWork.run(async (transaction) => {
      for (let number = 1; number <= 9; number++)
        await transaction.executeWithNext(`INSERT ${number} ${rows}`);
    });
    expect(packets.map((packet) => packet.map((sql) => sql.slice(0, 8)))).toEqual([
      ['START TR', 'INSERT 1', 'INSERT 2', 'INSERT 3', 'INSERT 4', 'INSERT 5'],
      ['INSERT 6', 'INSERT 7', 'INSERT 8', 'INSERT 9', 'SELECT d'],
      ['COMMIT'],
    ]);
  });

  it('F3: are not begun after their deadline, and not retried', async () => {
    const { sent, unitOfWork } = stubbedDatabase((sql) => (sql === 'INSERT 1' ? 1205 : null));
    const run = (deadline: number) =>
      unitOfWork
        .run((transaction) => transaction.execute('INSERT 1'), deadline)
        .catch((error: unknown) => driverErrorKind(error));
    expect(await run(performance.now())).toBe('unavailable');
    expect(sent).toEqual([]);
    // Attempts are as far apart as they can be, so that the deadline is between two.
    const random = jest.spyOn(Math, 'random').mockReturnValue(1);
    expect(await run(performance.now() + 150)).toBe('unavailable');
    await sleep(250);
    random.mockRestore();
    expect(sent).toEqual(['START TRANSACTION', 'INSERT 1', 'ROLLBACK']);
  });
});

onServer.describe('connections to a server', () => {
  let opened: Awaited<ReturnType<typeof openDatabase>>;
  beforeEach(async () => (opened = await openDatabase()));
  afterEach(() => opened.close());

  const add = (name: string) =>
    opened.unitOfWork.run((transaction) =>
      transaction.execute('INSERT INTO commodity (name) VALUES (?)', [name]),
    );

  it('all have their session settings from the first statement on', async () => {
    const settings = () =>
      opened.database.rows<Record<string, unknown>>(
        'SELECT CONNECTION_ID() AS id, SLEEP(0.1), @@sql_mode AS mode, @@time_zone AS zone, @@innodb_lock_wait_timeout AS lock_wait, @@group_concat_max_len AS list',
      );
    const found = (await Promise.all(Array.from({ length: 10 }, settings))).flat();
    expect(new Set(found.map((row) => row.id)).size).toBe(10);
    expect(new Set(found.map((row) => `${row.mode} ${row.zone} ${row.lock_wait} ${row.list}`))).toEqual(
      new Set([
        'STRICT_ALL_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION +00:00 5 1048576',
      ]),
    );
    const limited = await opened.database.rows<{ Value: string }>(
      "SHOW VARIABLES WHERE Variable_name IN ('max_statement_time', 'max_execution_time')",
    );
    expect(limited.map((row) => Number(row.Value))).toContain(
      testServerUrl!.startsWith('mariadb') ? 5.2 : 5200,
    );
  });

  it('W13: retry after a deadlock of two transactions: both are stored', async () => {
    await add('A');
    await add('B');
    const rename = (first: string, second: string) =>
      opened.unitOfWork.run(async (transaction) => {
        await transaction.execute('UPDATE commodity SET category = CONCAT(category, ?) WHERE name = ?', [
          'x',
          first,
        ]);
        await sleep(100);
        await transaction.execute('UPDATE commodity SET category = CONCAT(category, ?) WHERE name = ?', [
          'y',
          second,
        ]);
      });
    await Promise.all([rename('A', 'B'), rename('B', 'A')]);
    const rows = await opened.database.rows<{ category: string }>(
      'SELECT category FROM commodity ORDER BY name',
    );
    expect(rows.map((row) => [...row.category].sort().join(''))).toEqual(['xy', 'xy']);
  });

  const names = async () =>
    (await opened.database.rows<{ name: string }>('SELECT name FROM commodity ORDER BY name')).map(
      ({ name }) => name,
    );
  const INSERT = 'INSERT INTO commodity (name) VALUES (?)';

  it('give a statement its own result, whatever is sent with it, also rows by mistake', async () => {
    const hostile = ["O'x ?\\", "'; DROP TABLE commodity; --", 'a;\nb /* c */ :d'];
    await opened.unitOfWork.run(async (transaction) => {
      const { manager } = transaction;
      for (const name of hostile) await transaction.executeWithNext(INSERT, [name]);
      await transaction.executeWithNext("SELECT 'not' AS asked UNION SELECT 'for'");
      expect(await transaction.rows('SELECT 1 AS one')).toEqual([{ one: 1 }]);
      await transaction.executeWithNext('SELECT 2');
      expect(await transaction.arrays('SELECT name FROM commodity WHERE name = ?', [hostile[0]!])).toEqual([
        [hostile[0]],
      ]);
      await transaction.executeWithNext(INSERT, ['many']);
      await transaction.executeWithNext('SELECT * FROM commodity');
      const { affected, insertId } = await transaction.execute(INSERT, ['last']);
      const [last] = await transaction.rows<{ id: number }>("SELECT id FROM commodity WHERE name = 'last'");
      expect([affected, insertId]).toEqual([1, last!.id]);
      await transaction.executeWithNext('SELECT 3');
      expect((await manager.update(Commodity, { name: 'last' }, { category: 'x' })).affected).toBe(1);
      await transaction.executeWithNext('SELECT 4');
      expect(await manager.findOneBy(Commodity, { name: 'last' })).toMatchObject({ category: 'x' });
      await transaction.executeWithNext('SELECT 5');
    });
    expect(await names()).toEqual([...hostile, 'last', 'many'].sort());
  });

  it('reject the next statement where one before it fails, store nothing, and go on being used', async () => {
    await add('A');
    const failed = (next: (transaction: Transaction) => Promise<unknown>) =>
      opened.unitOfWork
        .run(async (transaction) => {
          await transaction.executeWithNext(INSERT, ['B']);
          await transaction.executeWithNext("INSERT INTO commodity (id, name) SELECT id, 'C' FROM commodity");
          await next(transaction);
        })
        .then(
          () => null,
          (error: unknown) => driverErrorKind(error),
        );
    expect(await failed((transaction) => transaction.execute(INSERT, ['D']))).toBe('duplicate');
    expect(await failed((transaction) => transaction.rows('SELECT 1'))).toBe('duplicate');
    expect(await failed((transaction) => transaction.arrays('SELECT 1'))).toBe('duplicate');
    expect(await failed(({ manager }) => manager.find(Commodity))).toBe('duplicate');
    // With the COMMIT, which the server then does not reach.
    expect(await failed(async () => undefined)).toBe('duplicate');
    expect(await names()).toEqual(['A']);
    expect(opened.database.poolMetrics).toMatchObject({ busy: 0, waiting: 0 });
    await add('D');
    expect(await names()).toEqual(['A', 'D']);
  });

  it('take one statement at a time where nothing is written by transactions', async () => {
    const environment = new Environment({ DATABASE_URL: opened.url });
    const source = await new DataSource(dataSourceOptions(environment, [], 'migrator')).initialize();
    await expect(source.query('SELECT 1; SELECT 2')).rejects.toThrow('syntax');
    await source.destroy();
  });

  it('take nothing that waited in one transaction into the next', async () => {
    await opened.unitOfWork
      .run(async (transaction) => {
        await transaction.executeWithNext(INSERT, ['A']);
        throw new Error('not to be stored');
      })
      .catch(() => undefined);
    for (let connection = 0; connection < 10; connection++) await add(`B${connection}`);
    expect((await names()).filter((name) => !name.startsWith('B'))).toEqual([]);
    await opened.unitOfWork.run((transaction) => transaction.executeWithNext(INSERT, ['C']));
    expect(await names()).toContain('C');
  });

  it('W13: retry after a deadlock of statements that are sent with the next ones', async () => {
    await add('A');
    await add('B');
    let begun = 0;
    let release = () => {};
    const bothHold = new Promise<void>((resolve) => (release = resolve));
    const rename = (first: string, second: string) =>
      opened.unitOfWork.run(async (transaction) => {
        const append = (letter: string, name: string) =>
          transaction.executeWithNext('UPDATE commodity SET category = CONCAT(category, ?) WHERE name = ?', [
            letter,
            name,
          ]);
        await append('x', first);
        await transaction.rows('SELECT 1');
        if (++begun === 2) release();
        await bothHold;
        await append('y', second);
      });
    await Promise.all([rename('A', 'B'), rename('B', 'A')]);
    const rows = await opened.database.rows<{ category: string }>('SELECT category FROM commodity');
    expect(rows.map((row) => [...row.category].sort().join(''))).toEqual(['xy', 'xy']);
    expect(begun).toBe(3);
  });

  it('F4: are unavailable, and nothing is stored, when the server ends them before what waits', async () => {
    const killer = createPool(testServerUrl!);
    const failure = await opened.unitOfWork
      .run(async (transaction) => {
        const [row] = await transaction.rows<{ id: number }>('SELECT CONNECTION_ID() AS id');
        await transaction.executeWithNext(INSERT, ['A']);
        await killer.query(`KILL CONNECTION ${row!.id}`);
        await sleep(100);
        await transaction.execute(INSERT, ['B']);
      })
      .catch((error: unknown) => error);
    expect(driverErrorKind(failure)).toBe('unavailable');
    await killer.end();
    expect(await names()).toEqual([]);
    await add('C');
    expect(await names()).toEqual(['C']);
    expect(opened.database.poolMetrics).toMatchObject({ busy: 0, waiting: 0 });
  });

  it('F3: are aborted when what is sent together takes longer than one statement may', async () => {
    const slow = opened.unitOfWork.run(async (transaction) => {
      for (let time = 0; time < 3; time++) await transaction.executeWithNext('DO SLEEP(3)');
      await transaction.execute(INSERT, ['A']);
    });
    const begun = performance.now();
    expect(driverErrorKind(await slow.catch((error: unknown) => error))).toBe('timeout');
    expect(performance.now() - begun).toBeLessThan(7000);
    await add('B');
    expect(await names()).toEqual(['B']);
  }, 20_000);

  it('F4: report an unknown outcome when the server drops the connection at COMMIT', async () => {
    const killer = createPool(testServerUrl!);
    let connection = 0;
    const { commit } = ServerTransaction.prototype;
    // After all other statements.
    const commits = jest.spyOn(ServerTransaction.prototype, 'commit').mockImplementation(async function (
      this: ServerTransaction,
    ) {
      await killer.query(`KILL CONNECTION ${connection}`);
      await sleep(100);
      return commit.call(this);
    });
    const failure = await opened.unitOfWork
      .run(async (transaction) => {
        await transaction.execute("INSERT INTO commodity (name) VALUES ('A')");
        const [row] = await transaction.rows<{ id: number }>('SELECT CONNECTION_ID() AS id');
        connection = row!.id;
      })
      .catch((error: unknown) => error);
    commits.mockRestore();
    await killer.end();
    expect(driverErrorKind(failure)).toBe('outcome_unknown');
    expect(await opened.database.rows("SELECT name FROM commodity WHERE name = 'A'")).toEqual([]);
    await add('A');
  });

  it('F2: retry a read when its connection is lost', async () => {
    const killer = createPool(testServerUrl!);
    const ids = async () =>
      (
        await Promise.all(
          Array.from({ length: 10 }, () =>
            opened.database.rows<{ id: number }>('SELECT CONNECTION_ID() AS id, SLEEP(0.05)'),
          ),
        )
      ).map(([row]) => row!.id);
    const reading = opened.database.rows<{ slept: number }>('SELECT SLEEP(0.5) AS slept');
    await sleep(100);
    for (const id of await ids()) await killer.query(`KILL CONNECTION ${id}`).catch(() => undefined);
    const [other] = await killer.query('SELECT ID FROM information_schema.PROCESSLIST WHERE INFO LIKE ?', [
      'SELECT SLEEP(0.5)%',
    ]);
    for (const { ID } of other as { ID: number }[]) await killer.query(`KILL CONNECTION ${ID}`);
    await killer.end();
    expect(await reading).toEqual([{ slept: 0 }]);
    expect((await ids()).length).toBe(10);
  });

  it('F3: are aborted when a statement gets no response, and the next one uses another', async () => {
    const slow = opened.unitOfWork.run((transaction) =>
      transaction.rows('SELECT CONNECTION_ID() AS id, SLEEP(30)'),
    );
    expect(driverErrorKind(await slow.catch((error: unknown) => error))).toBe('timeout');
    await add('A');
  }, 20_000);

  it('F5: reject a request when none becomes available, and count those waiting', async () => {
    const holders = Array.from({ length: 10 }, () =>
      opened.unitOfWork.run((transaction) => transaction.rows('SELECT SLEEP(3)')),
    );
    while (opened.database.poolMetrics!.busy < holders.length) await sleep(20);
    const late = opened.database.rows('SELECT 1 AS one').catch((error: unknown) => error);
    expect(opened.database.poolMetrics).toEqual({ open: 10, busy: 10, waiting: 1 });
    const failure = await late;
    expect(failure).toMatchObject({ name: 'PoolExhaustedError' });
    expect(driverErrorKind(failure)).toBe('unavailable');
    await Promise.all(holders);
    expect(await opened.database.rows('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(opened.database.poolMetrics).toEqual({ open: 10, busy: 0, waiting: 0 });
  }, 20_000);
});
