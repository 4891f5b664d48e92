import { correctionsOfSeries } from '../../ledger/corrections/correction-store.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import type { Period } from '../../price-series/periodicity.js';
import { seriesWith } from '../../price-series/series-views.js';
import { IS_OBSERVED } from '../../price-series/series-status.js';
import { pointId, type PointKey } from './point-id.js';
import type { StoredPoint } from './point-merging.js';

/** The comment of forecasts in earlier releases; more could follow after a semicolon. */
const FORECAST_COMMENT = 'Forecast';

type Row = [serieId: number, period: Period, day: number, value: number, calculated: number, comment: string];

/**
 * The forecasts that earlier releases have stored among observed prices, which only a comment tells
 * from them; without that comment. Points that a maintainer has corrected are not among them.
 */
export async function readCommentedForecasts(transaction: Transaction): Promise<(PointKey & StoredPoint)[]> {
  const rows = await transaction.arrays<Row>(
    'SELECT o.serie_id, o.period, o.day, o.value, o.calculated, o.comment' +
      ` FROM ${seriesWith()} JOIN observation o ON o.serie_id = s.id WHERE ${IS_OBSERVED}` +
      ` AND (o.comment = '${FORECAST_COMMENT}' OR o.comment LIKE '${FORECAST_COMMENT};%')` +
      ' ORDER BY o.serie_id, o.period, o.day',
  );
  if (rows.length === 0) return [];
  const corrections = await correctionsOfSeries(transaction, rows[0]![0], rows.at(-1)![0]);
  const corrected = new Set(
    corrections.map(({ serieId, period, day }) => pointId(serieId, period as Period, day)),
  );
  return rows
    .map(([serieId, period, day, value, calculated, comment]) => ({
      serieId,
      period,
      day,
      value,
      calculated: Boolean(calculated),
      comment: comment.slice(FORECAST_COMMENT.length + 1).trim() || null,
    }))
    .filter(({ serieId, period, day }) => !corrected.has(pointId(serieId, period, day)));
}
