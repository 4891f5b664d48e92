import { Inject, Injectable, Optional } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { PageCache } from './cache/page-cache.js';
import { REVISION_SOURCE, type RevisionSource } from './cache/revision-source.js';
import { utcDate } from '../../lib/dates/relative-date.js';
import { ServiceLog } from '../logging/service-log.js';
import { negotiate } from './request/accept.js';
import { cacheKey } from './cache/cache-key.js';
import { clientNetwork } from './request/client-network.js';
import { negotiateEncoding } from './cache/compression.js';
import { HTTP_LIMITS, HTTP_OPTIONS, type HttpLimits, type HttpOptions } from './request/http-options.js';
import { ReplyWriter } from './response/reply-writer.js';
import { announcesBody } from './request/request-context.js';
import { acceptedRequestId, readHead } from './request/request-head.js';
import { RequestIds } from './request/request-ids.js';
import { RequestObservers } from '../logging/request-observer.js';
import { readTraceContext } from '../logging/trace-context.js';
import { clientOf, isHost, originOf } from './request/request-origin.js';
import type { Route } from './routes/route-options.js';
import { THROTTLE, type Throttle, unitsOf } from './routes/throttle.js';

/**
 * The listener in front of Express: answers repeated reads from the page cache, and hands
 * everything else, whatever is unusual included, on unchanged. It is measured against a bare
 * `node:http` server.
 */
@Injectable()
export class PageCacheListener {
  private readonly today: () => string;

  constructor(
    @Inject(HTTP_OPTIONS) private readonly options: HttpOptions,
    @Inject(HTTP_LIMITS) private readonly limits: HttpLimits,
    private readonly cache: PageCache,
    private readonly ids: RequestIds,
    private readonly replies: ReplyWriter,
    private readonly observers: RequestObservers,
    private readonly log: ServiceLog,
    @Optional() @Inject(REVISION_SOURCE) private readonly revision?: RevisionSource,
    @Optional() @Inject(THROTTLE) private readonly throttle?: Throttle | null,
  ) {
    this.today = () => utcDate(options.clock());
  }

  /** Replies from the cache; false where the request has to go through Express. */
  handle(request: IncomingMessage, response: ServerResponse): boolean {
    try {
      return this.reply(request as Request, response as Response);
    } catch (error) {
      // A defect of this listener costs one request, not the process.
      this.log.pino.error({ err: error }, 'request lost');
      response.destroy();
      return true;
    }
  }

  private reply(request: Request, response: Response): boolean {
    const startedAt = performance.now();
    const { method, url, headers } = request;
    if ((method !== 'GET' && method !== 'HEAD') || announcesBody(request)) return false;
    const head = readHead(request.rawHeaders);
    const { headerBytes, targetBytes } = this.limits;
    if (head.hosts !== 1 || head.size > headerBytes || url.length > targetBytes) return false;
    if (headers.expect !== undefined || !isHost(headers.host ?? '')) return false;

    const address = this.cache.get(originOf(request, this.options.publicUrl) + cacheKey(url));
    if (address === undefined) return false;
    const { route } = address;
    const revision = this.revision?.current(route.cacheAreas ?? '') ?? null;
    const format = address.format ?? formatFor(headers.accept, route);
    const dataRevision = this.revision?.newest() ?? null;
    if (revision === null || dataRevision === null || format === null) return false;
    const reply = this.cache.fresh(address, format, revision, this.today);
    if (reply === null) return false;

    const client = clientOf(request);
    const rateLimit = this.rateLimit(client.address);
    if (rateLimit === 'throttled') return false;
    const id = acceptedRequestId(headers['x-request-id']) ?? this.ids.next();
    const extra = this.replies.closing ? [...(rateLimit ?? []), 'Connection', 'close'] : rateLimit;
    const options = {
      requestId: id,
      dataRevision,
      encoding: negotiateEncoding(headers['accept-encoding']),
      extra,
      stallMs: this.limits.stallMs,
    };
    reply.send(request, response, options, (bytes) => {
      const units = bytes > 0 ? unitsOf(reply.size) : 0;
      if (units > 0) this.throttle?.add('read', clientNetwork(client.address), units);
      this.observers.finished({
        id,
        traceId: readTraceContext(headers)?.traceId ?? null,
        method: method === 'HEAD' ? 'HEAD' : 'GET',
        route: route.pattern,
        status: response.statusCode,
        milliseconds: performance.now() - startedAt,
        bytes,
        userId: null,
        network: client.network,
        cached: true,
        aborted: false,
      });
    });
    return true;
  }

  /** Headers of the throttle. What is throttled goes through Express, where the error is made. */
  private rateLimit(address: string): string[] | 'throttled' | null {
    if (!this.throttle) return null;
    const result = this.throttle.take('read', clientNetwork(address));
    if (result === null) return null;
    return result.retryAfter === null ? Object.entries(result.headers).flat() : 'throttled';
  }
}

const memo = new WeakMap<Route, Map<string | undefined, string | null>>();
const MAX_MEMO = 100;

/** As `negotiate`, remembered: clients send a handful of different headers. */
function formatFor(accept: string | undefined, route: Route): string | null {
  let formats = memo.get(route);
  if (formats === undefined) {
    formats = new Map<string | undefined, string | null>();
    memo.set(route, formats);
  }
  let format = formats.get(accept);
  if (format === undefined) {
    format = negotiate(accept, route.formats);
    if (formats.size < MAX_MEMO) formats.set(accept, format);
  }
  return format;
}
