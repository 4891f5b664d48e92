import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock.js';
import { secondsAhead, type TokenClaims } from './token-claims.js';

/** Milliseconds between two warnings. */
const INTERVAL = 10 * 60_000;

/**
 * Warns where tokens of other instances show that their clocks are ahead of this one's. They are
 * accepted for two minutes of difference; beyond that, writes that other instances accept fail
 * here.
 */
@Injectable()
export class ClockWarning {
  private readonly logger = new Logger('Auth');
  private warnedAt = -Infinity;

  constructor(private readonly clock: Clock) {}

  /** @param claims those of a token of this service */
  check(claims: TokenClaims): void {
    const now = this.clock.now();
    const seconds = secondsAhead(claims, now);
    if (seconds === 0 || now - this.warnedAt < INTERVAL) return;
    this.warnedAt = now;
    this.logger.warn(
      `The clocks of two instances differ: a token was issued ${seconds} seconds from now. Synchronise them (NTP).`,
    );
  }
}
