/*
 * Compiles the service if its sources changed since the last build, for the commands, which run the
 * build. Without sources, as in a container image, nothing is compiled. Files are overwritten,
 * never removed first, because a server may be running from them.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const modifiedAt = (path) => statSync(join(root, path)).mtimeMs;
const sources = existsSync(join(root, 'src'))
  ? readdirSync(join(root, 'src'), { recursive: true })
      .filter((file) => /\.(ts|json)$/.test(file) && !/(\.spec|\.d)\.ts$|\btsconfig\.json$/.test(file))
      .map((file) => join('src', file))
  : [];
const compiled = sources.map((file) => join('dist', file.replace(/\.ts$/, '.js')));

const stale = sources.some(
  (file, index) => !existsSync(join(root, compiled[index])) || modifiedAt(compiled[index]) < modifiedAt(file),
);
if (stale) {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  for (const project of ['tsconfig.build.json', 'src/web/client']) {
    const options = { cwd: root, stdio: 'inherit' };
    process.exitCode ||= spawnSync(process.execPath, [compiler, '-p', project], options).status ?? 1;
  }
}
