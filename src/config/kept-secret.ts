import { Logger } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Environment, InvalidEnvironment } from './environment.js';

/**
 * A secret that no setting has: that in a file beside the embedded database, or in `var/` for a
 * server, which is created if it is missing.
 * @param variable the setting that would have it
 * @param name the last part of the name of the file
 * @throws InvalidEnvironment
 */
export function keptSecret(environment: Environment, variable: string, name: string): string {
  const file = environment.embedded ? `${environment.sqlitePath}.${name}` : `var/${name}`;
  const logger = new Logger('Settings');
  try {
    mkdirSync(dirname(file), { recursive: true });
    // Another process may do the same: each writes its own file, and the first link wins.
    const temporary = `${file}.${process.pid}`;
    writeFileSync(temporary, randomBytes(32).toString('base64url'), { mode: 0o600 });
    try {
      linkSync(temporary, file);
      logger.warn(`${variable} is not set: generated a random one and stored it in ${file}.`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      logger.warn(`${variable} is not set: using the one in ${file}.`);
    } finally {
      rmSync(temporary);
    }
    chmodSync(file, 0o600);
    const secret = readFileSync(file, 'utf8').trim();
    if (Buffer.byteLength(secret) < 32) throw new Error('it is too short');
    return secret;
  } catch (error) {
    throw new InvalidEnvironment([
      `${variable} is not set, and ${file} cannot be used instead: ${(error as Error).message}.`,
    ]);
  }
}
