import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { quantile } from './http.js';
import { track } from './resources.js';

/**
 * A load of reads from a separate process, with minimal work per request: it must outpace the
 * service on the same machine.
 */
export interface FloodOptions {
  port: number;
  /** `%n` becomes the number of the request. */
  path: string;
  connections: number;
  /** Requests per second over all connections. */
  rate: number;
  duration: number;
}

/** Latencies are in milliseconds from sending to the last byte. */
export interface FloodResult {
  statuses: Record<string, number>;
  /** Of responses with status 200; `rejectedP99` of all others. */
  p50: number;
  p99: number;
  rejectedP99: number;
}

/** Runs a flood in a separate process. */
export async function flood(options: FloodOptions): Promise<FloodResult> {
  const child = track(fork(import.meta.filename, [JSON.stringify(options)], { stdio: 'inherit' }));
  const [result] = (await once(child, 'message')) as [FloodResult];
  return result;
}

/**
 * A keep-alive connection that parses the status, the length and `Connection: close` of responses
 * only.
 */
class FloodConnection {
  private socket: Socket;
  readonly opened: Promise<unknown>;
  private received: Buffer = Buffer.alloc(0);
  private remaining = -1;
  private status = 0;
  private closes = false;
  private done: ((status: number) => void) | null = null;

  constructor(
    private readonly port: number,
    private readonly localAddress: string,
  ) {
    this.socket = this.open();
    this.opened = once(this.socket, 'connect');
  }

  get free(): boolean {
    return this.done === null;
  }

  send(path: string, done: (status: number) => void): void {
    this.done = done;
    this.socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost:${this.port}\r\n\r\n`);
  }

  close(): void {
    this.done = null;
    this.socket.destroy();
  }

  private open(): Socket {
    const socket = connect({
      port: this.port,
      host: '127.0.0.1',
      localAddress: this.localAddress,
      noDelay: true,
    });
    socket.on('data', (chunk) => this.receive(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (socket !== this.socket) return;
      this.received = Buffer.alloc(0);
      this.remaining = -1;
      const unanswered = this.done;
      if (unanswered !== null) {
        this.socket = this.open();
        this.finish(0);
      }
    });
    return socket;
  }

  private receive(chunk: Buffer): void {
    if (this.remaining >= 0) this.remaining -= chunk.length;
    else {
      this.received = Buffer.concat([this.received, chunk]);
      const at = this.received.indexOf('\r\n\r\n');
      if (at < 0) return;
      const head = this.received.toString('latin1', 0, at);
      this.status = Number(head.slice(9, 12));
      this.closes = /\r\nconnection: close/i.test(head);
      this.remaining =
        Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0) - (this.received.length - at - 4);
      this.received = Buffer.alloc(0);
    }
    if (this.remaining > 0) return;
    this.remaining = -1;
    if (this.closes) {
      this.socket.destroy();
      this.socket = this.open();
    }
    this.finish(this.status);
  }

  private finish(status: number): void {
    const { done } = this;
    this.done = null;
    done?.(status);
  }
}

async function run({ port, path, connections, rate, duration }: FloodOptions): Promise<FloodResult> {
  const statuses: Record<string, number> = {};
  const accepted: number[] = [];
  const rejected: number[] = [];
  // Several clients: the service limits the connections of one address.
  const idle = Array.from(
    { length: connections },
    (_, index) => new FloodConnection(port, `127.0.0.${2 + (index % 20)}`),
  );
  const all = [...idle];
  await Promise.all(all.map((connection) => connection.opened));
  const began = performance.now();
  let sent = 0;
  while (performance.now() - began < duration) {
    const due = Math.floor(((performance.now() - began) * rate) / 1000);
    while (sent < due && idle.length > 0) {
      const connection = idle.pop()!;
      const at = performance.now();
      connection.send(path.replace('%n', String(sent++)), (status) => {
        const key = status === 0 ? 'none' : String(status);
        statuses[key] = (statuses[key] ?? 0) + 1;
        (status === 200 ? accepted : rejected).push(performance.now() - at);
        idle.push(connection);
      });
    }
    // Late requests are caught up for a tenth of a second at most; the rest is dropped.
    sent = Math.max(sent, due - rate / 10);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  for (let wait = 0; wait < 500 && !all.every(({ free }) => free); wait++)
    await new Promise((resolve) => setTimeout(resolve, 20));
  for (const connection of all) connection.close();
  for (const times of [accepted, rejected]) times.sort((one, other) => one - other);
  return {
    statuses,
    p50: quantile(accepted, 0.5),
    p99: quantile(accepted, 0.99),
    rejectedP99: rejected.length === 0 ? 0 : quantile(rejected, 0.99),
  };
}

if (process.argv[1] === import.meta.filename) {
  const result = await run(JSON.parse(process.argv[2]!) as FloodOptions);
  process.send!(result, () => process.exit(0));
}
