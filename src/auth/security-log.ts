import { Injectable, Logger } from '@nestjs/common';
import { SECURITY } from '../platform/logging/service-log.js';

/** The security events and their log levels. */
const levels = {
  login: 'log',
  login_failed: 'warn',
  login_throttled: 'warn',
  refresh_throttled: 'warn',
  refresh_token_reused: 'warn',
  token_refused: 'warn',
  logout: 'log',
  account_added: 'log',
  invitation_issued: 'log',
  invitation_withdrawn: 'log',
  invitation_refused: 'warn',
  invitation_throttled: 'warn',
  account_enabled: 'log',
  account_disabled: 'log',
  password_changed: 'log',
  role_changed: 'log',
} as const;

export type SecurityEvent = keyof typeof levels;

/**
 * Never a password, a token, or a user name of a failed login: those only as digests, if at all.
 */
export interface SecurityEventAttributes {
  /**
   * The client's full address: security events are retained for a limited time, for this purpose.
   */
  address?: string;
  requestId?: string;
  accountId?: number;
  /** The name of an existing account, after a successful login or a change of the account. */
  username?: string;
  sessionId?: string;
  tokenId?: string;
  /**
   * HMAC of the user name of a failed login, or of the token of an invitation: distinguishes
   * attempts on one from attempts on many.
   */
  nameDigest?: string;
  reason?: string;
}

/**
 * Writes security events, one structured line each, in the logger context `Security`. They are
 * logged at every `LOG_LEVEL` but `silent`.
 */
@Injectable()
export class SecurityLog {
  private readonly logger = new Logger(SECURITY);

  write(event: SecurityEvent, attributes: SecurityEventAttributes): void {
    this.logger[levels[event]]({ event, ...attributes });
  }
}
