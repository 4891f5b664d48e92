import { existsSync } from 'node:fs';
import { Environment } from './environment.js';

/** The settings of this process, with those of a `.env` file in the working directory, which never override. */
export function loadEnvironment(): Environment {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return new Environment();
}
