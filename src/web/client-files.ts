import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('./client/', import.meta.url);

/**
 * The compiled scripts for browsers, by file name, in the order of names.
 * @throws Error without a build
 */
export const clientFiles = (): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(folder)
      .filter((name) => name.endsWith('.js'))
      .sort()
      .map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]),
  );
