import { Injectable } from '@nestjs/common';
import { JwtService, type JwtModuleOptions, JwtSecretRequestType } from '@nestjs/jwt';
import { createHash, randomUUID } from 'node:crypto';
import { Clock } from '../common/dates/clock.js';
import { Environment } from '../config/environment.js';
import { bearerToken } from './bearer-token.js';
import type { SigningKeys } from './signing-keys.js';
import {
  ALGORITHM,
  AUDIENCE,
  ISSUER,
  LONGEST_TOKEN,
  checkedClaims,
  type TokenClaims,
  type TokenType,
} from './token-claims.js';

/** What a login or a refresh gives, in the words of the API. */
export interface TokenPair {
  refresh: string;
  access: string;
}

/** How `JwtService` signs and verifies. The time is not its business: it would ask the machine's clock and not ours. */
export function jwtOptions(keys: SigningKeys): JwtModuleOptions {
  return {
    secretOrKeyProvider: (purpose, token) => {
      const key = purpose === JwtSecretRequestType.SIGN ? keys.current.secret : keys.ofToken(token as string);
      if (key === undefined) throw new Error('The token names no key of ours.');
      return key;
    },
    signOptions: { algorithm: ALGORITHM, issuer: ISSUER, audience: AUDIENCE, keyid: keys.current.id },
    verifyOptions: {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      ignoreExpiration: true,
      ignoreNotBefore: true,
    },
  };
}

/** Makes tokens, and reads refresh tokens. Access tokens are read by the `JwtStrategy`. */
@Injectable()
export class Tokens {
  constructor(
    private readonly jwt: JwtService,
    private readonly clock: Clock,
    private readonly environment: Environment,
  ) {}

  /** @param expiresAt when the refresh token expires, milliseconds since 1970 */
  async pair(accountId: number, sessionId: string, expiresAt: number): Promise<TokenPair> {
    const accessExpiresAt = this.clock.now() + this.environment.accessTokenTtl * 1000;
    return {
      refresh: await this.sign('refresh', accountId, sessionId, expiresAt),
      access: await this.sign('access', accountId, sessionId, accessExpiresAt),
    };
  }

  /** The claims of a refresh token that is ours and in time; null for anything else. Whether it is spent is for the store to say. */
  async readRefresh(token: string): Promise<TokenClaims | null> {
    if (token.length > LONGEST_TOKEN) return null;
    try {
      return checkedClaims(await this.jwt.verifyAsync<object>(token), 'refresh', this.clock.now());
    } catch {
      return null;
    }
  }

  /**
   * The account that an `Authorization` header speaks for, as far as the token alone says: its login may have ended since. Null
   * for anything that is no access token of ours.
   */
  accountOf(authorization: string | undefined): number | null {
    const token = authorization === undefined ? null : bearerToken(authorization);
    if (token === null) return null;
    try {
      const claims = checkedClaims(this.jwt.verify<object>(token), 'access', this.clock.now());
      return claims === null ? null : Number(claims.sub);
    } catch {
      return null;
    }
  }

  private sign(type: TokenType, accountId: number, sessionId: string, expiresAt: number): Promise<string> {
    const claims: TokenClaims = {
      sub: String(accountId),
      sid: sessionId,
      jti: randomUUID(),
      iat: Math.floor(this.clock.now() / 1000),
      exp: Math.floor(expiresAt / 1000),
      token_type: type,
    };
    return this.jwt.signAsync(claims);
  }
}

/** What is stored of a refresh token. */
export function tokenDigest(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
