import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { NumberColumn, RequiredTextColumn, SinceColumn } from '../../database/columns.js';

/**
 * One series that is shown as part of another. Has no foreign keys: a join that has ended outlives
 * the series.
 */
@Entity('series_join')
export class SeriesJoin {
  @PrimaryGeneratedColumn({ type: 'integer' }) id!: number;
  /** The series that is no longer listed. It keeps its points, and imports go on writing to it. */
  @Column({ type: 'integer' }) from_id!: number;
  /** The series that shows its points. */
  @Column({ type: 'integer' }) into_id!: number;
  /** Price of `from` × factor = price of `into`. */
  @NumberColumn() factor!: number;
  /** Whose point is shown where both have one of a frequency and day: `into` or `from`. */
  @RequiredTextColumn(4) prefer!: string;
  /** Day numbers of the first and the last point that is shown; null for no bound. */
  @Column({ type: 'integer', nullable: true }) start_day!: number | null;
  @Column({ type: 'integer', nullable: true }) end_day!: number | null;
  /** The change set that made the join. */
  @Column({ type: 'integer' }) change_set_id!: number;
  @SinceColumn() since!: number;
  /** The revision that ended it; null while it is in force. */
  @Column({ type: 'integer', nullable: true }) until!: number | null;
  /** In a mirror, the place of the join in the service that it copies; otherwise null. */
  @Column({ type: 'integer', nullable: true }) source_place!: number | null;
}
