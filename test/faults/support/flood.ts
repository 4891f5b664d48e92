import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { percentile } from './http.js';
import { remember } from './workshop.js';

/** Many reads by a process of its own, with as little work for each as can be: it has to outpace the service on the same machine. */
export interface Flood {
  port: number;
  /** `%n` becomes the number of the request. */
  path: string;
  connections: number;
  /** Requests a second over all connections. */
  rate: number;
  duration: number;
}

/** What a flood saw. Times are milliseconds from sending to the last byte. */
export interface Flooded {
  statuses: Record<string, number>;
  /** Of answers with 200, and of refusals. */
  p50: number;
  p99: number;
  refusalP99: number;
}

/** Runs a flood in a process of its own. */
export async function flood(options: Flood): Promise<Flooded> {
  const child = remember(fork(import.meta.filename, [JSON.stringify(options)], { stdio: 'inherit' }));
  const [seen] = (await once(child, 'message')) as [Flooded];
  return seen;
}

/** A kept-alive connection that understands just enough of an answer: its status, its length, and whether it closes. */
class Connection {
  private socket: Socket;
  readonly opened: Promise<unknown>;
  private received: Buffer = Buffer.alloc(0);
  private left = -1;
  private status = 0;
  private closes = false;
  private done: ((status: number) => void) | null = null;

  constructor(private readonly port: number) {
    this.socket = this.open();
    this.opened = once(this.socket, 'connect');
  }

  get free(): boolean {
    return this.done === null;
  }

  ask(path: string, done: (status: number) => void): void {
    this.done = done;
    this.socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost:${this.port}\r\n\r\n`);
  }

  close(): void {
    this.done = null;
    this.socket.destroy();
  }

  private open(): Socket {
    const socket = connect({ port: this.port, host: '127.0.0.1', noDelay: true });
    socket.on('data', (part) => this.take(part));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (socket !== this.socket) return;
      this.received = Buffer.alloc(0);
      this.left = -1;
      const unanswered = this.done;
      if (unanswered !== null) {
        this.socket = this.open();
        this.end(0);
      }
    });
    return socket;
  }

  private take(part: Buffer): void {
    if (this.left >= 0) this.left -= part.length;
    else {
      this.received = Buffer.concat([this.received, part]);
      const at = this.received.indexOf('\r\n\r\n');
      if (at < 0) return;
      const head = this.received.toString('latin1', 0, at);
      this.status = Number(head.slice(9, 12));
      this.closes = /\r\nconnection: close/i.test(head);
      this.left = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0) - (this.received.length - at - 4);
      this.received = Buffer.alloc(0);
    }
    if (this.left > 0) return;
    this.left = -1;
    if (this.closes) {
      this.socket.destroy();
      this.socket = this.open();
    }
    this.end(this.status);
  }

  private end(status: number): void {
    const { done } = this;
    this.done = null;
    done?.(status);
  }
}

async function run({ port, path, connections, rate, duration }: Flood): Promise<Flooded> {
  const statuses: Record<string, number> = {};
  const accepted: number[] = [];
  const refused: number[] = [];
  const idle = Array.from({ length: connections }, () => new Connection(port));
  const all = [...idle];
  await Promise.all(all.map((connection) => connection.opened));
  const began = performance.now();
  let sent = 0;
  while (performance.now() - began < duration) {
    const due = Math.floor(((performance.now() - began) * rate) / 1000);
    while (sent < due && idle.length > 0) {
      const connection = idle.pop()!;
      const at = performance.now();
      connection.ask(path.replace('%n', String(sent++)), (status) => {
        const key = status === 0 ? 'none' : String(status);
        statuses[key] = (statuses[key] ?? 0) + 1;
        (status === 200 ? accepted : refused).push(performance.now() - at);
        idle.push(connection);
      });
    }
    // What could not be sent in time is not made up for: no more than a tenth of a second of it.
    sent = Math.max(sent, due - rate / 10);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  for (let wait = 0; wait < 500 && !all.every(({ free }) => free); wait++)
    await new Promise((resolve) => setTimeout(resolve, 20));
  for (const connection of all) connection.close();
  for (const times of [accepted, refused]) times.sort((one, other) => one - other);
  return {
    statuses,
    p50: percentile(accepted, 0.5),
    p99: percentile(accepted, 0.99),
    refusalP99: refused.length === 0 ? 0 : percentile(refused, 0.99),
  };
}

if (process.argv[1] === import.meta.filename) {
  const seen = await run(JSON.parse(process.argv[2]!) as Flood);
  process.send!(seen, () => process.exit(0));
}
