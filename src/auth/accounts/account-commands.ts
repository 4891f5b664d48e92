import { parseArgs } from 'node:util';
import { type Role, roles } from '../../platform/http/routes.js';
import { UsageError } from '../../platform/commands/run-command.js';
import { AccountError, type Accounts } from './accounts.js';

export const USER_USAGE = `Usage: npm run user -- add NAME [--role maintainer|admin]
       npm run user -- list
       npm run user -- enable|disable|passwd NAME
Passwords are read from standard input.`;

/** Input and output of the commands; tests replace it. */
interface Terminal {
  /** Prompts for a new password, or reads it from a pipe. */
  readNewPassword(): Promise<string>;
  print(line: string): void;
  printError(line: string): void;
}

const EXIT_SUCCESS = 0;
const EXIT_FAILURE = 1;

/**
 * Runs one account command.
 * @returns the exit code
 */
export async function runAccountCommand(
  command: AccountCommand,
  accounts: Accounts,
  terminal: Terminal,
): Promise<number> {
  try {
    terminal.print(await execute(command, accounts, terminal));
    return EXIT_SUCCESS;
  } catch (error) {
    if (!(error instanceof AccountError)) throw error;
    terminal.printError(error.message);
    return EXIT_FAILURE;
  }
}

/** A parsed command line. */
type AccountCommand =
  | { action: 'list' }
  | { action: 'add'; name: string; role: Role }
  | { action: 'enable' | 'disable' | 'passwd'; name: string };

/**
 * Parses the command line after the command's name.
 * @throws UsageError
 */
export function parseAccountCommand(args: string[]): AccountCommand {
  const { positionals, values } = parseOptions(args);
  const [action, name, ...rest] = positionals;
  if (rest.length > 0 || (values.role !== undefined && action !== 'add')) throw new UsageError();
  if (action === 'list' && name === undefined) return { action };
  if (action === 'list' || name === undefined) throw new UsageError();
  if (action === 'enable' || action === 'disable' || action === 'passwd') return { action, name };
  const role = roles.find((each) => each === (values.role ?? 'maintainer'));
  if (action !== 'add' || role === undefined) throw new UsageError();
  return { action, name, role };
}

function parseOptions(args: string[]) {
  try {
    return parseArgs({ args, options: { role: { type: 'string' } }, allowPositionals: true });
  } catch {
    throw new UsageError();
  }
}

/** @returns the text to print */
async function execute(command: AccountCommand, accounts: Accounts, terminal: Terminal): Promise<string> {
  switch (command.action) {
    case 'list':
      return formatTable(await accounts.list());
    case 'add':
      await accounts.assertAvailable(command.name);
      await accounts.create(command.name, await terminal.readNewPassword(), command.role);
      return `Created account ${command.name} (${command.role}).`;
    case 'enable':
      await accounts.setEnabled(command.name, true);
      return `Account ${command.name} is enabled.`;
    case 'disable':
      await accounts.setEnabled(command.name, false);
      return `Account ${command.name} is disabled and its sessions have ended.`;
    case 'passwd':
      await accounts.assertExists(command.name);
      await accounts.setPassword(command.name, await terminal.readNewPassword());
      return `Account ${command.name} has a new password and its sessions have ended.`;
  }
}

function formatTable(accounts: Awaited<ReturnType<Accounts['list']>>): string {
  const rows = accounts.map(({ id, username, role, enabled, last_login_at }) => [
    String(id),
    username,
    role,
    enabled ? 'enabled' : 'disabled',
    last_login_at ?? 'never',
  ]);
  const lines = [['id', 'name', 'role', 'state', 'last login'], ...rows];
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
