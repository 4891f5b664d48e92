import { register } from 'node:module';

// For commands that tests run in processes of their own: `node --import` this file.
register('./typescript-hooks.mjs', import.meta.url);
