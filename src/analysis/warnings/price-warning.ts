import { ALPS_CLASSES, type AlpsClass } from '../methods/alps.js';
import { IFPA_CLASSES, type IfpaClass } from '../methods/ifpa.js';
import { ApiSchema, ArrayOf, Nested, Optional, OrNull, RecordOf } from '../../platform/validation/field.js';
import {
  CalendarDate,
  Count,
  Decimal,
  Id,
  Iso3,
  OneOf,
  Text,
  Uuid,
} from '../../platform/validation/fields.js';

/** The classes that are counted, in the order of replies. */
export const COUNTED_IFPA = [...IFPA_CLASSES, 'undefined'] as const;
export const COUNTED_ALPS = [...ALPS_CLASSES, 'undefined'] as const;

/** For how many months in a row a share has been high. */
export class Persistence {
  @Count() ifpa!: number;
  @Count() alps!: number;
}

/** A series of a warning. */
export class WarningSeries {
  @Uuid() uuid!: string;
  @Text() commodity!: string;
  @Text() market!: string;
  @CalendarDate() date!: string;
  @Decimal() ifpa!: number;
  @OneOf(IFPA_CLASSES) ifpa_class!: IfpaClass;
  @OrNull(OneOf(ALPS_CLASSES)) alps_class!: AlpsClass | null;
}

/** The warnings of a group and month, as replies show them. */
@ApiSchema()
export class PriceWarning {
  @Iso3() iso3_country_code!: string;
  @Text() country_name!: string;
  @Optional(Text()) category?: string;
  @Optional(Id()) commodity_id?: number;
  @Optional(Text()) commodity?: string;
  @Text({ description: '`YYYY-MM`' }) month!: string;
  @Count({ description: 'Series with a price in the month or before' }) series!: number;
  @Count({ description: 'Series whose newest price is of this month or the two before' }) fresh!: number;
  @Count({ description: 'Markets of the fresh series' }) markets!: number;
  @RecordOf(COUNTED_IFPA, Count(), { description: 'Fresh series by the class of their IFPA' })
  ifpa!: Readonly<Record<(typeof COUNTED_IFPA)[number], number>>;
  @RecordOf(COUNTED_ALPS, Count(), { description: 'Fresh series by the class of their ALPS' })
  alps!: Readonly<Record<(typeof COUNTED_ALPS)[number], number>>;
  @OrNull(Decimal({ description: 'Of the series with an IFPA; null where these are fewer than three' }))
  share_high!: number | null;
  @OrNull(
    Decimal({
      description:
        'Share of `alert` and `crisis` of the series with ALPS; null where these are fewer than three',
    }),
  )
  share_alert_or_worse!: number | null;
  @Nested(Persistence, {
    description:
      'Months in a row, up to this one, with a `share_high`, a `share_alert_or_worse` of at least 0.25',
  })
  persistence!: Persistence;
  @ArrayOf(Nested(WarningSeries), {
    description: 'The five fresh series with the highest IFPA, with the month of their newest price',
  })
  top!: WarningSeries[];
  @Count({ description: 'Fresh series with a class, by IFPA or ALPS' }) rated!: number;
  @Count({
    description: 'Of the rated series, those whose price is high: IFPA `high`, or ALPS `alert` or `crisis`',
  })
  high!: number;
}
