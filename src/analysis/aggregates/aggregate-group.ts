import { AggregateSettings } from './aggregate-settings.js';
import { GroupIdentity } from './group-identity.js';
import { AggregateObservation, PeriodExplanation, Segment } from './group-calculation.js';
import { Formulas, SeriesExplanation } from '../explain/price-explanation.js';
import { ApiSchema, ArrayOf, Nested, Optional } from '../../platform/validation/field.js';
import { Count } from '../../platform/validation/fields.js';

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
export class AggregateGroup extends GroupIdentity {
  @Nested(ShownAggregateSettings) settings!: ShownAggregateSettings;
  @ArrayOf(Nested(Segment)) segments!: Segment[];
  @ArrayOf(Nested(Aggregate)) observations!: Aggregate[];
  @Optional(Nested(ShownGroupExplanation)) explain?: ShownGroupExplanation;
}
