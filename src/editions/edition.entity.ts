import { Column, Entity, PrimaryColumn } from 'typeorm';
import { InstantColumn, TextColumn } from '../database/columns.js';

/** An edition: the files of one revision of the data, which never change. */
@Entity('edition')
export class EditionRow {
  @PrimaryColumn({ type: 'integer' }) number!: number;
  @TextColumn(100) title!: string;
  /** The revision of the data that the files show. */
  @Column({ type: 'integer' }) revision!: number;
  /** `running`, `ready` or `failed`; one that was interrupted stays `running`. */
  @TextColumn(10, { default: 'running' }) state!: string;
  @InstantColumn() started_at!: string;
  @InstantColumn({ nullable: true }) ended_at!: string | null;
  /** Why it could not be made. */
  @TextColumn(500) error!: string;
  /** JSON of `EditionContents`; null until it is ready. */
  @Column({ type: 'text', nullable: true }) contents!: string | null;
}

/** Lets one process make an edition at a time: a table of one row. */
@Entity('edition_lock')
export class EditionLockRow {
  @PrimaryColumn({ type: 'integer' }) id!: number;
  /** Null while no edition is made. */
  @Column({ type: 'varchar', length: 36, nullable: true }) holder!: string | null;
  /** The holder's last heartbeat, in milliseconds since 1970 by the database's clock. */
  @Column({ type: 'bigint', default: 0 }) seen_at!: number;
  /** The edition that is made, or was made last. */
  @Column({ type: 'integer', nullable: true }) edition!: number | null;
}
