import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The data revision: one row, incremented by every committed write and polled by every process. */
@Entity('data_revision')
export class DataRevisionRow {
  @PrimaryColumn({ type: 'integer' }) id!: number;
  @Column({ type: 'bigint' }) revision!: number;
  /** The revision at which a reference table last changed. The other columns likewise. */
  @Column({ type: 'bigint' }) reference_revision!: number;
  @Column({ type: 'bigint' }) series_revision!: number;
  @Column({ type: 'bigint' }) rates_revision!: number;
}
