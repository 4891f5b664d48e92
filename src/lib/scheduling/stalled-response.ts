import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Checks within the time limit. */
const CHECKS = 30;

/**
 * Aborts a written response when its reader accepts nothing for so long. The timeout of a socket
 * would take twice the time: it starts anew if anything was accepted since the last write, which
 * the first bytes of a long body nearly always are.
 */
export function abortIfStalled(response: ServerResponse, stallMs: number): void {
  let left = unsentBytes(response);
  let unchanged = 0;
  const timer = setInterval(() => {
    const now = unsentBytes(response);
    unchanged = now !== null && now === left ? unchanged + 1 : 0;
    left = now;
    if (unchanged >= CHECKS) abortResponse(response);
  }, stallMs / CHECKS).unref();
  response.once('close', () => clearInterval(timer));
}

/** Aborts a response half-way. HTTP/1.0 has no chunks: there only a reset differs from the end. */
export function abortResponse(response: ServerResponse): void {
  if (response.req.httpVersion === '1.0') response.socket?.resetAndDestroy();
  else response.destroy();
}

/**
 * Bytes that the system has not accepted yet; null while the response waits for others of its
 * connection. `writableLength` alone counts a chunk as a whole until all of it is accepted.
 */
export function unsentBytes({ socket, writableLength }: ServerResponse): number | null {
  if (socket === null) return null;
  const { _handle: handle } = socket as Socket & { _handle?: { writeQueueSize: number } | null };
  return writableLength + (handle?.writeQueueSize ?? 0);
}
