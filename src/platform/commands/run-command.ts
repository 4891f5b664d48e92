import { Logger } from '@nestjs/common';
import { ApiError } from '../errors/api-error.js';
import { LineSink } from '../logging/line-sink.js';
import { ServiceLog } from '../logging/service-log.js';

/** The arguments of a command are invalid: its usage is printed after the message, if any. */
export class UsageError extends Error {}

/**
 * Runs a command of the service and sets the exit code of the process: the command's own, 2 for
 * invalid arguments, 1 for a failure. Standard output is for the result; errors and logs go to
 * standard error.
 * @param usage printed for `--help`, without running the command, and for invalid arguments
 */
export async function runCommand(usage: string, command: (args: string[]) => Promise<number>): Promise<void> {
  const args = process.argv.slice(2);
  if (args.some((argument) => argument === '--help' || argument === '-h')) {
    console.log(usage);
    process.exitCode = 0;
    return;
  }
  const log = new ServiceLog('info', new LineSink(process.stderr));
  Logger.overrideLogger(log);
  try {
    process.exitCode = await command(args);
  } catch (error) {
    const isUsage = error instanceof UsageError;
    console.error(isUsage ? [error.message, usage].filter(Boolean).join('\n\n') : errorMessage(error));
    process.exitCode = isUsage ? 2 : 1;
  } finally {
    await log.sink.end();
  }
}

/** One line for the user; only programming errors are printed with their stack. */
function errorMessage(error: unknown): unknown {
  if (error instanceof ApiError) return error.detail;
  const isDefect = [TypeError, RangeError, ReferenceError].some((kind) => error instanceof kind);
  return error instanceof Error && !isDefect ? error.message : error;
}
