/** Messages of a worker to the hub. */
export type ToHub =
  /** It answers requests from now on. */
  | { kind: 'join' }
  | { kind: 'request'; id: number; topic: string; payload: unknown; timeoutMs: number }
  | { kind: 'reply'; id: number; payload: unknown };

/** Messages of the hub to a worker. */
export type FromHub =
  | { kind: 'request'; id: number; topic: string; payload: unknown }
  | { kind: 'replies'; id: number; payloads: unknown[] };

type Send = (message: FromHub) => void;

/** A request that waits for replies. */
interface PendingRequest {
  missing: Set<HubConnection>;
  payloads: unknown[];
  end: () => void;
}

/** Relays the requests of one worker to all others, and their replies back. */
export class MessageHub {
  private readonly connections = new Set<HubConnection>();
  private readonly pending = new Map<number, PendingRequest>();
  private lastId = 0;

  /** Adds a worker. @param send passes a message to it */
  connect(send: Send): HubConnection {
    return new HubConnection(this, send);
  }

  /** @internal */
  join(connection: HubConnection): void {
    this.connections.add(connection);
  }

  /** @internal */
  leave(connection: HubConnection): void {
    this.connections.delete(connection);
    for (const request of this.pending.values()) this.complete(request, connection);
  }

  /** @internal */
  request(from: HubConnection, { id, topic, payload, timeoutMs }: ToHub & { kind: 'request' }): void {
    const ownId = ++this.lastId;
    const missing = new Set([...this.connections].filter((connection) => connection !== from));
    const timer = setTimeout(() => request.end(), timeoutMs);
    const request: PendingRequest = {
      missing,
      payloads: [],
      end: () => {
        clearTimeout(timer);
        this.pending.delete(ownId);
        from.send({ kind: 'replies', id, payloads: request.payloads });
      },
    };
    this.pending.set(ownId, request);
    if (missing.size === 0) return request.end();
    for (const connection of missing) connection.send({ kind: 'request', id: ownId, topic, payload });
  }

  /** @internal */
  reply(from: HubConnection, { id, payload }: ToHub & { kind: 'reply' }): void {
    const request = this.pending.get(id);
    if (request === undefined || !request.missing.has(from)) return;
    request.payloads.push(payload);
    this.complete(request, from);
  }

  private complete(request: PendingRequest, connection: HubConnection): void {
    if (request.missing.delete(connection) && request.missing.size === 0) request.end();
  }
}

/** The hub's end of the connection to a worker. */
export class HubConnection {
  constructor(
    private readonly hub: MessageHub,
    readonly send: Send,
  ) {}

  /** Handles a message of the worker; messages that are not for the hub are ignored. */
  receive(message: ToHub): void {
    if (message.kind === 'join') this.hub.join(this);
    else if (message.kind === 'request') this.hub.request(this, message);
    else if (message.kind === 'reply') this.hub.reply(this, message);
  }

  /** The worker has exited: nobody waits for it any longer. */
  close(): void {
    this.hub.leave(this);
  }
}
