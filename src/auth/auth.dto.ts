import { Verbatim } from '../common/validation/fields.js';
import { LONGEST_PASSWORD } from './password-rules.js';

/** Body of a login. The name is taken exactly as it is sent: letter case counts. */
export class LoginDto {
  @Verbatim(150, { required: true }) username!: string;
  @Verbatim(LONGEST_PASSWORD, { required: true }) password!: string;
}

/** Body of a refresh or a logout. What is too long for a token is a text all the same: as a token it is not valid. */
export class RefreshDto {
  @Verbatim(100 * 1024, { required: true }) refresh!: string;
}
