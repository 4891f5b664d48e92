import { FormerRecords } from '../../src/reference/base/former-records.js';
import { removeRecords } from '../../src/reference/base/record-versions.js';
import { type RecordValues, TableStatements } from '../../src/reference/base/table-statements.js';
import { PriceType } from '../../src/reference/price-type/price-type.entity.js';
import { testChange } from '../support/change-set.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const table = new TableStatements(PriceType);
const keyOf = ({ name }: RecordValues) => String(name);

describe('the removed records of a table', () => {
  let service: TestApp;
  beforeAll(async () => (service = await startTestApp()));
  afterAll(() => service.close());

  const add = (id: number, name: string, version: number) =>
    service.unitOfWork.change(testChange, async (transaction) => {
      await transaction.execute('INSERT INTO price_type (id, name, version, since) VALUES (?, ?, ?, ?)', [
        id,
        name,
        version,
        transaction.revision,
      ]);
      transaction.markRecordModified('price_type', id, 'created');
      transaction.markModified(PriceType.area);
    });
  const remove = (id: number) =>
    service.unitOfWork.change(testChange, async (transaction) => {
      expect(await removeRecords(transaction, table, 'id = ?', [id])).toBe(1);
      transaction.markModified(PriceType.area);
    });
  const find = (former: FormerRecords, ...names: string[]) =>
    service.unitOfWork.change(testChange, async (transaction) =>
      Object.fromEntries(
        [...(await former.find(transaction, table, names, keyOf))].map(([name, { id, version }]) => [
          name,
          [id, version],
        ]),
      ),
    );

  it('are found by the keys that they had last, in each transaction as they are then', async () => {
    const kept = new FormerRecords();
    const found = async (...names: string[]) => {
      const anew = await find(new FormerRecords(), ...names);
      expect(await find(kept, ...names)).toEqual(anew);
      return anew;
    };
    await add(501, 'FARM', 1);
    await add(502, 'GATE', 1);
    expect(await found('FARM', 'GATE')).toEqual({});
    await remove(501);
    expect(await found('FARM', 'GATE')).toEqual({ FARM: [501, 1] });
    await remove(502);
    expect(await found('FARM', 'GATE', 'DOCK')).toEqual({ FARM: [501, 1], GATE: [502, 1] });

    // One comes back under another name, and goes again.
    await add(501, 'DOCK', 2);
    expect(await found('FARM', 'GATE', 'DOCK')).toEqual({ GATE: [502, 1] });
    await remove(501);
    expect(await found('FARM', 'GATE', 'DOCK')).toEqual({ DOCK: [501, 2], GATE: [502, 1] });

    // Of two that had a name, the one that was removed last.
    await add(503, 'GATE', 1);
    await remove(503);
    expect(await found('GATE')).toEqual({ GATE: [503, 1] });
    await add(503, 'PORT', 2);
    expect(await found('GATE', 'PORT')).toEqual({ GATE: [502, 1] });
  });
});
