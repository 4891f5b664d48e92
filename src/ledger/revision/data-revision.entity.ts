import { Column, Entity, PrimaryColumn } from 'typeorm';
import { InstantColumn } from '../../database/columns.js';

/**
 * The data revision: one row, incremented by every commit of published data and polled by every
 * process. It also says who may write, as every write reads it.
 */
@Entity('data_revision')
export class DataRevisionRow {
  @PrimaryColumn({ type: 'integer' }) id!: number;
  @Column({ type: 'bigint' }) revision!: number;
  /** The revision at which a reference table last changed. The other columns likewise. */
  @Column({ type: 'bigint' }) reference_revision!: number;
  @Column({ type: 'bigint' }) series_revision!: number;
  @Column({ type: 'bigint' }) rates_revision!: number;
  @Column({ type: 'bigint', default: 1 }) findings_revision!: number;
  /** The revision up to which the findings about the data are complete. */
  @Column({ type: 'bigint', default: 0 }) checked_revision!: number;
  /** The version of the schema that a release must know to write to the database. */
  @Column({ type: 'bigint', default: 0 }) oldest_writer!: number;
  /** When the revision was committed. */
  @InstantColumn({ default: '' }) at!: string;
}
