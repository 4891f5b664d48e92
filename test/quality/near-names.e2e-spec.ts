import type { Transaction } from '../../src/ledger/unit-of-work.js';
import { UnitOfWork } from '../../src/ledger/unit-of-work.js';
import { FindingsFollower } from '../../src/quality/findings-follower.js';
import { Commodity } from '../../src/reference/commodity/commodity.entity.js';
import { testChange } from '../support/change-set.js';
import { driverStatements } from '../support/driver-statements.js';
import { openDatabase } from '../support/open-database.js';
import { followed } from '../support/followed.js';

describe('near names', () => {
  let opened: Awaited<ReturnType<typeof openDatabase>>;
  /** Keeps the findings, as the service does. */
  let unitOfWork: UnitOfWork;
  /** Leaves them to others, as a process that has its own memory of names. */
  let other: UnitOfWork;
  beforeEach(async () => {
    opened = await openDatabase();
    other = opened.unitOfWork;
    unitOfWork = followed(new UnitOfWork(opened.database, opened.revision));
  });
  afterEach(() => opened?.close());

  async function create(transaction: Transaction, name: string): Promise<number> {
    const id = await transaction.insert(Commodity, { name, category: '', since: transaction.revision });
    transaction.markModified('references');
    transaction.markRecordModified('commodity', id, 'created');
    return id;
  }
  const createWith = (by: UnitOfWork, name: string) =>
    by.change(testChange, (transaction) => create(transaction, name));
  const found = async () => {
    const rows = await opened.database.rows<{ state: string; members: string }>(
      "SELECT state, members FROM finding WHERE rule = 'near_duplicate' ORDER BY id",
    );
    return rows.map(({ state, members }) => ({
      state,
      names: (JSON.parse(members) as { name: string }[]).map(({ name }) => name),
    }));
  };

  it('are found for a new record without reading all other names', async () => {
    for (const name of ['Sorghum', 'Maize']) await createWith(unitOfWork, name);
    const statements = await driverStatements(opened.database, () => createWith(unitOfWork, 'Sorgum'));
    const reads = statements.filter((sql) => sql.includes('FROM `commodity`'));
    expect(reads).toEqual([
      expect.stringMatching(/^SELECT `id`, `name` FROM `commodity` WHERE id IN \(.{1,5}\) ORDER BY id$/),
    ]);
    expect(await found()).toEqual([{ state: 'open', names: ['Sorghum', 'Sorgum'] }]);
  });

  it('are those of what was committed', async () => {
    await createWith(unitOfWork, 'Sorghum');
    const failed = unitOfWork.change(testChange, async (transaction) => {
      await create(transaction, 'Sorgum');
      await new FindingsFollower().beforeCommit(transaction, transaction.changes);
      throw new Error('Rolled back.');
    });
    await expect(failed).rejects.toThrow('Rolled back.');
    await createWith(unitOfWork, 'Maize');
    expect(await found()).toEqual([]);
    await createWith(unitOfWork, 'Sorgum');
    expect(await found()).toEqual([{ state: 'open', names: ['Sorghum', 'Sorgum'] }]);
  });

  it('include what others have created, renamed and removed', async () => {
    const [sorghum, maize] = [
      await createWith(unitOfWork, 'Sorghum'),
      await createWith(unitOfWork, 'Maize white'),
    ];
    await createWith(other, 'Sorgum');
    await createWith(unitOfWork, 'Rice');
    expect(await found()).toEqual([{ state: 'open', names: ['Sorghum', 'Sorgum'] }]);
    await other.change(testChange, async (transaction) => {
      await transaction.execute("UPDATE commodity SET name = 'White maize' WHERE id = ?", [maize]);
      await transaction.execute('DELETE FROM commodity WHERE id = ?', [sorghum]);
      transaction.markModified('references');
      transaction.markRecordModified('commodity', maize, 'changed');
      transaction.markRecordModified('commodity', sorghum, 'removed');
    });
    await createWith(unitOfWork, 'White-maize');
    expect(await found()).toEqual([
      { state: 'gone', names: ['Sorghum', 'Sorgum'] },
      { state: 'open', names: ['White maize', 'White-maize'] },
    ]);
  });

  it('are found anew in a database whose history is another one', async () => {
    for (const name of ['Sorghum', 'Maize']) await createWith(unitOfWork, name);
    await opened.close();
    opened = await openDatabase();
    unitOfWork = followed(new UnitOfWork(opened.database, opened.revision));
    for (const name of ['Rice', 'Wheat flour', 'Sorgum']) await createWith(unitOfWork, name);
    expect(await found()).toEqual([]);
    await createWith(unitOfWork, 'Wheat-flour');
    expect(await found()).toEqual([{ state: 'open', names: ['Wheat flour', 'Wheat-flour'] }]);
  });
});
