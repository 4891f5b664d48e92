import type { HttpLimits } from './http-options.js';
import type { RequestContext } from './request-context.js';

/**
 * Looks after what the client may still be sending when its answer goes out. A short rest of a body is read by Node and
 * forgotten; for a long one, or when the connection shall close anyway, reading goes on for a moment after the answer, because
 * closing a socket with unread bytes resets it, and the client would see the reset instead of the answer.
 * @returns whether the connection must close after the answer
 */
export function closeGently(context: RequestContext, limits: HttpLimits, close: boolean): boolean {
  const { request, response } = context;
  if (request.complete || !context.hasBody) return false;
  const length = request.headers['content-length'];
  const { socket } = request;
  if (!close && !context.expectsContinue && length !== undefined && Number(length) <= limits.bodyBytes) {
    const timer = setTimeout(() => request.complete || socket.destroy(), limits.bodyMs).unref();
    request.once('end', () => clearTimeout(timer));
    return false;
  }
  // Node ends a connection that is not kept by this method, which closes at once when the answer is written.
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), limits.lingerMs).unref();
    request.once('end', () => socket.destroy());
    socket.once('close', () => clearTimeout(timer));
  };
  response.once('finish', () => request.resume());
  return true;
}
