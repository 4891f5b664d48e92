import { Injectable, Logger } from '@nestjs/common';
import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Environment, InvalidEnvironment } from '../config/environment.js';

/** A key that tokens are signed with, and the name (`kid`) by which they say so. */
export interface SigningKey {
  id: string;
  secret: KeyObject;
}

/**
 * The keys of the tokens. New tokens use the current one; the previous one still verifies, so that the key can be changed
 * without logging anybody out. Outside production a missing secret is made once and kept in a file.
 */
@Injectable()
export class SigningKeys {
  readonly current: SigningKey;
  private readonly byId: ReadonlyMap<string, SigningKey>;
  private readonly names: Buffer;

  constructor(environment: Environment) {
    const secret = environment.jwtSecret ?? keptSecret(environment);
    const secrets = [
      secret,
      ...(environment.jwtSecretPrevious === null ? [] : [environment.jwtSecretPrevious]),
    ];
    const keys = secrets.map((text): SigningKey => {
      const key = Buffer.from(text);
      return { id: derived(key, 'key id').toString('base64url').slice(0, 16), secret: createSecretKey(key) };
    });
    this.current = keys[0]!;
    this.byId = new Map(keys.map((key) => [key.id, key]));
    this.names = derived(Buffer.from(secret), 'user names');
  }

  /** The key with which a token says it was signed; undefined for one that is not ours. Nothing else of its header counts. */
  ofToken(token: string): KeyObject | undefined {
    const id = headerOf(token)?.kid;
    return typeof id === 'string' ? this.byId.get(id)?.secret : undefined;
  }

  /** Keyed hash of a user name, the same in all processes: what is typed as a name may be a password. */
  nameDigest(username: string): string {
    return createHmac('sha256', this.names).update(username).digest('base64url');
  }
}

/** A value that follows from a key and does not give it away. */
function derived(key: Buffer, purpose: string): Buffer {
  return createHmac('sha256', key).update(purpose).digest();
}

function headerOf(token: string): Record<string, unknown> | null {
  try {
    return JSON.parse(Buffer.from(token.split('.', 1)[0]!, 'base64url').toString()) as Record<
      string,
      unknown
    > | null;
  } catch {
    return null;
  }
}

/** The secret that is kept beside the embedded database, or in `var/` where the database is a server. Made if it is not there. */
function keptSecret(environment: Environment): string {
  const file = environment.embedded ? `${environment.sqlitePath}.jwt-secret` : 'var/jwt-secret';
  const logger = new Logger('SigningKeys');
  try {
    mkdirSync(dirname(file), { recursive: true });
    // Another process may be doing the same: each writes a file of its own, and the first link wins.
    const own = `${file}.${process.pid}`;
    writeFileSync(own, randomBytes(32).toString('base64url'), { mode: 0o600 });
    try {
      linkSync(own, file);
      logger.warn(`JWT_SECRET is not set: made a random one and kept it in ${file}.`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      logger.warn(`JWT_SECRET is not set: using the one in ${file}.`);
    } finally {
      rmSync(own);
    }
    chmodSync(file, 0o600);
    const secret = readFileSync(file, 'utf8').trim();
    if (Buffer.byteLength(secret) < 32) throw new Error('it is too short');
    return secret;
  } catch (error) {
    throw new InvalidEnvironment([
      `JWT_SECRET is not set, and ${file} cannot be used in its place: ${(error as Error).message}.`,
    ]);
  }
}
