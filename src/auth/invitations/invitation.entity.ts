import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { InstantColumn } from '../../database/columns.js';
import { Account } from '../accounts/account.entity.js';

/**
 * An address at which somebody without a session sets the password of an account, once. An account
 * has one that is open at most: the others have ended or expired.
 */
@Entity('invitation')
@Index('ix_invitation_account', ['account_id'])
@Index('ix_invitation_expires_at', ['expires_at'])
export class Invitation {
  /** SHA-256 of the address's token, base64url. */
  @PrimaryColumn({ type: 'varchar', length: 43 }) digest!: string;
  @Column({ type: 'integer' }) account_id!: number;
  @InstantColumn() expires_at!: string;
  /** When it was spent, withdrawn or replaced, or its account disabled or given a password. */
  @InstantColumn({ nullable: true }) ended_at!: string | null;

  @ManyToOne(() => Account, { onDelete: 'RESTRICT', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'fk_invitation_account' })
  account?: Relation<Account>;
}
