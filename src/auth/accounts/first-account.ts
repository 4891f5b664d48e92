import { Injectable, Logger } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { Environment, InvalidEnvironment } from '../../config/environment.js';
import { AccountError, Accounts } from './accounts.js';

/**
 * Creates the first account if there is none: an admin named `ADMIN_USERNAME` with the password
 * `ADMIN_PASSWORD`. Without a password, a random one is generated and printed once on an embedded
 * database outside production; elsewhere no account is created and the log says how to create one.
 * There is no default password.
 */
@Injectable()
export class FirstAccount {
  private readonly logger = new Logger('FirstAccount');

  constructor(
    private readonly environment: Environment,
    private readonly accounts: Accounts,
  ) {}

  /** @throws InvalidEnvironment when the configured name or password is invalid */
  async ensure(): Promise<void> {
    if (!(await this.accounts.isEmpty())) return;
    const { adminUsername, adminPassword, embedded, production } = this.environment;
    if (adminPassword !== null) {
      await this.create(adminUsername, adminPassword);
    } else if (embedded && !production) {
      const password = randomPassword(adminUsername);
      if (await this.create(adminUsername, password)) printPassword(adminUsername, password);
    } else {
      this.logger.warn(
        'There is no account yet, so nobody can write: set ADMIN_USERNAME and ADMIN_PASSWORD, or run `npm run user -- add NAME --role admin`.',
      );
    }
  }

  private async create(username: string, password: string): Promise<boolean> {
    try {
      return await this.accounts.createFirst(username, password);
    } catch (error) {
      if (error instanceof AccountError) {
        throw new InvalidEnvironment([`ADMIN_USERNAME or ADMIN_PASSWORD: ${error.message}`]);
      }
      throw error;
    }
  }
}

/** A random password of 144 bits. Repeated if it contains a short user name by chance. */
function randomPassword(username: string): string {
  for (;;) {
    const password = randomBytes(18).toString('base64url');
    if (!password.toLowerCase().includes(username.toLowerCase())) return password;
  }
}

/** Writes to standard output instead of the log: logs are stored and forwarded. */
function printPassword(username: string, password: string): void {
  process.stdout.write(
    `\n  First account: ${username}\n  Password:      ${password}\n  It is not shown again; change it with: npm run user -- passwd ${username}\n\n`,
  );
}
