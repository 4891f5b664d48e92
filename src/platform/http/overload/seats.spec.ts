import type { ReplyWriter } from '../reply-writer.js';
import type { HttpLimits } from '../options.js';
import type { HeavyReplies } from './heavy-replies.js';
import type { ConcurrencyLimits } from './limits.js';
import { Seats } from './seats.js';

describe('F14: the queue of requests', () => {
  const limits = { shortQueue: 16, queueMs: 700 } as HttpLimits;
  const seats = new Seats(limits, {} as ConcurrencyLimits, {} as HeavyReplies, {} as ReplyWriter);
  /** Whether a queue is too long for a client that has its share of it, and for another. */
  const isTooLong = (length: number, oldestWait: number) => {
    const queue = { length, oldestWait, hasShare: (client: string) => client === '192.0.2.1' };
    Object.assign(seats, { queue: queue });
    return ['192.0.2.1', '192.0.2.2'].map((client) => seats.isQueueTooLong(client));
  };

  it('is too long for those who have their share of it, where it is long and slow', () => {
    expect(isTooLong(17, 701)).toEqual([true, false]);
    expect(isTooLong(16, 60_000)).toEqual([false, false]);
    expect(isTooLong(1000, 700)).toEqual([false, false]);
  });
});
