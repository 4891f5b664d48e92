import { firstDayOfMonth, isoFromDay } from '../../lib/dates/calendar-date.js';
import { toSignificantDigits } from '../../lib/numbers/significant-digits.js';
import type { TimeSlice } from '../../lib/scheduling/time-slice.js';
import type { ObservationRange } from '../analysis.parameters.js';
import { chainedIndex, type IndexPoint } from '../methods/chained-index.js';
import { groupStatistics, type GroupStatistics } from '../methods/group-statistics.js';
import { type AggregateSettings, baseMonthOf } from './aggregate-settings.js';
import { type GroupPrices, LEFT_OUT_REASONS, type LeftOutReason, monthsPerPeriod } from './group-prices.js';
import { ApiSchema, ArrayOf, Nested, Optional, OrNull, WithSchema } from '../../platform/validation/field.js';
import { CalendarDate, Count, Decimal, Uuid } from '../../platform/validation/fields.js';

/**
 * Why the field of an aggregate is null: why no series has a price that can be converted, or
 *
 * - `chain_broken`: too few series have a price both in this period and in an earlier one
 * - `other_segment`: the period cannot be compared with `base`
 */
const AGGREGATE_REASONS = [...LEFT_OUT_REASONS, 'chain_broken', 'other_segment'] as const;
type AggregateReason = (typeof AGGREGATE_REASONS)[number];

/** The fields that may be null. */
type NullableField = keyof GroupStatistics | 'index' | 'linked_from';

/** A period of a group, as responses show it. */
export class AggregateObservation {
  @CalendarDate() date!: string;
  @OrNull(Decimal({ description: 'Of an even number of prices, the mean of the middle two' }))
  median!: number | null;
  @OrNull(Decimal({ description: 'Each series has the same weight' })) mean!: number | null;
  @OrNull(Decimal({ description: 'The least price' })) min!: number | null;
  @OrNull(Decimal({ description: 'The greatest price' })) max!: number | null;
  @Count({ description: 'Series with a price' }) n!: number;
  @OrNull(Decimal({ description: 'Chained Jevons index of the prices that can be compared' }))
  index!: number | null;
  @OrNull(CalendarDate({ description: 'The period that the index is linked to' }))
  linked_from!: string | null;
  @OrNull(Count({ description: 'Series with a price in both periods' })) n_matched!: number | null;
  @OrNull(Count({ description: 'Indices of one segment can be compared' })) segment!: number | null;
  @WithSchema<Partial<Record<LeftOutReason, number>>>({
    type: 'object',
    description: 'Series whose price of the period is left out, by reason',
    additionalProperties: { type: 'integer' },
  })
  left_out!: Partial<Record<LeftOutReason, number>>;
  @WithSchema<Partial<Record<NullableField, AggregateReason>>>({
    type: 'object',
    description: 'Why fields are null, by field',
    additionalProperties: { type: 'string', enum: AGGREGATE_REASONS },
  })
  reasons!: Partial<Record<NullableField, AggregateReason>>;
  @Optional(ArrayOf(Uuid(), { description: 'The series with a price, on request' }))
  series?: string[];
  /** Their prices are compared with those in `linked_from`. */
  @Optional(OrNull(ArrayOf(Uuid()), { description: 'Those of them that the index compares, on request' }))
  matched?: string[] | null;
}

/** Periods whose indices can be compared, as responses show them. */
export class Segment {
  @Count() segment!: number;
  @CalendarDate() start_date!: string;
  @CalendarDate() end_date!: string;
  @OrNull(
    CalendarDate({
      description: 'The period whose index is 100; null in segments without the one asked for',
    }),
  )
  base!: string | null;
}

class ExplainedPrice {
  @Uuid() uuid!: string;
  @Decimal({ description: 'Of the period, not rounded' }) value!: number;
  @OrNull(Decimal({ description: 'Of `linked_from`, where the index compares both' }))
  before!: number | null;
}

/** What a period of a group was calculated from, as responses show it. */
@ApiSchema({ name: 'AggregateExplanation' })
export class PeriodExplanation {
  @ArrayOf(Nested(ExplainedPrice)) prices!: ExplainedPrice[];
  @OrNull(CalendarDate()) linked_from!: string | null;
  @OrNull(
    Decimal({
      description: 'The index of `linked_from`, not scaled; 100 where a segment begins',
    }),
  )
  linked_value!: number | null;
  @OrNull(Decimal({ description: 'What the index is multiplied by so that `base` is 100' }))
  scale!: number | null;
}

const dateOf = (month: number) => isoFromDay(firstDayOfMonth(month));

/** The observations of one group. The index is chained over all periods, whichever are shown. */
export class GroupCalculation {
  private constructor(
    private readonly prices: GroupPrices,
    /** Oldest first, one for each period of the span. */
    private readonly chain: readonly IndexPoint[],
    /** By segment, what its values are multiplied by; NaN in segments without the base. */
    private readonly scales: ReadonlyMap<number, number>,
    readonly segments: readonly Segment[],
  ) {}

  /** Chains the index, in steps between which other work gets its turn. */
  static async of(
    prices: GroupPrices,
    settings: AggregateSettings,
    timeSlice: TimeSlice,
  ): Promise<GroupCalculation> {
    const chain: IndexPoint[] = [];
    const { span } = prices;
    const months = monthsPerPeriod(settings.periodicity);
    if (span !== null)
      for (const point of chainedIndex(prices.columns, { ...span, months }, settings.min_matched)) {
        chain.push(point);
        await timeSlice.yield();
      }
    const baseMonth = baseMonthOf(settings);
    const asked = chain.find(({ month, segment }) => month === baseMonth && segment !== null);
    const segments: Segment[] = [];
    const scales = new Map<number, number>();
    for (const { month, segment } of chain) {
      if (segment === null) continue;
      const date = dateOf(month);
      const known = segments[segment - 1];
      if (known !== undefined) {
        known.end_date = date;
      } else {
        const base = baseMonth === null ? date : asked?.segment === segment ? dateOf(asked.month) : null;
        segments.push({ segment, start_date: date, end_date: date, base });
        // A segment begins at 100.
        scales.set(segment, base === null ? NaN : 100 / (asked?.value ?? 100));
      }
    }
    return new GroupCalculation(prices, chain, scales, segments);
  }

  /**
   * The observations of the range, newest first: one for each period with a price.
   * @param uuidAt for the names of the series; null where they are not asked for
   */
  async *observations(
    { from, to, latest }: ObservationRange,
    uuidAt: ((row: number) => string) | null,
    timeSlice: TimeSlice,
  ): AsyncGenerator<AggregateObservation> {
    let count = 0;
    for (let index = this.chain.length - 1; index >= 0 && count < latest; index--) {
      const point = this.chain[index]!;
      const day = firstDayOfMonth(point.month);
      if (day > to) continue;
      if (day < from) return;
      const observation = this.observation(point, uuidAt);
      await timeSlice.yield();
      if (observation === null) continue;
      count++;
      yield observation;
    }
  }

  /** What a period was calculated from, with the rows of its series. */
  explanation(month: number, uuidAt: (row: number) => string): PeriodExplanation & { rows: number[] } {
    const { linkedFrom, segment } = this.chain.find((point) => point.month === month)!;
    const { rows, values } = this.prices.at(month);
    const earlier = linkedFrom === null ? { rows: [], values: [] } : this.prices.at(linkedFrom);
    const before = new Map(earlier.rows.map((row, index) => [row, earlier.values[index]!]));
    const linked = this.chain.find((point) => point.month === linkedFrom);
    const scale = segment === null ? NaN : this.scales.get(segment)!;
    return {
      rows,
      prices: rows.map((row, index) => ({
        uuid: uuidAt(row),
        value: values[index]!,
        before: before.get(row) ?? null,
      })),
      linked_from: linkedFrom === null ? null : dateOf(linkedFrom),
      linked_value: segment === null ? null : (linked?.value ?? 100),
      scale: Number.isNaN(scale) ? null : scale,
    };
  }

  /** A period; null where no series has a price. */
  private observation(
    { month, value, segment, linkedFrom, matched }: IndexPoint,
    uuidAt: ((row: number) => string) | null,
  ): AggregateObservation | null {
    const { rows, values } = this.prices.at(month);
    const leftOut = this.prices.leftOutAt(month);
    const n = values.length;
    if (n + leftOut.length === 0) return null;
    const reasons: AggregateObservation['reasons'] = {};
    const statistics = n === 0 ? null : groupStatistics(values);
    const shown = (name: keyof GroupStatistics): number | null => {
      if (statistics !== null) return toSignificantDigits(statistics[name]);
      reasons[name] = leftOut[0]![0];
      return null;
    };
    const levels = { median: shown('median'), mean: shown('mean'), min: shown('min'), max: shown('max') };
    const index = segment === null ? NaN : value * this.scales.get(segment)!;
    if (segment === null) reasons.index = reasons.median ?? 'chain_broken';
    else if (Number.isNaN(index)) reasons.index = 'other_segment';
    // The first segment has nothing that it could be linked to.
    if (segment !== null && segment > 1 && linkedFrom === null) reasons.linked_from = 'chain_broken';
    return {
      date: dateOf(month),
      ...levels,
      n,
      index: Number.isNaN(index) ? null : toSignificantDigits(index),
      linked_from: linkedFrom === null ? null : dateOf(linkedFrom),
      n_matched: matched,
      segment,
      left_out: Object.fromEntries(leftOut),
      reasons,
      ...(uuidAt === null
        ? {}
        : {
            series: rows.map(uuidAt),
            matched: linkedFrom === null ? null : this.matchedRows(rows, linkedFrom).map(uuidAt),
          }),
    };
  }

  private matchedRows(rows: readonly number[], linkedFrom: number): number[] {
    const earlier = new Set(this.prices.at(linkedFrom).rows);
    return rows.filter((row) => earlier.has(row));
  }
}
