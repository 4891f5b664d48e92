import { type CanActivate, type ExecutionContext, Inject, Injectable, Optional } from '@nestjs/common';
import type { Request } from 'express';
import { NotAcceptable } from '../errors/api-error.js';
import { mediaTypesOf, negotiate } from './accept.js';
import { REVISION_SOURCE, type RevisionSource } from './cache.js';
import { Seats } from './overload/seats.js';
import { applyThrottle, ReadCosts, THROTTLE, type Throttle } from './overload/throttle.js';
import { infoOf, isHttp, METHODS_WITH_BODY, type RequestInfo } from './request.js';
import { type Route, RouteTable } from './routes.js';

/**
 * The first of the global guards: finds out what the route's decorators say, and applies it in the
 * order of rule G4: method, throttle of addresses, `Accept`, load. It comes before authentication,
 * so that a flood of reads costs no look at the database.
 */
@Injectable()
export class AdmissionGuard implements CanActivate {
  constructor(
    private readonly routes: RouteTable,
    private readonly seats: Seats,
    private readonly costs: ReadCosts,
    @Optional() @Inject(REVISION_SOURCE) private readonly revision?: RevisionSource,
    @Optional() @Inject(THROTTLE) private readonly throttle?: Throttle | null,
  ) {}

  /**
   * @throws MethodNotAllowed, Throttled, NotAcceptable
   * @throws Unavailable when there is too much to do
   */
  canActivate(execution: ExecutionContext): true | Promise<true> {
    if (!isHttp(execution)) return true;
    const request = execution.switchToHttp().getRequest<Request>();
    const info = infoOf(request);
    const route = this.routes.of(request, execution);
    info.route = route;
    const { alwaysServed, throttle, cacheAreas } = route;
    if (!alwaysServed && throttle !== null) {
      applyThrottle(this.throttle, info.response, throttle, info.client.network);
      if (throttle === 'read') this.costs.begin(info);
    }
    info.format = formatOf(info, route);
    if (cacheAreas !== null) {
      info.revision = this.revision?.current(cacheAreas) ?? null;
      info.dataRevision = this.revision?.newest() ?? null;
    }
    if (alwaysServed) return true;
    info.permit = this.seats.permitFor(info);
    // A request with a body becomes work when its body is there; a route that reads it itself is.
    const isWork = !info.hasBody || !METHODS_WITH_BODY.has(request.method) || route.rawBody !== null;
    return isWork ? info.permit.acquire(false) : true;
  }
}

/**
 * `format=` wins over `Accept`; whether it is one of the route's is checked with the other
 * parameters.
 */
function formatOf({ request, query }: RequestInfo, { formats }: Route) {
  const asked = query.all('format');
  if (asked.length > 0) return formats.find((format) => asked.length === 1 && format === asked[0]) ?? 'json';
  const format = negotiate(request.headers.accept, formats);
  if (format === null) throw new NotAcceptable(mediaTypesOf(formats));
  return format;
}
