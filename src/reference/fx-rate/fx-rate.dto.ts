import { QUANTITY } from '../../lib/numbers/quantity.js';
import { Optional } from '../../platform/validation/field.js';
import { CalendarDate, CurrencyCode, Decimal, Id, OneOf, Text } from '../../platform/validation/fields.js';
import type { WriteFields } from '../base/write-fields.js';
import { RATE_PERIODS, RATE_TYPES, FxRate } from './fx-rate.entity.js';

export class FxRateDto {
  static readonly entity = FxRate;
  /** Which read field each write field fills. */
  static readonly reads: WriteFields<FxRateDto, FxRate> = {
    fx_rate_id: 'id',
    fx_rate_currency: 'currency',
    fx_rate_date: 'date',
    fx_rate_period: 'period',
    fx_rate_rate: 'rate',
    fx_rate_rate_type: 'rate_type',
    fx_rate_source: 'source',
  };

  @Optional(Id()) fx_rate_id?: number;
  @CurrencyCode({ example: 'KES' }) fx_rate_currency!: string;
  @CalendarDate({ example: '2026-10-01' }) fx_rate_date!: string;
  @Optional(OneOf(RATE_PERIODS)) fx_rate_period?: FxRate['period'];
  @Decimal({ ...QUANTITY, example: 129.25 }) fx_rate_rate!: number;
  @Optional(OneOf(RATE_TYPES)) fx_rate_rate_type?: FxRate['rate_type'];
  @Optional(Text(200)) fx_rate_source?: string;
}
