import { setImmediate as nextTurn } from 'node:timers/promises';
import { sqliteHandle } from '../../src/database/database.js';
import { driverErrorKind } from '../../src/database/errors/driver-errors.js';
import type { Transaction } from '../../src/ledger/unit-of-work.js';
import { testChange } from '../support/change-set.js';
import { onSqlite } from '../support/engines.js';
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
    transaction.touch('references');
    await transaction.execute('INSERT INTO commodity (name) VALUES (?)', [name]);
    return transaction.revision;
  };
  const insert = (name: string) =>
    opened.unitOfWork.changeBriefly(testChange, (transaction) => insertInto(transaction, name));
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

  it('take back only what they have written themselves when they fail', async () => {
    const before = (await opened.revision.fresh()).all;
    const failing = () =>
      opened.unitOfWork.changeBriefly(testChange, async (transaction) => {
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
    const failing = opened.unitOfWork.changeBriefly(testChange, () => Promise.reject(new Error('early')));
    expect(await outcomes([failing, insert('A'), insert('B')])).toEqual([before + 1, before + 2, 'early']);
    expect(await names()).toEqual(['A', 'B']);
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
