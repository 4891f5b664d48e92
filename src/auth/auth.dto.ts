import { type Role } from '../common/access/caller.js';
import { Verbatim } from '../common/validation/fields.js';
import { LONGEST_PASSWORD } from './password-rules.js';
import { LONGEST_TOKEN } from './token-claims.js';

/** Body of a login. */
export class LoginDto {
  @Verbatim(150, { required: true, description: 'Exactly as the account is named; letter case counts.' })
  username!: string;

  @Verbatim(LONGEST_PASSWORD, { required: true })
  password!: string;
}

/** Body of a refresh or a logout. What is too long for a token is a text all the same, and as a token it is not valid. */
export class RefreshDto {
  @Verbatim(100 * 1024, {
    required: true,
    description: `A refresh token; ours are under ${LONGEST_TOKEN} bytes.`,
  })
  refresh!: string;
}

/** Answer of a login or a refresh. */
export class TokenPairView {
  /** Good for one use: exchange it for a new pair before it expires. */
  refresh!: string;

  /** For the header of writes: `Authorization: Bearer <ACCESS_TOKEN>`. */
  access!: string;
}

/** Who the caller is. */
export class MeView {
  id!: number;
  username!: string;
  role!: Role;
}
