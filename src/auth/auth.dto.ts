import { Verbatim } from '../platform/validation/fields.js';
import { MAX_PASSWORD_BYTES } from './accounts/password-rules.js';

/** Body of a login. The user name is case-sensitive and not trimmed. */
export class LoginDto {
  @Verbatim(150) username!: string;
  @Verbatim(MAX_PASSWORD_BYTES, { format: 'password' }) password!: string;
}

/**
 * Body of a refresh or a logout. The limit lies far above the length of a token: a text that is too
 * long for a token is answered as an invalid token, not as an invalid body.
 */
export class RefreshDto {
  @Verbatim(100 * 1024, { stated: { minLength: 1 } }) refresh!: string;
}
