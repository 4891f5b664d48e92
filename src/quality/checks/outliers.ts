import type { SqlValue } from '../../database/database.js';
import type { Transaction } from '../../database/unit-of-work.js';
import { isBeyond, type TestedPoint } from '../rules/neighbours.js';

/** Values of one statement. */
const BATCH = 500;

/** Ratios from which rules over groups look at a point. */
const OUTLYING = 2.5;

/**
 * Stores the points that stand apart from their neighbours, which rules over groups compare between
 * series without reading all points of a country.
 * @param tested by the id of the series: all of its points
 */
export async function saveOutliers(
  transaction: Transaction,
  tested: ReadonlyMap<number, readonly TestedPoint[]>,
): Promise<void> {
  const ids = [...tested.keys()];
  for (let from = 0; from < ids.length; from += BATCH) {
    const batch = ids.slice(from, from + BATCH);
    const placeholders = batch.map(() => '?').join(',');
    await transaction.execute(`DELETE FROM series_outlier WHERE serie_id IN (${placeholders})`, batch);
  }
  const rows: SqlValue[][] = [];
  for (const [id, points] of tested) {
    for (const { day, value, median, ratio, sidesAgree } of points) {
      if (sidesAgree && isBeyond(ratio, OUTLYING)) rows.push([id, day, value, median]);
    }
  }
  for (let from = 0; from < rows.length; from += BATCH) {
    const batch = rows.slice(from, from + BATCH);
    await transaction.execute(
      `INSERT INTO series_outlier (serie_id, day, value, median) VALUES ${batch.map(() => '(?,?,?,?)').join(',')}`,
      batch.flat(),
    );
  }
}
