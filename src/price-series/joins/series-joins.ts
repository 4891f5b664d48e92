import { LAST_DAY } from '../../lib/dates/calendar-date.js';
import { toSignificantDigits } from '../../lib/numbers/significant-digits.js';

/** Whose points are shown where both series of a join have one of a frequency and day. */
export const PREFERENCES = ['into', 'from'] as const;
export type Preference = (typeof PREFERENCES)[number];

/** A row of `series_join`, as far as reading needs it. */
export interface JoinRow {
  readonly from_id: number;
  readonly into_id: number;
  /** Price of `from` × factor = price of `into`. */
  readonly factor: number;
  readonly prefer: string;
  readonly start_day: number | null;
  readonly end_day: number | null;
}

export const JOIN_COLUMNS = 'from_id, into_id, factor, prefer, start_day, end_day';

/**
 * All joins that there have been, as table `j`, to be ordered by `place`: as they were first made,
 * since the order decides which points are shown. One that a revert makes again has its place. In a
 * mirror, where one change set makes many joins, they have the places of the first service.
 */
export const PLACED_JOINS =
  '(SELECT series_join.*, COALESCE(source_place, MIN(id) OVER' +
  ' (PARTITION BY from_id, into_id, change_set_id)) AS place FROM series_join) j';

/** The joins in force, in the order in which they were made. */
export const SELECT_JOINS = `SELECT ${JOIN_COLUMNS} FROM ${PLACED_JOINS} WHERE until IS NULL ORDER BY place, id`;

/** A series whose points are shown by a series: by itself, or by one that it was joined into. */
export interface JoinMember {
  readonly serieId: number;
  /** What its prices are multiplied by. */
  readonly factor: number;
  /** Day numbers between which its points are shown. */
  readonly firstDay: number;
  readonly lastDay: number;
}

/**
 * The joins in force at one state of the data. A series that was joined into another is not listed;
 * the other shows its points. That one may be joined into a third, which then shows all of them.
 */
export class SeriesJoins {
  static readonly none = new SeriesJoins([]);

  private readonly byFrom: ReadonlyMap<number, JoinRow>;
  private readonly byInto: ReadonlyMap<number, readonly JoinRow[]>;
  private readonly cachedMembers = new Map<number, readonly JoinMember[]>();

  /** @param rows in the order in which the joins were made */
  constructor(readonly rows: readonly JoinRow[]) {
    this.byFrom = new Map(rows.map((row) => [row.from_id, row]));
    const byInto = new Map<number, JoinRow[]>();
    for (const row of rows) byInto.set(row.into_id, [...(byInto.get(row.into_id) ?? []), row]);
    this.byInto = byInto;
  }

  /** Whether a series is shown as part of another one only. */
  isJoined(serieId: number): boolean {
    return this.byFrom.has(serieId);
  }

  /** The series that a series has become: the one that shows it, or itself. */
  become(serieId: number): number {
    const join = this.byFrom.get(serieId);
    return join === undefined ? serieId : this.become(join.into_id);
  }

  /** The series that show points of a series, and between which days; not itself. */
  shownBy(serieId: number): JoinMember[] {
    const join = this.byFrom.get(serieId);
    if (join === undefined) return [];
    const above = this.shownBy(join.into_id);
    const shown = [{ ...WHOLE, serieId: join.into_id }, ...above];
    return shown.map((other) => within(other, join));
  }

  /**
   * The series whose points a series shows, itself included: of two points of a frequency and day,
   * that of the earlier one in the list is preferred. Null where it shows its own points only.
   */
  membersOf(serieId: number): readonly JoinMember[] | null {
    if (!this.byInto.has(serieId)) return null;
    let members = this.cachedMembers.get(serieId);
    if (members === undefined) this.cachedMembers.set(serieId, (members = this.shownSeries(serieId)));
    return members;
  }

  /** As `membersOf`, also for a series that shows its own points only. */
  shownSeries(serieId: number): readonly JoinMember[] {
    let members: readonly JoinMember[] = [{ ...WHOLE, serieId }];
    for (const join of this.byInto.get(serieId) ?? []) {
      const joined = this.shownSeries(join.from_id).map((member) => within(member, join));
      members = join.prefer === 'from' ? [...joined, ...members] : [...members, ...joined];
    }
    return members;
  }
}

const WHOLE = { factor: 1, firstDay: 0, lastDay: LAST_DAY };

/** A member as it is shown through one more join. */
const within = (
  { serieId, factor, firstDay, lastDay }: JoinMember,
  { factor: joinFactor, start_day, end_day }: JoinRow,
): JoinMember => ({
  serieId,
  factor: toSignificantDigits(factor * joinFactor),
  firstDay: Math.max(firstDay, start_day ?? 0),
  lastDay: Math.min(lastDay, end_day ?? LAST_DAY),
});
