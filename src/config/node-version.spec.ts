import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { requireNode, UnsupportedNode } from './node-version.js';

const { engines, scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  engines: { node: string };
  scripts: Record<string, string>;
};

describe('the version of Node.js', () => {
  it('is rejected below the one that package.json asks for, in one sentence', () => {
    expect(engines.node).toMatch(/^>=20\.19 /);
    for (const version of ['18.20.4', '20.18.1'])
      expect(() => requireNode(version)).toThrow(
        new UnsupportedNode(`Node.js 20.19 or newer is needed, and this is ${version}.`),
      );
    for (const version of ['20.19.0', '22.1.0', '24.18.0']) requireNode(version);
  });

  it('is rejected by commands, too, before they load what it may not understand', () => {
    const build = (version: string) => {
      const versions = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`;
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        ['--import', `data:text/javascript,${encodeURIComponent(versions)}`, 'scripts/build-if-stale.mjs'],
        { encoding: 'utf8' },
      );
      return [status, stdout, stderr];
    };
    for (const version of ['18.20.4', '20.18.1'])
      expect(build(version)).toEqual([1, '', `Node.js 20.19 or newer is needed, and this is ${version}.\n`]);
    const commands = Object.entries(scripts).filter(([, script]) => script.includes('.command.js'));
    expect(commands.length).toBeGreaterThan(9);
    for (const [, script] of commands) expect(script).toMatch(/^node scripts\/build-if-stale\.mjs && /);
  });
});
