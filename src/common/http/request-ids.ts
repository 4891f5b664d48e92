import { randomUUID } from 'node:crypto';

const LENGTH = 36;
/** The last two hexadecimal digits of the ids of a batch. */
const ENDS = Array.from({ length: 256 }, (_, number) => number.toString(16).padStart(2, '0'));

/**
 * Gives requests their ids, which are UUIDs. Made in batches that differ in their last two digits only: a random UUID for each request was a
 * quarter of what an answer from the page cache costs beside a bare server. An id is a part of the text of its batch, so who keeps it keeps 9 KB.
 */
export class RequestIds {
  private batch = '';
  private at = 0;

  next(): string {
    if (this.at === this.batch.length) this.refill();
    return this.batch.slice(this.at, (this.at += LENGTH));
  }

  private refill(): void {
    const stem = randomUUID().slice(0, -2);
    this.batch = ENDS.map((end) => stem + end).join('');
    this.at = 0;
  }
}
