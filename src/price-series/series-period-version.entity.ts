import { Column, Entity, PrimaryColumn } from 'typeorm';
import { SinceColumn } from '../database/columns.js';

/** What a periodicity item was before it was changed or removed. Outlives the series. */
@Entity('series_period_version', { withoutRowid: true })
export class SeriesPeriodVersion {
  @PrimaryColumn({ type: 'integer' }) serie_id!: number;
  /** 1 daily, 2 weekly, 3 monthly. */
  @PrimaryColumn({ type: 'tinyint' }) period!: number;
  /** The revision that replaced or removed the item. */
  @PrimaryColumn({ type: 'integer' }) until!: number;
  @SinceColumn() since!: number;
  @Column({ type: 'integer' }) start_day!: number;
  @Column({ type: 'integer' }) end_day!: number;
  @Column({ type: 'boolean', default: false }) calculated!: boolean;
  @Column({ type: 'integer' }) points!: number;
}
