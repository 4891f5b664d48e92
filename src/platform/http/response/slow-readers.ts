import { Inject, Injectable } from '@nestjs/common';
import { Unavailable } from '../../errors/api-error.js';
import { clientNetwork } from '../request/client-network.js';
import { HTTP_LIMITS, type HttpLimits } from '../request/http-options.js';
import type { RequestContext } from '../request/request-context.js';
import { isTrustedProxy } from '../request/request-origin.js';

/** Milliseconds for which a reader may accept nothing before it counts as slow. */
const SLOW_AFTER = 1000;

/**
 * Replies that wait for a reader who accepts nothing more. Each holds memory, so a client may leave
 * only a few of them; the addresses of trusted proxies stand for many clients and are exempt.
 */
@Injectable()
export class SlowReaders {
  /** By the client's network: since when each of its replies waits. */
  private readonly waiting = new Map<string, Set<{ since: number }>>();

  constructor(@Inject(HTTP_LIMITS) private readonly limits: HttpLimits) {}

  /** Registers a reply whose reader accepts nothing more. @returns called when that is over */
  add(context: RequestContext): () => void {
    const network = clientNetwork(context.clientAddress);
    const replies = this.waiting.get(network) ?? new Set();
    this.waiting.set(network, replies);
    const reply = { since: performance.now() };
    replies.add(reply);
    return () => {
      replies.delete(reply);
      if (replies.size === 0 && this.waiting.get(network) === replies) this.waiting.delete(network);
    };
  }

  /**
   * Rejects a request of a client that leaves too many replies unread.
   * @throws Unavailable
   */
  check({ request, clientAddress }: RequestContext): void {
    const replies = this.waiting.get(clientNetwork(clientAddress));
    if (replies === undefined || replies.size < this.limits.slowReplies) return;
    const slow = performance.now() - SLOW_AFTER;
    let count = 0;
    for (const { since } of replies) if (since < slow) count++;
    if (count < this.limits.slowReplies || isTrustedProxy(request, clientAddress)) return;
    throw new Unavailable('Too many replies to this address wait to be read. Read them, or close them.', 5);
  }
}
