import { Id, OneOf, Text, Verbatim } from '../platform/validation/fields.js';
import { MAX_PASSWORD_BYTES } from './accounts/password-rules.js';
import { ApiSchema, Optional, OrNull } from '../platform/validation/field.js';
import { type Role, roles } from '../platform/http/routes.js';

/** Body of a login. The user name is case-sensitive and not trimmed. */
@ApiSchema({ name: 'Login', limits: true })
export class LoginDto {
  @Verbatim(150) username!: string;
  @Verbatim(MAX_PASSWORD_BYTES, { format: 'password' }) password!: string;
}

/**
 * Body of a refresh or a logout. The limit lies far above the length of a token: a text that is too
 * long for a token is answered as an invalid token, not as an invalid body.
 */
@ApiSchema({ name: 'RefreshToken', limits: true })
export class RefreshDto {
  @Verbatim(100 * 1024, { stated: { minLength: 1 } }) refresh!: string;
}

/** The account of an access token. */
@ApiSchema({ name: 'Account' })
export class CallerAccount {
  @OrNull(Id({ description: 'Null for an account of the identity provider' })) id!: number | null;
  @Text() username!: string;
  @OneOf(roles) role!: Role;
  @Optional(Text({ description: 'Of an account of the identity provider: who issued its token' }))
  issuer?: string;
  @Optional(Text({ description: 'Of an account of the identity provider: its id there' }))
  subject?: string;
}
