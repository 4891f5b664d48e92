import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { isoFromDay } from '../../lib/dates/calendar-date.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import { seriesVersions } from '../../price-series/series-attributes.js';
import type { JoinMember } from '../../price-series/joins/series-joins.js';
import {
  DAILY,
  MONTHLY,
  type Period,
  PERIOD_NAMES,
  type PeriodName,
  periodNames,
  PERIODS,
} from '../../price-series/periodicity.js';
import { contributions, CONTRIBUTION_DAYS } from '../derive/contributions.js';
import type { StoredPoints } from '../derive/derivation.js';
import { shownPoints, type Candidate } from '../joins/joined-points.js';
import { idList } from '../read/id-list.js';
import { PointReader } from '../store/point-reader.js';
import { originalCoverageOf, type StoredRange } from '../read/point-window.js';
import type { PriceSnapshot } from '../read/price-loader.js';
import { pointId } from '../store/point-id.js';
import { PointChangeSets } from '../store/point-change-sets.js';
import { ApiSchema, OrNull } from '../../platform/validation/field.js';
import { CalendarDate, Decimal, Id, OneOf, Uuid } from '../../platform/validation/fields.js';

/** A stored point that a served one was made of. */
@ApiSchema()
export class StoredPointPart {
  /** Of the series that stores it, which may have been joined into this one. */
  @OrNull(Uuid()) readonly uuid!: string | null;
  @CalendarDate() readonly date!: string;
  @OneOf(periodNames) readonly periodicity!: PeriodName;
  @Decimal({ description: 'As stored' }) readonly price_value!: number;
  @Decimal({ description: 'What it is multiplied by in the series that shows it' })
  readonly factor!: number;
  @Id({ description: 'The change set that made it known' }) readonly change_set_id!: number;
}

const selectUuids = (ids: string) => seriesVersions.selectStates('id, uuid', `WHERE id IN (${ids})`);

const WHOLE = { factor: 1, firstDay: 0, lastDay: Infinity };

/** What is known of the stored points of a series and of those joined into it, in a range. */
interface Known {
  readonly stored: ReadonlyMap<number, StoredPoints>;
  readonly changeSets: ReadonlyMap<number, number>;
  readonly uuids: ReadonlyMap<number, string>;
}

/** Finds the stored points that served points were made of. */
@Injectable()
export class StoredParts {
  constructor(
    private readonly reader: PointReader,
    private readonly changeSets: PointChangeSets,
    private readonly database: Database,
  ) {}

  /**
   * The stored points that the points of a frequency were made of.
   * @param days of the points, in any order
   * @returns for each day; null where the database is at another revision
   */
  async read(
    snapshot: PriceSnapshot,
    row: number,
    period: Period,
    days: readonly number[],
    signal: AbortSignal,
  ): Promise<StoredPointPart[][] | null> {
    if (days.length === 0) return [];
    const { catalogue } = snapshot;
    const members: readonly JoinMember[] = catalogue.membersAt(row) ?? [
      { serieId: catalogue.idAt(row), ...WHOLE },
    ];
    const known = await this.known(snapshot, members, rangeAround(days), signal);
    if (known === null) return null;
    const shown = new Map(PERIODS.map((each) => [each, shownPoints(members, known.stored, each)]));
    const coverage = originalCoverageOf(catalogue.periodicityAt(row));
    const timeSlice = new TimeSlice();
    const parts: StoredPointPart[][] = [];
    for (const day of days) {
      const of = contributions(period, day, coverage, (finer) => around(shown.get(finer)!, day));
      const found = of.map((point) => toPart(point, known));
      // A point that was changed since it was read belongs to a later state.
      if (found.some((part) => part === null)) return null;
      parts.push(found as StoredPointPart[]);
      await timeSlice.yield();
    }
    return parts;
  }

  private async known(
    snapshot: PriceSnapshot,
    members: readonly JoinMember[],
    range: StoredRange,
    signal: AbortSignal,
  ): Promise<Known | null> {
    const stored = new Map<number, StoredPoints>();
    const changeSets = new Map<number, number>();
    for (const { serieId } of members) {
      const read = await this.reader.read([serieId], range, snapshot.points, new TimeSlice(), signal);
      if (read === null) return null;
      stored.set(serieId, read.get(serieId)!);
      for (const [id, changeSet] of await this.changeSets.read(serieId, range, snapshot, signal))
        changeSets.set(id, changeSet);
    }
    return { stored, changeSets, uuids: await this.uuidsOf(members.map(({ serieId }) => serieId)) };
  }

  private async uuidsOf(ids: readonly number[]): Promise<Map<number, string>> {
    const { placeholders, values } = idList(ids);
    const rows = await this.database.anyServer.arrays<[number, string]>(selectUuids(placeholders), [
      ...values,
      ...values,
    ]);
    return new Map(rows.toReversed());
  }
}

function toPart({ serieId, period, day, value, factor }: Candidate, known: Known): StoredPointPart | null {
  const change_set_id = known.changeSets.get(pointId(serieId, period, day));
  return change_set_id === undefined
    ? null
    : {
        uuid: known.uuids.get(serieId) ?? null,
        date: isoFromDay(day),
        periodicity: PERIOD_NAMES[period],
        price_value: value,
        factor,
        change_set_id,
      };
}

function rangeAround(days: readonly number[]): StoredRange {
  const first = days.reduce((least, day) => Math.min(least, day), Infinity);
  const last = days.reduce((most, day) => Math.max(most, day), 0);
  return {
    firstPeriod: DAILY,
    lastPeriod: MONTHLY,
    firstDay: Math.max(0, first - CONTRIBUTION_DAYS.before),
    lastDay: last + CONTRIBUTION_DAYS.after,
  };
}

/** The points between which those lie that the point of a day is made of. @param points by day */
function around(points: readonly Candidate[], day: number): readonly Candidate[] {
  const [from, to] = [day - CONTRIBUTION_DAYS.before, day + CONTRIBUTION_DAYS.after];
  return points.slice(indexOfDay(points, from), indexOfDay(points, to + 1));
}

/** The index of the first point of a day or later. @param points by day */
function indexOfDay(points: readonly Candidate[], day: number): number {
  let [low, high] = [0, points.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (points[middle]!.day < day) low = middle + 1;
    else high = middle;
  }
  return low;
}
