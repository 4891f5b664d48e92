import { SeriesEntry } from '../../price-series/price-serie.view.js';
import { ApiSchema, Optional } from '../../platform/validation/field.js';
import { Text } from '../../platform/validation/fields.js';

/** The series beside its prices: the last five fields are there where `fields` names them. */
@ApiSchema({ name: 'PricedSerie' })
export class PricedSerie extends SeriesEntry {
  @Optional(Text({ description: 'Code of the market; only where `fields` names it' }))
  market_code?: string;
  @Optional(Text({ description: 'Only where `fields` names it' })) market_info?: string;
  @Optional(Text({ description: 'Only where `fields` names it' })) source_url?: string;
  @Optional(Text({ description: 'Only where `fields` names it' })) source_license?: string;
  @Optional(Text({ description: 'Of the unit: only where `fields` names it' }))
  measure_unit_dimension?: string;
}
