import { Injectable } from '@nestjs/common';
import { AuditTrail, type AuditedCaller } from '../../ledger/audit/audit-trail.js';
import {
  addCorrection,
  correctionOfPoint,
  endCorrections,
  type PointCorrection,
} from '../../ledger/corrections/correction-store.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import { isoFromDay } from '../../lib/dates/calendar-date.js';
import type { SeriesJoins } from '../../price-series/joins/series-joins.js';
import { PERIOD_NAMES, type Period } from '../../price-series/periodicity.js';
import { readPeriod } from '../../price-series/series-periods.js';
import { readSeries } from '../../price-series/series-store.js';
import { assertOwnPoint } from '../joins/shown-point.js';
import { ObservationStore } from './observation-store.js';
import { pointId, type PointKey } from './point-id.js';
import type { StoredPoint } from './point-merging.js';
import { readStoredPoint } from './series-points.js';

/** Who corrects points, for the audit trail. */
export interface Corrector {
  readonly caller: AuditedCaller;
  readonly requestId: string;
}

/** A point and its series. */
export interface PointOfSeries {
  readonly uuid: string;
  readonly key: PointKey;
}

/** What is known of a point before it is corrected. */
export interface KnownPoint {
  /** Null where nothing is stored. */
  readonly stored: (StoredPoint & { readonly since: number }) | null;
  /** The correction that stands, if there is one. */
  readonly correction: PointCorrection | null;
  /** What its series says of the points of this frequency. */
  readonly frequency: 'original' | 'marked' | 'derived';
  /** The joins in force, where they have been read. */
  readonly joins?: SeriesJoins;
}

/** The price and the comment of a point, before or after a correction. */
export type PriceAndComment = Pick<StoredPoint, 'value' | 'comment'>;

/** The columns that audit entries show of a point. */
const AUDITED_COLUMNS = ['series', 'periodicity', 'date', 'price_value', 'comment'];

/**
 * Sets, adds and removes points for maintainers: each change is kept as a correction of the
 * source's value, which imports merge with.
 */
@Injectable()
export class PointCorrections {
  constructor(
    private readonly store: ObservationStore,
    private readonly trail: AuditTrail,
  ) {}

  /**
   * Reads a point within the transaction that is to correct it.
   * @param item as for `CalculatedPoint`
   * @throws JoinedPoint where the series shows the point of another one
   */
  async find(transaction: Transaction, key: PointKey, item?: number | null): Promise<KnownPoint> {
    const joins = await assertOwnPoint(transaction, key, item);
    return { ...(await this.findStored(transaction, key)), joins };
  }

  /** As `find`, of the series itself, whatever it shows. */
  async findStored(transaction: Transaction, key: PointKey): Promise<KnownPoint> {
    const { serieId, period } = key;
    const stored = await readStoredPoint(transaction, key);
    // Points without a mark are what their series serves.
    const isOriginal = stored !== null && !stored.calculated;
    const frequency = isOriginal ? 'original' : await frequencyOf(transaction, serieId, period);
    return { stored, correction: await correctionOfPoint(transaction, key), frequency };
  }

  /**
   * Gives a point the price and comment that a maintainer has set, and keeps this as a correction.
   * The source's own price and comment withdraw a correction.
   * @returns whether the point is marked as calculated
   */
  async set(
    transaction: Transaction,
    { uuid, key }: PointOfSeries,
    known: KnownPoint,
    after: PriceAndComment | null,
    corrector: Corrector,
  ): Promise<boolean> {
    const { stored, correction } = known;
    const base = baseOf(known);
    const calculated = stored?.calculated ?? correction?.calculated ?? known.frequency === 'marked';
    if (after === null) await this.store.remove(transaction, [key]);
    else if (stored !== null) await this.store.change(transaction, key, after, known.joins);
    else await this.store.write(transaction, [{ ...key, ...after, calculated }]);
    await this.record(transaction, { uuid, key }, stored, after, corrector);
    if (correction !== null) await endCorrections(transaction, [correction.id], 'withdrawn');
    if (!isSamePoint(base, after)) await addCorrection(transaction, { ...key, calculated }, base, after);
    return calculated;
  }

  private async record(
    transaction: Transaction,
    { uuid, key: { serieId, period, day } }: PointOfSeries,
    before: PriceAndComment | null,
    after: PriceAndComment | null,
    { caller, requestId }: Corrector,
  ): Promise<void> {
    const audited = ({ value, comment }: PriceAndComment) => ({
      series: uuid.toLowerCase(),
      periodicity: PERIOD_NAMES[period],
      date: isoFromDay(day),
      price_value: value,
      comment: comment ?? '',
    });
    await this.trail.record(transaction, {
      caller,
      requestId,
      table: 'observation',
      recordId: pointId(serieId, period, day),
      action: before === null ? 'create' : after === null ? 'delete' : 'update',
      columns: AUDITED_COLUMNS,
      before: before && audited(before),
      after: after && audited(after),
    });
  }
}

/** What the source says of a point: what is overruled, or else what is stored; null for nothing. */
export const baseOf = ({ stored, correction }: KnownPoint) =>
  correction === null ? stored : correction.base;

/**
 * The price and comment of a point after a change of either. Its source's price without a comment
 * brings the source's comment back.
 */
export function changedPoint(known: KnownPoint, price?: number, comment?: string): PriceAndComment {
  const base = baseOf(known);
  const value = price ?? known.stored!.value;
  const returns = price !== undefined && price === base?.value;
  return { value, comment: comment ?? (returns ? base.comment : (known.stored?.comment ?? null)) };
}

/**
 * Whether a point can be set or added: not where it would stand beside points that are derived, or
 * is hidden by them or by original ones.
 */
export function isCorrectable({ stored, correction, frequency }: KnownPoint): boolean {
  if (stored === null) return correction !== null || frequency !== 'derived';
  return !stored.calculated || frequency === 'marked';
}

/** Whether two points have the same price and comment, or both are none. */
export function isSamePoint(one: PriceAndComment | null, other: PriceAndComment | null): boolean {
  return one?.value === other?.value && (one?.comment || null) === (other?.comment || null);
}

/**
 * Whether the points of a frequency are original ones, marked by their source as calculated, or
 * derived by the service from finer ones.
 */
async function frequencyOf(
  transaction: Transaction,
  serieId: number,
  period: Period,
): Promise<KnownPoint['frequency']> {
  const item = await readPeriod(transaction, serieId, period);
  if (item !== undefined) return !item.calculated ? 'original' : item.points > 0 ? 'marked' : 'derived';
  const serie = await readSeries(transaction, serieId, ['marked_periods']);
  return serie !== undefined && (serie.marked_periods & (1 << period)) !== 0 ? 'marked' : 'original';
}
