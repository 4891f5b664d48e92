import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

// Jest transpiles what it loads itself; worker threads of the code under test load their own files.
if (!isMainThread) register('./typescript-hooks.mjs', import.meta.url);
