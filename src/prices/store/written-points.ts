import { MONTHLY } from '../../price-series/periodicity.js';
import { countsOf, type MergedPoint } from './point-merging.js';

/** Points that are held: at most some 24 MB. */
const MAX_POINTS = 1_000_000;

/** Original monthly points of a series, oldest first, in parallel arrays. */
interface WrittenSeries {
  /** Day numbers. */
  readonly days: number[];
  readonly values: number[];
}

/**
 * All original monthly points of series that had none of any frequency before one writer, so that
 * what is derived from them at its end need not read them again. A series that the writer does not
 * fill in the order of the days, each point once, is left out.
 */
export class WrittenPoints {
  private readonly bySeries = new Map<number, WrittenSeries>();
  private points = 0;

  /** @param serieId of a series without any points */
  begin(serieId: number): void {
    this.bySeries.set(serieId, { days: [], values: [] });
  }

  /** To be called with each point that is added or changed. */
  add(point: MergedPoint): void {
    const { serieId, period, day, value, calculated } = point;
    const written = this.bySeries.get(serieId);
    if (written === undefined || period !== MONTHLY) return;
    const { days, values } = written;
    const isNext = countsOf(point).added > 0 && !(day <= days[days.length - 1]!);
    if (!isNext || this.points >= MAX_POINTS) {
      this.points -= days.length;
      this.bySeries.delete(serieId);
    } else if (!calculated) {
      days.push(day);
      values.push(value);
      this.points++;
    }
  }

  /** Those of a series; undefined where not all are known. */
  of(serieId: number): WrittenSeries | undefined {
    return this.bySeries.get(serieId);
  }

  clear(): void {
    this.bySeries.clear();
    this.points = 0;
  }
}
