import { createSeries } from '../support/series-factory.js';
import { ObservationStore } from '../../src/prices/store/observation-store.js';
import { dayOf } from '../../src/lib/dates/calendar-date.js';
import { pointId } from '../../src/prices/store/point-id.js';
import { DAILY, MONTHLY, PERIODS, WEEKLY } from '../../src/price-series/periodicity.js';
import type { TestApp } from '../support/test-app.js';
import { testChange } from '../support/change-set.js';

/** Creates some series with points of every frequency, so that some fuzzed requests find data. */
export async function createFuzzData(
  service: TestApp,
): Promise<{ uuids: string[]; ids: number[]; pointIds: number[] }> {
  const ids = await service.unitOfWork.change(testChange, async (transaction) => {
    const series = await createSeries(transaction, 6);
    const store = new ObservationStore();
    const points = series.flatMap((serieId, index) =>
      Array.from({ length: 40 }, (_, each) => {
        const period = PERIODS[index % 3]!;
        const day =
          period === MONTHLY
            ? dayOf(2020 + Math.floor(each / 12), (each % 12) + 1, 1)
            : dayOf(2026, 1, 2) + each * (period === WEEKLY ? 7 : 1);
        return { serieId, period, day, value: 10 + each, calculated: false, comment: null };
      }),
    );
    await store.write(transaction, points);
    transaction.markModified('references');
    return series;
  });
  const rows = await service.database.rows<{ uuid: string }>('SELECT uuid FROM price_serie ORDER BY id');
  return {
    uuids: rows.map(({ uuid }) => uuid),
    ids: [1, 2, 3, 11, 12, 13],
    pointIds: [pointId(ids[0]!, DAILY, dayOf(2026, 1, 2)), pointId(ids[2]!, MONTHLY, dayOf(2020, 1, 1))],
  };
}
