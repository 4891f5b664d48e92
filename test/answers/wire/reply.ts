/** A header field as received, its name in the original case. */
export type Header = [name: string, value: string];

/** A reply as received. */
export interface Reply {
  /** The whole status line. */
  line: string;
  status: number;
  headers: Header[];
  /** The body: chunks joined, but still compressed. */
  body: Buffer;
  /** The connection ended before the reply did. */
  truncated: boolean;
}

/** A reply and its end in the bytes received. */
interface Parsed {
  reply: Reply;
  end: number;
}

/**
 * Parses one reply from the start of the bytes.
 * @param method of the request: a reply to HEAD has no body, whatever its headers say
 * @param closed no more bytes will be received
 * @returns null while the reply is incomplete; a truncated one where no more bytes will be received
 */
export function parseReply(bytes: Buffer, method: string, closed: boolean): Parsed | null {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const [line = '', ...fields] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const status = Number(line.split(' ')[1]);
  const headers = fields.map((field): Header => {
    const at = field.indexOf(':');
    return [field.slice(0, at), field.slice(at + 1).trim()];
  });
  const start = headEnd + 4;
  const body = bodyOf(bytes.subarray(start), bodyLength(status, method, headers), closed);
  if (body === null) return null;
  return {
    reply: { line, status, headers, body: body.body, truncated: body.truncated },
    end: start + body.end,
  };
}

/** The value of a header; null where it is absent. */
export function headerOf({ headers }: Pick<Reply, 'headers'>, name: string): string | null {
  return headers.find(([each]) => each.toLowerCase() === name)?.[1] ?? null;
}

type Length = number | 'chunked' | 'until the end';

function bodyLength(status: number, method: string, headers: Header[]): Length {
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) return 0;
  if (headerOf({ headers }, 'transfer-encoding')?.toLowerCase() === 'chunked') return 'chunked';
  const length = headerOf({ headers }, 'content-length');
  return length === null ? 'until the end' : Number(length);
}

function bodyOf(bytes: Buffer, length: Length, closed: boolean) {
  if (length === 'chunked') return chunkedBody(bytes, closed);
  if (length === 'until the end') return closed ? { body: bytes, end: bytes.length, truncated: false } : null;
  if (bytes.length >= length) return { body: bytes.subarray(0, length), end: length, truncated: false };
  return closed ? { body: bytes, end: bytes.length, truncated: true } : null;
}

function chunkedBody(bytes: Buffer, closed: boolean) {
  const parts: Buffer[] = [];
  for (let at = 0; ;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const size = lineEnd < 0 ? NaN : parseInt(bytes.toString('latin1', at, lineEnd), 16);
    const from = lineEnd + 2;
    if (lineEnd < 0 || bytes.length < from + size + 2) {
      return closed ? { body: Buffer.concat(parts), end: bytes.length, truncated: true } : null;
    }
    at = from + size + 2;
    if (size === 0) return { body: Buffer.concat(parts), end: at, truncated: false };
    parts.push(bytes.subarray(from, from + size));
  }
}
