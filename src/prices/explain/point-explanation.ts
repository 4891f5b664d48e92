import { Injectable } from '@nestjs/common';
import { monthOf } from '../../lib/dates/calendar-date.js';
import type { Period } from '../../price-series/periodicity.js';
import { type Conversion, dayOfConversion } from '../derive/conversion.js';
import { APPLIED_BASES, type AppliedRate } from '../derive/currency-rates.js';
import { RateRecord, RateRecords, UsedIndex } from '../derive/rate-records.js';
import { PointWindow } from '../read/point-window.js';
import { PriceLoader, type PastState, type PriceSnapshot } from '../read/price-loader.js';
import { pointsSerializer } from '../read/price-serializers.js';
import type { PointKey } from '../store/point-id.js';
import { StoredPointPart, StoredParts } from './stored-parts.js';
import { ApiSchema, ArrayOf, Nested, OrNull } from '../../platform/validation/field.js';
import { Decimal, OneOf, Text } from '../../platform/validation/fields.js';

/** The rate that a price was converted with. */
@ApiSchema()
export class RateExplanation {
  @OneOf(APPLIED_BASES, { typed: false }) readonly basis!: (typeof APPLIED_BASES)[number];
  @Decimal({ description: 'Units of the currency of the price per US dollar' })
  readonly rate!: number;
  /** A dollar is 1 dollar, and has no rows. */
  @Text({ description: 'Of the rows' }) readonly currency!: string;
  @Decimal({ description: 'rate = units × mean of the rates of rows' }) readonly units!: number;
  /** Null where the currency is that of the price. */
  @OrNull(Text({ description: 'The law behind the units' })) readonly reference!: string | null;
  @ArrayOf(Nested(RateRecord)) readonly rows!: readonly RateRecord[];
}

/** What a datapoint was made of. */
@ApiSchema()
export class PointExplanation {
  /** The stored points; `price_value` is the mean of their `price_value` × `factor`. */
  @ArrayOf(Nested(StoredPointPart)) readonly stored_points!: readonly StoredPointPart[];
  /** The rate: `price_value_dollar` = `price_value` ÷ `rate`. Null where there is none. */
  @OrNull(Nested(RateExplanation)) readonly exchange_rate!: RateExplanation | null;
  /**
   * The index: `price_value_real` = `price_value` × 100 ÷ (`value` × the factor of its `link`).
   * Null where there is none.
   */
  @OrNull(Nested(UsedIndex)) readonly index!: UsedIndex | null;
}

/** Points of one series and frequency that are to be explained. */
interface ServedValues {
  readonly row: number;
  readonly period: Period;
  readonly points: readonly { readonly day: number; readonly price: number }[];
  readonly conversion: Conversion;
}

/** Which conversions are explained; what is not is null. */
interface ExplainedConversions {
  readonly rates: boolean;
  readonly indices: boolean;
}

const BOTH: ExplainedConversions = { rates: true, indices: true };

/** Tells what datapoints were made of. */
@Injectable()
export class PointExplanations {
  constructor(
    private readonly loader: PriceLoader,
    private readonly storedParts: StoredParts,
    private readonly records: RateRecords,
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
    const { period, day } = key;
    const load = this.loader.start(new PointWindow([period], day, day), pointsSerializer, signal);
    const explain = async (snapshot: PriceSnapshot) => {
      const row = snapshot.catalogue.find(uuid);
      if (row === null || snapshot.catalogue.idAt(row) !== key.serieId) return { point: null };
      const loaded = await load.loadSeries(snapshot, [row]);
      if (loaded === null) return null;
      if (!loaded.hasPoints(0)) return { point: null };
      const { points: served, context } = loaded.served(0);
      const { values, begin } = served.find((of) => of.period === period)!;
      const points = [{ day, price: values[begin]! }];
      const { conversion } = context;
      const explained = await this.explain(snapshot, { row, period, points, conversion }, BOTH, signal);
      if (explained === null) return null;
      const json = withMember(loaded.text(0, true), 'explain', explained[0]);
      return { point: { json, revision: snapshot.revision } };
    };
    const found = await this.loader.consistently(signal, past, explain, undefined, { uuids: [uuid] });
    return found.point;
  }

  /**
   * What each of some points of a series was made of, at a snapshot.
   * @returns null where the database is at another revision
   */
  async explain(
    snapshot: PriceSnapshot,
    { row, period, points, conversion }: ServedValues,
    { rates, indices }: ExplainedConversions,
    signal: AbortSignal,
  ): Promise<PointExplanation[] | null> {
    const days = points.map(({ day }) => day);
    const stored = await this.storedParts.read(snapshot, row, period, days, signal);
    const applied = points.map(({ day, price }) =>
      rates ? conversion.appliedRate(price, period, day) : null,
    );
    const records = await this.rateRecords(snapshot, applied);
    const { iso3_country_code } = snapshot.catalogue.referenceAt('market', row);
    const published = indices
      ? await this.indices(snapshot, iso3_country_code, conversion.base)
      : new Map<number, never>();
    if (stored === null || records === null || published === null) return null;
    return points.map(({ day }, at) => {
      const month = monthOf(dayOfConversion(period, day));
      const rate = applied[at] ?? null;
      return {
        stored_points: stored[at]!,
        exchange_rate: rate && { ...rate, rows: records.get(rate.currency)!.get(month) ?? [] },
        index: published.get(month) ?? null,
      };
    });
  }

  /**
   * The general index that the prices of each month of a country are divided by.
   * @param base the base period that it is in terms of; null for the newest
   * @returns null where the database is at another revision
   */
  indices(
    snapshot: PriceSnapshot,
    country: string,
    base: string | null = null,
  ): Promise<Map<number, UsedIndex> | null> {
    return this.records.indicesOf(snapshot.rates, country, base);
  }

  /** The published rates by currency and month; null where the database is at another revision. */
  private async rateRecords(
    snapshot: PriceSnapshot,
    applied: readonly (AppliedRate | null)[],
  ): Promise<Map<string, Map<number, RateRecord[]>> | null> {
    const records = new Map<string, Map<number, RateRecord[]>>();
    for (const currency of new Set(applied.flatMap((rate) => rate?.currency ?? []))) {
      const found = await this.records.ratesOf(snapshot.rates, currency);
      if (found === null) return null;
      records.set(currency, found);
    }
    return records;
  }
}

/** A JSON object with one more member at its end. */
function withMember(object: Buffer, name: string, value: unknown): Buffer {
  const member = Buffer.from(`,"${name}":${JSON.stringify(value)}}`);
  return Buffer.concat([object.subarray(0, object.length - 1), member]);
}
