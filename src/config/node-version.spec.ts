import { readFileSync } from 'node:fs';
import { requireNode, UnsupportedNode } from './node-version.js';

describe('the version of Node.js', () => {
  it('is rejected below the one that package.json asks for, in one sentence', () => {
    const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };
    expect(engines.node).toMatch(/^>=20\.19 /);
    for (const version of ['18.20.4', '20.18.1'])
      expect(() => requireNode(version)).toThrow(
        new UnsupportedNode(`Node.js 20.19 or newer is needed, and this is ${version}.`),
      );
    for (const version of ['20.19.0', '22.1.0', '24.18.0']) requireNode(version);
  });
});
