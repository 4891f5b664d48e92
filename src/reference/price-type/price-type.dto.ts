import { Optional } from '../../platform/validation/field.js';
import { Id, Text } from '../../platform/validation/fields.js';
import type { WriteFields } from '../base/write-fields.js';
import { PriceType } from './price-type.entity.js';

export class PriceTypeDto {
  static readonly entity = PriceType;
  /** Which read field each write field fills. */
  static readonly reads: WriteFields<PriceTypeDto, PriceType> = {
    price_type_id: 'id',
    price_type_name: 'name',
    price_type_description: 'description',
  };

  @Optional(Id()) price_type_id?: number;
  // FPMA clients send and compare upper-case names.
  @Text(50, { example: 'FARM GATE', imports: 'in upper case' }) price_type_name!: string;
  @Optional(Text(500)) price_type_description?: string;
}
