/**
 * The few header fields that the front door needs of every request, read in one pass over the raw list. Node's own header
 * object is not made for requests that the page cache answers.
 */
export interface RequestHead {
  /** Bytes of all fields, with their separators. */
  size: number;
  hosts: number;
  host: string | null;
  accept: string | null;
  acceptEncoding: string | null;
  ifNoneMatch: string | null;
  requestId: string | null;
  forwardedFor: string | null;
  forwardedHost: string | null;
  forwardedProto: string | null;
  origin: string | null;
  /** The request announces a body. */
  body: boolean;
}

const none: RequestHead = {
  size: 0,
  hosts: 0,
  host: null,
  accept: null,
  acceptEncoding: null,
  ifNoneMatch: null,
  requestId: null,
  forwardedFor: null,
  forwardedHost: null,
  forwardedProto: null,
  origin: null,
  body: false,
};

/** @param raw names and values in turn, as `IncomingMessage.rawHeaders` */
export function readHead(raw: readonly string[]): RequestHead {
  const head = { ...none };
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] as string;
    const value = raw[at + 1] as string;
    head.size += name.length + value.length + 4;
    // The length tells most names apart without a comparison.
    switch (name.length) {
      case 4:
        if (is(name, 'host')) {
          head.hosts++;
          head.host ??= value;
        }
        break;
      case 6:
        if (is(name, 'accept')) head.accept = joined(head.accept, value);
        else if (is(name, 'origin')) head.origin ??= value;
        break;
      case 12:
        if (is(name, 'x-request-id')) head.requestId ??= value;
        break;
      case 13:
        if (is(name, 'if-none-match')) head.ifNoneMatch = joined(head.ifNoneMatch, value);
        break;
      case 14:
        if (is(name, 'content-length')) head.body ||= value !== '0';
        break;
      case 15:
        if (is(name, 'accept-encoding')) head.acceptEncoding = joined(head.acceptEncoding, value);
        else if (is(name, 'x-forwarded-for')) head.forwardedFor = joined(head.forwardedFor, value);
        break;
      case 16:
        if (is(name, 'x-forwarded-host')) head.forwardedHost ??= value;
        break;
      case 17:
        if (is(name, 'x-forwarded-proto')) head.forwardedProto ??= value;
        else if (is(name, 'transfer-encoding')) head.body = true;
        break;
    }
  }
  return head;
}

const is = (name: string, wanted: string): boolean => name === wanted || name.toLowerCase() === wanted;
const joined = (earlier: string | null, value: string): string =>
  earlier === null ? value : `${earlier}, ${value}`;

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** The caller's `X-Request-Id` where it is harmless. */
export function acceptedRequestId(sent: string | null): string | null {
  return sent !== null && REQUEST_ID.test(sent) ? sent : null;
}
