import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { RequiredTextColumn } from '../../database/columns.js';

/** What a revision has done to a series and its points. Outlives the series. */
@Entity('series_change', { withoutRowid: true })
@Index('ix_series_change_serie', ['serie_id'])
export class SeriesChange {
  @PrimaryColumn({ type: 'bigint' }) revision!: number;
  @PrimaryColumn({ type: 'integer' }) serie_id!: number;
  /** `created`, `changed` or `removed`. */
  @RequiredTextColumn(7) action!: string;
  /** Numbers of points. */
  @Column({ type: 'integer' }) added!: number;
  @Column({ type: 'integer' }) changed!: number;
  @Column({ type: 'integer' }) removed!: number;
  /** Day numbers of the first and the last of these points; null if there are none. */
  @Column({ type: 'integer', nullable: true }) first_day!: number | null;
  @Column({ type: 'integer', nullable: true }) last_day!: number | null;
}
