import { connect, type Socket } from 'node:net';

/** One request of a load: the path, and headers in addition to Host; a GET unless it says else. */
export interface LoadRequest {
  path: string;
  headers?: Record<string, string>;
  method?: string;
  /** Sent as JSON. */
  body?: object;
}

export interface LoadOptions {
  port: number;
  /** Returns the next request; called once for each. */
  next: () => LoadRequest;
  connections: number;
  /** Milliseconds that the load runs; requests under way are finished. */
  duration: number;
  /** Requests per second over all connections; by default as fast as responses arrive. */
  rate?: number;
  /** Expected statuses; 200, 201 and 304 by default. */
  expected?: readonly number[];
  /** Milliseconds that a connection waits after a 503. */
  retryAfter?: number;
}

/** The result of a load. Times are milliseconds from sending to the last byte. */
export interface LoadResult {
  requests: number;
  seconds: number;
  perSecond: number;
  p50: number;
  p99: number;
  bytes: number;
  /** Responses with an unexpected status, by status; 0 is a broken connection. */
  unexpected: Record<string, number>;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LINE_END = Buffer.from('\r\n');
const ZERO = 48;
const NOTHING = Buffer.alloc(0);

/**
 * Sends requests over keep-alive connections, one at a time on each, and reads responses without
 * creating objects for them: the generator has to be faster than what it measures. It supports
 * Content-Length and chunked bodies.
 */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const times: number[] = [];
  const unexpected: Record<string, number> = {};
  const expected = options.expected ?? [200, 201, 304];
  const started = performance.now();
  const end = started + options.duration;
  let bytes = 0;
  let sent = 0;

  const due = () => (options.rate === undefined ? 0 : started + (sent * 1000) / options.rate);
  const run = async () => {
    let client = new Client(options.port);
    try {
      for (;;) {
        const wait = due() - performance.now();
        sent++;
        if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
        const begin = performance.now();
        if (begin >= end) return;
        try {
          const response = await client.send(options.next());
          bytes += response.bytes;
          if (!expected.includes(response.status)) count(unexpected, response.status);
          times.push(performance.now() - begin);
          if (response.close) client = client.renewed();
          if (response.status === 503 && options.retryAfter !== undefined)
            await new Promise((resolve) => setTimeout(resolve, options.retryAfter));
        } catch {
          count(unexpected, 0);
          client = client.renewed();
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      }
    } finally {
      client.close();
    }
  };
  await Promise.all(Array.from({ length: options.connections }, run));
  const seconds = (performance.now() - started) / 1000;
  times.sort((one, other) => one - other);
  return {
    requests: times.length,
    seconds,
    perSecond: times.length / seconds,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    bytes,
    unexpected,
  };
}

/** The value below which a fraction of the sorted values lies; NaN without values. */
export function percentile(sorted: readonly number[], fraction: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? NaN;
}

const count = (counts: Record<string, number>, key: number) => (counts[key] = (counts[key] ?? 0) + 1);

interface RawResponse {
  status: number;
  bytes: number;
  close: boolean;
}

class Client {
  private readonly socket: Socket;
  private pending: { resolve: (response: RawResponse) => void; reject: (error: Error) => void } | null = null;
  /** The part received so far of a head or of a chunk's size line. */
  private partial: Buffer = NOTHING;
  private state: 'head' | 'body' | 'size' | 'chunk' = 'head';
  /** Bytes of the body or chunk that are still to be received; a chunk includes its line end. */
  private remaining = 0;
  private status = 0;
  private bytes = 0;
  private closes = false;

  constructor(private readonly port: number) {
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.socket.on('data', (chunk) => this.receive(chunk));
    const failed = (error?: Error) => this.fail(error ?? new Error('closed'));
    this.socket.on('error', failed).on('close', () => failed());
  }

  send({ path, headers = {}, method = 'GET', body }: LoadRequest): Promise<RawResponse> {
    let head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${this.port}\r\n`;
    for (const name in headers) head += `${name}: ${headers[name]}\r\n`;
    const json = body === undefined ? '' : JSON.stringify(body);
    if (body !== undefined)
      head += `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(json)}\r\n`;
    return new Promise((resolve, reject) => {
      if (this.socket.destroyed) return reject(new Error('closed'));
      this.pending = { resolve, reject };
      this.socket.write(`${head}\r\n${json}`);
    });
  }

  renewed(): Client {
    this.close();
    return new Client(this.port);
  }

  close(): void {
    this.socket.destroy();
  }

  private fail(error: Error): void {
    this.pending?.reject(error);
    this.pending = null;
  }

  private receive(chunk: Buffer): void {
    this.bytes += chunk.length;
    let rest = chunk;
    while (rest.length > 0 && this.pending !== null) {
      if (this.state === 'head') rest = this.readHead(rest);
      else if (this.state === 'size') rest = this.readChunkSize(rest);
      else {
        const read = Math.min(rest.length, this.remaining);
        this.remaining -= read;
        rest = rest.subarray(read);
        if (this.remaining > 0) continue;
        if (this.state === 'chunk') this.state = 'size';
        else this.finish();
      }
    }
  }

  private readHead(data: Buffer): Buffer {
    const whole = this.partial.length === 0 ? data : Buffer.concat([this.partial, data]);
    const end = whole.indexOf(HEAD_END);
    if (end < 0) {
      this.partial = whole;
      return NOTHING;
    }
    this.partial = NOTHING;
    const head = whole.toString('latin1', 0, end);
    this.status = Number(head.slice(9, 12));
    this.closes = /\r\nconnection: close/i.test(head);
    this.remaining = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (/\r\ntransfer-encoding: chunked/i.test(head)) this.state = 'size';
    else if (this.remaining > 0) this.state = 'body';
    else this.finish();
    return whole.subarray(end + 4);
  }

  /**
   * The line before a chunk has its size; the last chunk is empty and followed by an empty line.
   */
  private readChunkSize(data: Buffer): Buffer {
    const whole = this.partial.length === 0 ? data : Buffer.concat([this.partial, data]);
    const end = whole.indexOf(LINE_END);
    if (end < 0 || (whole[0] === ZERO && whole.length < end + 4)) {
      this.partial = whole;
      return NOTHING;
    }
    this.partial = NOTHING;
    const size = parseInt(whole.toString('latin1', 0, end), 16);
    if (size === 0) {
      this.finish();
      return whole.subarray(end + 4);
    }
    this.state = 'chunk';
    this.remaining = size + 2;
    return whole.subarray(end + 2);
  }

  private finish(): void {
    const { pending, status, bytes, closes: close } = this;
    this.state = 'head';
    this.bytes = 0;
    this.pending = null;
    pending?.resolve({ status, bytes, close });
  }
}
