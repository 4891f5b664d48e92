/** The formats a list can be had in. */
export type Format = 'json' | 'csv' | 'ndjson';

/** What each format is called on the wire. */
export const mediaTypes = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
} as const satisfies Record<Format, string>;

/** Further headers, by name. Names appear in the answer as they are spelt here. */
export type ReplyHeaders = Readonly<Record<string, string>>;

export interface ReplyOptions {
  /** 200 unless given; 201 and so on. */
  status?: number;
  headers?: ReplyHeaders;
  /** A strong entity tag without quotes. Reads without one get a digest of the body. */
  etag?: string;
}

/**
 * An answer with more to say than its JSON: a status, headers, an entity tag, or text that is not JSON. Handlers return
 * it in place of a plain value.
 */
export class Reply {
  private constructor(
    /** The whole body, or null for none. */
    readonly body: string | Buffer | null,
    readonly type: string,
    readonly options: ReplyOptions,
  ) {}

  /** A value, serialised once. */
  static json(value: unknown, options: ReplyOptions = {}): Reply {
    return new Reply(JSON.stringify(value), mediaTypes.json, options);
  }

  /** Finished text or bytes of any type, such as `text/plain; charset=utf-8`. */
  static text(body: string | Buffer, type: string, options: ReplyOptions = {}): Reply {
    return new Reply(body, type, options);
  }

  /** No body: 204 unless another status is given. */
  static empty(options: ReplyOptions = {}): Reply {
    return new Reply(null, '', { status: 204, ...options });
  }
}

/**
 * A body that is written while it is made. The parts may come from any iterable; each should hold some kilobytes (a few
 * hundred rows). The writer waits for slow readers, gives other requests a turn between parts, and stops asking for
 * parts when the client is gone (`return()` is called on the iterator). A failure before the first part is an ordinary
 * error answer; a later one cuts the connection, so that a cut answer never ends like a whole one.
 */
export class RowStream {
  constructor(
    readonly type: string,
    readonly parts: AsyncIterable<string | Buffer> | Iterable<string | Buffer>,
    readonly options: ReplyOptions = {},
  ) {}
}
