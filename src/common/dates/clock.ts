import { Injectable } from '@nestjs/common';

/** The time of day. Whatever stores or compares instants asks this, so that tests can set it. */
@Injectable()
export class Clock {
  /** Milliseconds since 1970. It may step when the machine's clock is set: for measuring, use `performance.now()`. */
  now(): number {
    return Date.now();
  }
}

/** An instant as the database keeps it: ISO 8601 in UTC with milliseconds, which sorts as text. */
export function instantText(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
