import { Accounts } from '../auth/accounts/accounts.js';
import { parseAccountCommand, runAccountCommand, USER_USAGE } from '../auth/accounts/account-commands.js';
import { readNewPassword } from '../auth/accounts/new-password.js';
import { Database } from '../database/database.js';
import { runCommand } from '../platform/commands/run-command.js';
import { withServices } from './command-services.js';

/** `npm run user`: manages accounts from the command line, also while the service runs. */
await runCommand(USER_USAGE, (args) => {
  const command = parseAccountCommand(args);
  return withServices(async (services) => {
    await services.get(Database).connectForCommand();
    return runAccountCommand(command, services.get(Accounts), {
      readNewPassword: readNewPassword,
      print: (line) => console.log(line),
      printError: (line) => console.error(line),
    });
  });
});
