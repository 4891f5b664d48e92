import type { Reflector } from '@nestjs/core';
import { Forbidden } from '../../platform/errors/api-error.js';
import type { Caller } from '../../platform/http/caller.js';
import type { Role } from '../../platform/http/routes.js';

/** Metadata of a controller: the roles that may open its pages; all that write without it. */
export const DESK_ROLES = 'pds:desk-roles';

type Handler = Parameters<Reflector['get']>[1];

/**
 * @param targets the handler and the controller
 * @throws Forbidden when the account has not the role
 */
export function requireDeskRole(reflector: Reflector, targets: Handler[], { role }: Caller): void {
  const roles = reflector.getAllAndOverride<Role[] | undefined>(DESK_ROLES, targets);
  if (role === null || roles?.includes(role) === false) throw new Forbidden();
}
