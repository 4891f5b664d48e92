import { Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { InstantColumn, RequiredTextColumn } from '../../database/columns.js';

/** A failed login or a refresh, counted by the throttles of all processes. Kept for 15 minutes. */
@Entity('auth_attempt')
@Index('ix_auth_attempt_network', ['network', 'at'])
@Index('ix_auth_attempt_at', ['at'])
export class AuthAttempt {
  @PrimaryGeneratedColumn({ type: 'integer' }) id!: number;
  @RequiredTextColumn(10) kind!: 'login' | 'refresh';
  /** The client's IPv4 address or IPv6 /64 prefix. */
  @RequiredTextColumn(50) network!: string;
  /** HMAC of the user name, as users may type a password there by mistake; '' for refreshes. */
  @RequiredTextColumn(43) name_digest!: string;
  @InstantColumn() at!: string;
}
