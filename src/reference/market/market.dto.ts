import { Optional, OrNull } from '../../platform/validation/field.js';
import { Decimal, Flag, Id, Iso3, Text } from '../../platform/validation/fields.js';
import type { WriteFields } from '../base/write-fields.js';
import { Market } from './market.entity.js';

export class MarketDto {
  static readonly entity = Market;
  /** Which read field each write field fills. */
  static readonly reads: WriteFields<MarketDto, Market> = {
    market_id: 'id',
    market_name: 'name',
    market_type: 'type',
    market_code: 'code',
    market_iso3_country_code: 'iso3_country_code',
    market_country_name: 'country_name',
    market_admin_unit: 'admin_unit',
    market_admin_unit2: 'admin_unit2',
    market_latitude: 'latitude',
    market_longitude: 'longitude',
    market_info: 'info',
    market_regional_average: 'regional_average',
  };

  @Optional(Id()) market_id?: number;
  @Text(200, { example: 'Wakulima' }) market_name!: string;
  @Optional(Text(100)) market_type?: string;
  @Optional(Text(50, { isCode: true })) market_code?: string;
  @Iso3({ example: 'KEN' }) market_iso3_country_code!: string;
  @Optional(Text(200)) market_country_name?: string;
  @Optional(Text(150, { example: 'Nairobi' })) market_admin_unit?: string;
  @Optional(Text(150)) market_admin_unit2?: string;
  @Optional(OrNull(Decimal({ atLeast: -90, atMost: 90 }))) market_latitude?: number | null;
  @Optional(OrNull(Decimal({ atLeast: -180, atMost: 180 }))) market_longitude?: number | null;
  @Optional(Text(2000)) market_info?: string;
  @Optional(Flag()) market_regional_average?: boolean;
}
