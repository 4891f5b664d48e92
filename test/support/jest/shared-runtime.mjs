import { register } from 'node:module';
import { pathToFileURL } from 'node:url';
import JestRuntime from 'jest-runtime';
import SharedEnvironment from './shared-environment.mjs';
import { sourceMapOf } from '../typescript-cache.mjs';

const Runtime = JestRuntime.default ?? JestRuntime;

// The files of a process are loaded by Node.js itself, and compiled as those of worker threads are.
register('../typescript-hooks.mjs', import.meta.url);

let files = 0;

/**
 * Loads the code under test once for all test files of a process, with the loader of Node.js, and
 * not once for each file in a context of its own, which took up to half of the suite's time.
 * Each test file is a module of its own, with its own globals of Jest. Files that name another
 * environment are loaded by Jest as ever.
 */
export default class SharedRuntime extends Runtime {
  isShared = this._environment instanceof SharedEnvironment;

  async unstable_importModule(from, ...rest) {
    if (!this.isShared) return super.unstable_importModule(from, ...rest);
    const globals = this.requireModuleOrMock(from, '@jest/globals');
    globalThis[Symbol.for('jest of this file')] = globals.jest;
    return import(`${pathToFileURL(from)}?file=${++files}`);
  }

  /** Where stack traces find the lines of TypeScript. */
  getSourceMaps() {
    if (!this.isShared) return super.getSourceMaps();
    return { get: sourceMapOf, [Symbol.iterator]: () => [].values() };
  }
}
