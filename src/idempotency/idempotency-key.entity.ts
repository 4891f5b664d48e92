import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { InstantColumn, TextColumn } from '../database/columns.js';

/** A POST that was sent with an `Idempotency-Key`, and what it was answered. */
@Entity('idempotency_key')
@Index('ix_idempotency_key_expires_at', ['expires_at'])
export class IdempotencyKeyRow {
  /** Digest of the account, method, path and key. */
  @PrimaryColumn({ type: 'varchar', length: 43 }) digest!: string;
  @TextColumn(43) body_digest!: string;
  @InstantColumn() expires_at!: string;
  /** The answer as JSON; null in the transaction that is still making it, and so never for others. */
  @Column({ type: 'text', nullable: true }) answer!: string | null;
}
