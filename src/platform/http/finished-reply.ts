import { abortIfStalled } from '../../lib/scheduling/stalled-response.js';
import { compress, isCompressible, negotiateEncoding } from './compression.js';
import { type Encoding, isNotModified, tagHeader } from './etag.js';
import { type HeaderList, headerOf } from './headers.js';
import type { HttpLimits } from './options.js';
import { closeGently } from './read-body.js';
import type { RequestInfo } from './request.js';

/** The header with the revision of the data that a reply shows. */
export const DATA_REVISION = 'Data-Revision';

/** Bytes below which compressing a body saves nothing. */
const COMPRESS_FROM = 1024;

interface Variant {
  encoding: Encoding;
  bytes: Buffer;
}

/** A body in the content encodings that were asked for, each made once. */
export class EncodedBody {
  private readonly plain: Variant;
  private readonly variants = new Map<Encoding, Variant | Promise<Variant>>();
  private readonly compressible: boolean;
  constructor(
    readonly bytes: Buffer,
    /** Media type. */
    readonly type: string,
  ) {
    this.plain = { encoding: 'identity', bytes };
    this.compressible = bytes.length >= COMPRESS_FROM && isCompressible(type);
  }

  /** Bytes of all variants. */
  get size(): number {
    let size = this.bytes.length;
    for (const variant of this.variants.values())
      if (!(variant instanceof Promise) && variant !== this.plain) size += variant.bytes.length;
    return size;
  }

  /**
   * The body in an encoding, or as it is where that is no larger; a promise only while it is being
   * compressed.
   */
  in(encoding: Encoding): Variant | Promise<Variant> {
    if (encoding === 'identity' || !this.compressible) return this.plain;
    let variant = this.variants.get(encoding);
    if (variant === undefined) {
      variant = this.compress(encoding);
      this.variants.set(encoding, variant);
      variant.catch(() => this.variants.delete(encoding));
    }
    return variant;
  }

  private async compress(encoding: 'br' | 'gzip'): Promise<Variant> {
    const bytes = await compress(this.bytes, encoding);
    const variant = bytes.length < this.bytes.length ? { encoding, bytes } : this.plain;
    this.variants.set(encoding, variant);
    return variant;
  }
}

/** Of a reply without a body. */
export const EMPTY_BODY = new EncodedBody(Buffer.alloc(0), '');

/** What a reply consists of besides its body. */
export interface ReplyHead {
  status: number;
  /** Each name once, however it is spelt. */
  headers: HeaderList;
  /** Opaque part of the entity tag; null for none. */
  tag: string | null;
  /**
   * The revision of the data that the body shows: `newest` for that of the request, for as long as
   * the reply is valid; null for a reply that is not made of the data.
   */
  revision: string | null;
}

/** How one response is sent. */
export interface Sending {
  limits: HttpLimits;
  /** The connection is closed after it. */
  close: boolean;
  /** Headers of this response alone. */
  extra: HeaderList | null;
}

/** Header lists of a variant: the second element is the id of the request. */
interface VariantHeaders {
  full: HeaderList;
  /** Of the 304 in its place. */
  notModified: HeaderList;
}

/**
 * A complete reply: body, tag and headers. It can be sent any number of times, in any encoding:
 * what is sent the first time, errors and files included, and what the page cache keeps are the
 * same object.
 */
export class FinishedReply {
  private readonly headers = new Map<Encoding, VariantHeaders>();
  /** Its own `Connection`, which is sent as it is. */
  readonly connection: string | null;
  /** Called when a variant has been made, which adds bytes. */
  onGrow: (() => void) | null = null;

  constructor(
    readonly body: EncodedBody,
    private readonly head: ReplyHead,
  ) {
    this.connection = headerOf(head.headers, 'connection');
  }

  /** The body in an encoding; a promise only while it is being compressed. */
  variant(encoding: Encoding): Variant | Promise<Variant> {
    const variant = this.body.in(encoding);
    if (!(variant instanceof Promise)) return variant;
    return variant.then((made) => {
      this.onGrow?.();
      return made;
    });
  }

  /**
   * Sends it in the encoding that the client prefers, a little later where that has to be made
   * first; not at all where no reply may be sent any more. Headers that the response has already
   * stay, unless the reply has its own.
   * @param sent called once it is written, with the bytes of the body that were
   */
  send(info: RequestInfo, sending: Sending, sent: (bytes: number) => void): void | Promise<void> {
    const variant = this.variant(negotiateEncoding(info.request.headers['accept-encoding']));
    if (variant instanceof Promise) return variant.then((made) => this.write(info, made, sending, sent));
    this.write(info, variant, sending, sent);
  }

  private write(
    info: RequestInfo,
    variant: Variant,
    { limits, close, extra }: Sending,
    sent: (bytes: number) => void,
  ): void {
    if (!info.claim()) return;
    const { request, response } = info;
    const { status, tag, revision } = this.head;
    const ofVariant = this.headersOf(variant);
    const notModified = isNotModified(info, status, tag);
    const headers = notModified ? ofVariant.notModified : ofVariant.full;
    headers[1] = info.id;
    if (revision !== null) headers[3] = revision === NEWEST ? info.dataRevision! : revision;
    if (notModified) response.removeHeader('Content-Type');
    const closes = closeGently(info, limits, close);
    const closing = closes && this.connection === null ? ['Connection', 'close'] : null;
    response.writeHead(notModified ? 304 : status, joined(headers, extra, closing));
    // An id is a slice of its batch: kept with the reply, it would retain the whole batch.
    headers[1] = '';
    const { bytes } = variant;
    if (notModified || request.method === 'HEAD' || bytes.length === 0) {
      response.end();
      return sent(0);
    }
    info.bytesSent = bytes.length;
    response.end(bytes);
    // Nearly always the kernel takes all of it at once, and a timer for every reply would be
    // wasted.
    if (response.writableLength > 0) abortIfStalled(response, limits.stallMs);
    sent(bytes.length);
  }

  private headersOf({ encoding, bytes }: Variant): VariantHeaders {
    let headers = this.headers.get(encoding);
    if (headers === undefined) {
      const { tag, revision, headers: common } = this.head;
      const ofRequest = ['X-Request-Id', '', ...(revision === null ? [] : [DATA_REVISION, ''])];
      const tags = tag === null ? [] : ['ETag', tagHeader(tag, encoding)];
      const coding = encoding === 'identity' ? [] : ['Content-Encoding', encoding];
      const length = this.body === EMPTY_BODY ? [] : ['Content-Length', String(bytes.length)];
      const ofBody = common.findIndex((name, at) => at % 2 === 0 && name.toLowerCase() === 'content-type');
      headers = {
        full: [...ofRequest, ...common, ...tags, ...coding, ...length],
        notModified: [...ofRequest, ...(ofBody < 0 ? common : common.toSpliced(ofBody, 2)), ...tags],
      };
      this.headers.set(encoding, headers);
    }
    return headers;
  }
}

/** As the revision of a reply: that which is the newest when it is sent. */
export const NEWEST = 'newest';

function joined(headers: HeaderList, extra: HeaderList | null, closing: HeaderList | null): HeaderList {
  if (extra === null && closing === null) return headers;
  return headers.concat(extra ?? [], closing ?? []);
}
