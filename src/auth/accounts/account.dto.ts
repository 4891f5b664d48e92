import { type Role, roles } from '../../platform/http/routes/access-rules.js';
import { Choice, Flag } from '../../platform/validation/fields.js';

/** What an admin can change of an account. */
export class AccountPatchDto {
  @Choice(roles) role?: Role;
  @Flag({ description: 'Whether it can log in and write' }) enabled?: boolean;
}
