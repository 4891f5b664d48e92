import type { ServerResponse } from 'node:http';
import { type Encoding, noneMatchNames, tagHeader } from '../caching/etag.js';
import type { HeaderList } from './response-headers.js';
import { compress } from './compression.js';

/** A body in one encoding, with its headers. The second element of each list is the request id, set before each use. */
export interface EncodedVariant {
  body: Buffer;
  headers: HeaderList;
  /** Headers of the 304 that stands for it. */
  unchanged: HeaderList;
}

/**
 * An answer that is complete: it can be sent any number of times, in any encoding. Compressed forms are made once, when
 * first asked for.
 */
export class CachedReply {
  private readonly forms = new Map<Encoding, EncodedVariant>();
  private readonly making = new Map<Encoding, Promise<EncodedVariant>>();
  /** Told how many bytes a new form adds. */
  onGrow: ((bytes: number) => void) | null = null;

  constructor(
    readonly status: number,
    private readonly body: Buffer,
    /** Opaque part of the entity tag. */
    readonly tag: string | null,
    private readonly common: HeaderList,
    private readonly compressible: boolean,
    private readonly bodiless = false,
  ) {
    this.forms.set('identity', this.createForm(body, 'identity'));
  }

  get bytes(): number {
    let sum = 0;
    for (const form of this.forms.values()) sum += form.body.length;
    return sum;
  }

  /** The form to send; a promise only when it has to be made first. */
  form(encoding: Encoding): EncodedVariant | Promise<EncodedVariant> {
    const ready = this.forms.get(this.compressible ? encoding : 'identity');
    if (ready !== undefined) return ready;
    let promise = this.making.get(encoding);
    if (promise === undefined) {
      promise = this.compressed(encoding as 'br' | 'gzip').finally(() => this.making.delete(encoding));
      this.making.set(encoding, promise);
    }
    return promise;
  }

  private async compressed(encoding: 'br' | 'gzip'): Promise<EncodedVariant> {
    const body = await compress(this.body, encoding);
    const plain = this.forms.get('identity') as EncodedVariant;
    const form = body.length < this.body.length ? this.createForm(body, encoding) : plain;
    this.forms.set(encoding, form);
    if (form !== plain) this.onGrow?.(form.body.length);
    return form;
  }

  private createForm(body: Buffer, encoding: Encoding): EncodedVariant {
    const tag = this.tag === null ? [] : ['ETag', tagHeader(this.tag, encoding)];
    const coding = encoding === 'identity' ? [] : ['Content-Encoding', encoding];
    const length = this.bodiless ? [] : ['Content-Length', String(body.length)];
    const unchanged: HeaderList = [];
    for (let at = 0; at < this.common.length; at += 2) {
      if (this.common[at] !== 'Content-Type')
        unchanged.push(this.common[at] as string, this.common[at + 1] as string);
    }
    return {
      body,
      headers: ['X-Request-Id', '', ...this.common, ...tag, ...coding, ...length],
      unchanged: ['X-Request-Id', '', ...unchanged, ...tag],
    };
  }
}

/** What only the single request decides. */
export interface Sending {
  requestId: string;
  ifNoneMatch: string | undefined;
  /** GET or HEAD. */
  read: boolean;
  head: boolean;
  /** Headers of this answer alone: rate limits, `Connection: close`. */
  extra: HeaderList | null;
  /** Milliseconds that the reader may stand still. */
  stallMs: number;
}

/**
 * Writes an answer: the one place where heads and bodies of finished answers meet the socket.
 * @returns bytes of the body that were sent
 */
export function send(
  response: ServerResponse,
  answer: CachedReply,
  form: EncodedVariant,
  sending: Sending,
): number {
  const { ifNoneMatch, extra } = sending;
  const unchanged =
    ifNoneMatch !== undefined &&
    sending.read &&
    answer.tag !== null &&
    answer.status === 200 &&
    noneMatchNames(ifNoneMatch, answer.tag);
  const headers = unchanged ? form.unchanged : form.headers;
  headers[1] = sending.requestId;
  response.writeHead(unchanged ? 304 : answer.status, extra === null ? headers : headers.concat(extra));
  // Kept with the form, an id would keep its whole batch.
  headers[1] = '';
  if (unchanged || sending.head || form.body.length === 0) {
    response.end();
    return 0;
  }
  response.end(form.body);
  // Nearly always the system takes all of it at once, and a clock for every answer would be set in vain.
  if (response.writableLength > 0) response.setTimeout(sending.stallMs);
  return form.body.length;
}
