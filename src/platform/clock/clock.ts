import { Injectable } from '@nestjs/common';

/**
 * The current time. Code that stores or compares instants uses it, so that tests can set the time.
 */
@Injectable()
export class Clock {
  /**
   * Milliseconds since 1970. Jumps when the system clock is set: use `performance.now()` to measure
   * durations.
   */
  now(): number {
    return Date.now();
  }
}

let lastInstant = NaN;
let lastText = '';

/** An instant as the database stores it: ISO 8601 in UTC with milliseconds, which sorts as text. */
export function instantText(milliseconds: number): string {
  // A write stores the same one several times.
  if (milliseconds !== lastInstant) {
    lastText = new Date(milliseconds).toISOString();
    lastInstant = milliseconds;
  }
  return lastText;
}
