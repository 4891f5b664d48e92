import type { NewPoint } from '../../prices/store/point-merging.js';
import { SeenPoints } from './reading/seen-points.js';

/**
 * The points of series that an input may have under several uuids, since their records have further
 * names. Of rows for one point the first counts. Rows may be added again, by the next attempt of a
 * transaction.
 */
export class SharedSeries {
  /** By the id of the stored series, then by the number of the series in the input. */
  private readonly points = new Map<number, Map<number, SeenPoints[]>>();

  /**
   * Adds a point of a series.
   * @param number of the series in the input; the points of one number do not repeat
   * @returns the value that a row of another uuid has for the point; null if this row counts
   */
  add(number: number, { serieId, period, day, value }: NewPoint): number | null {
    let byNumber = this.points.get(serieId);
    if (byNumber === undefined) this.points.set(serieId, (byNumber = new Map<number, SeenPoints[]>()));
    for (const [other, points] of byNumber) {
      const earlier = other === number ? null : (points[period]?.get(day) ?? null);
      if (earlier !== null) return earlier;
    }
    let own = byNumber.get(number);
    if (own === undefined) byNumber.set(number, (own = []));
    (own[period] ??= new SeenPoints()).add(day, value);
    return null;
  }
}
