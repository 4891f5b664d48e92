import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Environment } from '../../src/config/environment.js';
import type { TestApp } from '../support/test-app.js';

const COMMAND = ['--import', './test/support/typescript-in-processes.mjs', 'src/commands/edition.command.ts'];

/** A process that makes an edition, as the service starts it. */
export interface MakerProcess {
  readonly child: ChildProcess;
  /** Resolves at its end, with what it has printed as errors. */
  readonly ended: Promise<{ code: number | null; signal: string | null; errors: string }>;
}

/**
 * Starts the process that makes what a holder of the lock has begun.
 * @param fileLimit the most that it may write into a file, in units of 1024 bytes
 * @param variables of its environment
 */
export function startMaker(
  service: TestApp,
  holder: string,
  fileLimit: number | 'unlimited' = 'unlimited',
  variables: Record<string, string> = {},
): MakerProcess {
  const { databaseUrl, editionsFolder } = service.app.get(Environment);
  const run = `ulimit -f ${fileLimit} && exec "$@"`;
  const child = spawn('bash', ['-c', run, 'bash', process.execPath, ...COMMAND, '--begun', holder], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      EDITIONS_DIR: editionsFolder,
      NODE_OPTIONS: '',
      ...variables,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const ended = once(child, 'close').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as string | null,
    errors,
  }));
  return { child, ended };
}
