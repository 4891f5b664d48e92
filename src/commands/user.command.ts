import 'reflect-metadata';
import { AuditTrail } from '../ledger/audit/audit-trail.js';
import { runCommand } from '../platform/commands/run-command.js';
import { Clock } from '../platform/clock/clock.js';
import { loadEnvironment } from '../config/load-environment.js';
import { Database } from '../database/database.js';
import { DataRevision } from '../ledger/revision/data-revision.js';
import { UnitOfWork } from '../ledger/unit-of-work.js';
import { parseAccountCommand, runAccountCommand, USAGE } from '../auth/accounts/account-commands.js';
import { Account } from '../auth/accounts/account.entity.js';
import { Accounts } from '../auth/accounts/accounts.js';
import { readNewPassword } from '../auth/accounts/new-password.js';
import { PasswordHasher } from '../auth/accounts/password-hasher.js';
import { SecurityLog } from '../auth/security-log.js';
import { LoginSession } from '../auth/sessions/login-session.entity.js';
import { RefreshToken } from '../auth/sessions/refresh-token.entity.js';

/** `npm run user`: manages accounts from the command line, also while the service runs. */
await runCommand(USAGE, async (args) => {
  const command = parseAccountCommand(args);
  const environment = loadEnvironment();
  const database = new Database(environment, [Account, LoginSession, RefreshToken]);
  await database.connectForCommand();
  try {
    const clock = new Clock();
    const unitOfWork = new UnitOfWork(database, new DataRevision(database));
    const accounts = new Accounts(
      database,
      unitOfWork,
      new AuditTrail(clock),
      new PasswordHasher(environment),
      new SecurityLog(),
      clock,
    );
    return await runAccountCommand(command, accounts, {
      readNewPassword: readNewPassword,
      print: (line) => console.log(line),
      printError: (line) => console.error(line),
    });
  } finally {
    await database.close();
  }
});
