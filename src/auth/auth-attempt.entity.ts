import { Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { InstantColumn, RequiredTextColumn } from '../database/columns.js';

/** One failed login or one refresh, for the throttles that all processes share. Kept for a quarter of an hour. */
@Entity('auth_attempt')
@Index('ix_auth_attempt_network', ['network', 'at'])
@Index('ix_auth_attempt_at', ['at'])
export class AuthAttempt {
  @PrimaryGeneratedColumn({ type: 'integer' }) id!: number;
  @RequiredTextColumn(10) kind!: 'login' | 'refresh';
  /** The client's address; of IPv6 the /64 that a client has to itself. */
  @RequiredTextColumn(50) network!: string;
  /** Keyed hash of the user name, because what is typed there may be a password; '' for refreshes. */
  @RequiredTextColumn(43) name_digest!: string;
  @InstantColumn() at!: string;
}
