import { Column, Entity, PrimaryColumn } from 'typeorm';
import { SinceColumn } from '../../database/columns.js';

/**
 * What a point was before it was changed or removed. Only superseded versions are stored here. Has
 * no foreign key: it outlives the series.
 */
@Entity('observation_version', { withoutRowid: true })
export class ObservationVersion {
  @PrimaryColumn({ type: 'integer' }) serie_id!: number;
  /** 1 daily, 2 weekly, 3 monthly. */
  @PrimaryColumn({ type: 'tinyint' }) period!: number;
  @PrimaryColumn({ type: 'integer' }) day!: number;
  /** The revision that replaced or removed the point. */
  @PrimaryColumn({ type: 'integer' }) until!: number;
  @SinceColumn() since!: number;
  @Column({ type: 'double' }) value!: number;
  @Column({ type: 'boolean', default: false }) calculated!: boolean;
  @Column({ type: 'varchar', length: 500, nullable: true }) comment!: string | null;
  @Column({ type: 'tinyint', default: 0 }) provisional!: number;
}
