import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { connectionBurst } from '../../../lib/scheduling/connection-burst.js';
import { abortResponse, unsentBytes } from '../../../lib/scheduling/stalled-response.js';
import type { TurnQueue } from '../../../lib/scheduling/turn-queue.js';
import { HTTP_LIMITS, type HttpLimits } from '../options.js';
import type { RequestInfo } from '../request.js';
import { busyWithLarge, ConcurrencyLimits } from './limits.js';

/** Milliseconds of a turn after which others that wait are next. */
const TURN = 25;
/** How often it is checked whether readers have accepted anything, within the time they have. */
const CHECKS = 5;

/** The replies under way with many items: see `ConcurrencyLimits.heavyReplies`. */
@Injectable()
export class HeavyReplies implements OnModuleDestroy {
  private watch: NodeJS.Timeout | null = null;

  constructor(
    @Inject(HTTP_LIMITS) private readonly limits: HttpLimits,
    private readonly concurrency: ConcurrencyLimits,
  ) {}

  /**
   * Adds a reply until its response is closed.
   * @throws Unavailable when there are too many others
   */
  add(info: RequestInfo): HeavyReply {
    const { heavyReplies, heavyTurns } = this.concurrency;
    const reply = new HeavyReply(heavyTurns, info);
    if (info.isAborted) throw busyWithLarge();
    heavyReplies.enter(reply);
    this.watch ??= setInterval(() => {
      for (const each of heavyReplies) each.checkProgress();
    }, this.limits.heavyStallMs / CHECKS).unref();
    info.response.once('close', () => {
      heavyReplies.leave(reply);
      if (heavyReplies.size === 0) this.stopWatch();
      reply.end();
    });
    return reply;
  }

  onModuleDestroy(): void {
    this.stopWatch();
  }

  private stopWatch(): void {
    if (this.watch !== null) clearInterval(this.watch);
    this.watch = null;
  }
}

/** A heavy reply. It has a turn only while it is made, not while it waits for its reader. */
export class HeavyReply {
  /** When its reader was last seen to accept something, or it had nothing for its reader. */
  lastProgressAt = performance.now();
  private left = 0;
  private hasTurn = false;
  private ended = false;
  private turnEndsAt = 0;

  constructor(
    private readonly turns: TurnQueue,
    private readonly info: RequestInfo,
  ) {}

  /** Checks whether its reader has accepted anything since the last time. */
  checkProgress(): void {
    const left = unsentBytes(this.info.response) ?? 0;
    if (left === 0 || left !== this.left) this.lastProgressAt = performance.now();
    this.left = left;
  }

  /** Aborts it: a cut reply does not end like a whole one. */
  cut(): void {
    abortResponse(this.info.response);
  }

  /**
   * Waits for the first turn.
   * @throws Unavailable when it takes too long
   */
  async begin(waitMs: number): Promise<void> {
    const timeout = AbortSignal.timeout(waitMs);
    this.info.cost?.rest();
    try {
      await this.acquire(AbortSignal.any([this.info.signal, timeout]));
    } catch (error) {
      throw timeout.aborted ? busyWithLarge() : error;
    }
  }

  /** Ends the turn; `resume` waits for another. */
  pause(): void {
    if (this.hasTurn) this.turns.release();
    this.hasTurn = false;
  }

  /** Waits for the next turn. @throws AbortError when the client leaves */
  resume(): Promise<void> {
    return this.acquire(this.info.signal);
  }

  /** Whether it has taken long, and others wait. */
  get shouldShare(): boolean {
    return performance.now() >= this.turnEndsAt && this.turns.length > 0;
  }

  end(): void {
    this.ended = true;
    this.pause();
  }

  private async acquire(signal: AbortSignal): Promise<void> {
    await this.turns.acquire(signal, this.info.client.network);
    this.hasTurn = true;
    this.info.cost?.work();
    // Each of many begins with some milliseconds of work, before it first looks at the time.
    if (!this.ended) await connectionBurst.nextTurn();
    this.turnEndsAt = performance.now() + TURN;
    if (!this.ended) return;
    // The response was closed in the moment in which its turn came, or while connections did.
    this.pause();
    signal.throwIfAborted();
  }
}
