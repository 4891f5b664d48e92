import { SetMetadata } from '@nestjs/common';
import type { Role } from './caller.js';

/*
 * What the guard asks of a route. Without any of these a GET is open and every other method needs an access token. Each stands
 * on a handler or on its whole controller; the handler's word goes first.
 */

export const ACCESS = 'pds:access';
export const ROLES = 'pds:roles';

export type Access = 'public' | 'protected';

/** Opens a method that is not a read: login, refresh and logout. */
export const Public = () => SetMetadata(ACCESS, 'public' satisfies Access);

/** Closes a read: it needs an access token, as writes do. */
export const Protected = () => SetMetadata(ACCESS, 'protected' satisfies Access);

/** Only accounts of one of these roles; others get 403. Closes a read as `@Protected()` does. */
export const Roles = (...roles: Role[]) => SetMetadata(ROLES, roles);
