import { createConnection } from 'mysql2/promise';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sqliteHandle } from '../../src/database/database.js';
import { driverErrorKind } from '../../src/database/errors/driver-errors.js';
import type { Transaction } from '../../src/ledger/unit-of-work.js';
import { placeholders } from '../../src/database/sql.js';
import { FindingsFollower } from '../../src/quality/findings-follower.js';
import { testChange } from '../support/change-set.js';
import { onServer, onSqlite } from '../support/engines.js';
import { openDatabase } from '../support/open-database.js';

describe('Brief writes that wait together', () => {
  let opened: Awaited<ReturnType<typeof openDatabase>>;
  beforeEach(async () => (opened = await openDatabase()));
  afterEach(() => opened.close());

  const names = async () =>
    (await opened.database.arrays<[string]>('SELECT name FROM commodity ORDER BY name')).map(
      ([name]) => name,
    );
  const newestRevisions = async (count: number) => {
    const rows = await opened.database.arrays<[number]>('SELECT number FROM revision ORDER BY number');
    return rows.slice(-count).map(([number]) => Number(number));
  };
  const insertInto = async (transaction: Transaction, name: string) => {
    transaction.markModified('references');
    await transaction.execute('INSERT INTO commodity (name) VALUES (?)', [name]);
    return transaction.revision;
  };
  const insert = (name: string) =>
    opened.unitOfWork.change(testChange, (transaction) => insertInto(transaction, name));
  /** In no order: a server executes writes in any. */
  const outcomes = async (writes: readonly Promise<unknown>[]) =>
    (await Promise.allSettled(writes))
      .map((one) =>
        one.status === 'fulfilled'
          ? one.value
          : (driverErrorKind(one.reason) ?? (one.reason as Error).message),
      )
      .sort();

  it('have revisions of their own, the newest of which is published', async () => {
    const before = (await opened.revision.fresh()).all;
    const numbers = [before + 1, before + 2, before + 3];
    expect(await outcomes(['A', 'B', 'C'].map(insert))).toEqual(numbers);
    expect(await newestRevisions(3)).toEqual(numbers);
    expect(await names()).toEqual(['A', 'B', 'C']);
    expect(opened.revision.current()).toMatchObject({ all: before + 3, references: before + 3 });
    expect(await opened.revision.refresh()).toEqual(opened.revision.current());
  });

  it('revert only what they have written themselves when they fail', async () => {
    const before = (await opened.revision.fresh()).all;
    const failing = () =>
      opened.unitOfWork.change(testChange, async (transaction) => {
        await insertInto(transaction, 'X');
        throw new Error('late failure');
      });
    const writes = [insert('A'), failing(), insert('B'), insert('A'), insert('C')];
    const numbers = [before + 1, before + 2, before + 3];
    expect(await outcomes(writes)).toEqual([...numbers, 'duplicate', 'late failure']);
    expect(await names()).toEqual(['A', 'B', 'C']);
    expect(await newestRevisions(3)).toEqual(numbers);
  });

  it('go on after the first of them has failed', async () => {
    const before = (await opened.revision.fresh()).all;
    const failing = opened.unitOfWork.change(testChange, () => Promise.reject(new Error('early')));
    expect(await outcomes([failing, insert('A'), insert('B')])).toEqual([before + 1, before + 2, 'early']);
    expect(await names()).toEqual(['A', 'B']);
  });

  /** Notes what commits have changed, and does what a test wants. */
  function followWith(then: (transaction: Transaction, names: string[]) => Promise<unknown> | void) {
    const calls: string[][] = [];
    const beforeCommit = async (transaction: Transaction) => {
      const ids = transaction.changes.records.map(({ id }) => id);
      const rows = await transaction.arrays<[string]>(
        `SELECT name FROM commodity WHERE id IN (${placeholders(ids.length)}) ORDER BY name`,
        ids,
      );
      const names = rows.map(([name]) => name);
      calls.push(names);
      await then(transaction, names);
    };
    opened.unitOfWork.followers = [{ beforeCommit }];
    return calls;
  }
  const insertNoted = (name: string) =>
    opened.unitOfWork.change({ ...testChange, reason: name }, async (transaction) => {
      transaction.markModified('references');
      const { insertId } = await transaction.execute('INSERT INTO commodity (name) VALUES (?)', [name]);
      transaction.markRecordModified('commodity', insertId, 'created');
      return name;
    });

  // How many share a commit depends on the time that they take: `write-queue.spec.ts` sets it.
  it('are followed by what each has changed, once', async () => {
    const calls = followWith(() => undefined);
    expect(await outcomes(['A', 'B', 'C'].map(insertNoted))).toEqual(['A', 'B', 'C']);
    expect(calls.flat().sort()).toEqual(['A', 'B', 'C']);
    const [row] = await opened.database.rows<Record<string, number | string>>(
      'SELECT revision, checked_revision FROM data_revision',
    );
    // The migrations' revision was never followed.
    expect(Number(row!.checked_revision)).toBeLessThan(Number(row!.revision));
    const changes = await opened.database.arrays<[string]>(
      "SELECT s.reason FROM record_change c JOIN revision r ON r.number = c.revision JOIN change_set s ON s.id = r.change_set_id WHERE c.action = 'created' AND c.table_name = 'commodity' ORDER BY c.revision",
    );
    expect(changes.flat().sort()).toEqual(['A', 'B', 'C']);
  });

  it('are made again by themselves where a follower needs the change set of one', async () => {
    const opening: string[] = [];
    followWith(async (transaction, names) => {
      const id = await transaction.changeSetId();
      const [row] = await transaction.rows<{ reason: string }>('SELECT reason FROM change_set WHERE id = ?', [
        id,
      ]);
      opening.push(`${names.join()} of ${row!.reason}`);
    });
    expect(await outcomes(['A', 'B'].map(insertNoted))).toEqual(['A', 'B']);
    expect(opening).toEqual(['A of A', 'B of B']);
    expect(await names()).toEqual(['A', 'B']);
  });

  it('are made once where they add units and price types, about which nothing is found', async () => {
    opened.unitOfWork.followers = [new FindingsFollower()];
    const calls: string[] = [];
    const insertRecord = (table: 'measure_unit' | 'price_type', name: string) =>
      opened.unitOfWork.change(testChange, async (transaction) => {
        calls.push(name);
        transaction.markModified('references');
        const { insertId } = await transaction.execute(`INSERT INTO ${table} (name) VALUES (?)`, [name]);
        transaction.markRecordModified(table, insertId, 'created');
        return name;
      });
    const writes = [
      insertRecord('measure_unit', 'Sack'),
      insertRecord('measure_unit', 'Heap'),
      insertRecord('price_type', 'Auction'),
    ];
    expect(await outcomes(writes)).toEqual(['Auction', 'Heap', 'Sack']);
    expect(calls.sort()).toEqual(['Auction', 'Heap', 'Sack']);
    expect(await opened.database.rows('SELECT * FROM finding')).toEqual([]);
  });

  it('fail alone where a follower fails for one of them', async () => {
    followWith((_, names) => {
      if (names.includes('B')) throw new Error('not B');
    });
    expect(await outcomes(['A', 'B', 'C'].map(insertNoted))).toEqual(['A', 'C', 'not B']);
    expect(await names()).toEqual(['A', 'C']);
  });

  it('are committed at once where they may take long', async () => {
    const calls = followWith(() => undefined);
    const alone = opened.unitOfWork.change({ ...testChange, alone: true }, async (transaction) => {
      transaction.markModified('references');
      const { insertId } = await transaction.execute("INSERT INTO commodity (name) VALUES ('B')");
      transaction.markRecordModified('commodity', insertId, 'created');
      return 'B';
    });
    expect(await outcomes([insertNoted('A'), alone])).toEqual(['A', 'B']);
    expect(calls.flat().sort()).toEqual(['A', 'B']);
    expect(calls).toHaveLength(2);
  });

  onServer.it('wait but once for a lock that another session keeps from one of them', async () => {
    await insert('A');
    const holder = await createConnection(opened.url);
    try {
      await holder.beginTransaction();
      await holder.query("SELECT * FROM commodity WHERE name = 'A' FOR UPDATE");
      const rename = (from: string, to: string) =>
        opened.unitOfWork.change(testChange, async (transaction) => {
          transaction.markModified('references');
          await transaction.execute('UPDATE commodity SET name = ? WHERE name = ?', [to, from]);
          return to;
        });
      const inserted = insert('B');
      const renamed = rename('A', 'Z');
      expect(await inserted).toBeGreaterThan(0);
      expect(await names()).toEqual(['A', 'B']);
      await holder.commit();
      expect(await renamed).toBe('Z');
      expect(await names()).toEqual(['B', 'Z']);
    } finally {
      await holder.end();
    }
  });

  onSqlite.it('keep what a savepoint may restore in memory, not in the temporary folder', async () => {
    expect(sqliteHandle(opened.database.writer).pragma('temp_store', { simple: true })).toBe(2);
  });

  onSqlite.it('fail as writes without a database do when it is closed meanwhile', async () => {
    const write = insert('A');
    const failure = expect(write).rejects.toThrow('not connected');
    await opened.database.close();
    await nextTurn();
    await failure;
  });
});
