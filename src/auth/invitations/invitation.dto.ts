import { type Role, roles } from '../../platform/http/routes.js';
import { OneOf, Verbatim } from '../../platform/validation/fields.js';

/** Whom an admin invites. */
export class InvitationDto {
  @Verbatim(150) username!: string;
  @OneOf(roles) role!: Role;
}
