import { Inject, Injectable } from '@nestjs/common';
import { Unavailable } from '../../errors/api-error.js';
import { HTTP_LIMITS, type HttpLimits } from '../request/http-options.js';
import type { RequestContext } from '../request/request-context.js';

/** Seconds after which a rejected client may try again. */
const RETRY_AFTER = 5;

/**
 * The clients that wait for something to happen. They do nothing meanwhile, so they do not count as
 * requests in work, but each holds a connection: there is a bound of their own.
 */
@Injectable()
export class WaitingClients {
  /** Clients that wait now. */
  count = 0;

  constructor(@Inject(HTTP_LIMITS) private readonly limits: HttpLimits) {}

  /**
   * Counts a client as waiting until its response is closed.
   * @throws Unavailable when too many wait
   */
  begin(context: RequestContext): void {
    if (this.count >= this.limits.waitingClients)
      throw new Unavailable(
        'Too many clients wait for changes. Ask without wait, or try again.',
        RETRY_AFTER,
      );
    this.count++;
    context.waiting = true;
    context.release();
    context.cost?.rest();
    context.response.once('close', () => this.count--);
  }
}
