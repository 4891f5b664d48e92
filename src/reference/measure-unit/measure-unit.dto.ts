import { UNIT_DIMENSIONS, type UnitDimension } from '../../lib/codes/measure-units.js';
import { QUANTITY } from '../../lib/numbers/quantity.js';
import { Choice, Decimal, RecordId, Text } from '../../platform/validation/fields.js';
import type { WriteFields } from '../base/write-fields.js';
import type { MeasureUnit } from './measure-unit.entity.js';

export class MeasureUnitDto {
  /** Which read field each write field fills. */
  static readonly reads: WriteFields<MeasureUnitDto, MeasureUnit> = {
    measure_unit_id: 'id',
    measure_unit_name: 'name',
    measure_unit_dimension: 'dimension',
    measure_unit_conversion_factor: 'conversion_factor',
  };

  @RecordId() measure_unit_id?: number;
  @Text(100, { required: true }) measure_unit_name!: string;
  @Choice(UNIT_DIMENSIONS) measure_unit_dimension?: UnitDimension;
  @Decimal({ ...QUANTITY, nullable: true }) measure_unit_conversion_factor?: number | null;
}
