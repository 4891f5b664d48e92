import { Optional, OrNull } from '../../platform/validation/field.js';
import { Digits, Id, Text } from '../../platform/validation/fields.js';
import type { WriteFields } from '../base/write-fields.js';
import { Commodity } from './commodity.entity.js';

export class CommodityDto {
  static readonly entity = Commodity;
  /** Which read field each write field fills. */
  static readonly reads: WriteFields<CommodityDto, Commodity> = {
    commodity_id: 'id',
    commodity_name: 'name',
    commodity_hs_code: 'hs_code',
    commodity_category: 'category',
  };

  @Optional(Id()) commodity_id?: number;
  @Text(200, { example: 'Rice (Basmati, broken)' }) commodity_name!: string;
  @Optional(OrNull(Digits(2, 12, { evenUpTo: 6, example: '1006' }))) commodity_hs_code?: string | null;
  @Optional(Text(100)) commodity_category?: string;
}
