import { existsSync, readFileSync } from 'node:fs';
import { accessProblem } from '../lib/files/access-problem.js';
import { requireNode } from './node-version.js';
import { Environment, InvalidEnvironment } from './environment.js';

/**
 * Loads the settings. A `.env` file in the working directory adds variables and never overrides
 * any.
 * @param file in place of `.env`
 * @throws InvalidEnvironment also for a file that cannot be read, UnsupportedNode
 */
export function loadEnvironment(file = '.env'): Environment {
  requireNode(process.versions.node);
  if (existsSync(file)) {
    try {
      // Node says of every file that it cannot load that there is none.
      readFileSync(file);
      process.loadEnvFile(file);
    } catch (error) {
      throw new InvalidEnvironment([`The file ${file} ${accessProblem(file, error)}.`]);
    }
  }
  return new Environment();
}
