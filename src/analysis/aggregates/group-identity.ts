import { Optional, OrNull } from '../../platform/validation/field.js';
import { Id, Iso3, Text } from '../../platform/validation/fields.js';
import { SharedBase } from '../shared-base.js';

/** What a group of series is identified by, as replies show it. */
export class GroupIdentity {
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
}
