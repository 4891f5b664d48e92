import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';

/** Where published data files lie when they are at hand: beside the checkout, never in it. */
const ROOT = resolve(import.meta.dirname, '../../../shared/data');

/** The path of a published data file. */
export function realData(path: string): string {
  return resolve(ROOT, path);
}

/** The paths of all files under a folder of the published data, relative to the data's root, sorted. */
export function realDataFiles(folder: string): string[] {
  if (!existsSync(realData(folder))) return [];
  return readdirSync(realData(folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => resolve(entry.parentPath, entry.name).slice(ROOT.length + 1))
    .sort();
}

/** `describe` for tests over published data: skipped, with a printed notice, where the files are not at hand. */
export function describeWithRealData(name: string, tests: () => void): void {
  if (existsSync(ROOT)) {
    describe(name, tests);
    return;
  }
  process.stdout.write(`Skipped for lack of published data files: ${name}\n`);
  describe.skip(name, tests);
}
