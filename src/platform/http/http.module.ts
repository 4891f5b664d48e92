import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, DiscoveryModule } from '@nestjs/core';
import { ConnectionLimits } from './connection-limits.js';
import { PageCache } from './cache/page-cache.js';
import { ProblemFilter } from './response/problem.filter.js';
import { BodyInterceptor } from './request/body.interceptor.js';
import { HTTP_LIMITS, type HttpLimits, httpLimits } from './request/http-options.js';
import { IncomingBodies } from './request/incoming-bodies.js';
import { PageCacheListener } from './page-cache-listener.js';
import { HeavyReplies } from './response/heavy-replies.js';
import { ReplyWriter } from './response/reply-writer.js';
import { ProcessorClock, ReadCosts } from './response/read-costs.js';
import { RequestErrors } from './request-errors.js';
import { RequestIds } from './request/request-ids.js';
import { RequestMiddleware } from './request-middleware.js';
import { RequestObservers } from '../logging/request-observer.js';
import { RouteGuard } from './route.guard.js';
import { RouteList } from './route-list.js';
import { SlowReaders } from './response/slow-readers.js';
import { WaitingClients } from './response/waiting-clients.js';

/**
 * What the service adds to Nest and Express: the page cache, replies, errors as problem details,
 * and the checks that come before and after authentication. It needs `HTTP_OPTIONS` and a
 * `ServiceLog`; `REVISION_SOURCE`, `THROTTLE`, `REQUEST_OBSERVERS` and `ERROR_TRANSLATOR` are
 * optional. Imported before other modules with global guards, because guards run in the order of
 * the modules.
 */
@Module({
  imports: [DiscoveryModule],
  providers: [
    { provide: HTTP_LIMITS, useValue: httpLimits },
    {
      provide: PageCache,
      inject: [HTTP_LIMITS],
      useFactory: (limits: HttpLimits) =>
        new PageCache({
          totalBytes: limits.cacheBytes,
          addressBytes: limits.cachedReplyBytes,
          hosts: limits.cachedHosts,
        }),
    },
    ConnectionLimits,
    IncomingBodies,
    HeavyReplies,
    PageCacheListener,
    ProcessorClock,
    ReadCosts,
    ReplyWriter,
    RequestErrors,
    RequestIds,
    RequestMiddleware,
    RequestObservers,
    RouteGuard,
    RouteList,
    SlowReaders,
    WaitingClients,
    { provide: APP_GUARD, useExisting: RouteGuard },
    { provide: APP_INTERCEPTOR, useClass: BodyInterceptor },
    { provide: APP_FILTER, useClass: ProblemFilter },
  ],
  exports: [
    ConnectionLimits,
    HTTP_LIMITS,
    IncomingBodies,
    PageCache,
    PageCacheListener,
    ReplyWriter,
    RequestErrors,
    RequestMiddleware,
    RouteGuard,
    RouteList,
    WaitingClients,
  ],
})
export class HttpModule {}
