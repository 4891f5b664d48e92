import { Entity, Index } from 'typeorm';
import { DateColumn, NumberColumn, RequiredTextColumn, TextColumn } from '../../database/columns.js';
import { ReferenceEntity } from '../base/reference.entity.js';

export const CPI_ITEMS = ['general', 'food'] as const;

/** A monthly value of a country's consumer price index, dated the first day of the month. */
@Entity('cpi')
@Index('uq_cpi', ['iso3_country_code', 'item', 'base_period', 'date'], { unique: true })
export class Cpi extends ReferenceEntity {
  static override readonly area = 'rates';
  static override readonly correctedColumn = 'value';

  @RequiredTextColumn(3) iso3_country_code!: string;
  @DateColumn() date!: string;
  @TextColumn(10, { default: 'general' }) item!: (typeof CPI_ITEMS)[number];
  @NumberColumn() value!: number;
  /** The period in which the index is 100, for example `2015`. */
  @RequiredTextColumn(20) base_period!: string;
  /** Who has published it. */
  @TextColumn(200) source!: string;
}
