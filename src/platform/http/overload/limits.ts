import { Inject, Injectable } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TurnQueue } from '../../../lib/scheduling/turn-queue.js';
import { ApiError, Unavailable } from '../../errors/api-error.js';
import { HTTP_LIMITS, HTTP_OPTIONS, type HttpLimits, type HttpOptions } from '../options.js';
import type { HeavyReply } from './heavy-replies.js';

/** What a full limit does with one more holder: rejects it, or evicts one, which may be it. */
type WhenFull<Holder> =
  | { reject: () => Error }
  | {
      /** @throws where the new one is to be rejected */
      evict: (holders: Iterable<Holder>, added: Holder) => Holder;
      end: (evicted: Holder) => void;
    };

interface LimitRules<Holder> {
  /** Holders at most; 0 for no limit. */
  max: () => number;
  /** Each client has the limit for itself; else it is that of the process. */
  perClient?: boolean;
  /**
   * Holders of one client for each place that is free: a client alone gets nearly all places, and
   * several leave some for the next.
   */
  share?: number;
  /** Which of the holders count; all by default. */
  counts?: (holder: Holder) => boolean;
  whenFull: WhenFull<Holder>;
}

/**
 * A bounded set of holders, each of a client.
 *
 * Holders come and go with each request, so they are in arrays. A `Map` keyed by them would be
 * allocated anew every few requests, and each former table, once it is in the old generation, would
 * retain the next one with all requests in it. Random lists take 0.9 times the processor time that
 * they took with maps (measured in turns, SQLite, size S, eight connections).
 */
class ConcurrencyLimit<Holder> implements Iterable<Holder> {
  /** In the order in which they came. */
  private readonly holders: Holder[] = [];
  /** The client of each. */
  private readonly clients: string[] = [];
  private readonly countOf = new Map<string, number>();
  /** Holders evicted so far. */
  evicted = 0;

  constructor(private readonly rules: LimitRules<Holder>) {}

  get size(): number {
    return this.holders.length;
  }

  /** Holders may leave meanwhile. */
  [Symbol.iterator](): Iterator<Holder> {
    return this.holders.slice().values();
  }

  /** Whether one more holder of a client would be too many. */
  isFull(client = ''): boolean {
    const { perClient = false, share = Infinity, counts } = this.rules;
    const max = this.rules.max();
    const own = this.countOf.get(client) ?? 0;
    if (!perClient) return this.size >= max || own > share * (max - this.size);
    if (max === 0 || own < max) return false;
    return counts === undefined || this.of(client).filter(counts).length >= max;
  }

  /**
   * Adds a holder, in place of another where the limit is full.
   * @returns false where it is itself the one that is evicted
   * @throws what `whenFull` rejects with
   */
  enter(holder: Holder, client = ''): boolean {
    if (this.isFull(client)) {
      const { whenFull, perClient } = this.rules;
      if ('reject' in whenFull) throw whenFull.reject();
      const evicted = whenFull.evict(perClient ? this.of(client) : this, holder);
      this.leave(evicted);
      this.evicted++;
      whenFull.end(evicted);
      if (evicted === holder) return false;
    }
    this.add(holder, client);
    return true;
  }

  /** @throws what `whenFull` rejects with, where the limit is full */
  check(client = ''): void {
    const { whenFull } = this.rules;
    if ('reject' in whenFull && this.isFull(client)) throw whenFull.reject();
  }

  /** Adds a holder, which is none yet, whatever the limit; it counts for those that `check`. */
  add(holder: Holder, client = ''): void {
    this.holders.push(holder);
    this.clients.push(client);
    this.countOf.set(client, (this.countOf.get(client) ?? 0) + 1);
  }

  /** Removes a holder; one that is none is ignored. */
  leave(holder: Holder): void {
    const { holders, clients, countOf } = this;
    const at = holders.indexOf(holder);
    if (at < 0) return;
    const client = clients[at]!;
    holders.splice(at, 1);
    clients.splice(at, 1);
    const left = countOf.get(client)! - 1;
    if (left === 0) countOf.delete(client);
    else countOf.set(client, left);
  }

  private of(client: string): Holder[] {
    return this.holders.filter((_, at) => this.clients[at] === client);
  }
}

/** A connection, with the number of its last request. */
export type Connection = Socket & { lastRequest?: number };

/** A reply whose reader accepts nothing more. */
interface UnreadReply {
  /** `performance.now()` */
  since: number;
}

/** Milliseconds for which a reader may accept nothing before its reply counts as unread. */
const UNREAD_AFTER = 1000;
/** Holders of one client for each place that is free. */
const SHARE = 8;

/**
 * All limits of what may go on at the same time; their numbers are in `HttpLimits`. Clients are the
 * networks that throttles count by.
 */
@Injectable()
export class ConcurrencyLimits {
  constructor(
    @Inject(HTTP_LIMITS) private readonly limits: HttpLimits,
    @Inject(HTTP_OPTIONS) private readonly options: HttpOptions,
  ) {}

  /**
   * Open connections. A new one takes the place of the idle one whose last request is oldest; where
   * all are upgraded or have a request in progress, the new one is closed. (Node's
   * `maxConnections` closes the new one always, so that idle connections could keep everybody out.)
   */
  readonly connections = new ConcurrencyLimit<Connection>({
    max: () => this.limits.sockets,
    whenFull: { evict: leastActiveIdle, end: (socket) => this.close(socket) },
  });

  /** The same for each client; trusted proxies, which stand for many, are exempt. */
  readonly connectionsOfClient = new ConcurrencyLimit<Connection>({
    max: () => this.options.connectionsPerAddress,
    perClient: true,
    whenFull: { evict: leastActiveIdle, end: (socket) => this.close(socket) },
  });

  /**
   * Bodies that are being received. Their requests are not in work yet. The one that has taken
   * longest is rejected: a body that is sent at once gets through, however many slow ones there
   * are.
   */
  readonly bodies = new ConcurrencyLimit<(reason: Error) => void>({
    max: () => this.limits.incomingBodies,
    whenFull: { evict: ([oldest]) => oldest!, end: (reject) => reject(tooSlow()) },
  });

  /** Requests in work, those to always served routes not counted. */
  readonly requests = new ConcurrencyLimit<object>({
    max: () => this.limits.requestsInWork,
    share: SHARE,
    whenFull: { reject: busy },
  });

  /**
   * Replies with so many items that a burst of them would leave no time for anything else: waiting
   * for a turn, being made, or waiting for their reader. One whose reader has accepted nothing for
   * a while is cut when another needs its place, so that readers who stand still keep nobody out,
   * and `Retry-After` is true.
   */
  readonly heavyReplies = new ConcurrencyLimit<HeavyReply>({
    max: () => this.limits.heavyReplies,
    whenFull: { evict: (replies) => this.longestStalled(replies), end: (reply) => reply.cut() },
  });

  /** Heavy replies that are made at the same time. The others wait; clients take turns. */
  readonly heavyTurns = new TurnQueue(this.limits.heavyAtOnce);

  /**
   * Replies that a client leaves unread. Each holds memory: with too many, its next requests are
   * rejected, except a trusted proxy's.
   */
  readonly unread = new ConcurrencyLimit<UnreadReply>({
    max: () => this.limits.slowReplies,
    perClient: true,
    counts: ({ since }) => since < performance.now() - UNREAD_AFTER,
    whenFull: { reject: tooManyUnread },
  });

  /**
   * Clients that wait for something to happen. They do nothing meanwhile, so that they are not in
   * work, but each holds a connection.
   */
  readonly waiting = new ConcurrencyLimit<object>({
    max: () => this.limits.waitingClients,
    whenFull: { reject: tooManyWaiting },
  });

  /** A connection no longer counts. */
  forget(socket: Connection): void {
    this.connections.leave(socket);
    this.connectionsOfClient.leave(socket);
  }

  /** It gives up both places at once: its `close` comes later, and others would have to go. */
  private close(socket: Connection): void {
    this.forget(socket);
    socket.destroy();
  }

  private longestStalled(replies: Iterable<HeavyReply>): HeavyReply {
    const [longest] = [...replies].sort((one, other) => one.lastProgressAt - other.lastProgressAt);
    if (performance.now() - longest!.lastProgressAt < this.limits.heavyStallMs) throw busyWithLarge();
    return longest!;
  }
}

/** Of the connections without a request in progress, that with the oldest last request. */
function leastActiveIdle(connections: Iterable<Connection>, added: Connection): Connection {
  let least: Connection | null = null;
  for (const socket of connections) {
    if (currentResponse(socket) !== null || isUpgraded(socket)) continue;
    if (least === null || socket.lastRequest! < least.lastRequest!) least = socket;
  }
  return least ?? added;
}

export const busy = () => new Unavailable('The service is busy. Try again.');

/** The error of a long reply that has to wait for too long. */
export const busyWithLarge = () =>
  new Unavailable('The service is busy with large replies. Try again.', RETRY_AFTER);

/** Seconds after which a client that is rejected for long work may try again. */
const RETRY_AFTER = 5;

const tooManyUnread = () =>
  new Unavailable('Too many replies to this address wait to be read. Read them, or close them.', RETRY_AFTER);

const tooManyWaiting = () =>
  new Unavailable('Too many clients wait for changes. Ask without wait, or try again.', RETRY_AFTER);

function tooSlow(): ApiError {
  const detail = 'The body took too long while the service received too many others. Try again.';
  return new ApiError('unavailable', detail, { headers: { 'Retry-After': '1', Connection: 'close' } });
}

/** The response that Node is working on for a connection; null while it waits for a request. */
export function currentResponse(socket: Socket): ServerResponse | null {
  return (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage ?? null;
}

/**
 * Whether a connection is no longer one of HTTP but of a gateway, which Node leaves to it without
 * a parser. (To listen to `upgrade` would make Node accept upgrades that nobody takes.)
 */
function isUpgraded(socket: Socket): boolean {
  return (socket as Socket & { parser?: object | null }).parser === null;
}
