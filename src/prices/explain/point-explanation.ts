import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { isoFromDay, monthOf } from '../../lib/dates/calendar-date.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import type { JoinMember } from '../../price-series/joins/series-joins.js';
import { DAILY, MONTHLY, PERIOD_NAMES, PERIODS } from '../../price-series/periodicity.js';
import { dayOfConversion } from '../derive/conversion.js';
import { contributions, CONTRIBUTION_DAYS } from '../derive/contributions.js';
import type { RateBasis } from '../derive/currency-rates.js';
import type { StoredPoints } from '../derive/derivation.js';
import { RateTables, type IndexRecord, type RateRecord } from '../derive/rate-tables.js';
import { shownPoints } from '../joins/joined-points.js';
import { idList } from '../read/id-list.js';
import { PointReader } from '../read/point-reader.js';
import { PointWindow, originalCoverageOf, type StoredRange } from '../read/point-window.js';
import { PriceLoader, type PastState, type PriceSnapshot } from '../read/price-loader.js';
import { pointsSerializer } from '../read/price-serializers.js';
import type { PointKey } from '../store/point-id.js';

/** What a datapoint was made of. */
export interface PointExplanation {
  /** The stored points; `price_value` is the mean of their `price_value` × `factor`. */
  readonly stored_points: readonly StoredPointPart[];
  /** The rate: `price_value_dollar` = `price_value` ÷ `rate`. Null where there is none. */
  readonly exchange_rate: RateExplanation | null;
  /** The index: `price_value_real` = `price_value` × 100 ÷ `value`. Null where there is none. */
  readonly index: IndexRecord | null;
}

interface StoredPointPart {
  /** Of the series that stores it, which may have been joined into this one. */
  readonly uuid: string | null;
  readonly date: string;
  readonly periodicity: string;
  readonly price_value: number;
  readonly factor: number;
}

interface RateExplanation {
  readonly basis: RateBasis;
  /** Units of the price's currency per US dollar: `units` × the mean of the rates of `rows`. */
  readonly rate: number;
  /** The currency of the rows. A dollar is 1 dollar, and has none. */
  readonly currency: string;
  readonly units: number;
  /** The law behind the units; null where the currency is that of the price. */
  readonly reference: string | null;
  readonly rows: readonly RateRecord[];
}

const selectUuids = (ids: string) =>
  `SELECT id, uuid FROM price_serie WHERE id IN (${ids})` +
  ` UNION SELECT id, uuid FROM price_serie_version WHERE id IN (${ids})`;

const WHOLE = { factor: 1, firstDay: 0, lastDay: Infinity };

/** Tells what single datapoints were made of. */
@Injectable()
export class PointExplanations {
  constructor(
    private readonly loader: PriceLoader,
    private readonly reader: PointReader,
    private readonly rates: RateTables,
    private readonly database: Database,
  ) {}

  /**
   * A datapoint with the member `explain`, all of one state of the data; null where there is no
   * such series or point.
   */
  async read(
    uuid: string,
    key: PointKey,
    past: PastState | null,
    signal: AbortSignal,
  ): Promise<{ json: Buffer; revision: number } | null> {
    const window = new PointWindow([key.period], key.day, key.day);
    const load = this.loader.start(window, pointsSerializer, signal);
    const found = await this.loader.consistently(signal, past, async (snapshot) => {
      const row = snapshot.catalogue.find(uuid);
      if (row === null || snapshot.catalogue.idAt(row) !== key.serieId) return { point: null };
      const loaded = await load.loadSeries(snapshot, [row]);
      if (loaded === null) return null;
      if (!loaded.hasPoints(0)) return { point: null };
      const { points, context } = loaded.served(0);
      const served = points.find(({ period }) => period === key.period)!;
      const price = served.values[served.begin]!;
      const stored_points = await this.storedPoints(snapshot, row, key, signal);
      const applied = context.conversion.appliedRate(price, key.period, key.day);
      const month = monthOf(dayOfConversion(key.period, key.day));
      const country = snapshot.catalogue.referenceAt('market', row).iso3_country_code;
      const rows = applied && (await this.rates.rateRecords(snapshot.rates, applied.currency, month));
      const index = await this.rates.indexRecord(snapshot.rates, country, month);
      if (stored_points === null || rows === 'changed' || index === 'changed') return null;
      const explain: PointExplanation = {
        stored_points,
        exchange_rate: applied && rows && { ...applied, rows },
        index,
      };
      return {
        point: { json: withMember(loaded.text(0, true), 'explain', explain), revision: snapshot.revision },
      };
    });
    return found.point;
  }

  /** The stored points that a point was made of; null where the database is at another revision. */
  private async storedPoints(
    { catalogue, points }: PriceSnapshot,
    row: number,
    { serieId, period, day }: PointKey,
    signal: AbortSignal,
  ): Promise<StoredPointPart[] | null> {
    const members: readonly JoinMember[] = catalogue.membersAt(row) ?? [{ serieId, ...WHOLE }];
    const range: StoredRange = {
      firstPeriod: DAILY,
      lastPeriod: MONTHLY,
      firstDay: Math.max(0, day - CONTRIBUTION_DAYS.before),
      lastDay: day + CONTRIBUTION_DAYS.after,
    };
    const stored = new Map<number, StoredPoints>();
    for (const member of members) {
      const read = await this.reader.read([member.serieId], range, points, new TimeSlice(), signal);
      if (read === null) return null;
      stored.set(member.serieId, read.get(member.serieId)!);
    }
    const shown = new Map(PERIODS.map((each) => [each, shownPoints(members, stored, each)]));
    const coverage = originalCoverageOf(catalogue.periodicityAt(row));
    const parts = contributions(period, day, coverage, (of) => shown.get(of)!);
    const uuids = await this.uuidsOf(members.map((member) => member.serieId));
    return parts.map((one) => ({
      uuid: uuids.get(one.serieId) ?? null,
      date: isoFromDay(one.day),
      periodicity: PERIOD_NAMES[one.period],
      price_value: one.value,
      factor: one.factor,
    }));
  }

  private async uuidsOf(ids: readonly number[]): Promise<Map<number, string>> {
    const { placeholders, values } = idList(ids);
    const rows = await this.database.anyServer.arrays<[number, string]>(selectUuids(placeholders), [
      ...values,
      ...values,
    ]);
    return new Map(rows);
  }
}

/** A JSON object with one more member at its end. */
function withMember(object: Buffer, name: string, value: unknown): Buffer {
  const member = Buffer.from(`,"${name}":${JSON.stringify(value)}}`);
  return Buffer.concat([object.subarray(0, object.length - 1), member]);
}
