import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

it('the settings of garbage collection are options that this version of V8 knows', () => {
  const module = fileURLToPath(new URL('./garbage-collection.ts', import.meta.url));
  const script = `import { disablePretenuring, limitHeapGrowth } from ${JSON.stringify(module)};
    limitHeapGrowth(30);
    disablePretenuring();`;
  const options = ['--import', './test/support/typescript-in-processes.mjs', '--input-type=module'];
  const { status, stderr } = spawnSync(process.execPath, [...options, '-e', script], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
