import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

// Test files get their hooks from Jest's runtime (`jest/shared-runtime.mjs`); worker threads of the
// code under test load their own files.
if (!isMainThread) register('./typescript-hooks.mjs', import.meta.url);
