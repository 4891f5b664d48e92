import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { SinceColumn } from '../database/columns.js';
import { PriceSerie } from './price-serie.entity.js';

/** One periodicity item of a series, updated in the transaction that changes the points. */
@Entity('series_period', { withoutRowid: true })
export class SeriesPeriod {
  @PrimaryColumn({ type: 'integer' }) serie_id!: number;
  /** 1 daily, 2 weekly, 3 monthly. */
  @PrimaryColumn({ type: 'tinyint' }) period!: number;
  @Column({ type: 'integer' }) start_day!: number;
  @Column({ type: 'integer' }) end_day!: number;
  @Column({ type: 'boolean', default: false }) calculated!: boolean;
  /** Number of stored points of this period; 0 if all are derived. */
  @Column({ type: 'integer' }) points!: number;

  @SinceColumn() since!: number;

  @ManyToOne(() => PriceSerie, { onDelete: 'RESTRICT', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'serie_id', foreignKeyConstraintName: 'fk_series_period_serie' })
  serie?: Relation<PriceSerie>;
}
