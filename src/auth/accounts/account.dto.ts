import { type Role, roles } from '../../platform/http/routes.js';
import { ApiSchema, Optional } from '../../platform/validation/field.js';
import { Flag, OneOf } from '../../platform/validation/fields.js';

/** What an admin can change of an account. */
@ApiSchema({ name: 'AccountPatch', limits: true })
export class AccountPatchDto {
  @Optional(OneOf(roles)) role?: Role;
  @Optional(Flag({ description: 'Whether it can log in and write' })) enabled?: boolean;
}
