import type { Request } from 'express';
import { contextOf } from '../../platform/http/request/request-context.js';

/** Whether an origin is this site, under its public name or the one that the request names. */
export function isOwnOrigin(request: Request, origin: string): boolean {
  const { host } = request.headers;
  return [contextOf(request).origin, `http://${host}`, `https://${host}`].includes(origin);
}
