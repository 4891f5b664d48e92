import { Inject, Injectable } from '@nestjs/common';
import { TurnQueue } from '../../../lib/scheduling/turn-queue.js';
import { Unavailable } from '../../errors/api-error.js';
import { HTTP_LIMITS, type HttpLimits } from '../request/http-options.js';
import type { ReplyTurns, RequestContext } from '../request/request-context.js';
import { SlowReaders } from './slow-readers.js';

/** Seconds after which a rejected client may try again. */
const RETRY_AFTER = 5;
/** Milliseconds of a turn after which others that wait are next. */
const TURN = 25;

/**
 * The replies under way with so many items that a burst of them would leave no time for anything
 * else. A few of them are made at once; the others wait, and are rejected where they are too many.
 */
@Injectable()
export class HeavyReplies {
  private readonly turns: TurnQueue;
  private count = 0;

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
    if (context.isAborted || this.count >= this.limits.heavyReplies) throw busy();
    this.count++;
    // It has this bound in place of that of all requests, so as not to keep short ones out.
    context.release();
    const reply = new HeavyReply(this.turns, context.signal);
    context.turns = reply;
    context.response.once('close', () => {
      this.count--;
      reply.end();
    });
    await reply.begin(this.limits.heavyWaitMs);
    // Others of the client have become slow while this one waited.
    this.slowReaders.check(context);
  }
}

/** A heavy reply. It has a turn only while it is made, not while it waits for its reader. */
class HeavyReply implements ReplyTurns {
  private hasTurn = false;
  private ended = false;
  private turnEndsAt = 0;

  constructor(
    private readonly turns: TurnQueue,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * Waits for the first turn.
   * @throws Unavailable when it takes too long
   */
  async begin(waitMs: number): Promise<void> {
    const timeout = AbortSignal.timeout(waitMs);
    try {
      await this.acquire(AbortSignal.any([this.signal, timeout]));
    } catch (error) {
      throw timeout.aborted ? busy() : error;
    }
  }

  pause(): void {
    if (this.hasTurn) this.turns.release();
    this.hasTurn = false;
  }

  resume(): Promise<void> {
    return this.acquire(this.signal);
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
    await this.turns.acquire(signal);
    this.hasTurn = true;
    this.turnEndsAt = performance.now() + TURN;
    // The response was closed in the moment in which its turn came.
    if (this.ended) this.pause();
  }
}

/** The error of a long reply that has to wait for too long. */
export const busy = () => new Unavailable('The service is busy with large replies. Try again.', RETRY_AFTER);
