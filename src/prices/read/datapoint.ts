import { RATE_BASES, type RateBasis } from '../derive/currency-rates.js';
import { PointExplanation } from '../explain/point-explanation.js';
import { ApiSchema, ArrayOf, Nested, Optional, OrNull } from '../../platform/validation/field.js';
import { OneOf, Text, Uuid } from '../../platform/validation/fields.js';
import { MarkedDatapoint } from './plain-datapoint.js';
import { PricedSerie } from './priced-serie.js';

/** A point of a series, with what may be asked for. */
@ApiSchema()
export class Datapoint extends MarkedDatapoint {
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
  @Nested(PricedSerie) series!: PricedSerie;
  @ArrayOf(Nested(Datapoint)) datapoints!: Datapoint[];
}
