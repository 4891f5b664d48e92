import { DAILY, MONTHLY } from '../../src/price-series/periodicity.js';
import { RepeatedPoints } from '../../src/prices/store/repeated-points.js';
import type { PointKey } from '../../src/prices/store/point-id.js';
import { testChange } from '../support/change-set.js';
import { openDatabase } from '../support/open-database.js';

describe('repeated points', () => {
  it('of all transactions of an import are noted, also where they begin on the same day', async () => {
    const { unitOfWork, database, close } = await openDatabase();
    const note = (changeSet: number | typeof testChange, keys: PointKey[]) =>
      unitOfWork.change(changeSet, async (transaction) => {
        const repeated = new RepeatedPoints();
        for (const key of keys) repeated.add(key);
        await repeated.save(transaction);
        return (await transaction.changeSetId())!;
      });
    const days = (...of: number[]) => of.map((day): PointKey => ({ serieId: 7, period: DAILY, day }));
    try {
      const id = await note(testChange, days(20, 10, 90));
      await note(id, [{ serieId: 7, period: MONTHLY, day: 10 }, ...days(40)]);
      await note(id, [...days(5, 95), { serieId: 8, period: DAILY, day: 10 }]);
      await note(id, days(10, 91));
      const other = await note(testChange, days(10, 11));
      expect(
        await database.rows('SELECT * FROM repeated_points ORDER BY change_set_id, serie_id, first_day'),
      ).toEqual([
        { serie_id: 7, change_set_id: id, first_day: 5, last_day: 95 },
        { serie_id: 7, change_set_id: id, first_day: 10, last_day: 91 },
        { serie_id: 8, change_set_id: id, first_day: 10, last_day: 10 },
        { serie_id: 7, change_set_id: other, first_day: 10, last_day: 11 },
      ]);
    } finally {
      await close();
    }
  });
});
