import { Entity, PrimaryColumn } from 'typeorm';
import { NumberColumn } from '../../../database/columns.js';

/**
 * A monthly point that stands apart from the points around it, whose sides agree. Kept in step with
 * the points of its series.
 */
@Entity('series_outlier', { withoutRowid: true })
export class SeriesOutlier {
  @PrimaryColumn({ type: 'integer' }) serie_id!: number;
  @PrimaryColumn({ type: 'integer' }) day!: number;
  @NumberColumn() value!: number;
  /** Of the points around it. */
  @NumberColumn() median!: number;
}

/**
 * A monthly point that differs from that of the month before by about a power of ten. Kept in step
 * with the points of its series.
 */
@Entity('series_step', { withoutRowid: true })
export class SeriesStep {
  @PrimaryColumn({ type: 'integer' }) serie_id!: number;
  @PrimaryColumn({ type: 'integer' }) day!: number;
  @NumberColumn() value!: number;
  @NumberColumn() previous!: number;
}
