import type { ApiError } from '../errors/api-error.js';
import type { Chunks } from '../formats/chunks.js';
import { JSON_MEDIA_TYPE } from '../formats/json.format.js';
import { digestTag } from './etag.js';
import { EncodedBody, EMPTY_BODY } from './finished-reply.js';
import type { ReplyHeaders } from './headers.js';
import type { RequestInfo } from './request.js';

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
    readonly body: EncodedBody,
    readonly options: ReplyOptions,
  ) {}

  /** A value, serialised once. */
  static json(value: unknown, options: ReplyOptions = {}): Reply {
    return Reply.text(JSON.stringify(value), JSON_MEDIA_TYPE, options);
  }

  /** Finished text or bytes of any type, such as `text/plain; charset=utf-8`. */
  static text(body: string | Buffer, type: string, options: ReplyOptions = {}): Reply {
    return new Reply(new EncodedBody(typeof body === 'string' ? Buffer.from(body) : body, type), options);
  }

  /**
   * A body that never changes, for a handler that returns the same reply to every request: its tag
   * and its encoded variants are made once.
   */
  static file(body: Buffer, type: string, headers: ReplyHeaders = {}): Reply {
    return new Reply(new EncodedBody(body, type), { headers, etag: digestTag(body) });
  }

  /** No body; 204 by default. */
  static empty(options: ReplyOptions = {}): Reply {
    return new Reply(EMPTY_BODY, { status: 204, ...options });
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

/** Provider token of the `ErrorPages`; null where all errors are sent as problem details. */
export const ERROR_PAGES = Symbol('ErrorPages');

/**
 * The page for an error, for people who follow a link; null where the request is to get problem
 * details. The headers include its `Content-Type`.
 */
export type ErrorPages = (
  error: ApiError,
  info: RequestInfo,
) => { body: string; headers: ReplyHeaders } | null;
