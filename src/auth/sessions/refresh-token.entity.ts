import { Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { InstantColumn, RequiredTextColumn } from '../../database/columns.js';
import { LoginSession } from './login-session.entity.js';

/**
 * An issued refresh token, or the token of a session that a browser keeps in a cookie. Spent ones
 * stay until they expire, so that their reuse is detected; those of cookies are never spent.
 */
@Entity('refresh_token')
@Index('ix_refresh_token_session', ['session_id'])
@Index('ix_refresh_token_expires_at', ['expires_at'])
export class RefreshToken {
  /** SHA-256 of the token, base64url. */
  @PrimaryColumn({ type: 'varchar', length: 43 }) digest!: string;
  @RequiredTextColumn(36) session_id!: string;
  @InstantColumn() expires_at!: string;
  @InstantColumn({ nullable: true }) spent_at!: string | null;

  @ManyToOne(() => LoginSession, { onDelete: 'RESTRICT', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'session_id', foreignKeyConstraintName: 'fk_refresh_token_session' })
  session?: Relation<LoginSession>;
}
