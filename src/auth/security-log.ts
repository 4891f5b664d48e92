import { Injectable, Logger } from '@nestjs/common';
import { SECURITY } from '../common/logging/service-log.js';

/** What happened, and how loudly it is told. */
const events = {
  login: 'log',
  login_failed: 'warn',
  login_throttled: 'warn',
  refresh_throttled: 'warn',
  refresh_token_reused: 'warn',
  token_refused: 'warn',
  logout: 'log',
  account_added: 'log',
  account_enabled: 'log',
  account_disabled: 'log',
  password_changed: 'log',
} as const;

export type SecurityEvent = keyof typeof events;

/** What is known of it. Never a password, a token, or a user name that failed: those as digests, if at all. */
export interface SecurityFacts {
  /** The client's whole address: security events are kept for a limited time, for this purpose. */
  address?: string;
  requestId?: string;
  accountId?: number;
  /** The name of an account that exists and was used rightly. */
  username?: string;
  sessionId?: string;
  tokenId?: string;
  /** Keyed hash of a name that failed, so that attempts on one name can be told from attempts on many. */
  nameDigest?: string;
  reason?: string;
}

/** Writes security events: one structured line each, in the logger context `Security`, whatever `LOG_LEVEL` is unless it is `silent`. */
@Injectable()
export class SecurityLog {
  private readonly logger = new Logger(SECURITY);

  write(event: SecurityEvent, facts: SecurityFacts): void {
    this.logger[events[event]]({ event, ...facts });
  }
}
