import { setTimeout as sleep } from 'node:timers/promises';
import { driverErrorKind } from '../../src/database/errors/driver-errors.js';
import { onSqlite } from '../support/engines.js';
import { openDatabase } from '../support/open-database.js';
import { testChange } from '../support/change-set.js';

describe('UnitOfWork', () => {
  let opened: Awaited<ReturnType<typeof openDatabase>>;
  beforeEach(async () => (opened = await openDatabase()));
  afterEach(() => opened.close());

  const names = async () =>
    (await opened.database.arrays<[string]>('SELECT name FROM commodity ORDER BY name')).map(
      ([name]) => name,
    );
  const insert = (name: string) =>
    opened.unitOfWork.change(testChange, (transaction) =>
      transaction.execute('INSERT INTO commodity (name) VALUES (?)', [name]),
    );

  it('W2: keeps acknowledged writes of others when a transaction fails, and isolates its uncommitted changes', async () => {
    let seen: string[] = [];
    const failing = opened.unitOfWork.change(testChange, async (transaction) => {
      await transaction.execute("INSERT INTO commodity (name) VALUES ('A')");
      await sleep(50);
      seen = await names();
      throw new Error('late failure');
    });
    const others = Promise.all([insert('B'), insert('C')]);
    await expect(failing).rejects.toThrow('late failure');
    await others;
    expect(seen).not.toContain('A');
    expect(await names()).toEqual(['B', 'C']);
  });

  it('W2: stores 50 parallel writes', async () => {
    const wanted = Array.from({ length: 50 }, (_, index) => `N${String(index).padStart(2, '0')}`);
    await Promise.all(wanted.map(insert));
    expect(await names()).toEqual(wanted);
  });

  it('writes through the entity manager in the same transaction', async () => {
    await expect(
      opened.unitOfWork.run(async (transaction) => {
        await transaction.manager
          .createQueryBuilder()
          .insert()
          .into('commodity')
          .values({ name: 'A' })
          .updateEntity(false)
          .execute();
        expect(await transaction.rows('SELECT name FROM commodity')).toEqual([{ name: 'A' }]);
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await names()).toEqual([]);
  });

  it('increments the revision, and those of the affected areas, on commit and not on rollback', async () => {
    const before = await opened.revision.fresh();
    await opened.unitOfWork.change(testChange, async (transaction) => transaction.markModified('rates'));
    await expect(opened.unitOfWork.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    const expected = { ...before, all: before.all + 1, rates: before.all + 1 };
    expect(opened.revision.current()).toEqual(expected);
    expect(await opened.revision.refresh()).toEqual(expected);
  });

  onSqlite.it('cannot write through the reading data source of the embedded engine', async () => {
    await expect(opened.database.reader.query("INSERT INTO commodity (name) VALUES ('A')")).rejects.toThrow(
      /readonly/,
    );
  });

  it('distinguishes cafe, CAFE and café', async () => {
    for (const name of ['cafe', 'CAFE', 'café']) await insert(name);
    expect(await names()).toEqual(['CAFE', 'cafe', 'café']);
    await expect(insert('café').catch(driverErrorKind)).resolves.toBe('duplicate');
  });
});
