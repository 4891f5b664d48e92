import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { SinceColumn } from '../../database/columns.js';
import { PriceSerie } from '../../price-series/price-serie.entity.js';

/**
 * A stored price. Its day is a day number (0001-01-01 is 1), which is smaller and faster than text
 * in this one large table.
 */
@Entity('observation', { withoutRowid: true })
export class StoredObservation {
  @PrimaryColumn({ type: 'integer' }) serie_id!: number;
  /** 1 daily, 2 weekly, 3 monthly. */
  @PrimaryColumn({ type: 'tinyint' }) period!: number;
  @PrimaryColumn({ type: 'integer' }) day!: number;
  @Column({ type: 'double' }) value!: number;
  /** True where the source says that it derived the point from finer data not stored here. */
  @Column({ type: 'boolean', default: false }) calculated!: boolean;
  @Column({ type: 'varchar', length: 500, nullable: true }) comment!: string | null;

  @SinceColumn() since!: number;
  /** True where its source calls it provisional. */
  @Column({ type: 'tinyint', default: 0 }) provisional!: number;

  @ManyToOne(() => PriceSerie, { onDelete: 'RESTRICT', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'serie_id', foreignKeyConstraintName: 'fk_observation_serie' })
  serie?: Relation<PriceSerie>;
}
