import { RATE_BASES, type RateBasis } from '../derive/currency-rates.js';
import { PointExplanation } from '../explain/point-explanation.js';
import { type PeriodName, periodNames } from '../../price-series/periodicity.js';
import { SeriesEntry } from '../../price-series/price-serie.view.js';
import { ApiSchema, ArrayOf, Constant, Nested, Optional, OrNull } from '../../platform/validation/field.js';
import { CalendarDate, Decimal, OneOf, Text, Uuid, WideCount } from '../../platform/validation/fields.js';

/** A point of a series as FPMA's tool shows it; `datapoint.view.ts` writes its bytes. */
export class PlainDatapoint {
  @WideCount({ description: 'Stable on one server' }) id!: number;
  @Decimal() price_value!: number;
  @OrNull(
    Decimal({
      description:
        'Real price, in terms of the latest base period of the consumer price index that it can be linked to',
    }),
  )
  price_value_real!: number | null;
  @OrNull(Decimal({ description: 'Price in US dollars' })) price_value_dollar!: number | null;
  @OrNull(Decimal({ description: 'Price × factor = price per kilogram or litre' }))
  conversion_factor!: number | null;
  @CalendarDate() date!: string;
  @OneOf(periodNames) periodicity!: PeriodName;
  @Text() comment!: string;
}

/** A point of a series, with what may be asked for. */
@ApiSchema()
export class Datapoint extends PlainDatapoint {
  @Optional(Constant(true)) calculated?: true;
  @Optional(Constant(true)) partial?: true;
  @Optional(ArrayOf(Text(), { description: 'Rules with open findings, with `flags=true`' }))
  flags?: readonly string[];
  @Optional(
    OrNull(
      OneOf(RATE_BASES, {
        typed: false,
        description: 'What the price in dollars is based on; null where there is no rate. On request.',
      }),
    ),
  )
  rate_basis?: RateBasis | null;
  @Optional(
    OrNull(
      Text({
        description:
          'Base period that the real price is in terms of; null where there is no index. On request.',
      }),
    ),
  )
  index_base?: string | null;
  @Optional(Nested(PointExplanation)) explain?: PointExplanation;
}

/** A series with its points. */
@ApiSchema()
export class SeriePrices {
  @Uuid() uuid!: string;
  @Nested(SeriesEntry) series!: SeriesEntry;
  @ArrayOf(Nested(Datapoint)) datapoints!: Datapoint[];
}
