import { spawn, spawnSync } from 'node:child_process';
import { testServerUrl } from '../support/test-database.js';

/** A program with what a client in its language needs. */
export interface Runtime {
  readonly name: string;
  /** The command and its first arguments; null where it is not installed. */
  readonly command: readonly string[] | null;
}

/** The first of some commands that ends well. */
function firstThatRuns(name: string, candidates: readonly string[][], check: string[]): Runtime {
  const command = candidates.find(
    ([program, ...options]) => spawnSync(program!, [...options, ...check]).status === 0,
  );
  return { name, command: command ?? null };
}

const PYTHONS = ['/usr/bin/python3', 'python3'];
export const python: Runtime = firstThatRuns(
  'Python',
  // Without the packages of the system.
  PYTHONS.map((program) => [program, '-S']),
  ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))'],
);
export const pandas: Runtime = firstThatRuns(
  'Python with pandas',
  PYTHONS.map((program) => [program]),
  ['-c', 'import pandas'],
);
export const r: Runtime = firstThatRuns(
  'R with jsonlite, and curl',
  [['Rscript']],
  ['-e', 'library(jsonlite); stopifnot(nzchar(Sys.which("curl")))'],
);

/** `describe` for tests of clients, on one engine; skipped with a notice without the runtime. */
export function describeWith({ name, command }: Runtime, title: string, tests: () => void): void {
  if (command !== null && testServerUrl === null) return describe(title, tests);
  process.stdout.write(`Skipped, needs ${command === null ? name : 'SQLite'}: ${title}\n`);
  describe.skip(title, tests);
}

/** Runs a program of a runtime against a service, and returns what it prints. */
export async function run(
  { command }: Runtime,
  arguments_: readonly string[],
  variables: Record<string, string>,
  input = '',
): Promise<string> {
  const [program, ...options] = command!;
  const child = spawn(program!, [...options, ...arguments_], {
    env: {
      ...process.env,
      PYTHONPATH: 'clients/python',
      PYTHONDONTWRITEBYTECODE: '1',
      LC_ALL: 'C.UTF-8',
      NO_PROXY: '127.0.0.1',
      no_proxy: '127.0.0.1',
      ...variables,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(input);
  let text = '';
  child.stdout.setEncoding('utf8');
  for await (const part of child.stdout) text += String(part);
  return text;
}
