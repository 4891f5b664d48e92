import { transformSync } from '@swc/core';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'src/web/client';

/**
 * Tests have no build: this stands in for `web/client-files.ts` (see `typescript-hooks.mjs` and
 * `jest.config.js`) and strips the types of the scripts for browsers.
 */
export const clientFiles = (): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(FOLDER)
      .filter((name) => /(?<!\.d)\.ts$/.test(name))
      .sort()
      .map((name) => [name.replace(/ts$/, 'js'), compiled(readFileSync(join(FOLDER, name), 'utf8'))]),
  );

const compiled = (source: string) =>
  transformSync(source, {
    jsc: { target: 'es2022', parser: { syntax: 'typescript' }, preserveAllComments: false },
    module: { type: 'es6' },
  }).code;
