import { SeriesEntry } from '../../price-series/price-serie.view.js';
import { IndicatorSettings } from './indicator-settings.js';
import { ExplainedObservation, ExplainedYear, IndicatorsExplanation } from './explained-indicators.js';
import {
  ApiSchema,
  ArrayOf,
  Nested,
  Optional,
  OrNull,
  WithSchema,
  schemaOf,
} from '../../platform/validation/field.js';
import { Count, Decimal, Flag, Uuid } from '../../platform/validation/fields.js';
import { IntersectionType } from '../../platform/validation/mapped-types.js';
import { Observation } from './indicator-fields.js';

/** The settings with what else decides the numbers. */
@ApiSchema({ name: 'IndicatorSettings' })
class ShownIndicatorSettings extends IndicatorSettings {
  @Flag() annual!: boolean;
  @Count({ description: 'Grows when the same prices give other numbers' }) method_version!: number;
}

class SeasonalPattern {
  @OrNull(ArrayOf(Decimal()), { description: 'Of January to December; 1 on average' })
  index!: number[] | null;
  @OrNull(ArrayOf(Decimal()), {
    description: 'The standard deviation of what each index is the mean of',
  })
  sd!: number[] | null;
  @OrNull(Count({ description: 'Years that each index is the mean of, at least' }))
  years!: number | null;
}

/** The indicators of one series, as replies show them. */
@ApiSchema()
export class SerieIndicators {
  @Uuid() uuid!: string;
  @Nested(SeriesEntry) series!: SeriesEntry;
  @Nested(ShownIndicatorSettings) settings!: ShownIndicatorSettings;
  @Nested(SeasonalPattern) seasonal!: SeasonalPattern;
  @ArrayOf(
    WithSchema<ExplainedObservation | ExplainedYear>({
      oneOf: [schemaOf(ExplainedObservation), schemaOf(ExplainedYear)],
    }),
  )
  observations!: (ExplainedObservation | ExplainedYear)[];
  @Optional(Nested(IndicatorsExplanation)) explain?: IndicatorsExplanation;
}

class IndicatedSeries {
  @Uuid() uuid!: string;
  @Nested(SeriesEntry) series!: SeriesEntry;
  @Flag({ description: 'The newest month is within two months of that of the source' })
  fresh!: boolean;
}

/** The newest indicators of a series, as lists show them. */
@ApiSchema()
export class SerieIndicator extends IntersectionType(IndicatedSeries, Observation) {}
