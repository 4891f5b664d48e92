import type { Transaction } from '../../ledger/unit-of-work.js';
import type { JoinMember, SeriesJoins } from '../../price-series/joins/series-joins.js';
import { ApiError, type Violation } from '../../platform/errors/api-error.js';
import { readSeries } from '../../price-series/series-store.js';
import { readStoredPoint } from '../store/series-points.js';
import type { PointKey } from '../store/point-id.js';
import { readJoins } from '../../price-series/joins/stored-joins.js';
import { shownFirst } from './joined-points.js';

/** 409: the point that is shown belongs to a series that was joined into this one. */
export class JoinedPoint extends ApiError {
  /**
   * @param uuid of that series
   * @param item as for `CalculatedPoint`
   */
  constructor(uuid: string, item?: number | null) {
    const detail = `This price is one of series ${uuid}, which was joined into this one.`;
    super('joined', `${detail} Correct it with POST Correction/ and that uuid.`, {
      errors: [{ ...locationOf(item), code: 'joined', detail }],
    });
  }
}

/** Where the request names the point. */
const locationOf = (item?: number | null): Pick<Violation, 'in' | 'name' | 'pointer'> =>
  item === undefined
    ? { in: 'path', name: 'id' }
    : { in: 'body', name: 'date', pointer: item === null ? '/date' : `/${item}/date` };

/**
 * Checks that the point which a series shows is its own, or that it shows none.
 * @param item as for `CalculatedPoint`
 * @returns the joins in force, for what else is read of them
 * @throws JoinedPoint
 */
export async function assertOwnPoint(
  transaction: Transaction,
  key: PointKey,
  item?: number | null,
): Promise<SeriesJoins> {
  const joins = await readJoins(transaction);
  const members = joins.membersOf(key.serieId);
  const shown = members && (await shownMember(transaction, members, key));
  if (shown === null || shown === key.serieId) return joins;
  const series = await readSeries(transaction, shown, ['uuid']);
  throw new JoinedPoint(series!.uuid, item);
}

/** The id of the series whose point is shown; null where none has one. */
async function shownMember(
  transaction: Transaction,
  members: readonly JoinMember[],
  { period, day }: PointKey,
): Promise<number | null> {
  const candidates = [];
  for (const [rank, { serieId, firstDay, lastDay }] of members.entries()) {
    if (day < firstDay || day > lastDay) continue;
    const point = await readStoredPoint(transaction, { serieId, period, day });
    if (point !== null) candidates.push({ serieId, rank, marked: point.calculated });
  }
  return candidates.sort(shownFirst)[0]?.serieId ?? null;
}
