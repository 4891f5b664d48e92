import { Agent, request, type IncomingHttpHeaders } from 'node:http';

/** An answer, or what became of the request instead. */
export interface Reply {
  /** 0 when there was no answer. */
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Milliseconds until the end. */
  ms: number;
  /** The answer began and did not end: what arrived must not be taken for the whole. */
  cut: boolean;
  /** The error's code when there was no whole answer. */
  error: string | null;
}

export interface Ask {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
  agent?: Agent;
  /** Milliseconds after which the request is given up; 20 s unless given. */
  patience?: number;
}

/** Sends a request to a server on the loopback. Never rejects: what went wrong is in the reply. */
export function ask(port: number, path: string, options: Ask = {}): Promise<Reply> {
  const { method = 'GET', headers = {}, body, agent, patience = 20_000 } = options;
  const began = performance.now();
  const payload =
    body === undefined ? undefined : Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  return new Promise((resolve) => {
    const reply: Reply = { status: 0, headers: {}, text: '', ms: 0, cut: false, error: null };
    const end = (error: string | null) => {
      clearTimeout(timer);
      resolve({ ...reply, error, cut: error !== null && reply.status !== 0, ms: performance.now() - began });
    };
    const sent = request(
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
        reply.headers = response.headers;
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', () => undefined);
        response.on('close', () => {
          reply.text = Buffer.concat(parts).toString();
          end(response.complete ? null : 'cut');
        });
      },
    );
    const timer = setTimeout(() => sent.destroy(new Error('no answer')), patience);
    sent.on(
      'error',
      (error: NodeJS.ErrnoException) => reply.status === 0 && end(error.code ?? error.message),
    );
    sent.end(payload);
  });
}

/** The body of a reply, read as JSON. */
export function json<T = Record<string, unknown>>(reply: Reply): T {
  return JSON.parse(reply.text) as T;
}

/** What a load saw. Times are in milliseconds. */
export interface Seen {
  replies: number;
  /** Replies by status; `none` are requests without any answer. */
  statuses: Record<string, number>;
  cut: number;
  /** Times of answers below 500, sorted. */
  times: number[];
  p50: number;
  p99: number;
  most: number;
  /** The slowest refusal (503 and the like). */
  slowestRefusal: number;
  /** Bodies of answers with a status of 500 and more, a few of them. */
  failures: string[];
}

/** A load that runs until it is stopped. */
export interface Load {
  stop(): Promise<Seen>;
}

/**
 * Sends reads over kept-alive connections: `clients` at a time, each waiting for its answer, or `rate` a second over all of them.
 */
export function startLoad(
  port: number,
  path: string | (() => string),
  { clients, rate, ask: options = {} }: { clients: number; rate?: number; ask?: Ask },
): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const replies: Reply[] = [];
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
      const reply = await ask(port, target, { agent, ...options });
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
      return summary(replies);
    },
  };
}

/** Runs a load for so many milliseconds. */
export async function runLoad(
  port: number,
  path: string | (() => string),
  options: { clients: number; rate?: number; duration: number; ask?: Ask },
): Promise<Seen> {
  const load = startLoad(port, path, options);
  await new Promise((resolve) => setTimeout(resolve, options.duration));
  return load.stop();
}

/** What many replies come to. */
export function summary(replies: readonly Reply[]): Seen {
  const statuses: Record<string, number> = {};
  for (const { status } of replies) {
    const key = status === 0 ? 'none' : String(status);
    statuses[key] = (statuses[key] ?? 0) + 1;
  }
  const times = replies
    .filter(({ status, cut }) => status > 0 && status < 500 && !cut)
    .map(({ ms }) => ms)
    .sort((one, other) => one - other);
  return {
    replies: replies.length,
    statuses,
    cut: replies.filter(({ cut }) => cut).length,
    times,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    most: times.at(-1) ?? NaN,
    slowestRefusal: Math.max(0, ...replies.filter(({ status }) => status >= 500).map(({ ms }) => ms)),
    failures: [
      ...new Set(replies.filter(({ status }) => status === 500).map(({ text }) => text.slice(0, 300))),
    ].slice(0, 3),
  };
}

/** The value below which a share of the sorted values lies; NaN of none. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}
