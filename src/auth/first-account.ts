import { Injectable, Logger } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { Environment, InvalidEnvironment } from '../config/environment.js';
import { AccountError, Accounts } from './accounts.js';
import { passwordRefusal } from './password-rules.js';

/**
 * Makes the first account where there is none: an admin with the name and password of `ADMIN_USERNAME` and `ADMIN_PASSWORD`.
 * Without a password a random one is made and printed once, on an embedded database outside production; elsewhere nothing is
 * made, and the log says how to. There is no default password.
 */
@Injectable()
export class FirstAccount {
  private readonly logger = new Logger('FirstAccount');

  constructor(
    private readonly environment: Environment,
    private readonly accounts: Accounts,
  ) {}

  /** @throws InvalidEnvironment when the name or password given will not do */
  async ensure(): Promise<void> {
    if (!(await this.accounts.none())) return;
    const { adminUsername, adminPassword, embedded, production } = this.environment;
    if (adminPassword !== null) {
      await this.add(adminUsername, adminPassword);
    } else if (embedded && !production) {
      const password = randomPassword(adminUsername);
      if (await this.add(adminUsername, password)) print(adminUsername, password);
    } else {
      this.logger.warn(
        'There is no account yet, so nobody can write: set ADMIN_USERNAME and ADMIN_PASSWORD, or run `npm run user -- add NAME --role admin`.',
      );
    }
  }

  private async add(username: string, password: string): Promise<boolean> {
    try {
      return await this.accounts.addFirst(username, password);
    } catch (error) {
      if (error instanceof AccountError) {
        throw new InvalidEnvironment([`ADMIN_USERNAME or ADMIN_PASSWORD: ${error.message}`]);
      }
      throw error;
    }
  }
}

/** A random password of 144 bits. One that holds a short user name by chance would be refused. */
function randomPassword(username: string): string {
  for (;;) {
    const password = randomBytes(18).toString('base64url');
    if (passwordRefusal(password, username) === null) return password;
  }
}

/** On standard output and not through the log: logs are kept and sent on, and the password is to be seen once. */
function print(username: string, password: string): void {
  process.stdout.write(
    `\n  First account: ${username}\n  Password:      ${password}\n  It is not shown again; change it with: npm run user -- passwd ${username}\n\n`,
  );
}
