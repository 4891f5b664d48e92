import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DatabaseConnector } from '../database/database-connector.js';
import { AuthThrottle } from './auth-throttle.js';
import { FirstAccount } from './first-account.js';
import { LoginSessions } from './login-sessions.js';

const HOUR = 3600 * 1000;

/** What is done when the database is open, and hourly: the first account, and the removal of what has expired. */
@Injectable()
export class AuthHousekeeping implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('Auth');
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly connector: DatabaseConnector,
    private readonly firstAccount: FirstAccount,
    private readonly sessions: LoginSessions,
    private readonly throttle: AuthThrottle,
  ) {}

  onModuleInit(): void {
    this.connector.whenConnected(async () => {
      await this.firstAccount.ensure();
      await this.purge();
      this.timer = setInterval(() => void this.purge(), HOUR).unref();
    });
  }

  onApplicationShutdown(): void {
    if (this.timer) clearInterval(this.timer);
  }

  /** Removes what has expired. A failure is logged and made good by the next time. */
  private async purge(): Promise<void> {
    try {
      await this.sessions.purge();
      await this.throttle.purge();
    } catch (error) {
      this.logger.warn(`Expired logins could not be removed: ${(error as Error).message}`);
    }
  }
}
