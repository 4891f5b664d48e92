import { Inject, Injectable, type OnModuleDestroy, Optional } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { Throttled } from '../../errors/api-error.js';
import type { ReplyCost, RequestInfo } from '../request.js';

/** Provider token of the `Throttle`; null where there are no limits. */
export const THROTTLE = Symbol('Throttle');

/** Reads of a network, writes of an account, and writes of a network without a valid token. */
export type ThrottleGroup = 'read' | 'write' | 'unauthenticated';

export interface ThrottleResult {
  /** Seconds to wait; null when the request is within the limit. */
  retryAfter: number | null;
  /** `RateLimit` and `RateLimit-Policy`, sent either way. */
  headers: Readonly<Record<string, string>>;
}

/** Counts requests to existing routes. */
export interface Throttle {
  /** Counts a request within the limit. @returns null where no limit applies */
  take(group: ThrottleGroup, client: string): ThrottleResult | null;
  /** Counts further units of an accepted request, beyond the limit, too. */
  add(group: ThrottleGroup, client: string, units: number): void;
}

/** Bytes of a reply, before compression, that count as much as another request. */
const UNIT_BYTES = 100_000;

/** Milliseconds of processor time that count as much as another request. */
const UNIT_MILLISECONDS = 10;

/**
 * The units that a reply counts beside its request: those of its bytes or of its processor time in
 * milliseconds, whichever is more. A datapoint has more than 100 bytes in every format, so that
 * 1000 of them need not be counted apart.
 */
export function unitsOf(bytes: number, processorTime = 0): number {
  return Math.floor(Math.max(bytes / UNIT_BYTES, processorTime / UNIT_MILLISECONDS));
}

/**
 * Counts a request, and sets the headers of the limit.
 * @throws Throttled
 */
export function applyThrottle(
  throttle: Throttle | null | undefined,
  response: ServerResponse,
  group: ThrottleGroup,
  client: string,
): void {
  const result = throttle?.take(group, client) ?? null;
  if (result === null) return;
  if (result.retryAfter !== null) throw new Throttled(result.retryAfter, result.headers);
  for (const [name, value] of Object.entries(result.headers)) response.setHeader(name, value);
}

/** Milliseconds between two samples of the processor time. */
const SAMPLE_INTERVAL = 100;
/** Milliseconds from which a reply that ends is worth a sample of its own. */
const WORTH_SAMPLE = 10;

/** The processor time of the process, all of its threads included; tests have one of their own. */
@Injectable()
export class ProcessorClock {
  /** Milliseconds since the process began. */
  now(): number {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}

/**
 * Counts what the replies to reads cost, towards the limit of their client: processor time or
 * bytes, whichever is more, as they are made and sent. The processor time of the process, worker
 * threads included, is shared out among the replies that were being made meanwhile, by how long
 * each was; none is charged for more than that, as each uses one thread at a time.
 */
@Injectable()
export class ReadCosts implements OnModuleDestroy {
  private readonly costs = new Set<ReadCost>();
  private timer: NodeJS.Timeout | null = null;
  private processorTime = 0;
  /** Milliseconds for which replies were made since the last sample that have ended since. */
  private ended = 0;

  constructor(
    private readonly clock: ProcessorClock,
    @Optional() @Inject(THROTTLE) private readonly throttle?: Throttle | null,
  ) {}

  /** Counts the costs of a reply until its response is closed. */
  begin(info: RequestInfo): void {
    if (!this.throttle) return;
    const cost = new ReadCost(info, this.throttle);
    info.cost = cost;
    if (this.costs.size === 0) this.processorTime = this.clock.now();
    this.costs.add(cost);
    this.timer ??= setInterval(() => this.sample(), SAMPLE_INTERVAL).unref();
    info.response.once('close', () => this.end(cost));
  }

  onModuleDestroy(): void {
    if (this.timer !== null) clearInterval(this.timer);
  }

  private end(cost: ReadCost): void {
    cost.rest();
    if (cost.made >= WORTH_SAMPLE) this.sample();
    else cost.book();
    this.ended += cost.made;
    this.costs.delete(cost);
    if (this.costs.size > 0 || this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
    this.ended = 0;
  }

  private sample(): void {
    const before = this.processorTime;
    this.processorTime = this.clock.now();
    let all = this.ended;
    this.ended = 0;
    for (const cost of this.costs) all += cost.measure();
    const share = all === 0 ? 0 : Math.min(1, (this.processorTime - before) / all);
    for (const cost of this.costs) cost.charge(share);
  }
}

/** The costs of one reply. */
class ReadCost implements ReplyCost {
  /** Milliseconds for which the reply was being made since the last sample. */
  made = 0;
  private since: number | null = null;
  private processorTime = 0;
  private units = 0;
  private readonly written: number;

  constructor(
    private readonly info: RequestInfo,
    private readonly throttle: Throttle,
  ) {
    this.written = info.request.socket.bytesWritten;
  }

  work(): void {
    this.since ??= performance.now();
  }

  rest(): void {
    this.measure();
    this.since = null;
  }

  measure(): number {
    if (this.since !== null) {
      const now = performance.now();
      this.made += now - this.since;
      this.since = now;
    }
    return this.made;
  }

  /** @param share of the time for which the reply was made, that the processor worked for it */
  charge(share: number): void {
    this.processorTime += share * this.made;
    this.made = 0;
    this.book();
  }

  book(): void {
    const { bytesMade, bytesSent, request, client } = this.info;
    // What another library sends, such as a file, is counted by nobody else.
    const bytes = Math.max(bytesMade, bytesSent) || request.socket.bytesWritten - this.written;
    const further = unitsOf(bytes, this.processorTime) - this.units;
    if (further <= 0) return;
    this.units += further;
    this.throttle.add('read', client.network, further);
  }
}
