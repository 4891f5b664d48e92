import { Agent, request, type IncomingHttpHeaders } from 'node:http';

/** A response, or the error of a failed request. */
export interface HttpReply {
  /** 0 without a response. */
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Milliseconds until the end of the response. */
  ms: number;
  /** Whether the connection was lost during the response. */
  truncated: boolean;
  /** The error code if there was no complete response. */
  error: string | null;
}

export interface RequestOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
  agent?: Agent;
  /** Milliseconds after which the request is aborted; 20 s by default. */
  timeoutMs?: number;
  /** Called when the response begins. */
  onResponse?: () => void;
}

/** Sends a request to a server on the loopback. Never rejects: failures are in the reply. */
export function sendRequest(port: number, path: string, options: RequestOptions = {}): Promise<HttpReply> {
  const { method = 'GET', headers = {}, body, agent, timeoutMs = 20_000 } = options;
  const began = performance.now();
  const payload =
    body === undefined ? undefined : Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  return new Promise((resolve) => {
    const reply: HttpReply = { status: 0, headers: {}, text: '', ms: 0, truncated: false, error: null };
    const end = (error: string | null) => {
      clearTimeout(timer);
      resolve({
        ...reply,
        error,
        truncated: error !== null && reply.status !== 0,
        ms: performance.now() - began,
      });
    };
    const clientRequest = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method,
        agent: agent ?? false,
        headers: {
          ...(payload === undefined
            ? {}
            : { 'Content-Type': 'application/json', 'Content-Length': String(payload.length) }),
          ...headers,
        },
      },
      (response) => {
        reply.status = response.statusCode ?? 0;
        options.onResponse?.();
        reply.headers = response.headers;
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', () => undefined);
        response.on('close', () => {
          reply.text = Buffer.concat(chunks).toString();
          end(response.complete ? null : 'truncated');
        });
      },
    );
    const timer = setTimeout(() => clientRequest.destroy(new Error('no response')), timeoutMs);
    clientRequest.on(
      'error',
      (error: NodeJS.ErrnoException) => reply.status === 0 && end(error.code ?? error.message),
    );
    clientRequest.end(payload);
  });
}

/** Parses the body of a reply as JSON. */
export function jsonBody<T = Record<string, unknown>>(reply: HttpReply): T {
  return JSON.parse(reply.text) as T;
}

/** The results of a load. Latencies are in milliseconds. */
export interface LoadReport {
  replies: number;
  /** Replies by status; `none` for requests without a response. */
  statuses: Record<string, number>;
  truncated: number;
  /** Latencies of responses with a status below 500, sorted. */
  times: number[];
  p50: number;
  p99: number;
  max: number;
  /** The slowest response with a status of 500 or more. */
  slowestRejection: number;
  /** Bodies of up to three responses with a status of 500 or more. */
  failures: string[];
}

/** A load that runs until it is stopped. */
export interface Load {
  stop(): Promise<LoadReport>;
}

/**
 * Sends reads over keep-alive connections from `clients` concurrent clients, as fast as they can or
 * `rate` per second altogether.
 */
export function startLoad(
  port: number,
  path: string | (() => string),
  { clients, rate, request: options = {} }: { clients: number; rate?: number; request?: RequestOptions },
): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const replies: HttpReply[] = [];
  let going = true;
  let sent = 0;
  const began = performance.now();
  const client = async () => {
    while (going) {
      const due = rate === undefined ? 0 : began + (sent * 1000) / rate;
      sent++;
      const wait = due - performance.now();
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      if (!going) return;
      const target = typeof path === 'string' ? path : path();
      const reply = await sendRequest(port, target, { agent, ...options });
      replies.push(reply);
      if (reply.status === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const clientsDone = Promise.all(Array.from({ length: clients }, client));
  return {
    stop: async () => {
      going = false;
      await clientsDone;
      agent.destroy();
      return summarize(replies);
    },
  };
}

/** Runs a load for the given milliseconds. */
export async function measureLoad(
  port: number,
  path: string | (() => string),
  options: { clients: number; rate?: number; duration: number; request?: RequestOptions },
): Promise<LoadReport> {
  const load = startLoad(port, path, options);
  await new Promise((resolve) => setTimeout(resolve, options.duration));
  return load.stop();
}

/** Summarizes replies. */
export function summarize(replies: readonly HttpReply[]): LoadReport {
  const statuses: Record<string, number> = {};
  for (const { status } of replies) {
    const key = status === 0 ? 'none' : String(status);
    statuses[key] = (statuses[key] ?? 0) + 1;
  }
  const times = replies
    .filter(({ status, truncated }) => status > 0 && status < 500 && !truncated)
    .map(({ ms }) => ms)
    .sort((one, other) => one - other);
  return {
    replies: replies.length,
    statuses,
    truncated: replies.filter(({ truncated }) => truncated).length,
    times,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    max: times.at(-1) ?? NaN,
    slowestRejection: Math.max(0, ...replies.filter(({ status }) => status >= 500).map(({ ms }) => ms)),
    failures: [
      ...new Set(replies.filter(({ status }) => status >= 500).map(({ text }) => text.slice(0, 300))),
    ].slice(0, 3),
  };
}

/** The value at a quantile of sorted values; NaN if there are none. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}
