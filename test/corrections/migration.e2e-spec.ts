import { Corrections1763900000012 } from '../../src/database/migrations/1763900000012-corrections.js';
import { pointId } from '../../src/prices/store/point-id.js';
import { DAILY } from '../../src/price-series/periodicity.js';
import { openDatabase } from '../support/open-database.js';
import { storeSeries } from '../support/price-fixture.js';

const UUID = '11111111-0000-4000-8000-000000000001';
const JANUARY_1 = 738886;

describe('H3: the migration to corrections', () => {
  it('makes corrections of the changes in the audit log that no import has undone', async () => {
    const opened = await openDatabase();
    const { database, unitOfWork } = opened;
    const lines = [12, 13, 10, 15, 16, 17, 18].map(
      (value, index) => [`2024-01-0${index + 1}`, value, index === 4 ? 'checked' : null] as const,
    );
    const ids = await storeSeries(unitOfWork, [{ uuid: UUID, points: { daily: lines } }]);
    const serieId = ids.get(UUID)!;
    const audit = async (offset: number, before: object | null, after: object | null) => {
      const id = pointId(serieId, DAILY, JANUARY_1 + offset);
      const text = (value: object | null) => (value === null ? null : JSON.stringify(value));
      await unitOfWork.run((transaction) =>
        transaction.execute(
          'INSERT INTO audit_log (`at`, table_name, record_id, action, `before`, `after`) VALUES (?, ?, ?, ?, ?, ?)',
          [
            '2026-01-01T00:00:00.000Z',
            'observation',
            id,
            after === null ? 'delete' : 'update',
            text(before),
            text(after),
          ],
        ),
      );
    };
    // Corrected once; twice; undone by an import; undone and corrected again; the comment alone.
    await audit(0, { price_value: 10 }, { price_value: 12 });
    await audit(1, { price_value: 10 }, { price_value: 11 });
    await audit(1, { price_value: 11 }, { price_value: 13 });
    await audit(2, { price_value: 10 }, { price_value: 12 });
    await audit(3, { price_value: 10 }, { price_value: 12 });
    await audit(3, { price_value: 14 }, { price_value: 15 });
    await audit(4, { comment: '' }, { comment: 'checked' });
    // Corrected to what it was, removed after a correction, and removed but imported again.
    await audit(5, { price_value: 17 }, { price_value: 20 });
    await audit(5, { price_value: 20 }, { price_value: 17 });
    await audit(20, { price_value: 30 }, { price_value: 31 });
    await audit(20, { series: UUID, price_value: 31, comment: 'a' }, null);
    await audit(6, { series: UUID, price_value: 18, comment: '' }, null);
    const migration = new Corrections1763900000012();
    const runner = database.writer.createQueryRunner();
    await migration.down(runner);
    await migration.up(runner);
    await runner.release();
    const standing = { state: 'standing', base_comment: null, comment: null, change_set_id: 1 };
    expect(
      await database.rows(
        `SELECT state, day - ${JANUARY_1} AS day, base_value, base_comment, value, comment, change_set_id FROM correction ORDER BY day`,
      ),
    ).toEqual([
      { ...standing, day: 0, base_value: 10, value: 12 },
      { ...standing, day: 1, base_value: 10, value: 13 },
      { ...standing, day: 3, base_value: 14, value: 15 },
      { ...standing, day: 4, base_value: 16, value: 16, comment: 'checked' },
      { ...standing, day: 20, base_value: 30, base_comment: 'a', value: null },
    ]);
    await opened.close();
  });
});
