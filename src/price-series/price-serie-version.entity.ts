import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { RequiredTextColumn, SinceColumn } from '../database/columns.js';

/** What a series was before it was changed or removed. Its records may have gone, too. */
@Entity('price_serie_version', { withoutRowid: true })
@Index('ix_price_serie_version_uuid', ['uuid'])
export class PriceSerieVersion {
  @PrimaryColumn({ type: 'integer' }) id!: number;
  /** The revision that replaced or removed the series. */
  @PrimaryColumn({ type: 'integer' }) until!: number;
  @SinceColumn() since!: number;
  @RequiredTextColumn(36) uuid!: string;
  @Column({ type: 'integer' }) commodity_id!: number;
  @Column({ type: 'integer' }) price_type_id!: number;
  @Column({ type: 'integer' }) market_id!: number;
  @Column({ type: 'integer' }) source_id!: number;
  @Column({ type: 'integer' }) measure_unit_id!: number;
  @RequiredTextColumn(3) currency!: string;
  @Column({ type: 'tinyint', default: 0 }) marked_periods!: number;
  @Column({ type: 'tinyint', default: 0 }) status!: number;
}
