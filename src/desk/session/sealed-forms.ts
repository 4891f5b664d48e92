import { Injectable } from '@nestjs/common';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { SigningKeys } from '../../auth/tokens/signing-keys.js';
import { Clock } from '../../platform/clock/clock.js';

/** Bytes of the fields of a form that is kept: sealed, it fits into the body of the login. */
const MAX_BYTES = 64 * 1024;
/** Milliseconds for which a form is kept: a working day. */
const MAX_AGE = 8 * 3600_000;
/** Of the JSON around the fields, whose characters it may escape. */
const MAX_JSON_BYTES = 8 * MAX_BYTES;

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A form that waits for its account to sign in. */
export interface KeptForm {
  /** As `FormTokens` identify it. */
  readonly account: string;
  /** The route to which it was sent: the path of its controller and the name of its handler. */
  readonly route: readonly [path: string, handler: string];
  /** Of the path. */
  readonly params: Readonly<Record<string, string>>;
  /** The query string of its address. */
  readonly query: string;
  /** Its fields, encoded as the browser has sent them. */
  readonly fields: string;
}

/**
 * Forms that the browser keeps in a hidden field of the login. Encrypted and authenticated, so that
 * who signs in next does not read them, and nobody makes them up; nothing is stored here, so that
 * any process can open them.
 */
@Injectable()
export class SealedForms {
  private readonly key: Buffer;

  constructor(
    keys: SigningKeys,
    private readonly clock: Clock,
  ) {
    this.key = keys.derive('desk kept forms');
  }

  /** @returns null for a form that is too large */
  seal(form: KeptForm): string | null {
    if (Buffer.byteLength(form.fields) > MAX_BYTES) return null;
    const json = JSON.stringify({ ...form, until: this.clock.now() + MAX_AGE });
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.key, iv);
    const text = Buffer.concat([cipher.update(deflateRawSync(json)), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url');
  }

  /** @returns null for what is too old, or was not sealed by this service */
  open(sealed: string): KeptForm | null {
    try {
      const bytes = Buffer.from(sealed, 'base64url');
      const decipher = createDecipheriv(CIPHER, this.key, bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
      const json = inflateRawSync(text, { maxOutputLength: MAX_JSON_BYTES }).toString();
      const form = JSON.parse(json) as KeptForm & { until: number };
      return form.until > this.clock.now() ? form : null;
    } catch {
      return null;
    }
  }
}
