import { parseArgs } from 'node:util';
import { roles, type Role } from '../common/access/caller.js';
import { MISUSED } from '../common/commands/run-command.js';
import { AccountError, type Accounts } from './accounts.js';

export const USAGE = `Usage: npm run user -- add NAME [--role maintainer|admin]
       npm run user -- list
       npm run user -- enable|disable|passwd NAME
Passwords are read from standard input.`;

/** How the commands speak with whoever runs them. */
export interface Terminal {
  /** Asks for a new password, or reads it from a pipe. */
  newPassword(): Promise<string>;
  say(line: string): void;
  complain(line: string): void;
}

/** Exit codes: done, refused. */
const DONE = 0;
const REFUSED = 1;

/**
 * Runs one command on accounts.
 * @param words the command line after the command's own name
 * @returns the exit code
 */
export async function runAccountCommand(
  words: string[],
  accounts: Accounts,
  terminal: Terminal,
): Promise<number> {
  const command = understood(words);
  if (command === null) {
    terminal.complain(USAGE);
    return MISUSED;
  }
  try {
    terminal.say(await carryOut(command, accounts, terminal));
    return DONE;
  } catch (error) {
    if (!(error instanceof AccountError)) throw error;
    terminal.complain(error.message);
    return REFUSED;
  }
}

type Command =
  | { action: 'list' }
  | { action: 'add'; name: string; role: Role }
  | { action: 'enable' | 'disable' | 'passwd'; name: string };

function understood(words: string[]): Command | null {
  let parsed;
  try {
    parsed = parseArgs({ args: words, options: { role: { type: 'string' } }, allowPositionals: true });
  } catch {
    return null;
  }
  const [action, name, ...more] = parsed.positionals;
  const { role } = parsed.values;
  if (more.length > 0 || (role !== undefined && action !== 'add')) return null;
  if (action === 'list') return name === undefined ? { action } : null;
  if (name === undefined) return null;
  if (action === 'enable' || action === 'disable' || action === 'passwd') return { action, name };
  const given = roles.find((each) => each === (role ?? 'maintainer'));
  return action === 'add' && given !== undefined ? { action, name, role: given } : null;
}

/** @returns what to say about it */
async function carryOut(command: Command, accounts: Accounts, terminal: Terminal): Promise<string> {
  switch (command.action) {
    case 'list':
      return table(await accounts.list());
    case 'add':
      await accounts.requireNew(command.name);
      await accounts.add(command.name, await terminal.newPassword(), command.role);
      return `Account ${command.name} (${command.role}) is made.`;
    case 'enable':
      await accounts.setEnabled(command.name, true);
      return `Account ${command.name} is enabled.`;
    case 'disable':
      await accounts.setEnabled(command.name, false);
      return `Account ${command.name} is disabled, and its logins are ended.`;
    case 'passwd':
      await accounts.requireKnown(command.name);
      await accounts.setPassword(command.name, await terminal.newPassword());
      return `Account ${command.name} has a new password, and its logins are ended.`;
  }
}

function table(accounts: Awaited<ReturnType<Accounts['list']>>): string {
  const rows = accounts.map(({ username, role, enabled, last_login_at }) => [
    username,
    role,
    enabled ? 'enabled' : 'disabled',
    last_login_at ?? 'never',
  ]);
  const lines = [['name', 'role', 'state', 'last login'], ...rows];
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
