import { Injectable } from '@nestjs/common';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { SigningKeys } from '../../auth/tokens/signing-keys.js';
import { accountKey, type Caller } from '../../platform/http/caller.js';

/** The field of every form with the token of the session. */
export const FORM_TOKEN = 'form_token';

/** Bytes of a token that only its session has. Two more parts, of 8 bytes, name the account. */
const SESSION_BYTES = 16;
const ACCOUNT_BYTES = 8;

/**
 * The tokens of forms: 16 bytes that only one session has, then 8 that all sessions of its account
 * have, then 8 that show that these come from this service. A form of a session that has ended can
 * so be shown again to its account, and to no other one. The same in all processes.
 */
@Injectable()
export class FormTokens {
  private readonly key: Buffer;

  constructor(keys: SigningKeys) {
    this.key = keys.derive('desk forms');
  }

  /** @param sessionToken of the cookie */
  tokenOf(sessionToken: string, caller: Caller): string {
    const session = this.digest('session', sessionToken, SESSION_BYTES);
    const account = Buffer.from(this.accountOf(caller), 'base64url');
    return Buffer.concat([session, account, this.proof(account)]).toString('base64url');
  }

  /** Identifies an account in the tokens of its forms. */
  accountOf(caller: Caller): string {
    return this.digest('account', String(accountKey(caller)), ACCOUNT_BYTES).toString('base64url');
  }

  /** The account of the session that a token is from; null where this service has not made it. */
  readAccount(token: string): string | null {
    const bytes = Buffer.from(token, 'base64url').subarray(SESSION_BYTES);
    const [account, proof] = [bytes.subarray(0, ACCOUNT_BYTES), bytes.subarray(ACCOUNT_BYTES)];
    return isEqual(proof, this.proof(account)) ? account.toString('base64url') : null;
  }

  private readonly proof = (account: Buffer) => this.digest('proof', account, ACCOUNT_BYTES);

  private digest(purpose: string, value: string | Buffer, bytes: number): Buffer {
    return createHmac('sha256', this.key).update(`${purpose} `).update(value).digest().subarray(0, bytes);
  }
}

/** Whether two tokens are the same; takes the same time wherever they differ. */
export const isSameToken = (one: string, other: string) => isEqual(Buffer.from(one), Buffer.from(other));

const isEqual = (one: Buffer, other: Buffer) => one.length === other.length && timingSafeEqual(one, other);
