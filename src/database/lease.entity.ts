import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What one process at a time may do: see `Lease`. */
@Entity('lease')
export class LeaseEntity {
  @PrimaryColumn({ type: 'varchar', length: 100 }) name!: string;
  /** Null while nobody does it. */
  @Column({ type: 'varchar', length: 36, nullable: true }) holder!: string | null;
  /** The holder's last heartbeat, in milliseconds since 1970 by the database's clock. */
  @Column({ type: 'bigint', default: 0 }) seen_at!: number;
  /** JSON of how far the holder is, for jobs that say so. */
  @Column({ type: 'text', nullable: true }) progress!: string | null;
}
