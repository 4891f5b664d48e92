import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Addresses of the loopback that the readers come from, so that none has too many connections. */
const ADDRESSES = 20;
/** Of the head of a response. */
const HEAD_BYTES = 1000;

/** Clients, each on a connection of its own, that read the head of their response at most. */
export class UnreadReplies {
  private readonly readers: { socket: Socket; head: string }[] = [];

  /** @param headers lines of the request's head, each with its line break */
  open(port: number, path: string, headers = ''): void {
    const localAddress = `127.0.0.${2 + (this.readers.length % ADDRESSES)}`;
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    const reader = { socket, head: '' };
    this.readers.push(reader);
    socket.on('error', () => undefined);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`);
    socket.once('readable', () => {
      reader.head = String(socket.read(HEAD_BYTES) ?? socket.read() ?? '');
    });
  }

  /** Responses so far by status; `none` for clients without one. */
  get statuses(): Record<string, number> {
    const statuses: Record<string, number> = {};
    for (const { head } of this.readers) {
      const status = head.slice(9, 12) || 'none';
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
    return statuses;
  }

  /** Clients with a 200 that is still being sent, as far as the system takes its bytes. */
  get stalled(): number {
    return this.readers.filter(({ head, socket }) => head.slice(9, 12) === '200' && !socket.destroyed).length;
  }

  /** 503 responses without `Retry-After`. */
  get withoutRetryAfter(): number {
    return this.readers.filter(({ head }) => head.slice(9, 12) === '503' && !/^retry-after: \d/im.test(head))
      .length;
  }

  /** Waits until every client has a response. @returns the milliseconds it took */
  async answered(timeoutMs: number): Promise<number> {
    const began = performance.now();
    while (this.statuses.none !== undefined && performance.now() - began < timeoutMs) await sleep(20);
    return performance.now() - began;
  }

  close(): void {
    for (const { socket } of this.readers) socket.destroy();
  }
}
