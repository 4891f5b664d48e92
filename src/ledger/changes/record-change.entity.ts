import { Entity, PrimaryColumn } from 'typeorm';
import { RequiredTextColumn } from '../../database/columns.js';

/** What a revision has done to a record. Outlives the record. */
@Entity('record_change', { withoutRowid: true })
export class RecordChange {
  @PrimaryColumn({ type: 'bigint' }) revision!: number;
  /** The table's name in the database. */
  @PrimaryColumn({ type: 'varchar', length: 50 }) table_name!: string;
  @PrimaryColumn({ type: 'integer' }) record_id!: number;
  /** `created`, `changed` or `removed`. */
  @RequiredTextColumn(7) action!: string;
}
