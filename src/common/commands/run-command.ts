import { Logger } from '@nestjs/common';
import { ApiError } from '../errors/api-error.js';
import { LineSink } from '../logging/line-sink.js';
import { ServiceLog } from '../logging/service-log.js';

/** Exit code of a command that was not understood; what it takes was said. */
export const MISUSED = 2;

/** The command line cannot be understood. The message says what the command takes. */
export class UsageError extends Error {}

/**
 * Runs a command of the service, and sets the exit code of the process: that of the command, 2 where it was not understood, 1 where
 * it failed. Standard output is for the answer; why it failed, and what the service logs, goes to standard error.
 */
export async function runCommand(command: (words: string[]) => Promise<number>): Promise<void> {
  const log = new ServiceLog('info', new LineSink(process.stderr));
  Logger.overrideLogger(log);
  try {
    process.exitCode = await command(process.argv.slice(2));
  } catch (error) {
    console.error(complaintOf(error));
    process.exitCode = error instanceof UsageError ? MISUSED : 1;
  } finally {
    await log.sink.end();
  }
}

/** A line for whoever runs the command; only defects come with their stack. */
function complaintOf(error: unknown): unknown {
  if (error instanceof ApiError) return error.detail;
  const isDefect = [TypeError, RangeError, ReferenceError].some((kind) => error instanceof kind);
  return error instanceof Error && !isDefect ? error.message : error;
}
