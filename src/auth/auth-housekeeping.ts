import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DatabaseConnector } from '../database/database-connector.js';
import { AuthThrottle } from './sessions/auth-throttle.js';
import { FirstAccount } from './accounts/first-account.js';
import { Invitations } from './invitations/invitations.js';
import { ProviderSessions } from './sessions/provider-sessions.js';
import { LoginSessions } from './sessions/login-sessions.js';

const HOUR = 3600 * 1000;

/**
 * Creates the first account once the database is open, and removes expired rows then and hourly.
 */
@Injectable()
export class AuthHousekeeping implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('Auth');
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly connector: DatabaseConnector,
    private readonly firstAccount: FirstAccount,
    private readonly sessions: LoginSessions,
    private readonly providerSessions: ProviderSessions,
    private readonly invitations: Invitations,
    private readonly throttle: AuthThrottle,
  ) {}

  onModuleInit(): void {
    this.connector.onConnected(async () => {
      await this.firstAccount.ensure();
      await this.purge();
      this.timer = setInterval(() => void this.purge(), HOUR).unref();
    });
  }

  onApplicationShutdown(): void {
    if (this.timer) clearInterval(this.timer);
  }

  /** A failure is only logged: the next run removes the same rows. */
  private async purge(): Promise<void> {
    try {
      await this.sessions.purge();
      await this.providerSessions.purge();
      await this.invitations.purge();
      await this.throttle.purge();
    } catch (error) {
      this.logger.warn(`Could not remove expired rows: ${(error as Error).message}`);
    }
  }
}
