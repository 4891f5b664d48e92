import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from './resources.js';

/** The checkout; this file is built into its `dist/test/faults/support`. */
const root = join(import.meta.dirname, '../../../..');
const commit = readFileSync(join(root, 'test/faults/former-release'), 'utf8').trim();

function run(program: string, args: string[], folder = root): void {
  const { status, stderr, stdout } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${stderr || stdout}`);
}

/** Why the former release cannot be built here; undefined if it can. */
export const formerReleaseMissing =
  spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root }).status === 0
    ? undefined
    : `This clone has no commit ${commit}.`;

let build: string | null = null;

/**
 * Builds the former release, with the packages of this one.
 * @returns its build folder
 */
export function buildFormerRelease(): string {
  if (build !== null) return build;
  const folder = createFolder();
  run('git', ['archive', '--output', join(folder, 'source.tar'), commit]);
  run('tar', ['-xf', 'source.tar'], folder);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], folder);
  return (build = join(folder, 'dist'));
}
