/** What Node's `headers` object leaves out. */
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

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** The caller's `X-Request-Id` where it is harmless. */
export function acceptedRequestId(sent: string | string[] | undefined): string | null {
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : null;
}
