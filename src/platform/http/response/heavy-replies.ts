import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { abortResponse, unsentBytes } from '../../../lib/scheduling/stalled-response.js';
import { connectionBurst } from '../../../lib/scheduling/connection-burst.js';
import { TurnQueue } from '../../../lib/scheduling/turn-queue.js';
import { Unavailable } from '../../errors/api-error.js';
import { clientNetwork } from '../request/client-network.js';
import { HTTP_LIMITS, type HttpLimits } from '../request/http-options.js';
import type { ReplyTurns, RequestContext } from '../request/request-context.js';
import { SlowReaders } from './slow-readers.js';

/** Seconds after which a rejected client may try again. */
const RETRY_AFTER = 5;
/** Milliseconds of a turn after which others that wait are next. */
const TURN = 25;
/** How often it is looked whether readers have accepted anything, within the time they have. */
const CHECKS = 5;

/**
 * The replies under way with so many items that a burst of them would leave no time for anything
 * else. A few of them are made at once; the others wait, and are rejected where they are too many.
 * A reply whose reader has accepted nothing for a while is cut when another needs its place, so
 * that readers who stand still keep nobody out, and `Retry-After` is true.
 */
@Injectable()
export class HeavyReplies implements OnModuleDestroy {
  private readonly turns: TurnQueue;
  private readonly replies = new Set<HeavyReply>();
  private watch: NodeJS.Timeout | null = null;

  constructor(
    @Inject(HTTP_LIMITS) private readonly limits: HttpLimits,
    private readonly slowReaders: SlowReaders,
  ) {
    this.turns = new TurnQueue(limits.heavyAtOnce);
  }

  /**
   * Waits until a reply of so many items may be made; few items need not wait.
   * @throws Unavailable when there are too many others
   */
  async begin(context: RequestContext, items: number): Promise<void> {
    if (context.turns !== null || items < this.limits.heavyItems) return;
    if (context.isAborted || !this.hasPlace()) throw busy();
    // It has this bound in place of that of all requests, so as not to keep short ones out.
    context.release();
    const reply = new HeavyReply(this.turns, context);
    context.turns = reply;
    this.add(reply);
    context.response.once('close', () => {
      this.remove(reply);
      reply.end();
    });
    await reply.begin(this.limits.heavyWaitMs);
    // Others of the client have become slow while this one waited.
    this.slowReaders.check(context);
  }

  onModuleDestroy(): void {
    if (this.watch !== null) clearInterval(this.watch);
  }

  /** Whether there is place for one more. If not, cuts the reply that has stood still longest. */
  private hasPlace(): boolean {
    if (this.replies.size < this.limits.heavyReplies) return true;
    let oldest: HeavyReply | null = null;
    for (const reply of this.replies) if (oldest === null || reply.movedAt < oldest.movedAt) oldest = reply;
    if (oldest === null || performance.now() - oldest.movedAt < this.limits.heavyStallMs) return false;
    this.remove(oldest);
    oldest.cut();
    return true;
  }

  private add(reply: HeavyReply): void {
    this.replies.add(reply);
    this.watch ??= setInterval(() => {
      for (const each of this.replies) each.look();
    }, this.limits.heavyStallMs / CHECKS).unref();
  }

  private remove(reply: HeavyReply): void {
    this.replies.delete(reply);
    if (this.replies.size > 0 || this.watch === null) return;
    clearInterval(this.watch);
    this.watch = null;
  }
}

/** A heavy reply. It has a turn only while it is made, not while it waits for its reader. */
class HeavyReply implements ReplyTurns {
  /** When its reader was last seen to accept something, or it had nothing for its reader. */
  movedAt = performance.now();
  private left = 0;
  private hasTurn = false;
  private ended = false;
  private turnEndsAt = 0;

  constructor(
    private readonly turns: TurnQueue,
    private readonly context: RequestContext,
  ) {}

  /** Looks whether its reader has accepted anything since the last time. */
  look(): void {
    const left = unsentBytes(this.context.response) ?? 0;
    if (left === 0 || left !== this.left) this.movedAt = performance.now();
    this.left = left;
  }

  /** Aborts it: a cut reply does not end like a whole one. */
  cut(): void {
    abortResponse(this.context.response);
  }

  /**
   * Waits for the first turn.
   * @throws Unavailable when it takes too long
   */
  async begin(waitMs: number): Promise<void> {
    const timeout = AbortSignal.timeout(waitMs);
    this.context.cost?.rest();
    try {
      await this.acquire(AbortSignal.any([this.context.signal, timeout]));
    } catch (error) {
      throw timeout.aborted ? busy() : error;
    }
  }

  pause(): void {
    if (this.hasTurn) this.turns.release();
    this.hasTurn = false;
    this.context.cost?.rest();
  }

  resume(): Promise<void> {
    return this.acquire(this.context.signal);
  }

  async share(): Promise<void> {
    if (performance.now() < this.turnEndsAt || this.turns.length === 0) return;
    this.pause();
    await this.resume();
  }

  end(): void {
    this.ended = true;
    this.pause();
  }

  private async acquire(signal: AbortSignal): Promise<void> {
    await this.turns.acquire(signal, clientNetwork(this.context.clientAddress));
    this.hasTurn = true;
    this.context.cost?.work();
    // Each of many begins with some milliseconds of work, before it first looks at the time.
    if (!this.ended) await connectionBurst.nextTurn();
    this.turnEndsAt = performance.now() + TURN;
    if (!this.ended) return;
    // The response was closed in the moment in which its turn came, or while connections did.
    this.pause();
    signal.throwIfAborted();
  }
}

/** The error of a long reply that has to wait for too long. */
export const busy = () => new Unavailable('The service is busy with large replies. Try again.', RETRY_AFTER);
