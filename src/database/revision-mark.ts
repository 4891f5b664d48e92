import { randomInt } from 'node:crypto';

const MARK_BYTES = 6;

/**
 * A random mark of a revision: two databases with the same history until a backup was restored have
 * the same numbers afterwards, but not the same marks.
 */
export function newMark(): string {
  const mark = Buffer.allocUnsafe(MARK_BYTES);
  // Node takes random integers from bytes that it has in store, which costs a tenth.
  mark.writeUIntBE(randomInt(2 ** (8 * MARK_BYTES) - 1), 0, MARK_BYTES);
  return mark.toString('base64url');
}
