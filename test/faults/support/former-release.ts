import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from './resources.js';

/** The checkout; this file is built into its `dist/test/faults/support`. */
const root = join(import.meta.dirname, '../../../..');
const former = readFileSync(join(root, 'test/faults/former-release'), 'utf8').trim();

function run(program: string, args: string[], folder = root): void {
  const { status, stderr, stdout } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${stderr || stdout}`);
}

/** Why a commit cannot be built here; undefined if it can. */
export const releaseMissing = (commit: string): string | undefined =>
  spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root }).status === 0
    ? undefined
    : `This clone has no commit ${commit}.`;

/** Why the former release cannot be built here; undefined if it can. */
export const formerReleaseMissing = releaseMissing(former);

const builds = new Map<string, string>();

/**
 * Builds a commit, with the packages of this one.
 * @returns its build folder
 */
export function buildRelease(commit: string): string {
  const built = builds.get(commit);
  if (built !== undefined) return built;
  const folder = createFolder();
  run('git', ['archive', '--output', join(folder, 'source.tar'), commit]);
  run('tar', ['-xf', 'source.tar'], folder);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  // Scripts of pages are a project of their own, which early commits do not have.
  for (const project of ['tsconfig.build.json', 'src/web/client'])
    if (existsSync(join(folder, project)))
      run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', project], folder);
  const build = join(folder, 'dist');
  builds.set(commit, build);
  return build;
}

/** Builds the former release. @returns its build folder */
export const buildFormerRelease = (): string => buildRelease(former);
