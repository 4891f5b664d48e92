import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const UNFINISHED = '.unfinished-';

/** The folder of a finished edition. */
export const editionFolder = (root: string, number: number) => join(root, String(number));

/** The folder of an edition while it is made. */
export const unfinishedFolder = (root: string, number: number) => join(root, `${UNFINISHED}${number}`);

/** Removes what a maker has left that was killed. Only for who holds the lock. */
export function removeUnfinished(root: string): void {
  if (!existsSync(root)) return;
  for (const name of readdirSync(root))
    if (name.startsWith(UNFINISHED)) rmSync(join(root, name), { recursive: true, force: true });
}
