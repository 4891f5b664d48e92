/*
 * Compiles the service if its sources changed since the last build, for the commands, which run the
 * build. Without sources, as in a container image, nothing is compiled. Files are overwritten,
 * never removed first, because a server may be running from them.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
requireNode();
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

/** Ends with the sentence of the service: what it is compiled to may not even load below. */
function requireNode() {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [, oldest] = /^>=([\d.]+)/.exec(engines.node);
  const { node } = process.versions;
  const [[major, minor], [oldestMajor, oldestMinor]] = [node, oldest].map((text) =>
    text.split('.').map(Number),
  );
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  console.error(`Node.js ${oldest} or newer is needed, and this is ${node}.`);
  process.exit(1);
}
