import { digestTag, type Encoding } from '../cache/etag.js';
import type { EncodedVariant } from '../cache/cached-reply.js';
import type { Chunks } from '../../formats/chunks.js';
import { JSON_MEDIA_TYPE } from '../../formats/json.format.js';

/** Further headers, by name. Names appear in the response as they are spelt here. */
export type ReplyHeaders = Readonly<Record<string, string>>;

export interface ReplyOptions {
  /** 200 by default. */
  status?: number;
  headers?: ReplyHeaders;
  /** A strong entity tag without quotes. Reads without one get a digest of the body. */
  etag?: string;
  /** The number of the revision of the data that the reply shows. */
  revision?: number;
}

/**
 * A reply that is more than its JSON: a status, headers, an entity tag, or text that is not JSON.
 * Handlers return it in place of a plain value.
 */
export class Reply {
  private constructor(
    /** The whole body, or null for none. */
    readonly body: string | Buffer | null,
    readonly type: string,
    readonly options: ReplyOptions,
    /** Of a file: the variants that were made already. */
    readonly variants: Map<Encoding, Promise<EncodedVariant>> | null = null,
  ) {}

  /** A value, serialised once. */
  static json(value: unknown, options: ReplyOptions = {}): Reply {
    return new Reply(JSON.stringify(value), JSON_MEDIA_TYPE, options);
  }

  /** Finished text or bytes of any type, such as `text/plain; charset=utf-8`. */
  static text(body: string | Buffer, type: string, options: ReplyOptions = {}): Reply {
    return new Reply(body, type, options);
  }

  /**
   * A body that never changes, for a handler that returns the same reply to every request: its tag
   * and its encoded variants are made once.
   */
  static file(body: Buffer, type: string, headers: ReplyHeaders = {}): Reply {
    return new Reply(body, type, { headers, etag: digestTag(body) }, new Map());
  }

  /** No body; 204 by default. */
  static empty(options: ReplyOptions = {}): Reply {
    return new Reply(null, '', { status: 204, ...options });
  }
}

/**
 * A body that is written while it is generated. The writer waits for slow readers, yields to other
 * requests between chunks, and stops asking for chunks when the client disconnects (`return()` is
 * called on the iterator). A failure before the first chunk is an ordinary error response; a later
 * one aborts the connection, so that a truncated body never ends like a complete one.
 */
export class RowStream {
  constructor(
    readonly type: string,
    readonly chunks: Chunks,
    readonly options: ReplyOptions = {},
    /** Rows or points still to be made after the first ones; many where that is not known. */
    readonly items = Infinity,
  ) {}
}
