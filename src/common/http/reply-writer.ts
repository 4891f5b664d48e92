import { pipeline } from 'node:stream';
import { digestTag, noneMatchNames, tagHeader, type Encoding } from '../caching/etag.js';
import type { PageCache } from '../caching/page-cache.js';
import type { ApiError } from '../errors/api-error.js';
import { PROBLEM_MEDIA_TYPE, problemDetails } from '../errors/problem.js';
import type { ServiceLog } from '../logging/service-log.js';
import { Reply, RowStream } from './reply.js';
import { responseHeaders, type HeaderList } from './response-headers.js';
import { chooseEncoding, compressor, isCompressible } from './compression.js';
import { CachedReply, send } from './cached-reply.js';
import type { HttpLimits, HttpOptions } from './http-options.js';
import { decodeQueryText } from './query-pairs.js';
import type { RequestContext } from './request-context.js';
import { cacheControl } from './route-decorators.js';
import { Parts, writeParts } from './row-writer.js';
import { closeGently } from './unread-body.js';

/** Address under which the page cache keeps what a request asked for: path and query as sent, without `_` where that can be read. */
export function cacheKey(url: string): string {
  if (!url.includes('_=') && !url.endsWith('_') && !url.includes('_&')) return url;
  const at = url.indexOf('?');
  if (at < 0) return url;
  const pieces = url
    .slice(at + 1)
    .split('&')
    .filter(
      (piece) => piece !== '_' && !(piece.startsWith('_=') && decodeQueryText(piece.slice(2)) !== null),
    );
  return url.slice(0, at) + (pieces.length > 0 ? `?${pieces.join('&')}` : '');
}

/**
 * Writes every answer of the service: values, `Answer`s, streams and refusals. What may be kept is handed to the page cache
 * in the very form in which it is sent.
 */
export class ReplyWriter {
  /** The service is stopping: connections are closed after their answer. */
  closing = false;
  private collecting = 0;
  private quietUntil = 0;

  constructor(
    private readonly options: HttpOptions,
    private readonly limits: HttpLimits,
    private readonly cache: PageCache,
    private readonly log: ServiceLog,
  ) {}

  /**
   * Answers a request, unless that has been done.
   * @param value what the handler returned
   */
  async reply(context: RequestContext, value: unknown, status: number): Promise<void> {
    if (context.replied || context.isAborted) return this.drop(value);
    const answer =
      value instanceof RowStream || value instanceof Reply
        ? value
        : value === undefined || value === null
          ? Reply.empty({ status: status === 200 ? 204 : status })
          : Reply.json(value, { status });
    if (answer instanceof RowStream) await this.stream(context, answer);
    else await this.whole(context, answer, answer.options.status ?? status);
  }

  /** Tells the caller why there is no answer. Faults of the service are logged under the request's id. */
  problem(context: RequestContext, error: ApiError): void {
    this.report(context, error);
    if (context.response.headersSent) {
      context.response.destroy();
      return;
    }
    if (!context.claim()) return;
    const body = Buffer.from(JSON.stringify(problemDetails(error, context.id, this.options.publicUrl ?? '')));
    const { Connection, ...headers } = error.headers;
    const finished = new CachedReply(
      error.status,
      body,
      null,
      this.headers(context, PROBLEM_MEDIA_TYPE, cacheControl.none, headers),
      false,
    );
    this.send(context, finished, 'identity', Connection !== undefined);
  }

  private async whole(context: RequestContext, answer: Reply, status: number): Promise<void> {
    const bodiless = answer.body === null;
    const body =
      typeof answer.body === 'string' ? Buffer.from(answer.body) : (answer.body ?? Buffer.alloc(0));
    await this.finish(context, status, body, bodiless ? null : answer.type, answer.options);
  }

  /** Sends a body that is complete, and keeps it where that is allowed. */
  private async finish(
    context: RequestContext,
    status: number,
    body: Buffer,
    type: string | null,
    { headers = {}, etag }: { headers?: Readonly<Record<string, string>>; etag?: string },
  ): Promise<void> {
    const keep = status === 200 && context.isRead && context.revision !== null;
    const digested = status === 200 && context.isRead && context.route?.freshness !== 'none';
    const finished = new CachedReply(
      status,
      body,
      etag ?? (digested ? digestTag(body) : null),
      this.headers(context, type, this.freshness(context, status), headers),
      type !== null && isCompressible(type) && body.length >= this.limits.compressFrom,
      type === null,
    );
    if (keep) this.keep(context, finished);
    const encoding = chooseEncoding(context.request.headers['accept-encoding']);
    const form = finished.form(encoding);
    if (form instanceof Promise) await form;
    if (context.claim()) this.send(context, finished, encoding, false);
  }

  private send(context: RequestContext, answer: CachedReply, encoding: Encoding, close: boolean): void {
    const form = answer.form(encoding);
    if (form instanceof Promise) throw new Error('The form of the answer is not ready.');
    const lingers = closeGently(context, this.limits, close || this.closing);
    const extra = [...context.ownHeaders];
    if (this.closing || close || lingers) extra.push('Connection', 'close');
    const sending = {
      requestId: context.id,
      ifNoneMatch: context.request.headers['if-none-match'],
      read: context.isRead,
      head: context.request.method === 'HEAD',
      extra: extra.length === 0 ? null : extra,
      stallMs: this.limits.stallMs,
    };
    context.attempt(() => (context.bytesSent = send(context.response, answer, form, sending)));
    context.release();
  }

  private async stream(context: RequestContext, rows: RowStream): Promise<void> {
    const { response } = context;
    const { 'if-none-match': ifNoneMatch, 'accept-encoding': accepted } = context.request.headers;
    const status = rows.options.status ?? 200;
    const tag = rows.options.etag ?? this.revisionTag(context);
    const parts = new Parts(rows.parts);
    const unchanged =
      status === 200 && tag !== null && ifNoneMatch !== undefined && noneMatchNames(ifNoneMatch, tag);
    if (unchanged || context.request.method === 'HEAD') {
      await parts.stop();
      if (!context.claim()) return;
      this.writeHead(context, unchanged ? 304 : status, rows, tag, chooseEncoding(accepted));
      response.end();
      context.release();
      return;
    }
    // A failure in here is still an ordinary refusal.
    const first: Buffer[] = [];
    let size = 0;
    while (size < this.limits.streamFrom) {
      const part = await parts.next();
      if (context.replied || context.isAborted) return parts.stop();
      if (part === null) {
        return this.finish(context, status, Buffer.concat(first), rows.type, {
          ...rows.options,
          ...(tag === null ? {} : { etag: tag }),
        });
      }
      first.push(part);
      size += part.length;
    }
    const wanted = chooseEncoding(accepted);
    const encoding = isCompressible(rows.type) ? wanted : 'identity';
    if (!context.claim()) return parts.stop();
    this.writeHead(context, status, rows, tag, encoding);
    const packer = encoding === 'identity' ? null : compressor(encoding);
    if (packer !== null) {
      pipeline(packer, response, () => undefined);
      packer.on('data', (bytes: Buffer) => (context.bytesSent += bytes.length));
    }
    const copy = this.copy(context, status);
    try {
      const complete = await writeParts(first, parts, {
        response,
        sink: packer ?? response,
        stallMs: this.limits.stallMs,
        onPart: (part) => {
          if (packer === null) context.bytesSent += part.length;
          copy.add(part);
        },
        onSlowReader: context.release,
      });
      if (complete) copy.keep(rows, tag);
    } catch (error) {
      // The connection is cut already; that is all the caller can be told.
      this.log.pino.error({ id: context.id, err: error }, 'answer cut');
    } finally {
      copy.end();
      context.release();
    }
  }

  private writeHead(
    context: RequestContext,
    status: number,
    rows: RowStream,
    tag: string | null,
    encoding: Encoding,
  ): void {
    const type = status === 304 ? null : rows.type;
    const headers = this.headers(context, type, this.freshness(context, status), rows.options.headers ?? {});
    if (tag !== null) headers.push('ETag', tagHeader(tag, encoding));
    if (encoding !== 'identity' && status !== 304) headers.push('Content-Encoding', encoding);
    if (this.closing || closeGently(context, this.limits, this.closing)) headers.push('Connection', 'close');
    const list = ['X-Request-Id', context.id, ...headers, ...context.ownHeaders];
    context.attempt(() => context.response.writeHead(status, list));
  }

  /** Gathers a stream for the page cache, as long as it may be kept and there is room for it. */
  private copy(context: RequestContext, status: number) {
    let parts: Buffer[] | null = status === 200 && context.revision !== null ? [] : null;
    let size = 0;
    const end = (): void => {
      this.collecting -= size;
      size = 0;
      parts = null;
    };
    return {
      end,
      add: (part: Buffer): void => {
        if (parts === null) return;
        const fits = size + part.length <= this.limits.cachedAnswerBytes;
        if (!fits || this.collecting + part.length > this.limits.collectingBytes) return end();
        parts.push(part);
        size += part.length;
        this.collecting += part.length;
      },
      keep: (rows: RowStream, tag: string | null): void => {
        if (parts === null) return;
        const body = Buffer.concat(parts);
        const headers = this.headers(
          context,
          rows.type,
          this.freshness(context, 200),
          rows.options.headers ?? {},
        );
        this.keep(
          context,
          new CachedReply(200, body, tag ?? digestTag(body), headers, isCompressible(rows.type)),
        );
      },
    };
  }

  private keep(context: RequestContext, answer: CachedReply): void {
    const { route, revision } = context;
    if (route === null || revision === null) return;
    const format = context.query.all('format').length > 0 ? context.format : null;
    const key = cacheKey(context.request.url ?? '');
    this.cache.keep(context.origin, key, { route, format }, context.format, {
      answer,
      revision,
      day: context.relativeTo,
    });
  }

  /** A tag for an answer whose bytes are not known yet: it changes with everything they depend on. */
  private revisionTag(context: RequestContext): string | null {
    if (context.revision === null) return null;
    const { release } = this.options;
    const day = context.relativeTo ?? '';
    const address = cacheKey(context.request.url ?? '');
    return digestTag([release, context.revision, context.origin, address, context.format, day].join('\n'));
  }

  private freshness(context: RequestContext, status: number): string {
    const fresh = context.isRead && (status === 200 || status === 304);
    return fresh ? cacheControl[context.route?.freshness ?? 'none'] : cacheControl.none;
  }

  private headers(
    context: RequestContext,
    type: string | null,
    control: string,
    extra: Readonly<Record<string, string>>,
  ): HeaderList {
    const { origin } = context.request.headers;
    const read = context.isRead || context.request.method === 'OPTIONS';
    return responseHeaders({
      type,
      cacheControl: control,
      secure: context.origin.startsWith('https:'),
      read,
      allowedOrigin: origin !== undefined && this.options.corsOrigins.includes(origin) ? origin : null,
      extra: { ...setBefore(context), ...context.replyHeaders, ...extra },
    });
  }

  /** Nothing is sent to a client that is gone, but a source that is open must be closed. */
  private async drop(value: unknown): Promise<void> {
    if (value instanceof RowStream) await new Parts(value.parts).stop();
  }

  private report(context: RequestContext, error: ApiError): void {
    if (error.status < 500 || context.isAborted) return;
    const facts = { id: context.id, code: error.code, err: error.cause ?? error };
    if (error.status === 500) {
      this.log.pino.error(facts, 'request failed');
      return;
    }
    // Overload comes in thousands; one line a second says as much.
    const now = performance.now();
    if (now < this.quietUntil) return;
    this.quietUntil = now + 1000;
    this.log.pino.warn(facts, 'request refused');
  }
}

/** Headers that decorators such as `@Header()` have put on the response. */
function setBefore({ response }: RequestContext): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.getHeaders())) {
    if (value !== undefined) found[name] = String(value);
  }
  return found;
}
