import { AggregateSettings } from './aggregate-settings.js';
import { AggregateObservation, PeriodExplanation, Segment } from './group-calculation.js';
import { Formulas, SeriesExplanation } from '../explain/price-explanation.js';
import { SharedBase } from '../shared-base.js';
import { ApiSchema, ArrayOf, Nested, Optional, OrNull } from '../../platform/validation/field.js';
import { Count, Id, Iso3, Text } from '../../platform/validation/fields.js';

/** The settings with the version of the method. */
@ApiSchema({ name: 'AggregateSettings' })
class ShownAggregateSettings extends AggregateSettings {
  @Count({ description: 'Grows when the same prices give other numbers' }) method_version!: number;
}

/** An observation, with what it was calculated from. */
@ApiSchema()
class Aggregate extends AggregateObservation {
  @Optional(Nested(PeriodExplanation)) explain?: PeriodExplanation;
}

/** What the observations of a group were calculated from. */
@ApiSchema({ name: 'GroupExplanation' })
class ShownGroupExplanation {
  @Formulas() formulas!: Readonly<Record<string, string>>;
  @ArrayOf(Nested(SeriesExplanation)) series!: SeriesExplanation[];
}

/** A group with its observations, as replies show it. */
@ApiSchema()
export class AggregateGroup {
  @Optional(Iso3()) iso3_country_code?: string;
  @Optional(Text()) country_name?: string;
  @Optional(Text()) admin_unit?: string;
  @Optional(Text({ description: 'Name of the market' })) market?: string;
  @Optional(Id()) market_id?: number;
  @Optional(Text({ description: 'Name of the commodity' })) commodity?: string;
  @Optional(Id()) commodity_id?: number;
  @Optional(Text()) category?: string;
  @Optional(Text({ description: 'Name of the source' })) source?: string;
  @Optional(Id()) source_id?: number;
  @Optional(Text({ description: 'Name of the price type' })) price_type?: string;
  @Optional(Id()) price_type_id?: number;
  @Text({ description: '`USD` unless `measure` is `nominal` or `real`' }) currency!: string;
  @OrNull(Text({ description: 'Null where the prices cannot be converted to kilograms or litres' }))
  unit!: string | null;
  @SharedBase() index_base?: string | null;
  @Nested(ShownAggregateSettings) settings!: ShownAggregateSettings;
  @ArrayOf(Nested(Segment)) segments!: Segment[];
  @ArrayOf(Nested(Aggregate)) observations!: Aggregate[];
  @Optional(Nested(ShownGroupExplanation)) explain?: ShownGroupExplanation;
}
