import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { ListedRequest } from '../list/request.js';
import { exchange, type Exchange } from '../wire/exchange.js';
import { headerOf, type Header, type Reply } from '../wire/reply.js';
import { normalise } from './normalise.js';
import type { RecordedReply, RecordedRequest } from './recording.js';
import { requestIdOf, Variables } from './variables.js';

/** The `Host` of every request. */
const HOST = 'prices.example';
/**
 * How long raw requests wait for the service to close a connection that it did not announce to
 * close.
 */
const LINGER_MS = 100;
/** Bytes of a request text that are recorded. */
const ABBREVIATED_FROM = 400;

/** Sends requests to a service, one at a time, and records the replies. */
export class Recorder {
  readonly variables = new Variables();

  constructor(
    private readonly port: number,
    private readonly add: (reply: RecordedReply) => void,
  ) {}

  async record(request: ListedRequest): Promise<void> {
    await this.send(request, request.id);
    if (!request.repeat) return;
    await this.send(request, `${request.id} (again)`);
    await this.send(request, `${request.id} (a third time)`);
  }

  private async send(request: ListedRequest, id: string): Promise<void> {
    const requestId = requestIdOf(id);
    const fill = (text: string) => this.variables.fill(text.replaceAll('{{request id}}', requestId));
    const { raw } = request;
    const pieces =
      raw === null
        ? [bytesOf(request, requestId, fill)]
        : raw.pieces.map((piece) => (typeof piece === 'string' ? fill(piece) : piece));
    const seen = await exchange(this.port, pieces, {
      methods: raw?.methods ?? [request.method],
      ...(raw === null ? {} : { lingerMs: LINGER_MS, timeoutMs: raw.timeoutMs }),
    });
    this.write(request, id, requestId, seen);
    const last = seen.replies.at(-1);
    if (request.capture !== null && last !== undefined)
      this.variables.set(request.capture(last, jsonOf(last)));
  }

  private write(request: ListedRequest, id: string, requestId: string, seen: Exchange): void {
    const asked = toRecordedRequest(request);
    const { replies, connection, surplus } = seen;
    const end = surplus > 0 ? `${connection}, ${surplus} bytes more` : connection;
    const cameOn = (index: number) => (index === Math.max(0, replies.length - 1) ? end : 'more followed');
    for (const [index, reply] of (replies.length > 0 ? replies : [NO_REPLY]).entries()) {
      this.add({
        id: replies.length > 1 ? `${id} [${index + 1}]` : id,
        request: asked,
        ...this.normalised(reply, request, requestId),
        connection: reply.truncated ? 'truncated' : cameOn(index),
      });
    }
  }

  private normalised(reply: Reply, request: ListedRequest, requestId: string) {
    const encoding = headerOf(reply, 'content-encoding');
    const bytes = decompressed(reply.body, encoding);
    const isBinary = /^image\//.test(headerOf(reply, 'content-type') ?? '');
    const { headers, body, varies } = normalise({
      target: request.raw === null ? request.target : String(request.raw.pieces[0]),
      requestId,
      port: this.port,
      status: reply.status,
      headers: reply.headers,
      body: isBinary ? null : bytes.toString(),
      length: reply.body.length,
    });
    return {
      line: reply.line,
      status: reply.status,
      headers,
      encoding,
      body,
      sha256: createHash('sha256').update(reply.body).digest('hex'),
      bytes: reply.body.length,
      varies,
    };
  }
}

/** Recorded where there was no reply. */
const NO_REPLY: Reply = { line: '', status: 0, headers: [], body: Buffer.alloc(0), truncated: false };

/** A request as sent over the wire. */
function bytesOf(request: ListedRequest, requestId: string, fill: (text: string) => string): Buffer {
  const { method, target, headers, chunked } = request;
  const body = typeof request.body === 'string' ? Buffer.from(fill(request.body)) : request.body;
  const own = new Set(headers.map(([name]) => name.toLowerCase()));
  const defaults: Header[] = [
    ['Host', HOST],
    ['X-Request-Id', requestId],
  ];
  if (body !== null) {
    defaults.push(chunked ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', String(body.length)]);
  }
  const fields = [...defaults.filter(([name]) => !own.has(name.toLowerCase())), ...headers];
  const head = [
    `${method} ${fill(target)} HTTP/1.1`,
    ...fields.map(([name, value]) => `${name}: ${fill(value)}`),
  ];
  const content = body === null ? [] : chunked ? chunksOf(body) : [body];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), ...content]);
}

/** Bytes of a chunk. */
const CHUNK = 16 * 1024;

function chunksOf(body: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  for (let from = 0; from < body.length; from += CHUNK) {
    const part = body.subarray(from, from + CHUNK);
    chunks.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'));
  }
  return [...chunks, Buffer.from('0\r\n\r\n')];
}

function toRecordedRequest({ method, target, headers, body, raw }: ListedRequest): RecordedRequest {
  if (raw !== null)
    return { method: 'raw', target: '', headers: [], body: raw.pieces.map(abbreviate).join(' … ') };
  return {
    method,
    target: abbreviate(target),
    headers: headers.map(([name, value]): Header => [name, abbreviate(value)]),
    body: body === null ? null : abbreviate(body),
  };
}

/** Shortens a long text; the digest keeps it distinguishable. */
function abbreviate(text: string | Buffer): string {
  const bytes = Buffer.from(text);
  const start = bytes.toString().slice(0, ABBREVIATED_FROM);
  if (bytes.length <= ABBREVIATED_FROM) return start;
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
  return `${start}… (${bytes.length} bytes, ${digest})`;
}

function decompressed(body: Buffer, encoding: string | null): Buffer {
  if (body.length === 0) return body;
  try {
    if (encoding === 'br') return brotliDecompressSync(body);
    if (encoding === 'gzip') return gunzipSync(body);
  } catch {
    return Buffer.from('<cannot be decompressed>');
  }
  return body;
}

function jsonOf({ body, headers }: Reply): Record<string, unknown> {
  try {
    return JSON.parse(decompressed(body, headerOf({ headers }, 'content-encoding')).toString()) as Record<
      string,
      unknown
    >;
  } catch {
    return {};
  }
}
