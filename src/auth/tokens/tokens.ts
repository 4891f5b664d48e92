import { Injectable } from '@nestjs/common';
import { JwtService, type JwtModuleOptions, JwtSecretRequestType } from '@nestjs/jwt';
import { createHash, randomUUID } from 'node:crypto';
import { Clock } from '../../platform/clock/clock.js';
import { Environment } from '../../config/environment.js';
import { ClockWarning } from './clock-warning.js';
import type { SigningKeys } from './signing-keys.js';
import {
  ALGORITHM,
  AUDIENCE,
  ISSUER,
  MAX_TOKEN_LENGTH,
  NO_KEY,
  TokenRejected,
  VERIFICATION,
  validateClaims,
  type TokenClaims,
  type TokenType,
} from './token-claims.js';
import { ApiSchema } from '../../platform/validation/field.js';
import { Text } from '../../platform/validation/fields.js';

/** Response body of a login or a refresh. */
@ApiSchema({ name: 'Tokens' })
export class TokenPair {
  @Text({ description: 'Can be used once' }) refresh!: string;
  @Text({ description: 'For the Authorization header' }) access!: string;
}

/** Options of `JwtService`. */
export function jwtOptions(keys: SigningKeys): JwtModuleOptions {
  return {
    secretOrKeyProvider: (purpose, token) => {
      const key =
        purpose === JwtSecretRequestType.SIGN ? keys.current.secret : keys.findByToken(token as string);
      if (key === undefined) throw new Error(NO_KEY);
      return key;
    },
    signOptions: { algorithm: ALGORITHM, issuer: ISSUER, audience: AUDIENCE, keyid: keys.current.id },
    verifyOptions: VERIFICATION,
  };
}

/** Issues tokens, and verifies refresh tokens. Access tokens are verified by `JwtStrategy`. */
@Injectable()
export class Tokens {
  constructor(
    private readonly jwt: JwtService,
    private readonly clock: Clock,
    private readonly environment: Environment,
    private readonly clockWarning: ClockWarning,
  ) {}

  /** @param expiresAt expiry of the refresh token, in milliseconds since 1970 */
  async issuePair(accountId: number, sessionId: string, expiresAt: number): Promise<TokenPair> {
    const accessExpiresAt = this.clock.now() + this.environment.accessTokenTtl * 1000;
    return {
      refresh: await this.sign('refresh', accountId, sessionId, expiresAt),
      access: await this.sign('access', accountId, sessionId, accessExpiresAt),
    };
  }

  /**
   * The claims of a valid refresh token. `LoginSessions` checks whether it is spent.
   * @throws TokenRejected
   */
  async verifyRefreshToken(token: string): Promise<TokenClaims> {
    if (token.length > MAX_TOKEN_LENGTH) throw new TokenRejected('too long');
    const claims = validateClaims(await this.payloadOf(token), 'refresh', this.clock.now());
    this.clockWarning.check(claims);
    return claims;
  }

  /** @throws TokenRejected unless its signature, issuer and audience are those of this service */
  private async payloadOf(token: string): Promise<object> {
    try {
      return await this.jwt.verifyAsync<object>(token);
    } catch (error) {
      throw new TokenRejected((error as Error).message);
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

/** The digest under which a refresh token is stored. */
export function tokenDigest(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
