import { QUANTITY } from '../../lib/numbers/quantity.js';
import { Optional } from '../../platform/validation/field.js';
import { CalendarDate, Decimal, Id, Iso3, OneOf, Text } from '../../platform/validation/fields.js';
import type { WriteFields } from '../base/write-fields.js';
import { CPI_ITEMS, Cpi } from './cpi.entity.js';

export class CpiDto {
  static readonly entity = Cpi;
  /** Which read field each write field fills. */
  static readonly reads: WriteFields<CpiDto, Cpi> = {
    cpi_id: 'id',
    cpi_iso3_country_code: 'iso3_country_code',
    cpi_date: 'date',
    cpi_item: 'item',
    cpi_value: 'value',
    cpi_base_period: 'base_period',
    cpi_source: 'source',
  };

  @Optional(Id()) cpi_id?: number;
  @Iso3({ example: 'KEN' }) cpi_iso3_country_code!: string;
  @CalendarDate({ firstOfMonth: true, example: '2026-10-01' }) cpi_date!: string;
  @Optional(OneOf(CPI_ITEMS)) cpi_item?: Cpi['item'];
  @Decimal({ ...QUANTITY, above: undefined, orZero: true, example: 148.3 })
  cpi_value!: number;
  @Text(20, { example: '2019', isCode: true }) cpi_base_period!: string;
  @Optional(Text(200)) cpi_source?: string;
}
