import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '../../errors/api-error.js';
import { HTTP_LIMITS, type HttpLimits } from './http-options.js';

/**
 * The bodies that are still being received. Their requests do not count as work, so they have a
 * limit of their own. Above it the one that has taken longest is rejected: a body that is sent at
 * once gets through, however many slow ones there are.
 */
@Injectable()
export class IncomingBodies {
  /** Rejects the waits for the bodies, the oldest first. */
  private readonly rejects = new Set<(reason: Error) => void>();

  constructor(@Inject(HTTP_LIMITS) private readonly limits: HttpLimits) {}

  get count(): number {
    return this.rejects.size;
  }

  /**
   * Waits for a body within the limit.
   * @throws ApiError 503 when newer bodies need its place
   */
  async receive<T>(body: Promise<T>): Promise<T> {
    const { promise: tooMany, reject } = rejectable();
    this.rejects.add(reject);
    if (this.count > this.limits.incomingBodies) this.rejectOldest();
    try {
      return await Promise.race([body, tooMany]);
    } finally {
      this.rejects.delete(reject);
    }
  }

  private rejectOldest(): void {
    const [oldest] = this.rejects;
    this.rejects.delete(oldest!);
    const detail = 'The body took too long while the service received too many others. Try again.';
    oldest!(new ApiError('unavailable', detail, { headers: { 'Retry-After': '1', Connection: 'close' } }));
  }
}

function rejectable(): { promise: Promise<never>; reject: (reason: Error) => void } {
  let reject!: (reason: Error) => void;
  const promise = new Promise<never>((_, rejectPromise) => (reject = rejectPromise));
  return { promise, reject };
}
