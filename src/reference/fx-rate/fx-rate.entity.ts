import { Entity, Index } from 'typeorm';
import { ParseError } from '../../platform/validation/parsers.js';
import { DateColumn, NumberColumn, RequiredTextColumn, TextColumn } from '../../database/columns.js';
import { ReferenceEntity } from '../base/reference.entity.js';

export const RATE_PERIODS = ['daily', 'monthly'] as const;
export const RATE_TYPES = ['official', 'parallel'] as const;

/**
 * An exchange rate: units of the currency per US dollar. A monthly rate is the average of the month
 * and dated its first day.
 */
@Entity('fx_rate')
@Index('uq_fx_rate', ['currency', 'rate_type', 'period', 'date'], { unique: true })
export class FxRate extends ReferenceEntity {
  static override readonly area = 'rates';
  static override readonly correctedColumn = 'rate';

  @RequiredTextColumn(3) currency!: string;
  @DateColumn() date!: string;
  @TextColumn(10, { default: 'monthly' }) period!: (typeof RATE_PERIODS)[number];
  @NumberColumn() rate!: number;
  @TextColumn(10, { default: 'official' }) rate_type!: (typeof RATE_TYPES)[number];
  /** Who has published it. */
  @TextColumn(200) source!: string;

  static override validate({ period, date }: FxRate) {
    if (period !== 'monthly' || date.endsWith('-01')) return [];
    return [
      {
        field: 'date',
        error: new ParseError('invalid_date', 'must be the first day of a month for a monthly rate.'),
      },
    ];
  }
}
