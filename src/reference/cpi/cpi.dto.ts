import { QUANTITY } from '../../lib/numbers/quantity.js';
import { CalendarDate, Choice, Decimal, Iso3, RecordId, Text } from '../../platform/validation/fields.js';
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

  @RecordId() cpi_id?: number;
  @Iso3({ required: true }) cpi_iso3_country_code!: string;
  @CalendarDate({ required: true, firstOfMonth: true, example: '2026-10-01' }) cpi_date!: string;
  @Choice(CPI_ITEMS) cpi_item?: Cpi['item'];
  @Decimal({ ...QUANTITY, above: undefined, orZero: true, required: true, example: 148.3 })
  cpi_value!: number;
  @Text(20, { required: true, example: '2019', isCode: true }) cpi_base_period!: string;
  @Text(200) cpi_source?: string;
}
