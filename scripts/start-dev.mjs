/*
 * Compiles, starts the service, and does both again when a source changes: `npm run start:dev`.
 * Stack traces have the lines of the sources.
 */
import { spawn, spawnSync } from 'node:child_process';

const bin = (name) => `node_modules/.bin/${name}`;
for (const project of ['tsconfig.build.json', 'src/web/client']) {
  const { status } = spawnSync(bin('tsc'), ['-p', project], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
const children = [
  spawn(bin('tsc'), ['-p', 'tsconfig.build.json', '--watch', '--preserveWatchOutput'], { stdio: 'inherit' }),
  spawn(process.execPath, ['--watch', '--enable-source-maps', 'dist/src/main.js'], { stdio: 'inherit' }),
];
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => children.forEach((child) => child.kill(signal)));
