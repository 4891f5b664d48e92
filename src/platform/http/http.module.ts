import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, DiscoveryModule } from '@nestjs/core';
import { RequestObservers } from '../logging/request-observer.js';
import { AdmissionGuard } from './admission.guard.js';
import { BodyInterceptor } from './body.interceptor.js';
import { PageCacheListener } from './cache.listener.js';
import { PageCache } from './cache.js';
import { RequestMiddleware } from './middleware.js';
import { HTTP_LIMITS, type HttpLimits, httpLimits } from './options.js';
import { ConnectionAdmission } from './overload/connections.js';
import { HeavyReplies } from './overload/heavy-replies.js';
import { ConcurrencyLimits } from './overload/limits.js';
import { Seats } from './overload/seats.js';
import { ProcessorClock, ReadCosts } from './overload/throttle.js';
import { ProblemFilter, ReplyWriter } from './reply-writer.js';
import { RequestIds, RequestInfos } from './request.js';
import { RouteTable } from './routes.js';
import { RequestErrors } from './server.js';

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
    ConcurrencyLimits,
    ConnectionAdmission,
    HeavyReplies,
    PageCacheListener,
    ProcessorClock,
    ReadCosts,
    ReplyWriter,
    RequestErrors,
    RequestIds,
    RequestInfos,
    RequestMiddleware,
    RequestObservers,
    RouteTable,
    Seats,
    { provide: APP_GUARD, useClass: AdmissionGuard },
    { provide: APP_INTERCEPTOR, useClass: BodyInterceptor },
    { provide: APP_FILTER, useClass: ProblemFilter },
  ],
  exports: [
    ConcurrencyLimits,
    ConnectionAdmission,
    HTTP_LIMITS,
    PageCache,
    PageCacheListener,
    ReplyWriter,
    RequestErrors,
    RequestMiddleware,
    RouteTable,
  ],
})
export class HttpModule {}
