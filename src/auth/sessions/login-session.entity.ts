import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { InstantColumn } from '../../database/columns.js';
import { Account } from '../accounts/account.entity.js';

/**
 * A login and the family of tokens issued for it. Every access token names its session and is valid
 * only while that is open, so ending the session revokes all of its tokens at once.
 */
@Entity('login_session')
@Index('ix_login_session_account', ['account_id'])
@Index('ix_login_session_expires_at', ['expires_at'])
export class LoginSession {
  /** A random UUID; `sid` in the tokens. */
  @PrimaryColumn({ type: 'varchar', length: 36 }) id!: string;
  @Column({ type: 'integer' }) account_id!: number;
  @InstantColumn() created_at!: string;
  /** When its tokens were last refreshed. */
  @InstantColumn() used_at!: string;
  /** When its newest refresh token expires. */
  @InstantColumn() expires_at!: string;
  /** When it was ended early: by logout, password change, disabling, or reuse of a spent token. */
  @InstantColumn({ nullable: true }) ended_at!: string | null;

  @ManyToOne(() => Account, { onDelete: 'RESTRICT', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'fk_login_session_account' })
  account?: Relation<Account>;
}
