import { Injectable } from '@nestjs/common';
import { batchesOf } from '../../lib/collections/batches.js';
import { Database } from '../../database/database.js';
import { isoFromDay, LAST_DAY } from '../../lib/dates/calendar-date.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import { NotFound } from '../../platform/errors/api-error.js';
import { seriesChangedBetween } from '../../ledger/changes/stored-changes.js';
import { SeriesCatalogue } from '../../price-series/catalogue/catalogue.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import type { SeriesScope } from '../../price-series/series-status.js';
import { selectSeries } from '../../price-series/catalogue/selection.js';
import type { Criteria } from '../../price-series/filters/criteria.js';
import {
  DAILY,
  MONTHLY,
  PERIOD_NAMES,
  type PeriodName,
  periodNames,
  PERIODS,
} from '../../price-series/periodicity.js';
import type { StoredPoints } from '../derive/derivation.js';
import { joinedPoints } from '../joins/joined-points.js';
import { PointReader } from '../store/point-reader.js';
import { ROWS_OF_DIFFERENCES, SELECT_DIFFERENCES, type SideRow } from '../store/stored-versions.js';
import type { StoredRange } from '../read/point-window.js';
import { pointId } from '../store/point-id.js';
import { ApiSchema, OrNull } from '../../platform/validation/field.js';
import { CalendarDate, Decimal, OneOf, Text, Uuid, WideCount } from '../../platform/validation/fields.js';
import { columnsOf } from '../../platform/formats/columns.js';

/** Two revisions whose points are compared; -1 is the state before the first one. */
export interface RevisionRange {
  readonly from: number;
  readonly to: number;
}

/** A stored point that differs between two revisions, as responses show it. */
@ApiSchema()
export class PointDifference {
  @Uuid() uuid!: string;
  @WideCount({ description: 'Stable on one server' }) id!: number;
  @OneOf(periodNames) periodicity!: PeriodName;
  @CalendarDate() date!: string;
  @OneOf(['added', 'changed', 'removed']) action!: 'added' | 'changed' | 'removed';
  @OrNull(Decimal({ description: 'The price at the earlier state' })) before!: number | null;
  @OrNull(Decimal({ description: 'The price at the later state' })) after!: number | null;
  @OrNull(Text()) comment_before!: string | null;
  @OrNull(Text()) comment_after!: string | null;
}

export const pointDifferenceColumns = columnsOf(PointDifference);

/** Series whose changes are looked up by one statement. */
const SERIES_PER_STATEMENT = 200;

type KnownPoint = Pick<PointDifference, 'before' | 'comment_before'>;

interface Series {
  readonly id: number;
  readonly uuid: string;
}

/** The catalogue at the two revisions. */
interface States {
  readonly earlier: CatalogueSnapshot;
  readonly later: CatalogueSnapshot;
}

const ALL_POINTS: StoredRange = { firstPeriod: DAILY, lastPeriod: MONTHLY, firstDay: 0, lastDay: LAST_DAY };
/** The reply stops to ask for more when its client leaves. */
const NO_ABORT = new AbortController().signal;

const isJoined = ({ earlier, later }: States, id: number) =>
  [earlier, later].some(({ joined: { joins } }) => joins.membersOf(id) !== null || joins.isJoined(id));

/** Compares the stored points of two revisions. */
@Injectable()
export class PriceDifferences {
  constructor(
    private readonly database: Database,
    private readonly catalogue: SeriesCatalogue,
    private readonly reader: PointReader,
  ) {}

  /** The differences of one series. @throws NotFound where neither revision has it */
  async ofSeries(uuid: string, range: RevisionRange): Promise<AsyncGenerator<PointDifference[]>> {
    const states = await this.states(range, { uuids: [uuid] });
    for (const catalogue of [states.later, states.earlier]) {
      const row = catalogue.find(uuid);
      if (row !== null)
        return this.read([{ id: catalogue.idAt(row), uuid: catalogue.uuidAt(row) }], range, states);
    }
    throw new NotFound('There is no price series with this uuid.');
  }

  /**
   * The differences of the series that match the criteria at either revision: in the order of the
   * lists, then those that the second one has no more.
   */
  async ofSelection(criteria: Criteria, range: RevisionRange): Promise<AsyncGenerator<PointDifference[]>> {
    const states = await this.states(range);
    const { later, earlier } = states;
    const series = Array.from(selectSeries(later, criteria).slice(), (row): Series => ({
      id: later.idAt(row),
      uuid: later.uuidAt(row),
    }));
    const listed = new Set(series.map(({ id }) => id));
    for (const row of selectSeries(earlier, criteria).slice()) {
      const id = earlier.idAt(row);
      if (!listed.has(id)) series.push({ id, uuid: earlier.uuidAt(row) });
    }
    return this.read(series, range, states);
  }

  private async states({ from, to }: RevisionRange, scope?: SeriesScope): Promise<States> {
    return { later: await this.catalogue.at(to, scope), earlier: await this.catalogue.at(from, scope) };
  }

  private async *read(
    series: readonly Series[],
    range: RevisionRange,
    states: States,
  ): AsyncGenerator<PointDifference[]> {
    const timeSlice = new TimeSlice();
    for (const some of batchesOf(series, SERIES_PER_STATEMENT)) {
      const changed = await this.changedOf(some, range);
      for (const one of some) {
        if (isJoined(states, one.id)) yield* this.shownDifferences(one, range, states, timeSlice);
        else if (changed.has(one.id)) yield* this.differencesOf(one, range, timeSlice);
      }
      await timeSlice.yield();
    }
  }

  private async changedOf(series: readonly Series[], { from, to }: RevisionRange): Promise<Set<number>> {
    const ids = series.map(({ id }) => id);
    // What is from before versions were kept is in no list of changes.
    if (from < 0) return new Set(ids);
    return seriesChangedBetween(this.database.anyServer, ids, from, to);
  }

  /** The differences of a series that shows points of others, or is shown by one, at a revision. */
  private async *shownDifferences(
    series: Series,
    { from, to }: RevisionRange,
    { earlier, later }: States,
    timeSlice: TimeSlice,
  ): AsyncGenerator<PointDifference[]> {
    const sides = [
      await this.shownPoints(0, series, from, earlier, timeSlice),
      await this.shownPoints(1, series, to, later, timeSlice),
    ];
    const rows = sides
      .flat()
      .sort((one, other) => one[1] - other[1] || one[2] - other[2] || one[0] - other[0]);
    const differences = differencesIn(rows, series);
    if (differences.length > 0) yield differences;
  }

  private async shownPoints(
    side: 0 | 1,
    { id }: Series,
    revision: number,
    { joined: { joins } }: CatalogueSnapshot,
    timeSlice: TimeSlice,
  ): Promise<SideRow[]> {
    if (joins.isJoined(id)) return [];
    const members = joins.shownSeries(id);
    const state = { asOf: revision, firstPublished: false };
    const stored = new Map<number, StoredPoints>();
    for (const { serieId } of members) {
      const points = await this.reader.read([serieId], ALL_POINTS, state, timeSlice, NO_ABORT);
      stored.set(serieId, points!.get(serieId)!);
    }
    const shown = joinedPoints(members, stored);
    return PERIODS.flatMap((period) =>
      [shown.original(period), shown.markedCalculated(period)].flatMap(({ days, values, comments }) =>
        days.map((day, index): SideRow => [side, period, day, values[index]!, comments?.[index] ?? null]),
      ),
    );
  }

  private async *differencesOf(
    { id, uuid }: Series,
    { from, to }: RevisionRange,
    timeSlice: TimeSlice,
  ): AsyncGenerator<PointDifference[]> {
    for (let after: [number, number] = [0, 0]; ;) {
      const key = [id, after[0], ...after];
      const rows = await this.database.anyServer.arrays<SideRow>(SELECT_DIFFERENCES, [
        ...[...key, from, from, to],
        ...[...key, from, to, to],
        ...[...key, from, to],
      ]);
      const isLast = rows.length < ROWS_OF_DIFFERENCES;
      // Of the last point, the other side may be missing.
      const complete = isLast ? rows : withoutLastPoint(rows);
      const differences = differencesIn(complete, { id, uuid });
      if (differences.length > 0) yield differences;
      if (isLast) return;
      const [, period, day] = complete.at(-1)!;
      after = [period, day];
      await timeSlice.yield();
    }
  }
}

function withoutLastPoint(rows: readonly SideRow[]): SideRow[] {
  const [, lastPeriod, lastDay] = rows.at(-1)!;
  return rows.filter(([, period, day]) => period !== lastPeriod || day !== lastDay);
}

/** Joins the sides of each point; a point whose price and comment are equal does not differ. */
function differencesIn(rows: readonly SideRow[], { id, uuid }: Series): PointDifference[] {
  const differences: PointDifference[] = [];
  for (let index = 0; index < rows.length; index++) {
    const [side, period, day] = rows[index]!;
    const other = rows[index + 1];
    const isPair = other !== undefined && other[1] === period && other[2] === day;
    const before = side === 0 ? known(rows[index]!) : NOTHING;
    const last = isPair ? other : rows[index]!;
    const after = last[0] === 1 ? known(last) : NOTHING;
    if (isPair) index++;
    if (before.before === after.before && before.comment_before === after.comment_before) continue;
    const action = before === NOTHING ? 'added' : after === NOTHING ? 'removed' : 'changed';
    differences.push({
      uuid,
      id: pointId(id, period, day),
      periodicity: PERIOD_NAMES[period],
      date: isoFromDay(day),
      action,
      before: before.before,
      after: after.before,
      comment_before: before.comment_before,
      comment_after: after.comment_before,
    });
  }
  return differences;
}

const NOTHING: KnownPoint = { before: null, comment_before: null };

const known = ([, , , value, comment]: SideRow): KnownPoint => ({
  before: value,
  comment_before: comment ?? '',
});
