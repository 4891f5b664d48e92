import { Inject, Injectable } from '@nestjs/common';
import { RequestQueue } from '../../../lib/scheduling/request-queue.js';
import { Timeout, Unavailable } from '../../errors/api-error.js';
import { isTrustedProxy } from '../client.js';
import { HTTP_LIMITS, type HttpLimits } from '../options.js';
import { ReplyWriter } from '../reply-writer.js';
import type { Permit, RequestInfo } from '../request.js';
import { HeavyReplies, type HeavyReply } from './heavy-replies.js';
import { busy, busyWithLarge, ConcurrencyLimits } from './limits.js';

/** Gives requests their permits: what they share are the limits and the queue. */
@Injectable()
export class Seats {
  readonly queue = new RequestQueue();

  constructor(
    @Inject(HTTP_LIMITS) readonly limits: HttpLimits,
    readonly concurrency: ConcurrencyLimits,
    readonly heavy: HeavyReplies,
    readonly replies: ReplyWriter,
  ) {}

  /** The permit of a request, until its response is closed. */
  permitFor(info: RequestInfo): Permit {
    return new Seat(info, this);
  }

  /** Whether requests wait for so long that another of the client would only make it longer. */
  isQueueTooLong(client: string): boolean {
    const { queue, limits } = this;
    return queue.length > limits.shortQueue && queue.oldestWait > limits.queueMs && queue.hasShare(client);
  }

  /** @throws Unavailable for a client that leaves too many replies unread */
  checkUnread({ request, client }: RequestInfo): void {
    const { unread } = this.concurrency;
    // Asked first: whose address it is takes longer to find out.
    if (unread.isFull(client.network) && !isTrustedProxy(request, client.address))
      unread.check(client.network);
  }
}

/**
 * The place of one request: among those in work; in place of that among heavy replies, so as not to
 * keep short ones out; or among the clients that wait.
 */
class Seat implements Permit {
  private heavy: HeavyReply | null = null;
  private isWaiting = false;
  private readonly deadline: NodeJS.Timeout | null;

  constructor(
    private readonly info: RequestInfo,
    private readonly seats: Seats,
  ) {
    const { firstByteMs, writeMs } = seats.limits;
    this.deadline = info.route!.deadline
      ? setTimeout(() => this.onDeadline(), info.isRead ? firstByteMs : writeMs).unref()
      : null;
    info.response.once('close', () => {
      this.release();
      if (this.deadline !== null) clearTimeout(this.deadline);
    });
  }

  acquire(afterBody: boolean): Promise<true> {
    const { info, seats } = this;
    const { network } = info.client;
    const { requests } = seats.concurrency;
    if (afterBody) {
      info.admittedAt = performance.now();
      this.deadline?.refresh();
    }
    requests.check(network);
    if (seats.isQueueTooLong(network)) throw busy();
    seats.checkUnread(info);
    requests.enter(this, network);
    // The client may have left while its body was received: then nothing else releases it.
    if (info.isAborted) this.release();
    return new Promise((resolve) => {
      seats.queue.run(() => {
        // Meanwhile the client may have left, or the deadline passed: then nothing is done any
        // more.
        if (!info.mayReply) return;
        info.cost?.work();
        resolve(true);
      }, network);
    });
  }

  release(): void {
    this.seats.concurrency.requests.leave(this);
  }

  readonly expectItems = async (items: number): Promise<void> => {
    const { info, seats } = this;
    if (this.heavy !== null || items < seats.limits.heavyItems) return;
    this.heavy = seats.heavy.add(info);
    this.release();
    await this.heavy.begin(seats.limits.heavyWaitMs);
    // Others of the client have become slow while this one waited.
    seats.checkUnread(info);
  };

  wait(): void {
    const { info, seats } = this;
    const { waiting } = seats.concurrency;
    waiting.enter(this);
    info.response.once('close', () => waiting.leave(this));
    // The client may have left before: then nothing else gives the place back.
    if (info.isAborted) waiting.leave(this);
    this.isWaiting = true;
    this.release();
    info.cost?.rest();
  }

  pause(): void {
    this.heavy?.pause();
    this.info.cost?.rest();
  }

  async resume(): Promise<void> {
    await this.heavy?.resume();
    this.info.cost?.work();
  }

  async share(): Promise<void> {
    if (!this.heavy?.shouldShare) return;
    this.pause();
    await this.resume();
  }

  /** Replies to a request that takes too long. Writes have been rolled back by then. */
  private onDeadline(): void {
    const { info, seats } = this;
    // A body has a time limit of its own.
    if (!info.mayReply || this.isWaiting || !(info.isRead || info.request.complete)) return;
    const readError = this.heavy === null ? new Timeout() : busyWithLarge();
    seats.replies.problem(info, info.isRead ? readError : new Unavailable());
    if (info.isRead) info.cancel();
  }
}
