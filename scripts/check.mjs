/*
 * Runs formatter, linter and type checkers one after the other, and goes on after a failure, so
 * that one run shows all that is wrong: `npm run check`.
 */
import { spawnSync } from 'node:child_process';

const CHECKS = [
  'prettier --check .',
  'eslint .',
  'tsc --noEmit',
  'tsc -p src/web/client --noEmit',
  'tsc -p test/browser --noEmit',
];
const failed = CHECKS.filter((command) => {
  const { status } = spawnSync(command, { stdio: 'inherit', shell: true });
  return status !== 0;
});
if (failed.length > 0) {
  console.error(`\nFailed: ${failed.join('; ')}.`);
  process.exitCode = 1;
}
