import { Entity, Index, PrimaryColumn } from 'typeorm';
import { InstantColumn, RequiredTextColumn } from '../../database/columns.js';
import type { Role } from '../../platform/http/routes.js';

/**
 * A session, in a browser, of an account of the identity provider. The account is not stored here,
 * so the session has what the provider said of it at the sign-in.
 */
@Entity('provider_session')
@Index('ix_provider_session_expires_at', ['expires_at'])
export class ProviderSession {
  /** HMAC of the cookie's token (`SigningKeys`), base64url. */
  @PrimaryColumn({ type: 'varchar', length: 43 }) digest!: string;
  /** A random UUID, by which the audit log names the session. */
  @RequiredTextColumn(36) id!: string;
  @RequiredTextColumn(255) issuer!: string;
  @RequiredTextColumn(255) subject!: string;
  @RequiredTextColumn(20) role!: Role;
  @InstantColumn() expires_at!: string;
}
