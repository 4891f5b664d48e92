import type { Request } from 'express';
import { infoOf } from '../../platform/http/request.js';

/** Whether an origin is this site, under its public name or the one that the request names. */
export function isOwnOrigin(request: Request, origin: string): boolean {
  const { host } = request.headers;
  return [new URL(infoOf(request).origin).origin, `http://${host}`, `https://${host}`].includes(origin);
}

/** Whether a browser says that a page of this site has sent the request. */
export function isFromOwnOrigin(request: Request): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  return site === 'same-origin' || (origin !== undefined && isOwnOrigin(request, origin));
}
