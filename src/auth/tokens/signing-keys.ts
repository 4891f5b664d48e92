import { Injectable } from '@nestjs/common';
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { Environment } from '../../config/environment.js';
import { keptSecret } from '../../config/kept-secret.js';

/** A key that signs tokens, and its `kid`. */
interface SigningKey {
  id: string;
  secret: KeyObject;
}

/**
 * The keys that sign and verify tokens. New tokens are signed with the current one; the previous
 * one still verifies, so that the key can be rotated without logging anybody out. Outside
 * production a missing secret is generated once and stored in a file.
 */
@Injectable()
export class SigningKeys {
  readonly current: SigningKey;
  private readonly byId: ReadonlyMap<string, SigningKey>;
  private readonly usernameKey: Buffer;
  private readonly sessionKeys: readonly Buffer[];

  constructor(environment: Environment) {
    const secret = environment.jwtSecret ?? keptSecret(environment, 'JWT_SECRET', 'jwt-secret');
    const secrets = [
      secret,
      ...(environment.jwtSecretPrevious === null ? [] : [environment.jwtSecretPrevious]),
    ];
    const keys = secrets.map((text): SigningKey => {
      const key = Buffer.from(text);
      return {
        id: deriveKey(key, 'key id').toString('base64url').slice(0, 16),
        secret: createSecretKey(key),
      };
    });
    this.current = keys[0]!;
    this.byId = new Map(keys.map((key) => [key.id, key]));
    this.sessionKeys = secrets.map((text) => deriveKey(Buffer.from(text), 'desk sessions'));
    this.usernameKey = deriveKey(Buffer.from(secret), 'user names');
  }

  /**
   * The key of the token's `kid`; undefined if there is none, and for a header with `crit`: that
   * names extensions without which a token must not be accepted, and none is known here (RFC 7515,
   * 4.1.11). The rest of the header is ignored.
   */
  findByToken(token: string): KeyObject | undefined {
    const { kid: id, crit } = decodeHeader(token) ?? {};
    if (crit !== undefined) return undefined;
    return typeof id === 'string' ? this.byId.get(id)?.secret : undefined;
  }

  /**
   * The digests under which the token of a desk session may be stored, that of the current key
   * first: without its key, a session has ended, as tokens have.
   */
  sessionDigests(token: string): [current: string, ...previous: string[]] {
    const digestOf = (key: Buffer) => createHmac('sha256', key).update(token).digest('base64url');
    return this.sessionKeys.map(digestOf) as [string, ...string[]];
  }

  /** A key for another purpose, the same in all processes. */
  derive(purpose: string): Buffer {
    return deriveKey(this.current.secret.export(), purpose);
  }

  /** HMAC of a user name, the same in all processes: users may type a password there by mistake. */
  nameDigest(username: string): string {
    return createHmac('sha256', this.usernameKey).update(username).digest('base64url');
  }
}

/** Derives a value for a purpose that does not reveal the key. */
function deriveKey(key: Buffer, purpose: string): Buffer {
  return createHmac('sha256', key).update(purpose).digest();
}

function decodeHeader(token: string): Record<string, unknown> | null {
  try {
    return JSON.parse(Buffer.from(token.split('.', 1)[0]!, 'base64url').toString()) as Record<
      string,
      unknown
    > | null;
  } catch {
    return null;
  }
}
