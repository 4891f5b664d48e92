import { Column, Entity, PrimaryColumn } from 'typeorm';
import { RequiredTextColumn } from '../database/columns.js';

/**
 * How far a mirror has read: one row, written in the transactions of the data. A database that is
 * no mirror has none.
 */
@Entity('mirror')
export class MirrorRow {
  @PrimaryColumn({ type: 'integer' }) id!: number;
  /** Of the service that is copied. */
  @RequiredTextColumn(500) address!: string;
  /** Of its change feed; null before the first part. */
  @Column({ type: 'varchar', length: 300, nullable: true }) token!: string | null;
}
