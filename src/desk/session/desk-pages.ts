import { applyDecorators, SetMetadata, UseFilters, UseGuards, UseInterceptors } from '@nestjs/common';
import { ExplorerGuard } from '../../explorer/layout/explorer-page.js';
import { Formats, FormBody, Public, type Role } from '../../platform/http/routes.js';
import { DESK_ROLES } from './desk-roles.js';
import { FormTokenInterceptor } from './form-token.interceptor.js';
import { RedirectionFilter } from './redirection.js';
import { SessionGuard } from './session.guard.js';
import { SiteGuard } from './site.guard.js';

/**
 * The routes of a controller are pages and forms of the desk: for accounts with a session, never
 * stored, and safe from other sites. Forms arrive by `@Sent()`. `Public` opens them to the guard of
 * access tokens only.
 * @param roles that may open them; without any, all that may write
 */
export const DeskPages = (...roles: Role[]) =>
  applyDecorators(
    OpenDeskPages(),
    UseGuards(SessionGuard),
    UseInterceptors(FormTokenInterceptor),
    ...(roles.length > 0 ? [SetMetadata(DESK_ROLES, roles)] : []),
  );

/** As `DeskPages`, for everyone: the login. */
export const OpenDeskPages = () =>
  applyDecorators(
    UseGuards(ExplorerGuard, SiteGuard),
    UseFilters(RedirectionFilter),
    Public(),
    Formats('html'),
    FormBody(),
  );
