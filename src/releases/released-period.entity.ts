import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The day on which an import first stored values of a period, of a source in a country. There is no
 * foreign key: a source that nothing else needs may be deleted.
 */
@Entity('released_period', { withoutRowid: true })
export class ReleasedPeriod {
  @PrimaryColumn({ type: 'integer' }) source_id!: number;
  @PrimaryColumn({ type: 'varchar', length: 3 }) iso3_country_code!: string;
  @PrimaryColumn({ type: 'integer' }) period!: number;
  /** Day number of the last day of the period. */
  @PrimaryColumn({ type: 'integer' }) end_day!: number;
  @Column({ type: 'integer' }) stored_day!: number;
}
