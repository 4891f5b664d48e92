import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TextColumn } from '../../database/columns.js';

/** The import lock: a table of one row. */
@Entity('import_lock')
export class ImportLockRow {
  @PrimaryColumn({ type: 'integer' }) id!: number;
  /** Null while no import is running. */
  @Column({ type: 'varchar', length: 36, nullable: true }) holder!: string | null;
  @TextColumn(255) host!: string;
  @Column({ type: 'integer', default: 0 }) process!: number;
  /** The holder's last heartbeat, in milliseconds since 1970 by the database's clock. */
  @Column({ type: 'bigint', default: 0 }) seen_at!: number;
  /** The change set of the holder's import. */
  @Column({ type: 'integer', nullable: true }) change_set_id!: number | null;
}
