import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The path of a folder beside `package.json`, whether run from the sources or from the build.
 * @param name such as `sample`; it need not exist
 */
export function projectFolder(name: string): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return join(folder, name);
}
