import type { IncomingMessage, ServerResponse } from 'node:http';
import { abortIfStalled } from '../../../lib/scheduling/stalled-response.js';
import { type Encoding, ifNoneMatchIncludes, tagHeader } from './etag.js';
import { compress } from './compression.js';

/** Names and values in turn, as `writeHead` takes them. */
export type HeaderList = string[];

/** The body of a reply in one content encoding. */
export interface EncodedVariant {
  readonly encoding: Encoding;
  readonly body: Buffer;
}

/**
 * A variant with the header lists that are sent with it. The second element is the request's id,
 * the fourth the data revision.
 */
interface SendableVariant extends EncodedVariant {
  headers: HeaderList;
  /** Headers of the 304 in its place. */
  notModified: HeaderList;
}

/** The header with the revision of the data that a reply shows. */
export const DATA_REVISION = 'Data-Revision';

/** Headers that belong to a single response, or that follow from the variant that is sent. */
const NOT_STORED = new Set([
  'x-request-id',
  'ratelimit',
  'ratelimit-policy',
  'connection',
  'etag',
  'content-encoding',
  'content-length',
  'data-revision',
]);

/** The headers of a response that every other response with the same body has, too. */
export function storedHeaders(response: ServerResponse): HeaderList {
  // Node has it for all outgoing messages; its type declarations, for requests only.
  const message = response as ServerResponse & { getRawHeaderNames(): string[] };
  return message.getRawHeaderNames().flatMap((name) => {
    const value = response.getHeader(name);
    return value === undefined || NOT_STORED.has(name.toLowerCase()) ? [] : [name, String(value)];
  });
}

/** What a reply from the cache takes from the single request. */
export interface CachedSend {
  requestId: string;
  /** The newest revision of the data. */
  dataRevision: string;
  encoding: Encoding;
  /** Headers of this response alone: rate limits, `Connection: close`. */
  extra: HeaderList | null;
  /** Milliseconds without progress after which the reader is cut off. */
  stallMs: number;
}

/**
 * A complete 200 reply to a read: it can be sent any number of times, in any encoding. Compressed
 * variants are made once, on first use.
 */
export class CachedReply {
  private readonly variants = new Map<Encoding, SendableVariant>();
  private readonly pending = new Map<Encoding, Promise<SendableVariant>>();
  /** Called when a new variant adds bytes. */
  onGrow: (() => void) | null = null;

  constructor(
    private readonly body: Buffer,
    /** Opaque part of the entity tag. */
    private readonly tag: string,
    private readonly common: HeaderList,
    private readonly compressible: boolean,
    /** The revision that the body shows; null for the newest one, as long as it is valid. */
    private readonly dataRevision: string | null = null,
  ) {
    this.variants.set('identity', this.sendable({ encoding: 'identity', body }));
  }

  /** Bytes of the body before it is encoded. */
  get size(): number {
    return this.body.length;
  }

  /** Bytes of all variants. */
  get bytes(): number {
    let sum = 0;
    for (const { body } of this.variants.values()) sum += body.length;
    return sum;
  }

  /** Stores a variant that has been made already. */
  add(variant: EncodedVariant): void {
    if (!this.variants.has(variant.encoding)) this.variants.set(variant.encoding, this.sendable(variant));
  }

  /** The variant in an encoding; a promise only where it has to be compressed first. */
  variant(encoding: Encoding): SendableVariant | Promise<SendableVariant> {
    const ready = this.variants.get(this.compressible ? encoding : 'identity');
    if (ready !== undefined) return ready;
    let promise = this.pending.get(encoding);
    if (promise === undefined) {
      promise = this.compress(encoding as 'br' | 'gzip').finally(() => this.pending.delete(encoding));
      this.pending.set(encoding, promise);
    }
    return promise;
  }

  /** Sends the reply; where its variant has to be compressed first, a little later. */
  send(request: IncomingMessage, response: ServerResponse, options: CachedSend, done: OnSent): void {
    const variant = this.variant(options.encoding);
    if (!(variant instanceof Promise)) return done(this.write(request, response, variant, options));
    variant
      .then((made) => response.destroyed || done(this.write(request, response, made, options)))
      .catch(() => response.destroy());
  }

  /** @returns bytes of the body that were sent */
  private write(
    request: IncomingMessage,
    response: ServerResponse,
    variant: SendableVariant,
    { requestId, dataRevision, extra, stallMs }: CachedSend,
  ): number {
    const ifNoneMatch = request.headers['if-none-match'];
    const notModified = ifNoneMatch !== undefined && ifNoneMatchIncludes(ifNoneMatch, this.tag);
    const headers = notModified ? variant.notModified : variant.headers;
    headers[1] = requestId;
    headers[3] = this.dataRevision ?? dataRevision;
    response.writeHead(notModified ? 304 : 200, extra === null ? headers : headers.concat(extra));
    // An id is a slice of its batch: stored with the variant, it would retain the whole batch.
    headers[1] = '';
    if (notModified || request.method === 'HEAD' || variant.body.length === 0) {
      response.end();
      return 0;
    }
    response.end(variant.body);
    // Nearly always the kernel takes all of it at once, and a timer for every reply would be
    // wasted.
    if (response.writableLength > 0) abortIfStalled(response, stallMs);
    return variant.body.length;
  }

  private async compress(encoding: 'br' | 'gzip'): Promise<SendableVariant> {
    const identity = this.variants.get('identity')!;
    const body = await compress(this.body, encoding);
    const smaller = body.length < this.body.length;
    const variant = smaller ? this.sendable({ encoding, body }) : identity;
    this.variants.set(encoding, variant);
    if (smaller) this.onGrow?.();
    return variant;
  }

  private sendable({ encoding, body }: EncodedVariant): SendableVariant {
    const tag = ['ETag', tagHeader(this.tag, encoding)];
    const coding = encoding === 'identity' ? [] : ['Content-Encoding', encoding];
    const ownHeaders = ['X-Request-Id', '', DATA_REVISION, ''];
    const notModified: HeaderList = [];
    for (let index = 0; index < this.common.length; index += 2) {
      if (this.common[index] !== 'Content-Type')
        notModified.push(this.common[index]!, this.common[index + 1]!);
    }
    const length = ['Content-Length', String(body.length)];
    return {
      encoding,
      body,
      headers: [...ownHeaders, ...this.common, ...tag, ...coding, ...length],
      notModified: [...ownHeaders, ...notModified, ...tag],
    };
  }
}

/** Called once the response is written. @param bytes bytes of the body that were sent */
export type OnSent = (bytes: number) => void;
