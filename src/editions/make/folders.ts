import { closeSync, existsSync, fsyncSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const UNFINISHED = '.unfinished-';

/** The folder of a finished edition. */
export const editionFolder = (root: string, number: number) => join(root, String(number));

/** The folder of an edition while it is made. */
export const unfinishedFolder = (root: string, number: number) => join(root, `${UNFINISHED}${number}`);

/** The greatest number of a folder; 0 where there is none. */
export function lastNumber(root: string): number {
  const names = existsSync(root) ? readdirSync(root) : [];
  return Math.max(0, ...names.filter((name) => /^[1-9]\d{0,8}$/.test(name)).map(Number));
}

/** Writes the names in a folder to the disk, so that a power failure does not undo a change. */
export function syncFolder(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Removes what a maker has left that was killed. Only for who holds the lock. */
export function removeUnfinished(root: string): void {
  if (!existsSync(root)) return;
  for (const name of readdirSync(root))
    if (name.startsWith(UNFINISHED)) rmSync(join(root, name), { recursive: true, force: true });
}
