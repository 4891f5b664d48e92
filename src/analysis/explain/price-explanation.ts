import { Injectable } from '@nestjs/common';
import { isoFromDay, monthOf } from '../../lib/dates/calendar-date.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import { MONTHLY } from '../../price-series/periodicity.js';
import { UsedIndex } from '../../prices/derive/rate-records.js';
import { PointExplanations, RateExplanation } from '../../prices/explain/point-explanation.js';
import { StoredPointPart } from '../../prices/explain/stored-parts.js';
import {
  type PastState,
  PriceLoader,
  type PriceSnapshot,
  type SeriesPoints,
} from '../../prices/read/price-loader.js';
import { DOLLAR_COUNTRY, type Measure, type MonthlyPriceColumns } from '../price-columns.js';
import { ApiSchema, ArrayOf, Nested, OrNull, WithSchema } from '../../platform/validation/field.js';
import { CalendarDate, Count, Decimal, Text, Uuid } from '../../platform/validation/fields.js';

/**
 * What one monthly price was made of. Members of conversions that the calculation does not use are
 * null, as are those of conversions that cannot be made.
 */
@ApiSchema()
export class PriceExplanation {
  @CalendarDate() readonly date!: string;
  @Decimal({ description: 'The mean of the stored prices × their factors' })
  readonly price_value!: number;
  @Count({ description: 'Stored prices' }) readonly n!: number;
  @ArrayOf(Nested(StoredPointPart)) readonly stored_points!: readonly StoredPointPart[];
  /** price_value ÷ rate */
  @OrNull(Decimal({ description: 'Null where no dollars are used' }))
  readonly price_value_dollar!: number | null;
  @OrNull(Nested(RateExplanation)) readonly exchange_rate!: RateExplanation | null;
  /** price_value × 100 ÷ (value × factor of the link of the index) */
  @OrNull(Decimal({ description: 'Null where no real prices are used' }))
  readonly price_value_real!: number | null;
  @OrNull(Nested(UsedIndex)) readonly index!: UsedIndex | null;
  /** The index of the United States, which turns dollars into real dollars. */
  @OrNull(Nested(UsedIndex)) readonly us_index!: UsedIndex | null;
  /** Per unit or × `unit_factor`. */
  @OrNull(Decimal({ description: 'As `measure` and `per` say' })) readonly value!: number | null;
}

/** Monthly prices of one series with what they were made of. */
@ApiSchema()
export class SeriesExplanation {
  @Uuid() readonly uuid!: string;
  @Text() readonly currency!: string;
  @Text() readonly measure_unit!: string;
  /** Null where it is unknown. */
  @OrNull(Decimal({ description: 'Price × factor = price per kilogram or litre' }))
  readonly unit_factor!: number | null;
  @ArrayOf(Nested(PriceExplanation), { description: 'All that are used, oldest first' })
  readonly prices!: readonly PriceExplanation[];
}

const formulas = {
  type: 'object',
  description: 'How each number is made, in the names of its explanation',
  additionalProperties: { type: 'string' },
};

/** How numbers are made, by the names that explanations give them. */
export const Formulas = () => WithSchema<Readonly<Record<string, string>>>(formulas);

/** The monthly prices of a series that are to be explained. */
interface ExplainedPrices {
  readonly series: SeriesPoints;
  readonly columns: MonthlyPriceColumns;
  readonly measure: Measure;
  /** Whether real prices are used although the measure is another. */
  readonly real: boolean;
  /** Month numbers, in any order; months without a price are left out. */
  readonly months: ReadonlySet<number>;
}

/** Tells what monthly prices were made of: for indicators and what puts series together. */
@Injectable()
export class PriceExplanations {
  constructor(
    private readonly loader: PriceLoader,
    private readonly points: PointExplanations,
  ) {}

  /**
   * What monthly prices of a series were made of.
   * @param state that the series was loaded at
   * @throws Unavailable where the data change too fast
   */
  read(state: PastState, prices: ExplainedPrices, signal: AbortSignal): Promise<SeriesExplanation> {
    return this.loader.consistently(signal, state, (snapshot) => this.explain(snapshot, prices, signal));
  }

  /** @returns null where the database is at another revision */
  private async explain(
    snapshot: PriceSnapshot,
    { series, columns, measure, real, months }: ExplainedPrices,
    signal: AbortSignal,
  ): Promise<SeriesExplanation | null> {
    const { conversion } = series.context;
    const uuid = series.context.catalogue.uuidAt(series.context.row);
    const { catalogue } = snapshot;
    const row = catalogue.find(uuid)!;
    const points = pricesOf(series, months);
    const conversions = {
      rates: measure === 'usd' || measure === 'real_usd',
      indices: real || measure === 'real',
    };
    const served = { row, period: MONTHLY, points, conversion } as const;
    const explained = await this.points.explain(snapshot, served, conversions, signal);
    const usIndices =
      measure === 'real_usd'
        ? await this.points.indices(snapshot, DOLLAR_COUNTRY)
        : new Map<number, UsedIndex>();
    if (explained === null || usIndices === null) return null;
    const prices = points.map(({ day, price }, at): PriceExplanation => {
      const month = monthOf(day);
      const { stored_points, exchange_rate, index } = explained[at]!;
      return {
        date: isoFromDay(day),
        price_value: price,
        n: stored_points.length,
        stored_points,
        price_value_dollar: exchange_rate && conversion.dollar(price, MONTHLY, day),
        exchange_rate,
        price_value_real: index && conversion.real(price, MONTHLY, day),
        index,
        us_index: usIndices.get(month) ?? null,
        value: columns.measured.has(month) ? columns.measured.at(month) : null,
      };
    });
    const { name: measure_unit, conversion_factor: unit_factor } = catalogue.referenceAt('measure_unit', row);
    const currency = catalogue.currencyAt(row);
    return { uuid, currency, measure_unit, unit_factor, prices };
  }
}

/** The monthly prices of a series in some months, oldest first. */
function pricesOf({ points }: SeriesPoints, months: ReadonlySet<number>): { day: number; price: number }[] {
  const [, , monthly] = points;
  const prices: { day: number; price: number }[] = [];
  for (let index = monthly.begin; index < monthly.end; index++) {
    const [day, price] = [monthly.days[index]!, monthly.values[index]!];
    if (price > 0 && months.has(monthOf(day))) prices.push({ day, price });
  }
  return prices;
}

/** The JSON of explanations, made in steps: a series may be made of thousands of stored points. */
export async function seriesExplanationsJson(explained: readonly SeriesExplanation[]): Promise<string> {
  const timeSlice = new TimeSlice();
  const texts: string[] = [];
  for (const { prices, ...series } of explained) {
    const items: string[] = [];
    for (const price of prices) {
      items.push(JSON.stringify(price));
      await timeSlice.yield();
    }
    texts.push(`${JSON.stringify(series).slice(0, -1)},"prices":[${items.join(',')}]}`);
  }
  return `[${texts.join(',')}]`;
}
