import { Injectable } from '@nestjs/common';
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { Environment } from '../../config/environment.js';
import { keptSecret } from '../../config/kept-secret.js';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Secrets as they are stored: encrypted and authenticated with `SECRETS_KEY`, for one origin. The
 * copy of the database alone does not tell them, and none can be moved to a record of another
 * origin.
 */
@Injectable()
export class SealedSecrets {
  private key: Buffer | null = null;

  constructor(private readonly environment: Environment) {}

  /** Whether there is a key, or one may be made. */
  get isAvailable(): boolean {
    const { secretsKey, production } = this.environment;
    return secretsKey !== null || !production;
  }

  /** @param origin to which the secret may be sent */
  seal(secret: string, origin: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.readKey(), iv).setAAD(Buffer.from(origin));
    const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url');
  }

  /** @returns null where it was sealed with another key, or for another origin */
  open(sealed: string, origin: string): string | null {
    if (!this.isAvailable) return null;
    const bytes = Buffer.from(sealed, 'base64url');
    try {
      const decipher = createDecipheriv(CIPHER, this.readKey(), bytes.subarray(0, IV_BYTES))
        .setAAD(Buffer.from(origin))
        .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      const text = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    } catch {
      return null;
    }
  }

  private readKey(): Buffer {
    const { environment } = this;
    const text = () => environment.secretsKey ?? keptSecret(environment, 'SECRETS_KEY', 'secrets-key');
    return (this.key ??= createHash('sha256').update(text()).digest());
  }
}
