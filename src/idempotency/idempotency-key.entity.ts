import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { InstantColumn, TextColumn } from '../database/columns.js';

/** A POST that was sent with an `Idempotency-Key`, and its response. */
@Entity('idempotency_key')
@Index('ix_idempotency_key_expires_at', ['expires_at'])
export class IdempotencyKeyRow {
  /** SHA-256 of the account, method, path and key. */
  @PrimaryColumn({ type: 'varchar', length: 43 }) digest!: string;
  @TextColumn(43) body_digest!: string;
  @InstantColumn() expires_at!: string;
  /** The reply as JSON; null only within the transaction that creates it. */
  @Column({ type: 'text', nullable: true }) answer!: string | null;
}
