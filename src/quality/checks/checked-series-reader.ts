import { batchesOf } from '../../lib/collections/batches.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import { monthOf } from '../../lib/dates/calendar-date.js';
import type { DayRange } from '../../lib/dates/day-range.js';
import type { SeriesJoins } from '../../price-series/joins/series-joins.js';
import { MONTHLY } from '../../price-series/periodicity.js';
import type { StoredPoints } from '../../prices/derive/derivation.js';
import { readJoins } from '../../price-series/joins/stored-joins.js';
import { joinedPoints } from '../../prices/joins/joined-points.js';
import { readMonthlyValues, readStoredPoints } from '../../prices/store/series-points.js';
import type { WrittenPoints } from '../../prices/store/written-points.js';
import type { MonthlyPoints } from '../rules/neighbours.js';
import { hasMarks, type SeriesMarks } from './groups/marks.js';
import { readSeriesFacts, type SeriesFacts } from './series-facts.js';

/** Series of one statement. */
const BATCH = 500;
/** The same where points of all frequencies are read: of daily ones there may be thousands. */
const BATCH_OF_ALL = 20;

/** Points that are kept for later checks: some 12 MB. */
const MAX_KEPT = 500_000;

const NONE: MonthlyPoints = { days: [], months: [], values: [] };

/**
 * Reads facts about series, and the points that they show, also those of series that were joined
 * into them, for checks that run one after another while no series changes. A series that was
 * joined into another one is not listed, so it has no points.
 */
export class CheckedSeriesReader {
  private joined: Promise<SeriesJoins> | null = null;
  /** By uuid. */
  private readonly known = new Map<string, SeriesFacts>();
  /** Monthly points by series: several checks look at the same ones. */
  private readonly kept = new Map<number, MonthlyPoints>();
  private keptPoints = 0;
  /** Whether series have marks, of those that have been checked. */
  private readonly marked = new Map<number, boolean>();

  /** @param written points that the transaction's writer has stored, which need not be read */
  constructor(
    private readonly transaction: Transaction,
    private readonly written: WrittenPoints | null = null,
  ) {}

  /** Keeps facts that have been read already. */
  keep(facts: Iterable<SeriesFacts>): void {
    for (const series of facts) this.known.set(series.uuid, series);
  }

  /** Facts about some series, by id in ascending order. */
  async facts(uuids: readonly string[]): Promise<SeriesFacts[]> {
    const known = uuids.flatMap((uuid) => this.known.get(uuid) ?? []);
    const others = uuids.filter((uuid) => !this.known.has(uuid));
    const read = await readSeriesFacts(this.transaction, 's.uuid', others);
    return [...known, ...read].sort((one, other) => one.id - other.id);
  }

  /** Keeps whether series have marks, as they are stored now. */
  keepMarked(marks: ReadonlyMap<number, SeriesMarks>): void {
    for (const [id, one] of marks) this.marked.set(id, hasMarks(one));
  }

  /** Whether any of some series has marks, all of which `PointCheck` has checked before. */
  haveMarks(ids: readonly number[]): boolean {
    return ids.some((id) => this.marked.get(id));
  }

  /** The joins in force. */
  joins(): Promise<SeriesJoins> {
    return (this.joined ??= readJoins(this.transaction));
  }

  /** The original monthly points of some series. Further points than can be kept are read again. */
  async monthly(serieIds: readonly number[]): Promise<Map<number, MonthlyPoints>> {
    const points = await this.monthlyWithin(serieIds, []);
    for (const [id, one] of points) {
      if (this.kept.has(id) || this.keptPoints + one.days.length > MAX_KEPT) continue;
      this.kept.set(id, one);
      this.keptPoints += one.days.length;
    }
    return points;
  }

  /**
   * The original monthly points of some series on the days of some ranges: at least these, where
   * more have been read before.
   * @param ranges none for all days
   */
  async monthlyWithin(
    serieIds: readonly number[],
    ranges: readonly DayRange[],
  ): Promise<Map<number, MonthlyPoints>> {
    const joins = await this.joins();
    const points = new Map<number, MonthlyPoints>();
    const alone: number[] = [];
    const several: number[] = [];
    for (const id of serieIds) {
      const kept = joins.isJoined(id) ? NONE : this.kept.get(id);
      if (kept !== undefined) points.set(id, kept);
      else if (joins.membersOf(id) !== null) several.push(id);
      else {
        const written = this.written?.of(id);
        if (written === undefined) alone.push(id);
        else points.set(id, withMonths(written));
      }
    }
    for (const [id, one] of await this.all(several)) points.set(id, withMonths(one.original(MONTHLY)));
    for (const batch of batchesOf(alone, BATCH)) {
      const stored = await readMonthlyValues(this.transaction, batch, ranges);
      for (const id of batch) {
        const values = stored.get(id);
        points.set(id, values === undefined ? NONE : withMonths(values));
      }
    }
    return points;
  }

  /** All points of some series that are not joined into others. */
  async all(serieIds: readonly number[]): Promise<Map<number, StoredPoints>> {
    const joins = await this.joins();
    const members = new Map(
      serieIds.filter((id) => !joins.isJoined(id)).map((id) => [id, joins.shownSeries(id)] as const),
    );
    const ids = [...members.keys()];
    const points = new Map<number, StoredPoints>();
    for (const batch of batchesOf(ids, BATCH_OF_ALL)) {
      const shown = batch.flatMap((id) => members.get(id)!.map(({ serieId }) => serieId));
      const stored = await readStoredPoints(this.transaction, new Set(shown));
      for (const id of batch) points.set(id, joinedPoints(members.get(id)!, stored));
    }
    return points;
  }
}

const withMonths = ({ days, values }: Pick<MonthlyPoints, 'days' | 'values'>): MonthlyPoints => ({
  days,
  months: days.map(monthOf),
  values,
});
