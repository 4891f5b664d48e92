import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { SinceColumn } from '../../database/columns.js';

/**
 * What a row of any table was before it was changed or removed, except for points and the
 * periodicity of series, which have tables of their own. Has no foreign key: it outlives the row.
 */
@Entity('record_version', { withoutRowid: true })
@Index('ix_record_version_key', ['record_key'])
export class RecordVersion {
  /** The table's name in the database. */
  @PrimaryColumn({ type: 'varchar', length: 50 }) table_name!: string;
  @PrimaryColumn({ type: 'integer' }) record_id!: number;
  /** The revision that replaced or removed these values. */
  @PrimaryColumn({ type: 'integer' }) until!: number;
  /** The uuid that the row was found by; '' for records of reference tables. */
  @PrimaryColumn({ type: 'varchar', length: 36, default: '' }) record_key!: string;
  @SinceColumn() since!: number;
  /** The record's own version number, for its entity tag; 0 for rows that have none. */
  @Column({ type: 'integer' }) version!: number;
  /** The table's other columns, as JSON. */
  @Column({ type: 'text' }) attributes!: string;
}
