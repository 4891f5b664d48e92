import { SetMetadata } from '@nestjs/common';

/** Roles of accounts: maintainers write, admins also read the audit log. */
export const roles = ['maintainer', 'admin'] as const;
export type Role = (typeof roles)[number];

/*
 * What the access guard requires of a route. Without any of these a GET is public and every other
 * method needs an access token. A decorator of the handler overrides that of its controller.
 */

export const ACCESS = 'pds:access';
export const ROLES = 'pds:roles';

export type Access = 'public' | 'protected';

/** The safe methods of RFC 9110 that are routed. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a method of a route needs an access token. */
export function requiresToken(method: string, roles?: readonly Role[], access?: Access): boolean {
  if (roles !== undefined) return true;
  return SAFE_METHODS.has(method) ? access === 'protected' : access !== 'public';
}

/** Makes a method public that is not a read: login, refresh and logout. */
export const Public = () => SetMetadata(ACCESS, 'public' satisfies Access);

/** Protects a read: it needs an access token, as writes do. */
export const Protected = () => SetMetadata(ACCESS, 'protected' satisfies Access);

/** Only accounts with one of these roles; others get 403. Protects reads like `@Protected()`. */
export const Roles = (...roles: Role[]) => SetMetadata(ROLES, roles);
