import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { Forbidden } from '../../platform/errors/api-error.js';
import { infoOf } from '../../platform/http/request.js';
import { isOwnOrigin } from './own-origin.js';
import { deskTexts } from '../texts.js';

const CROSS_SITE = 'pds:desk-cross-site';

const WITHHELD_ORIGIN = 'pds:desk-withheld-origin';

/**
 * Other sites may link to the page: the identity provider, and mails that bring an invitation. They
 * may not load it as an image or in a frame, where nobody sees what it does.
 */
export const FromOtherSites = () => SetMetadata(CROSS_SITE, true);

/**
 * The page of the form sends no referrer; then browsers name `null` as the origin of the form. Only
 * where an address that no other site knows is all that a form needs.
 */
export const FromPageWithoutReferrer = () => SetMetadata(WITHHELD_ORIGIN, true);

/** Another site made the browser send the request. */
export class CrossSite extends Forbidden {
  constructor() {
    super(deskTexts.error.crossSite);
  }
}

/**
 * Rejects what other sites make browsers send, by the headers that browsers add and scripts cannot
 * set. Without them, as over plain HTTP or from programs, the cookie's `SameSite` and the token of
 * forms decide.
 */
@Injectable()
export class SiteGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  /** @throws CrossSite */
  canActivate(execution: ExecutionContext): true {
    const request = execution.switchToHttp().getRequest<Request>();
    const site = request.headers['sec-fetch-site'];
    if (this.reflector.get<boolean | undefined>(CROSS_SITE, execution.getHandler())) {
      if (site !== undefined && !isFollowedLink(request)) throw new CrossSite();
      return true;
    }
    const { isRead } = infoOf(request);
    const allowed = isRead ? ['same-origin', 'none'] : ['same-origin'];
    if (site !== undefined && !allowed.includes(String(site))) throw new CrossSite();
    const { origin } = request.headers;
    if (isRead || origin === undefined || isOwnOrigin(request, origin)) return true;
    const mayBeWithheld = this.reflector.get<boolean | undefined>(WITHHELD_ORIGIN, execution.getHandler());
    if (origin !== 'null' || !mayBeWithheld) throw new CrossSite();
    return true;
  }
}

/** Whether somebody sees what a browser asks for: not so a part of a page, or a prefetch. */
function isFollowedLink({ headers }: Request): boolean {
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': destination, 'sec-purpose': purpose } = headers;
  return (mode ?? 'navigate') === 'navigate' && (destination ?? 'document') === 'document' && !purpose;
}
