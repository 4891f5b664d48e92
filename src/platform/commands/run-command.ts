import { Logger } from '@nestjs/common';
import { ApiError } from '../errors/api-error.js';
import { LineSink } from '../logging/line-sink.js';
import { ServiceLog } from '../logging/service-log.js';

/** Exit code for invalid arguments, after the usage was printed. */
export const EXIT_USAGE = 2;

/** The arguments of a command are invalid. The message is its usage. */
export class UsageError extends Error {}

/**
 * Runs a command of the service and sets the exit code of the process: the command's own, 2 for
 * invalid arguments, 1 for a failure. Standard output is for the result; errors and logs go to
 * standard error.
 */
export async function runCommand(command: (args: string[]) => Promise<number>): Promise<void> {
  const log = new ServiceLog('info', new LineSink(process.stderr));
  Logger.overrideLogger(log);
  try {
    process.exitCode = await command(process.argv.slice(2));
  } catch (error) {
    console.error(errorMessage(error));
    process.exitCode = error instanceof UsageError ? EXIT_USAGE : 1;
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
