import { Column, Entity, PrimaryColumn } from 'typeorm';
import { SinceColumn } from '../../database/columns.js';

/**
 * Values that a record of a reference table had, before it was changed or removed. Has no foreign
 * key: it outlives the record.
 */
@Entity('record_version', { withoutRowid: true })
export class RecordVersion {
  /** The table's name in the database. */
  @PrimaryColumn({ type: 'varchar', length: 50 }) table_name!: string;
  @PrimaryColumn({ type: 'integer' }) record_id!: number;
  /** The revision that replaced or removed these values. */
  @PrimaryColumn({ type: 'integer' }) until!: number;
  @SinceColumn() since!: number;
  /** The record's own version number, for its entity tag. */
  @Column({ type: 'integer' }) version!: number;
  /** The table's own columns, as JSON. */
  @Column({ type: 'text' }) attributes!: string;
}
