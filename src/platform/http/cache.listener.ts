import { Inject, Injectable, Optional } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { utcDate } from '../../lib/dates/relative-date.js';
import { RequestObservers } from '../logging/request-observer.js';
import { ServiceLog } from '../logging/service-log.js';
import { negotiate } from './accept.js';
import { cacheKey, PageCache, REVISION_SOURCE, type RevisionSource } from './cache.js';
import { isHost } from './client.js';
import type { FinishedReply } from './finished-reply.js';
import { HTTP_LIMITS, HTTP_OPTIONS, type HttpLimits, type HttpOptions } from './options.js';
import { THROTTLE, type Throttle, unitsOf } from './overload/throttle.js';
import { ReplyWriter } from './reply-writer.js';
import { type RequestInfo, RequestInfos } from './request.js';
import type { Route } from './routes.js';

/**
 * The listener in front of Express: finds out what is to be known of a request, answers repeated
 * reads from the page cache, and hands everything else, whatever is unusual included, on unchanged.
 * It is measured against a bare `node:http` server.
 */
@Injectable()
export class PageCacheListener {
  private readonly today: () => string;

  constructor(
    @Inject(HTTP_OPTIONS) { clock }: HttpOptions,
    @Inject(HTTP_LIMITS) private readonly limits: HttpLimits,
    private readonly cache: PageCache,
    private readonly infos: RequestInfos,
    private readonly replies: ReplyWriter,
    private readonly observers: RequestObservers,
    private readonly log: ServiceLog,
    @Optional() @Inject(REVISION_SOURCE) private readonly revision?: RevisionSource,
    @Optional() @Inject(THROTTLE) private readonly throttle?: Throttle | null,
  ) {
    this.today = () => utcDate(clock());
  }

  /** Replies from the cache; false where the request has to go through Express. */
  handle(request: IncomingMessage, response: ServerResponse): boolean {
    try {
      const info = this.infos.make(request, response);
      const reply = this.find(info);
      if (reply !== null && this.send(info, reply)) return true;
      info.attach();
      return false;
    } catch (error) {
      this.lose(error, response);
      return true;
    }
  }

  /** The reply that the cache has for a request; null where Express is to handle it. */
  private find(info: RequestInfo): FinishedReply | null {
    const { request, head } = info;
    const { url, headers } = request;
    if (!info.isRead || info.hasBody) return null;
    const { headerBytes, targetBytes } = this.limits;
    if (head.hosts !== 1 || head.size > headerBytes || url.length > targetBytes) return null;
    if (info.expectsContinue || !isHost(headers.host ?? '')) return null;

    const address = this.cache.get(info.origin + cacheKey(url));
    if (address === undefined) return null;
    const { route } = address;
    const revision = this.revision?.current(route.cacheAreas ?? '') ?? null;
    const format = address.format ?? formatFor(headers.accept, route);
    const newest = this.revision?.newest() ?? null;
    if (revision === null || newest === null || format === null) return null;
    const reply = this.cache.fresh(address, format, revision, this.today);
    if (reply === null) return null;
    info.route = route;
    info.dataRevision = newest;
    return reply;
  }

  /** Sends a reply of the cache; false for what is throttled: Express makes the error. */
  private send(info: RequestInfo, reply: FinishedReply): boolean {
    const { limits, throttle } = this;
    const { network } = info.client;
    const rateLimit = throttle?.take('read', network) ?? null;
    if (rateLimit !== null && rateLimit.retryAfter !== null) return false;
    const extra = rateLimit && Object.entries(rateLimit.headers).flat();
    const sent = reply.send(info, { limits, close: this.replies.closing, extra }, (bytes) => {
      const units = bytes > 0 ? unitsOf(reply.body.bytes.length) : 0;
      if (units > 0) throttle?.add('read', network, units);
      this.observers.finished(info.finished(true, false));
    });
    sent?.catch((error: unknown) => this.lose(error, info.response));
    return true;
  }

  /** A defect of this listener costs one request, not the process. */
  private lose(error: unknown, response: ServerResponse): void {
    this.log.pino.error({ err: error }, 'request lost');
    response.destroy();
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
