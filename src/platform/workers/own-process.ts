import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/**
 * How much rather than others a process is ended where memory is short (`/proc/PID/oom_score_adj`),
 * at most.
 */
const ENDED_FIRST = '1000';

/** How a process is started. */
interface OwnProcessOptions {
  /** Arguments of Node.js. */
  readonly node?: readonly string[];
  /** Arguments of the command. */
  readonly args?: readonly string[];
  /** Its environment variables; by default those of this process. */
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** Whether it is sent messages, and bytes as its standard input. */
  readonly isControlled?: boolean;
}

/**
 * Starts a command of the service in a process of its own, for work that takes the processor or
 * memory for long. Its errors and log go to those of this process. Where the memory of the machine,
 * the unit or the container is short, the kernel ends it before the service.
 * @param command the address of its built module
 */
export function startOwnProcess(
  command: URL,
  { node = [], args = [], env, isControlled = false }: OwnProcessOptions,
): ChildProcess {
  const child = spawn(process.execPath, [...node, fileURLToPath(command), ...args], {
    stdio: isControlled ? ['pipe', 'ignore', 'inherit', 'ipc'] : ['ignore', 'ignore', 'inherit'],
    serialization: 'advanced',
    ...(env && { env }),
  });
  // Only Linux has it; a process that has ended already needs none.
  if (child.pid !== undefined)
    writeFile(`/proc/${child.pid}/oom_score_adj`, ENDED_FIRST).catch(() => undefined);
  return child;
}
