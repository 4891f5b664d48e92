import { Entity, PrimaryColumn } from 'typeorm';
import { NumberColumn } from '../../database/columns.js';

/**
 * A monthly point that stands apart from the points around it, whose sides agree. Made anew with
 * every change of its series.
 */
@Entity('series_outlier', { withoutRowid: true })
export class SeriesOutlier {
  @PrimaryColumn({ type: 'integer' }) serie_id!: number;
  @PrimaryColumn({ type: 'integer' }) day!: number;
  @NumberColumn() value!: number;
  /** Of the points around it. */
  @NumberColumn() median!: number;
}
