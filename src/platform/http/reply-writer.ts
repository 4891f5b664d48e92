import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  Inject,
  Injectable,
  Optional,
} from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import type { ApiError } from '../errors/api-error.js';
import { PROBLEM_MEDIA_TYPE, problemDetails } from '../errors/problem.js';
import { ERROR_TRANSLATOR, type ErrorTranslator, toApiError } from '../errors/to-api-error.js';
import { HTML_MEDIA_TYPE } from '../formats/page-formats.js';
import { ServiceLog } from '../logging/service-log.js';
import { cacheKey, PageCache } from './cache.js';
import { basePathOf, underBasePath } from './client.js';
import { createCompressor, isCompressible, negotiateEncoding } from './compression.js';
import { digestTag, type Encoding, isNotModified, tagHeader } from './etag.js';
import { DATA_REVISION, EncodedBody, FinishedReply, NEWEST, type ReplyHead } from './finished-reply.js';
import { headerList, type HeaderList, headerOf, repeatedHeaders, type ReplyHeaders } from './headers.js';
import { HTTP_LIMITS, HTTP_OPTIONS, type HttpLimits, type HttpOptions } from './options.js';
import { ConcurrencyLimits } from './overload/limits.js';
import { closeGently } from './read-body.js';
import { ERROR_PAGES, type ErrorPages, Reply, type ReplyOptions, RowStream } from './reply.js';
import { infoOf, type RequestInfo } from './request.js';
import { cacheControl, type CachePolicy } from './routes.js';
import { ChunkReader, StreamCollector, writeChunks } from './stream-reply.js';

/** What a reply says besides its body and its tag. */
interface ReplyStart extends Omit<ReplyHead, 'tag'> {
  /** A 200 to a read. */
  isReadReply: boolean;
  cachePolicy: CachePolicy;
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
    private readonly concurrency: ConcurrencyLimits,
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
  async send(info: RequestInfo, value: object, status: number): Promise<void> {
    if (!info.mayReply) return this.drop(value);
    if (value instanceof RowStream) return this.sendStream(info, value);
    const reply = value instanceof Reply ? value : Reply.json(value, { status });
    await this.sendWhole(info, this.placed(reply), status);
  }

  /** A reply whose addresses on this host begin with the path of `PUBLIC_URL`. */
  private placed(reply: Reply): Pick<Reply, 'body' | 'options'> {
    const { basePath } = this;
    const { body, options } = reply;
    if (basePath === '') return reply;
    const headers = Object.entries(options.headers ?? {});
    if (headers.some(isLocal)) {
      const placed = headers.map((header) => (isLocal(header) ? [header[0], basePath + header[1]] : header));
      return { body, options: { ...options, headers: Object.fromEntries(placed) as ReplyHeaders } };
    }
    if (body.type !== HTML_MEDIA_TYPE) return reply;
    // A tag that was given is that of the document without the path.
    const document = Buffer.from(underBasePath(String(body.bytes), basePath));
    return { body: new EncodedBody(document, body.type), options: { ...options, etag: undefined } };
  }

  /**
   * Sends an error as problem details, or as a page. Errors of the service are logged under the
   * request's id.
   */
  problem(info: RequestInfo, error: ApiError): void {
    if (info.cancelled) return;
    this.logProblem(info, error);
    const { response } = info;
    if (response.headersSent) {
      response.destroy();
      return;
    }
    info.reopen();
    try {
      const page = this.pageOf(error, info);
      for (const name of ['ETag', 'Content-Encoding', 'Content-Length']) response.removeHeader(name);
      const defaults = { 'Content-Type': PROBLEM_MEDIA_TYPE, 'Cache-Control': cacheControl.none };
      const headers = headerList(defaults, page?.headers ?? {}, error.headers);
      const body = page ? underBasePath(page.body, this.basePath) : this.details(error, info);
      // As it is, whatever its client accepts: compressed, it would have to be waited for.
      const plain = new EncodedBody(Buffer.from(body), '');
      const head = { status: error.status, tag: null, revision: null, headers };
      void this.write(info, new FinishedReply(plain, head));
    } catch (failure) {
      // No request stays without an end, whatever is wrong with its error.
      this.log.pino.error({ id: info.id, err: failure }, 'error reply failed');
      response.destroy();
    }
  }

  /** The page for an error; null where there is none, or it cannot be made. */
  private pageOf(error: ApiError, info: RequestInfo): ReturnType<ErrorPages> {
    try {
      return this.errorPages?.(error, info) ?? null;
    } catch (failure) {
      this.log.pino.error({ id: info.id, err: failure }, 'error page failed');
      return null;
    }
  }

  private details(error: ApiError, { id }: RequestInfo): string {
    return JSON.stringify(problemDetails(error, id, this.options.publicUrl ?? ''));
  }

  private async sendWhole(
    info: RequestInfo,
    { body, options }: Pick<Reply, 'body' | 'options'>,
    status: number,
  ): Promise<void> {
    const head = this.headOf(info, { status, ...options }, body.type);
    const digest = () => (head.cachePolicy === 'none' ? null : digestTag(body.bytes));
    const tag = options.etag ?? digest();
    const stored = head.isReadReply && tag !== null && head.revision !== null && this.isAdmitted(info);
    const headers = stored ? repeatedHeaders(info.response, head.headers) : head.headers;
    const reply = new FinishedReply(body, { ...head, tag, headers });
    // Node checks the headers: a reply that cannot be sent is not kept.
    await this.write(info, reply);
    if (stored) this.store(info, reply);
  }

  /** Sends a reply, and counts what that costs. */
  private write(info: RequestInfo, reply: FinishedReply): void | Promise<void> {
    const { response } = info;
    const close = this.closes(info, reply.connection);
    return reply.send(info, { limits: this.limits, close, extra: null }, (bytes) => {
      if (bytes > 0) this.countBytes(info, reply.body.bytes.length);
      if (response.writableLength > 0) response.once('close', this.addUnread(info));
      info.permit.release();
      info.cost?.rest();
    });
  }

  /**
   * Whether the service, the reply or a middleware asks for the connection to be closed.
   * @param connection the reply's own `Connection`; null where it has none
   */
  private closes({ response }: RequestInfo, connection: string | null): boolean {
    return this.closing || connection === 'close' || response.getHeader('Connection') === 'close';
  }

  /** @param type of the body; empty for none */
  private headOf(info: RequestInfo, options: ReplyOptions, type: string): ReplyStart {
    const { status = 200, revision, headers } = options;
    const isReadReply = status === 200 && info.isRead;
    if (revision !== undefined && isReadReply) info.dataRevision = String(revision);
    const cachePolicy = isReadReply ? cachePolicyOf(info) : 'none';
    return {
      status,
      isReadReply,
      cachePolicy,
      revision: isReadReply ? shownRevision(info) : null,
      headers: headerList(
        type === '' ? {} : { 'Content-Type': type },
        { 'Cache-Control': cacheControl[cachePolicy] },
        headers ?? {},
      ),
    };
  }

  private async sendStream(info: RequestInfo, stream: RowStream): Promise<void> {
    const { request, response } = info;
    const { options, type } = stream;
    const status = options.status ?? 200;
    const tag = options.etag ?? this.revisionTag(info);
    const source = new ChunkReader(stream.chunks);
    const notModified = isNotModified(info, status, tag);
    if (notModified || request.method === 'HEAD') {
      await source.stop();
      if (!info.claim()) return;
      this.setStreamHeaders(info, stream, tag);
      if (notModified) response.removeHeader('Content-Type');
      response.writeHead(notModified ? 304 : status).end();
      info.permit.release();
      return;
    }
    // A failure in here is still an ordinary error response.
    const first: Buffer[] = [];
    let size = 0;
    while (size < this.limits.streamFromBytes) {
      const chunk = await source.next();
      if (!info.mayReply) return source.stop();
      if (chunk === null) {
        const body = new EncodedBody(Buffer.concat(first), type);
        return this.sendWhole(info, { body, options: { ...options, etag: tag ?? undefined } }, status);
      }
      first.push(chunk);
      size += chunk.length;
    }
    try {
      await info.permit.expectItems(stream.items);
    } catch (error) {
      await source.stop();
      throw error;
    }
    if (!info.claim()) return source.stop();
    await this.writeStream(info, stream, tag, first, source);
  }

  private async writeStream(
    info: RequestInfo,
    stream: RowStream,
    tag: string | null,
    first: readonly Buffer[],
    source: ChunkReader,
  ): Promise<void> {
    const { response } = info;
    const status = stream.options.status ?? 200;
    const { encoding, own } = this.setStreamHeaders(info, stream, tag);
    const headers = repeatedHeaders(response, own);
    response.writeHead(status);
    const compressor = encoding === 'identity' ? null : createCompressor(encoding);
    if (compressor !== null) {
      // Not pipeline(): it adds seven `close` listeners, and Node warns of more than ten.
      compressor.pipe(response);
      compressor.once('error', () => response.destroy());
      info.signal.addEventListener('abort', () => compressor.destroy());
      compressor.on('data', (bytes: Buffer) => (info.bytesSent += bytes.length));
    }
    const copy = this.collector.begin(status === 200 && this.isAdmitted(info));
    try {
      const complete = await writeChunks(first, source, {
        response,
        signal: info.signal,
        sink: compressor ?? response,
        stallMs: this.limits.stallMs,
        onChunk: (chunk) => {
          if (compressor === null) info.bytesSent += chunk.length;
          this.countBytes(info, chunk.length);
          copy.add(chunk);
        },
        onSlowReader: (drained) => this.waitForReader(info, drained),
        betweenChunks: () => info.permit.share(),
      });
      const bytes = complete ? copy.whole() : null;
      if (bytes !== null) {
        const head = { status, tag: tag ?? digestTag(bytes), headers, revision: shownRevision(info) };
        this.store(info, new FinishedReply(new EncodedBody(bytes, stream.type), head));
      }
    } catch (error) {
      // The connection is aborted already: nothing else can be sent to the client.
      this.log.pino.error({ id: info.id, err: error }, 'response aborted');
    } finally {
      copy.end();
      info.permit.release();
    }
  }

  /** While a reply waits for its reader, it neither counts as work nor keeps its turn. */
  private async waitForReader(info: RequestInfo, drained: Promise<unknown>): Promise<void> {
    const end = this.addUnread(info);
    info.permit.release();
    info.permit.pause();
    try {
      await drained;
    } finally {
      end();
    }
    await info.permit.resume();
  }

  /** Counts a reply as one that its reader leaves unread. @returns ends that */
  private addUnread({ client }: RequestInfo): () => void {
    const reply = { since: performance.now() };
    this.concurrency.unread.add(reply, client.network);
    return () => this.concurrency.unread.leave(reply);
  }

  /** @returns the encoding that the stream is sent in, and the headers of its own */
  private setStreamHeaders(
    info: RequestInfo,
    { type, options }: RowStream,
    tag: string | null,
  ): { encoding: Encoding; own: HeaderList } {
    const { response } = info;
    const { revision, headers: own } = this.headOf(info, options, type);
    const encoding = isCompressible(type)
      ? negotiateEncoding(info.request.headers['accept-encoding'])
      : 'identity';
    setHeaders(response, [
      ...own,
      ...(revision === null ? [] : [DATA_REVISION, info.dataRevision!]),
      ...(tag === null ? [] : ['ETag', tagHeader(tag, encoding)]),
      ...(encoding === 'identity' ? [] : ['Content-Encoding', encoding]),
    ]);
    const connection = headerOf(own, 'connection');
    const closes = closeGently(info, this.limits, this.closes(info, connection));
    if (closes && connection === null) response.setHeader('Connection', 'close');
    return { encoding, own };
  }

  /** Counts bytes of a reply, before they are encoded, towards the limit of the client's reads. */
  private countBytes(info: RequestInfo, bytes: number): void {
    info.bytesMade += bytes;
    info.cost?.book();
  }

  private isAdmitted(info: RequestInfo): boolean {
    const { format, revision, response } = info;
    // A cookie is for one client.
    if (response.hasHeader('Set-Cookie')) return false;
    info.admitted ??= revision !== null && this.cache.admits(addressOf(info), format);
    return info.admitted;
  }

  private store(info: RequestInfo, reply: FinishedReply): void {
    const { origin, route, revision, relativeTo } = info;
    if (route === null || revision === null) return;
    const format = info.query.all('format').length > 0 ? info.format : null;
    const page = { reply, revision, day: relativeTo };
    this.cache.store(addressOf(info), { origin, route, format }, info.format, page);
  }

  /** A tag for a body whose bytes are not known yet: it changes with everything they depend on. */
  private revisionTag(info: RequestInfo): string | null {
    const { revision, format, relativeTo } = info;
    if (revision === null) return null;
    const parts = [this.options.release, revision, addressOf(info), format, relativeTo ?? ''];
    return digestTag(parts.join('\n'));
  }

  /** Nothing is sent to a client that has left, but a source that is open must be closed. */
  private async drop(value: unknown): Promise<void> {
    if (value instanceof RowStream) await new ChunkReader(value.chunks).stop();
  }

  private logProblem(info: RequestInfo, error: ApiError): void {
    if (error.status < 500 || info.isAborted) return;
    const entry = { id: info.id, code: error.code, err: error.cause ?? error };
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

/** Whether a header is a `Location` on this host. */
const isLocal = ([name, value]: [name: string, value: string]) =>
  name.toLowerCase() === 'location' && value.startsWith('/');

function setHeaders(response: ServerResponse, headers: HeaderList): void {
  for (let at = 0; at < headers.length; at += 2) response.setHeader(headers[at]!, headers[at + 1]!);
}

/** Records that an earlier state is shown with may change, so it is always revalidated. */
const cachePolicyOf = ({ asOf, route }: RequestInfo): CachePolicy =>
  asOf ? 'revalidate' : (route?.cachePolicy ?? 'none');

/** The revision that a reply shows when it is repeated; null where it is not made of the data. */
function shownRevision({ asOf, dataRevision }: RequestInfo): string | null {
  if (dataRevision === null) return null;
  return asOf ? dataRevision : NEWEST;
}

/** The address that a reply is stored at. */
const addressOf = ({ origin, request }: RequestInfo) => origin + cacheKey(request.originalUrl);

/** Sends every error of a handler, guard, pipe or middleware as problem details. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    private readonly replies: ReplyWriter,
    @Optional() @Inject(ERROR_TRANSLATOR) private readonly translate?: ErrorTranslator,
  ) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    const info = infoOf(host.switchToHttp().getRequest<object>());
    this.replies.problem(info, toApiError(this.translate?.(exception) ?? exception));
  }
}
