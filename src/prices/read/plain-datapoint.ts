import { type PeriodName, periodNames } from '../../price-series/periodicity.js';
import { Constant, Optional, OrNull } from '../../platform/validation/field.js';
import { CalendarDate, Decimal, OneOf, Text, WideCount } from '../../platform/validation/fields.js';

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

/** The same with what is known of how it was derived. */
export class MarkedDatapoint extends PlainDatapoint {
  @Optional(Constant(true)) calculated?: true;
  @Optional(Constant(true)) partial?: true;
  /** Where its source calls it provisional. */
  @Optional(Constant(true)) provisional?: true;
}
