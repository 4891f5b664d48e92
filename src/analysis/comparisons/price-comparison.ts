import { SeriesEntry } from '../../price-series/price-serie.view.js';
import { Formulas, SeriesExplanation } from '../explain/price-explanation.js';
import { SharedBase } from '../shared-base.js';
import { ComparisonTerms } from './comparability.js';
import { ComparedMonth } from './comparison.service.js';
import { ApiSchema, ArrayOf, Nested, Optional } from '../../platform/validation/field.js';

/** What a comparison was calculated from. */
@ApiSchema()
class ComparisonExplanation {
  @Formulas() formulas!: Readonly<Record<string, string>>;
  @ArrayOf(Nested(SeriesExplanation), { description: 'a and b' }) series!: SeriesExplanation[];
}

/** Two series and their comparison, as replies show it. */
@ApiSchema()
export class PriceComparison extends ComparisonTerms {
  @SharedBase() index_base?: string | null;
  @Nested(SeriesEntry) a!: SeriesEntry;
  @Nested(SeriesEntry) b!: SeriesEntry;
  @ArrayOf(Nested(ComparedMonth)) observations!: ComparedMonth[];
  @Optional(Nested(ComparisonExplanation)) explain?: ComparisonExplanation;
}
