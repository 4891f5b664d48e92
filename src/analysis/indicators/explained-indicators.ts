import { Formulas, SeriesExplanation } from '../explain/price-explanation.js';
import {
  ApiSchema,
  ArrayOf,
  Nested,
  Optional,
  OrNull,
  WithSchema,
  schemaOf,
} from '../../platform/validation/field.js';
import { CalendarDate, Count, Decimal } from '../../platform/validation/fields.js';
import { IntersectionType } from '../../platform/validation/mapped-types.js';
import { AnnualObservation, Observation } from './indicator-fields.js';

const CalendarMonth = () => Count({ description: '1 for January' });

/** A price as it is used, not rounded. */
class UsedPrice {
  @CalendarDate() date!: string;
  @OrNull(Decimal({ description: 'Not rounded; null where the month has none' }))
  value!: number | null;
}

class ExplainedValue {
  @Nested(UsedPrice) price!: UsedPrice;
}

class ExplainedChange extends ExplainedValue {
  @Nested(UsedPrice) before!: UsedPrice;
}

class ExplainedMean {
  @ArrayOf(Nested(UsedPrice), { description: 'Of the years before that have one, newest first' })
  prices!: UsedPrice[];
  @Count() n!: number;
  @OrNull(Decimal({ description: 'Σ prices ÷ n' })) mean!: number | null;
}

class ExplainedAgainstMean extends IntersectionType(ExplainedValue, ExplainedMean) {}

class ExplainedSeason {
  @CalendarMonth() calendar_month!: number;
}

class LogChange extends UsedPrice {
  @OrNull(Decimal({ description: 'Of the month before' })) before!: number | null;
  @Decimal({ description: 'ln value − ln before' }) log_change!: number;
}

class ExplainedVolatility {
  @ArrayOf(Nested(LogChange)) log_changes!: LogChange[];
  @Count() n!: number;
  @Decimal({ description: 'Of the log changes' }) mean!: number;
}

class GrowthRate extends UsedPrice {
  @OrNull(Decimal({ description: 'The price `months` earlier' })) before!: number | null;
  @OrNull(Decimal({ description: 'Per month; null where a price is missing' }))
  growth_rate!: number | null;
}

class WeighedRate extends GrowthRate {
  @Decimal({ description: 'Rank ÷ sum of ranks' }) weight!: number;
}

class GrowthMonths {
  @Count({ description: '3 or 12' }) months!: number;
}

class Growth extends IntersectionType(GrowthMonths, GrowthRate) {
  @ArrayOf(Nested(WeighedRate), {
    description: 'The same calendar month of earlier years, oldest first',
  })
  history!: WeighedRate[];
  @Count({ description: 'Years that have a weight' }) n!: number;
  @Decimal({ description: 'Weighted mean of the history' }) mean!: number;
  @Decimal({ description: 'Its weighted standard deviation' }) sd!: number;
  @Decimal({ description: '(growth_rate − mean) ÷ sd' }) score!: number;
}

@ApiSchema()
class IfpaExplanation {
  @Decimal({ description: 'The weight of the quarterly part' }) gamma!: number;
  @Nested(Growth) quarterly!: Growth;
  @Nested(Growth) annual!: Growth;
  @Decimal({ description: 'Not rounded' }) value!: number;
}

class FittedMonth {
  @CalendarMonth() calendar_month!: number;
  @Count() n!: number;
  @OrNull(Decimal({ description: 'Months since the first fitted one' })) t!: number | null;
  @OrNull(Decimal({ description: 'In the unit of the prices' })) price!: number | null;
  @OrNull(Decimal({ description: '1 from the break on, 0 before' })) after_break!: number | null;
}

class AlpsFit {
  @CalendarDate() first_month!: string;
  @CalendarDate() last_month!: string;
  @Count({ description: 'Fitted months' }) n!: number;
  @Decimal({ description: 'The trend per month' }) alpha!: number;
  @Decimal({ description: 'The level that is added from the break on' }) step!: number;
  @Decimal({ description: 'Standard deviation of the residuals, with divisor n − 1' }) sd!: number;
  @ArrayOf(Nested(FittedMonth), {
    description: 'Means over the fitted months of January to December',
  })
  calendar_months!: FittedMonth[];
}

class ExplainedAlps extends UsedPrice {
  @CalendarMonth() calendar_month!: number;
  @Count({ description: 'Months since the first fitted one' }) t!: number;
  @Count({ description: '1 from the break on, 0 before' }) after_break!: number;
  @Decimal({ description: 'What trend and season let expect' }) expected!: number;
  @Nested(AlpsFit) fit!: AlpsFit;
}

/** What the indicators of a month were calculated from. */
@ApiSchema({ description: 'By field; fields that are null have none' })
class ObservationExplanation {
  @Optional(Nested(ExplainedValue)) value?: ExplainedValue;
  @Optional(Nested(ExplainedChange)) change_1m?: ExplainedChange;
  @Optional(Nested(ExplainedChange)) change_3m?: ExplainedChange;
  @Optional(Nested(ExplainedChange)) change_12m?: ExplainedChange;
  @Optional(Nested(ExplainedMean)) mean_5y?: ExplainedMean;
  @Optional(Nested(ExplainedMean)) mean_5y_years?: ExplainedMean;
  @Optional(Nested(ExplainedAgainstMean)) against_mean_5y?: ExplainedAgainstMean;
  @Optional(Nested(ExplainedSeason)) seasonal_index?: ExplainedSeason;
  @Optional(Nested(ExplainedVolatility)) volatility_12m?: ExplainedVolatility;
  @Optional(Nested(IfpaExplanation)) ifpa?: IfpaExplanation;
  @Optional(Nested(ExplainedAlps)) alps?: ExplainedAlps;
}

class ExplainedMonth {
  @CalendarDate() date!: string;
  @Nested(IfpaExplanation) ifpa!: IfpaExplanation;
}

/** The months that the IFPA of a year is the mean of. */
@ApiSchema()
class YearExplanation {
  @ArrayOf(Nested(ExplainedMonth)) months!: ExplainedMonth[];
}

class SeasonalRatio extends UsedPrice {
  @Decimal({ description: 'Centred, 2 × 12 months' }) moving_average!: number;
  @Decimal({ description: 'value ÷ moving_average' }) ratio!: number;
}

class SeasonalMonth extends ExplainedSeason {
  @ArrayOf(Nested(SeasonalRatio)) ratios!: SeasonalRatio[];
  @Decimal({ description: 'Of the ratios' }) mean!: number;
}

/** What all indicators of a series were calculated from. */
@ApiSchema()
export class IndicatorsExplanation {
  @Formulas() formulas!: Readonly<Record<string, string>>;
  @WithSchema<SeasonalMonth[] | null>({
    type: ['array', 'null'],
    description: 'January to December; null where `seasonal_index` is not asked for or cannot be had',
    items: schemaOf(SeasonalMonth),
  })
  seasonal!: SeasonalMonth[] | null;
  @ArrayOf(Nested(SeriesExplanation)) series!: SeriesExplanation[];
}

/** The indicators of a month, with what they were calculated from. */
@ApiSchema({ name: 'Indicators' })
export class ExplainedObservation extends Observation {
  @Optional(Nested(ObservationExplanation)) explain?: ObservationExplanation;
}

/** The indicator of a year, with what it was calculated from. */
@ApiSchema({ name: 'AnnualIndicator' })
export class ExplainedYear extends AnnualObservation {
  @Optional(Nested(YearExplanation)) explain?: YearExplanation;
}
