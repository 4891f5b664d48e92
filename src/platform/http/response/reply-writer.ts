import { Inject, Injectable, Optional } from '@nestjs/common';
import { abortIfStalled } from '../../../lib/scheduling/stalled-response.js';
import { digestTag, type Encoding, ifNoneMatchIncludes, tagHeader } from '../cache/etag.js';
import { PageCache } from '../cache/page-cache.js';
import type { ApiError } from '../../errors/api-error.js';
import { HTML_MEDIA_TYPE } from '../../formats/page-formats.js';
import { PROBLEM_MEDIA_TYPE, problemDetails } from '../../errors/problem.js';
import { ServiceLog } from '../../logging/service-log.js';
import { CachedReply, DATA_REVISION, type EncodedVariant, storedHeaders } from '../cache/cached-reply.js';
import { cacheKey } from '../cache/cache-key.js';
import { ChunkReader, writeChunks } from './chunk-writer.js';
import { compress, createCompressor, isCompressible, negotiateEncoding } from '../cache/compression.js';
import { basePathOf, underBasePath } from '../request/base-path.js';
import { HTTP_LIMITS, HTTP_OPTIONS, type HttpLimits, type HttpOptions } from '../request/http-options.js';
import { ERROR_PAGES, type ErrorPages } from './error-pages.js';
import { Reply, type ReplyOptions, RowStream } from './reply.js';
import type { RequestContext } from '../request/request-context.js';
import { cacheControl, type CachePolicy } from '../routes/route-decorators.js';
import { SlowReaders } from './slow-readers.js';
import { StreamCollector } from './stream-collector.js';
import { closeGently } from './unread-body.js';

/** A body that is complete, before it is encoded. */
interface WholeBody {
  status: number;
  /** Null for no body. */
  type: string | null;
  body: Buffer;
  options: ReplyOptions;
  variants?: Reply['variants'];
}

/** Milliseconds between two log lines about requests rejected because of overload. */
const OVERLOAD_LOG_INTERVAL = 1000;

/**
 * Writes what handlers return (values, `Reply`s, `RowStream`s) and errors: entity tags, conditional
 * requests, content encodings, and what the page cache stores.
 */
@Injectable()
export class ReplyWriter {
  /** The service is stopping: connections are closed after their response. */
  closing = false;
  private readonly collector: StreamCollector;
  private readonly basePath: string;
  private nextOverloadLog = 0;

  constructor(
    @Inject(HTTP_OPTIONS) private readonly options: HttpOptions,
    @Inject(HTTP_LIMITS) private readonly limits: HttpLimits,
    private readonly cache: PageCache,
    private readonly slowReaders: SlowReaders,
    private readonly log: ServiceLog,
    @Optional() @Inject(ERROR_PAGES) private readonly errorPages?: ErrorPages | null,
  ) {
    this.collector = new StreamCollector(limits);
    this.basePath = basePathOf(options.publicUrl);
  }

  /**
   * Replies to a request, unless that has been done.
   * @param value what the handler returned: a `Reply`, a `RowStream`, or a value sent as JSON
   */
  async send(context: RequestContext, value: object, status: number): Promise<void> {
    if (context.replied || context.isAborted) return this.drop(value);
    if (value instanceof RowStream) return this.sendStream(context, value);
    const reply = value instanceof Reply ? value : Reply.json(value, { status });
    const { type, variants } = reply;
    const { body, options } = this.placed(reply);
    await this.sendWhole(context, {
      status: options.status ?? status,
      type: body === null ? null : type,
      body: typeof body === 'string' ? Buffer.from(body) : (body ?? Buffer.alloc(0)),
      options,
      variants,
    });
  }

  /** A reply whose addresses on this host begin with the path of `PUBLIC_URL`. */
  private placed({ body, type, options }: Reply): Pick<Reply, 'body' | 'options'> {
    const { basePath } = this;
    if (basePath === '') return { body, options };
    const location = options.headers?.Location;
    if (location?.startsWith('/'))
      return {
        body,
        options: { ...options, headers: { ...options.headers, Location: basePath + location } },
      };
    if (body === null || type !== HTML_MEDIA_TYPE) return { body, options };
    // A tag that was given is that of the document without the path.
    return { body: underBasePath(String(body), basePath), options: { ...options, etag: undefined } };
  }

  /**
   * Sends an error as problem details, or as a page. Errors of the service are logged under the
   * request's id.
   */
  problem(context: RequestContext, error: ApiError): void {
    if (context.cancelled) return;
    this.logProblem(context, error);
    const { response } = context;
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (context.isAborted) return;
    // Headers follow a claim in the same turn: one without headers has failed.
    context.replied = true;
    try {
      this.writeProblem(context, error, this.pageOf(error, context));
    } catch (failure) {
      // No request stays without an end, whatever is wrong with its error.
      this.log.pino.error({ id: context.id, err: failure }, 'error reply failed');
      response.destroy();
    }
  }

  /** The page for an error; null where there is none, or it cannot be made. */
  private pageOf(error: ApiError, context: RequestContext): ReturnType<ErrorPages> {
    try {
      return this.errorPages?.(error, context) ?? null;
    } catch (failure) {
      this.log.pino.error({ id: context.id, err: failure }, 'error page failed');
      return null;
    }
  }

  private writeProblem(context: RequestContext, error: ApiError, page: ReturnType<ErrorPages>): void {
    const { response } = context;
    const body =
      page === null
        ? JSON.stringify(problemDetails(error, context.id, this.options.publicUrl ?? ''))
        : underBasePath(page.body, this.basePath);
    for (const name of ['ETag', 'Content-Encoding', 'Content-Length']) response.removeHeader(name);
    setHeaders(context, {
      'Content-Type': PROBLEM_MEDIA_TYPE,
      'Cache-Control': cacheControl.none,
      ...page?.headers,
      ...error.headers,
    });
    this.write(context, error.status, { encoding: 'identity', body: Buffer.from(body) }, true);
  }

  private async sendWhole(
    context: RequestContext,
    { status, type, body, options, variants }: WholeBody,
  ): Promise<void> {
    const { request, route } = context;
    const ok = status === 200 && context.isRead;
    setHeaders(context, {
      ...(type === null ? {} : { 'Content-Type': type }),
      'Cache-Control': cacheControl[ok ? cachePolicyOf(context) : 'none'],
      ...(ok ? revisionHeader(context, options) : {}),
      ...options.headers,
    });
    const tag = options.etag ?? (ok && route?.cachePolicy !== 'none' ? digestTag(body) : null);
    const compressible = type !== null && isCompressible(type) && body.length >= this.limits.compressFrom;
    const wanted = compressible ? negotiateEncoding(acceptEncoding(context)) : 'identity';
    const encoded = variants?.get(wanted) ?? encode(body, wanted);
    variants?.set(wanted, encoded);
    encoded.catch(() => variants?.delete(wanted));
    const variant = await encoded;
    const ifNoneMatch = request.headers['if-none-match'];
    if (ok && tag !== null && this.isAdmitted(context)) {
      const reply = new CachedReply(
        body,
        tag,
        storedHeaders(context.response),
        compressible,
        shownRevision(context),
      );
      reply.add(variant);
      this.store(context, reply);
    }
    if (!context.claim()) return;
    if (tag !== null) setHeaders(context, { ETag: tagHeader(tag, variant.encoding) });
    if (ok && tag !== null && ifNoneMatch !== undefined && ifNoneMatchIncludes(ifNoneMatch, tag))
      return this.writeNotModified(context);
    if (request.method !== 'HEAD') this.countBytes(context, body.length);
    this.write(context, status, variant, type !== null);
  }

  private write(context: RequestContext, status: number, variant: EncodedVariant, hasBody: boolean): void {
    const { request, response } = context;
    const { body, encoding } = variant;
    if (closeGently(context, this.limits, this.closing || closes(context)))
      response.setHeader('Connection', 'close');
    context.attempt(() => {
      if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
      if (hasBody) response.setHeader('Content-Length', body.length);
      response.writeHead(status);
    });
    if (request.method === 'HEAD' || body.length === 0) response.end();
    else {
      context.bytesSent = body.length;
      response.end(body);
      // Nearly always the kernel takes all of it at once, and a timer for every reply would be
      // wasted.
      if (response.writableLength > 0) {
        abortIfStalled(response, this.limits.stallMs);
        response.once('close', this.slowReaders.add(context));
      }
    }
    context.release();
    context.cost?.rest();
  }

  private writeNotModified({ response, release }: RequestContext): void {
    response.removeHeader('Content-Type');
    response.writeHead(304).end();
    release();
  }

  private async sendStream(context: RequestContext, stream: RowStream): Promise<void> {
    const { request, response } = context;
    const { options, type } = stream;
    const status = options.status ?? 200;
    const tag = options.etag ?? this.revisionTag(context);
    const source = new ChunkReader(stream.chunks);
    const ifNoneMatch = request.headers['if-none-match'];
    const notModified =
      status === 200 && tag !== null && ifNoneMatch !== undefined && ifNoneMatchIncludes(ifNoneMatch, tag);
    if (notModified || request.method === 'HEAD') {
      await source.stop();
      if (!context.claim()) return;
      const encoding = isCompressible(type) ? negotiateEncoding(acceptEncoding(context)) : 'identity';
      this.setStreamHeaders(context, stream, tag, encoding);
      if (notModified) return this.writeNotModified(context);
      context.attempt(() => response.writeHead(status));
      response.end();
      context.release();
      return;
    }
    // A failure in here is still an ordinary error response.
    const first: Buffer[] = [];
    let size = 0;
    while (size < this.limits.streamFrom) {
      const chunk = await source.next();
      if (context.replied || context.isAborted) return source.stop();
      if (chunk === null) {
        const body = Buffer.concat(first);
        return this.sendWhole(context, {
          status,
          type,
          body,
          options: { ...options, ...(tag === null ? {} : { etag: tag }) },
        });
      }
      first.push(chunk);
      size += chunk.length;
    }
    try {
      await context.expectItems(stream.items);
    } catch (error) {
      await source.stop();
      throw error;
    }
    if (!context.claim()) return source.stop();
    await this.writeStream(context, stream, tag, first, source);
  }

  private async writeStream(
    context: RequestContext,
    stream: RowStream,
    tag: string | null,
    first: readonly Buffer[],
    source: ChunkReader,
  ): Promise<void> {
    const { response } = context;
    const status = stream.options.status ?? 200;
    const encoding = isCompressible(stream.type) ? negotiateEncoding(acceptEncoding(context)) : 'identity';
    this.setStreamHeaders(context, stream, tag, encoding);
    const headers = storedHeaders(response);
    context.attempt(() => response.writeHead(status));
    const compressor = encoding === 'identity' ? null : createCompressor(encoding);
    if (compressor !== null) {
      // Not pipeline(): it adds seven `close` listeners, and Node warns of more than ten.
      compressor.pipe(response);
      compressor.once('error', () => response.destroy());
      context.signal.addEventListener('abort', () => compressor.destroy());
      compressor.on('data', (bytes: Buffer) => (context.bytesSent += bytes.length));
    }
    const copy = this.collector.begin(status === 200 && this.isAdmitted(context));
    try {
      const complete = await writeChunks(first, source, {
        response,
        signal: context.signal,
        sink: compressor ?? response,
        stallMs: this.limits.stallMs,
        onChunk: (chunk) => {
          if (compressor === null) context.bytesSent += chunk.length;
          this.countBytes(context, chunk.length);
          copy.add(chunk);
        },
        onSlowReader: (drained) => this.waitForReader(context, drained),
        betweenChunks: async () => context.turns?.share(),
      });
      const body = complete ? copy.whole() : null;
      if (body !== null)
        this.store(
          context,
          new CachedReply(
            body,
            tag ?? digestTag(body),
            headers,
            isCompressible(stream.type),
            shownRevision(context),
          ),
        );
    } catch (error) {
      // The connection is aborted already: nothing else can be sent to the client.
      this.log.pino.error({ id: context.id, err: error }, 'response aborted');
    } finally {
      copy.end();
      context.release();
    }
  }

  /** While a reply waits for its reader, it neither counts as work nor keeps its turn. */
  private async waitForReader(context: RequestContext, drained: Promise<unknown>): Promise<void> {
    const end = this.slowReaders.add(context);
    context.release();
    context.turns?.pause();
    context.cost?.rest();
    try {
      await drained;
    } finally {
      end();
    }
    await context.turns?.resume();
    context.cost?.work();
  }

  private setStreamHeaders(
    context: RequestContext,
    { type, options }: RowStream,
    tag: string | null,
    encoding: Encoding,
  ): void {
    const ok = context.isRead && (options.status ?? 200) === 200;
    setHeaders(context, {
      'Content-Type': type,
      'Cache-Control': cacheControl[ok ? cachePolicyOf(context) : 'none'],
      ...(ok ? revisionHeader(context, options) : {}),
      ...options.headers,
      ...(tag === null ? {} : { ETag: tagHeader(tag, encoding) }),
      ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
    });
    if (closeGently(context, this.limits, this.closing)) context.response.setHeader('Connection', 'close');
  }

  /** Counts bytes of a reply, before they are encoded, towards the limit of the client's reads. */
  private countBytes(context: RequestContext, bytes: number): void {
    context.bytesMade += bytes;
    context.cost?.book();
  }

  private isAdmitted(context: RequestContext): boolean {
    const { format, revision } = context;
    context.admitted ??= revision !== null && this.cache.admits(addressOf(context), format);
    return context.admitted;
  }

  private store(context: RequestContext, reply: CachedReply): void {
    const { origin, route, revision, relativeTo } = context;
    if (route === null || revision === null) return;
    const format = context.query.all('format').length > 0 ? context.format : null;
    const page = { reply, revision, day: relativeTo };
    this.cache.store(addressOf(context), { origin, route, format }, context.format, page);
  }

  /** A tag for a body whose bytes are not known yet: it changes with everything they depend on. */
  private revisionTag(context: RequestContext): string | null {
    const { revision, format, relativeTo } = context;
    if (revision === null) return null;
    const parts = [this.options.release, revision, addressOf(context), format, relativeTo ?? ''];
    return digestTag(parts.join('\n'));
  }

  /** Nothing is sent to a client that has left, but a source that is open must be closed. */
  private async drop(value: unknown): Promise<void> {
    if (value instanceof RowStream) await new ChunkReader(value.chunks).stop();
  }

  private logProblem(context: RequestContext, error: ApiError): void {
    if (error.status < 500 || context.isAborted) return;
    const entry = { id: context.id, code: error.code, err: error.cause ?? error };
    if (error.status === 500) {
      this.log.pino.error(entry, 'request failed');
      return;
    }
    // Overload comes in thousands; one line a second says as much.
    const now = performance.now();
    if (now < this.nextOverloadLog) return;
    this.nextOverloadLog = now + OVERLOAD_LOG_INTERVAL;
    this.log.pino.warn(entry, 'request rejected');
  }
}

function setHeaders({ response }: RequestContext, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

/** Records that an earlier state is shown with may change, so it is always revalidated. */
const cachePolicyOf = ({ asOf, route }: RequestContext): CachePolicy =>
  asOf ? 'revalidate' : (route?.cachePolicy ?? 'none');

/** The header with the revision that a reply shows, for replies that are made of the data. */
function revisionHeader(context: RequestContext, { revision }: ReplyOptions): Record<string, string> {
  if (revision !== undefined) context.dataRevision = String(revision);
  return context.dataRevision === null ? {} : { [DATA_REVISION]: context.dataRevision };
}

/** The revision that every repetition of a reply shows; null for the newest one. */
const shownRevision = ({ asOf, dataRevision }: RequestContext) => (asOf ? dataRevision : null);

/** The address that a reply is stored at. */
const addressOf = ({ origin, request }: RequestContext) => origin + cacheKey(request.originalUrl);

const acceptEncoding = ({ request }: RequestContext) => request.headers['accept-encoding'];

/** Whether the error, or a middleware, has asked for the connection to be closed. */
const closes = ({ response }: RequestContext) => response.getHeader('Connection') === 'close';

/** A body in the wanted encoding, or as it is where that is no smaller. */
async function encode(body: Buffer, encoding: Encoding): Promise<EncodedVariant> {
  if (encoding === 'identity') return { encoding, body };
  const compressed = await compress(body, encoding);
  return compressed.length < body.length ? { encoding, body: compressed } : { encoding: 'identity', body };
}
