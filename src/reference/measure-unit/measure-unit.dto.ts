import { UNIT_DIMENSIONS, type UnitDimension } from '../../lib/codes/measure-units.js';
import { QUANTITY } from '../../lib/numbers/quantity.js';
import { Optional, OrNull } from '../../platform/validation/field.js';
import { Decimal, Id, OneOf, Text } from '../../platform/validation/fields.js';
import type { WriteFields } from '../base/write-fields.js';
import { MeasureUnit } from './measure-unit.entity.js';

export class MeasureUnitDto {
  static readonly entity = MeasureUnit;
  /** Which read field each write field fills. */
  static readonly reads: WriteFields<MeasureUnitDto, MeasureUnit> = {
    measure_unit_id: 'id',
    measure_unit_name: 'name',
    measure_unit_dimension: 'dimension',
    measure_unit_conversion_factor: 'conversion_factor',
  };

  @Optional(Id()) measure_unit_id?: number;
  @Text(100, { example: '90 kg' }) measure_unit_name!: string;
  @Optional(OneOf(UNIT_DIMENSIONS, { example: 'mass' })) measure_unit_dimension?: UnitDimension;
  @Optional(OrNull(Decimal({ ...QUANTITY, example: 0.0111111111111111 }))) measure_unit_conversion_factor?:
    number | null;
}
