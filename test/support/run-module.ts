import { fileURLToPath } from 'node:url';

let runs = 0;

/**
 * Runs a module, once more if it has run before: one that has another address is loaded anew. What
 * it imports is shared with its other runs.
 */
export const runModule = (url: URL): Promise<unknown> => import(`${fileURLToPath(url)}?run=${++runs}`);
