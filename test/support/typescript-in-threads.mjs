import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

// Jest translates what it loads itself; a thread that the code under test starts loads its own files.
if (!isMainThread) register('./typescript-hooks.mjs', import.meta.url);
