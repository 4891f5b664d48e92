import { existsSync } from 'node:fs';
import { Environment } from './environment.js';

/**
 * Loads the settings. A `.env` file in the working directory adds variables and never overrides
 * any.
 */
export function loadEnvironment(): Environment {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return new Environment();
}
