import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';

/** Folder of the published data files, if they are available: beside the checkout, never in it. */
const ROOT = resolve(import.meta.dirname, '../../../shared/data');

/** The path of a published data file. */
export function realData(path: string): string {
  return resolve(ROOT, path);
}

/** The sorted paths of all published data files in a folder, relative to the root of the data. */
export function realDataFiles(folder: string): string[] {
  if (!existsSync(realData(folder))) return [];
  return readdirSync(realData(folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => resolve(entry.parentPath, entry.name).slice(ROOT.length + 1))
    .sort();
}

/**
 * `describe` for tests with published data: skipped, with a message, if the files are not
 * available.
 */
export function describeWithRealData(name: string, tests: () => void): void {
  if (existsSync(ROOT)) {
    describe(name, tests);
    return;
  }
  process.stdout.write(`Skipped, published data files not available: ${name}\n`);
  describe.skip(name, tests);
}

/** Whether the proofs that take minutes are run: `PROOFS=yes npm test -- real-data`. */
export const WITH_PROOFS = process.env.PROOFS === 'yes';

const notRun = (name: string) => process.stdout.write(`Skipped, run by hand with PROOFS=yes: ${name}\n`);

/** `describeWithRealData` for what takes minutes, such as a read of the large file. */
export function describeProof(name: string, tests: () => void): void {
  if (WITH_PROOFS) return describeWithRealData(name, tests);
  notRun(name);
  describe.skip(name, tests);
}

/** `it` for what takes minutes. */
export function proof(name: string, test: () => Promise<void>): void {
  if (WITH_PROOFS) return it(name, test);
  notRun(name);
  it.skip(name, test);
}
