import { SeriesEntry } from '../../price-series/price-serie.view.js';
import { ApiSchema, ArrayOf, Nested, Optional, OrNull } from '../../platform/validation/field.js';
import { CalendarDate, Decimal, Text, Uuid } from '../../platform/validation/fields.js';
import { OmitType, IntersectionType } from '../../platform/validation/mapped-types.js';

class ColumnHead {
  @Uuid() uuid!: string;
  @Text({
    description: 'Country, market, commodity, price type, and what prices are in; unique in the table',
  })
  label!: string;
  @Optional(Text({ description: 'Base period that real prices are in terms of; of real measures only' }))
  index_base?: string;
}

/** A series whose prices are a column. */
@ApiSchema({ name: 'TableColumn' })
class PriceTableColumn extends IntersectionType(ColumnHead, OmitType(SeriesEntry, ['uuid'])) {}

/** A table of prices, as replies show it. */
@ApiSchema({ name: 'PriceTable' })
export class ShownTable {
  @ArrayOf(CalendarDate(), { description: 'Newest first' }) dates!: string[];
  @ArrayOf(Nested(PriceTableColumn)) columns!: PriceTableColumn[];
  @ArrayOf(ArrayOf(OrNull(Decimal({ description: 'Null where there is none' }))), {
    description: 'Of each date the values of the columns, in their order',
  })
  values!: (number | null)[][];
}
