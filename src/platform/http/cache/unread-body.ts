import type { HttpLimits } from '../request/http-options.js';
import type { RequestInfo } from '../request/request-info.js';

/**
 * Decides what happens to the part of a request's body that has not been read when its response is
 * sent. A short rest is read by Node and discarded. For a long one, or when the connection is to be
 * closed anyway, reading goes on for a moment after the response: closing a socket with unread
 * bytes resets it, and the client would see the reset instead of the response.
 * @returns whether the connection has to be closed after the response
 */
export function closeGently(info: RequestInfo, limits: HttpLimits, close: boolean): boolean {
  const { request, response } = info;
  if (request.complete || info.bodyTaken || !info.hasBody) return close;
  const length = request.headers['content-length'];
  const { socket } = request;
  if (!close && !info.expectsContinue && length !== undefined && Number(length) <= limits.bodyBytes) {
    const timer = setTimeout(() => request.complete || socket.destroy(), limits.bodyMs).unref();
    request.once('end', () => clearTimeout(timer));
    return false;
  }
  // Node ends a connection that is not kept alive by this method, which closes at once when the
  // response is written.
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), limits.lingerMs).unref();
    request.once('end', () => socket.destroy());
    socket.once('close', () => clearTimeout(timer));
  };
  response.once('finish', () => request.resume());
  return true;
}
