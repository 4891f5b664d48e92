import type { IncomingMessage } from 'node:http';

/** What Node's header object does not tell of a request's head. */
export interface RequestHead {
  /** Bytes of all fields, with their separators. */
  size: number;
  /** How many `Host` fields there are. */
  hosts: number;
}

/** @param raw names and values in turn, as `IncomingMessage.rawHeaders` */
export function readHead(raw: readonly string[]): RequestHead {
  let size = 0;
  let hosts = 0;
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] as string;
    size += name.length + (raw[at + 1] as string).length + 4;
    if (name.length === 4 && (name === 'Host' || name.toLowerCase() === 'host')) hosts++;
  }
  return { size, hosts };
}

/** Whether a request announces a body. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined;
}

/** The first of the values of a field, which proxies may have lengthened. */
export function firstValue(field: string | string[] | undefined): string | null {
  const text = typeof field === 'string' ? field : field?.[0];
  return text === undefined ? null : (text.split(',')[0] as string).trim();
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** The caller's `X-Request-Id` where it is harmless. */
export function acceptedRequestId(sent: string | string[] | undefined): string | null {
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : null;
}
