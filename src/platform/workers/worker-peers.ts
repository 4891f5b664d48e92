import cluster from 'node:cluster';
import { EventEmitter } from 'node:events';
import type { FromHub, ToHub } from './message-hub.js';

/** A worker's channel to the message hub, which lives in the process that started it. */
interface Channel {
  send(message: ToHub): void;
  listen(listener: (message: FromHub) => void): void;
}

/** Milliseconds that the hub has beyond the timeout of a request. */
const GRACE = 100;

type RequestHandler = (payload: unknown) => unknown;

/**
 * The other processes of this service on this machine. A process that works alone has none: each
 * of its requests gets no replies, at once.
 */
export class WorkerPeers {
  private readonly handlers = new Map<string, RequestHandler>();
  private readonly replies = new EventEmitter();
  private lastId = 0;

  constructor(private readonly channel: Channel | null = workerChannel()) {
    channel?.listen((message) => void this.receive(message));
    channel?.send({ kind: 'join' });
  }

  /** Sets the handler of its peers' requests about a topic. Without a handler it replies null. */
  onRequest(topic: string, handler: RequestHandler): void {
    this.handlers.set(topic, handler);
  }

  /**
   * Sends a request to all peers and waits for their replies. A peer that exits meanwhile, or does
   * not reply in time, is left out.
   * @param payload is sent as JSON, as the replies are
   */
  request(topic: string, payload: unknown, timeoutMs: number): Promise<unknown[]> {
    if (this.channel === null) return Promise.resolve([]);
    const id = ++this.lastId;
    return new Promise((resolve) => {
      const end = (payloads: unknown[]) => {
        clearTimeout(timer);
        this.replies.removeAllListeners(String(id));
        resolve(payloads);
      };
      // The hub ends the request in time; this is for a hub that does not reply at all.
      const timer = setTimeout(() => end([]), timeoutMs + GRACE);
      this.replies.once(String(id), end);
      this.channel!.send({ kind: 'request', id, topic, payload, timeoutMs });
    });
  }

  private async receive(message: FromHub): Promise<void> {
    if (message.kind === 'replies') this.replies.emit(String(message.id), message.payloads);
    if (message.kind !== 'request') return;
    const { id, topic, payload } = message;
    const reply = await this.handle(topic, payload).catch(() => null);
    this.channel!.send({ kind: 'reply', id, payload: reply ?? null });
  }

  private async handle(topic: string, payload: unknown): Promise<unknown> {
    return this.handlers.get(topic)?.(payload);
  }
}

/** The channel of a process that a supervisor started; null for one that works alone. */
function workerChannel(): Channel | null {
  if (!cluster.isWorker) return null;
  return {
    // A closed channel means that this process is about to exit; nobody waits for its messages.
    send: (message) =>
      void (process.connected && process.send!(message, undefined, undefined, () => undefined)),
    listen: (listener) => void process.on('message', listener),
  };
}
