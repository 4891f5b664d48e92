import type { Transaction } from '../../database/unit-of-work.js';
import { MONTHLY, type Period } from '../../price-series/periodicity.js';
import { StoredPoints } from '../../prices/derive/derivation.js';
import { readJoins } from '../../prices/joins/joined-extents.js';
import { joinedPoints } from '../../prices/joins/joined-points.js';
import type { MonthlyPoints } from '../rules/neighbours.js';

/** Series of one statement. */
const BATCH = 500;

interface PointRow {
  serie_id: number;
  period: Period;
  day: number;
  value: number;
  calculated: number | boolean;
  comment: string | null;
}

const EMPTY: MonthlyPoints = { days: [], values: [] };

/**
 * The original monthly points that series show, also those of series that were joined into them. A
 * series that was joined into another one is not listed, so it has none.
 */
export async function readMonthlyPoints(
  transaction: Transaction,
  serieIds: readonly number[],
): Promise<Map<number, MonthlyPoints>> {
  const joins = await readJoins(transaction);
  const points = new Map<number, MonthlyPoints>();
  const alone: number[] = [];
  for (const id of serieIds) {
    const members = joins.membersOf(id);
    if (joins.isJoined(id)) points.set(id, EMPTY);
    else if (members === null) alone.push(id);
    else {
      const stored = await storedPoints(transaction, new Set(members.map(({ serieId }) => serieId)));
      points.set(id, joinedPoints(members, stored).original(MONTHLY));
    }
  }
  for (let from = 0; from < alone.length; from += BATCH) {
    await addMonthly(transaction, alone.slice(from, from + BATCH), points);
  }
  return points;
}

async function addMonthly(
  transaction: Transaction,
  ids: readonly number[],
  points: Map<number, MonthlyPoints>,
): Promise<void> {
  const rows = await transaction.rows<Pick<PointRow, 'serie_id' | 'day' | 'value'>>(
    `SELECT serie_id, day, value FROM observation WHERE serie_id IN (${ids.map(() => '?').join(',')})` +
      ` AND period = ${MONTHLY} AND calculated = 0 ORDER BY serie_id, day`,
    ids,
  );
  const columns = new Map(ids.map((id) => [id, { days: [] as number[], values: [] as number[] }]));
  for (const { serie_id, day, value } of rows) {
    const { days, values } = columns.get(serie_id)!;
    days.push(day);
    values.push(value);
  }
  for (const [id, column] of columns) points.set(id, column);
}

async function storedPoints(
  transaction: Transaction,
  ids: ReadonlySet<number>,
): Promise<Map<number, StoredPoints>> {
  const stored = new Map<number, StoredPoints>();
  const rows = await transaction.rows<PointRow>(
    'SELECT serie_id, period, day, value, calculated, comment FROM observation' +
      ` WHERE serie_id IN (${[...ids].map(() => '?').join(',')}) ORDER BY serie_id, period, day`,
    [...ids],
  );
  for (const { serie_id, period, day, value, calculated, comment } of rows) {
    let points = stored.get(serie_id);
    if (points === undefined) stored.set(serie_id, (points = new StoredPoints()));
    points.add(period, day, value, Boolean(calculated), comment);
  }
  return stored;
}
