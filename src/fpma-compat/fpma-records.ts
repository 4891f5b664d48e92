import { type PeriodName, periodNames } from '../price-series/periodicity.js';
import { PlainDatapoint } from '../prices/read/plain-datapoint.js';
import { ApiSchema, ArrayOf, Constant, Nested, Optional, OrNull } from '../platform/validation/field.js';
import {
  CalendarDate,
  CurrencyCode,
  Decimal,
  Id,
  Iso3,
  OneOf,
  Text,
  Uuid,
} from '../platform/validation/fields.js';

/** A periodicity item with its keys in FPMA's order. */
@ApiSchema()
export class FpmaPeriod {
  @OneOf(periodNames) period!: PeriodName;
  @CalendarDate() end_date!: string;
  @Optional(Constant(true)) calculated?: true;
  @CalendarDate() start_date!: string;
}

/** A series as FAO's live FPMA tool shows it: 27 keys, in FPMA's order. */
@ApiSchema()
export class FpmaSerie {
  @Uuid() uuid!: string;
  @Iso3() iso3_country_code!: string;
  @Text() country_name!: string;
  @ArrayOf(Nested(FpmaPeriod)) periodicity!: FpmaPeriod[];
  @Id() market!: number;
  @Text() market_name!: string;
  @Text() market_info!: string;
  @Text() market_type!: string;
  @Text() admin_unit!: string;
  @Text() admin_unit2!: string;
  @Id() commodity!: number;
  @Text() commodity_name!: string;
  @Constant('') commodity_info!: '';
  @Constant(null) commodity_image!: null;
  @Text({ description: '`{HS code}_{id}`, or `C_{id}` if there is no HS code' })
  commodity_code!: string;
  @Constant(1) commodity_start_date!: 1;
  @Constant('') alternative_code!: '';
  @Constant('') alternative_name!: '';
  @Id() source!: number;
  @Text() source_name!: string;
  @Text() source_url!: string;
  @Id() price_type_id!: number;
  @Text() price_type!: string;
  @CurrencyCode() currency!: string;
  @Id() measure_unit!: number;
  @Text() measure_unit_label!: string;
  @OrNull(Decimal({ description: 'Null unless the unit is a unit of mass' }))
  conversion_factor!: number | null;
}

/** A point of a series. */
@ApiSchema()
export class FpmaDatapoint extends PlainDatapoint {}

/** A series with its points. */
@ApiSchema()
export class FpmaSeriePrices {
  @Uuid() uuid!: string;
  @ArrayOf(Nested(FpmaDatapoint)) datapoints!: FpmaDatapoint[];
}
