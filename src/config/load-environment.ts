import { existsSync } from 'node:fs';
import { accessProblem } from '../lib/files/access-problem.js';
import { requireNode } from './node-version.js';
import { Environment, InvalidEnvironment } from './environment.js';

const FILE = '.env';

/**
 * Loads the settings. A `.env` file in the working directory adds variables and never overrides
 * any.
 * @throws InvalidEnvironment also for a file that cannot be read, UnsupportedNode
 */
export function loadEnvironment(): Environment {
  requireNode(process.versions.node);
  if (existsSync(FILE)) {
    try {
      process.loadEnvFile(FILE);
    } catch (error) {
      throw new InvalidEnvironment([`The file ${FILE} ${accessProblem(FILE, error)}.`]);
    }
  }
  return new Environment();
}
