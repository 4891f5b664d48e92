/*
 * Compiles the service where that has not been done since its sources last changed: for the commands, which run what is built.
 * Without sources, as in an image made for running, there is nothing to compile. Files are written over, never removed first,
 * because a server may be running from them.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const changed = (path) => statSync(join(root, path)).mtimeMs;
const sources = existsSync(join(root, 'src'))
  ? readdirSync(join(root, 'src'), { recursive: true })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
      .map((file) => join('src', file))
  : [];
const compiled = sources.map((file) => join('dist', file.replace(/\.ts$/, '.js')));

const stale = sources.some(
  (file, at) => !existsSync(join(root, compiled[at])) || changed(compiled[at]) < changed(file),
);
if (stale) {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}
