import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The data revision: one row, moved by every committed write, read by every process. */
@Entity('data_revision')
export class DataRevisionRow {
  @PrimaryColumn({ type: 'integer' }) id!: number;
  @Column({ type: 'bigint' }) revision!: number;
  /** The revision at which a reference table last changed; the others likewise. */
  @Column({ type: 'bigint' }) reference_revision!: number;
  @Column({ type: 'bigint' }) series_revision!: number;
  @Column({ type: 'bigint' }) rates_revision!: number;
}
