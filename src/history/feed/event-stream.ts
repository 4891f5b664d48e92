import { once } from 'node:events';
import { abortResponse } from '../../lib/scheduling/stalled-response.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import type { RequestInfo } from '../../platform/http/request.js';
import { tokenOf } from './feed-position.js';
import type { FeedPage } from './feed-reader.js';

/** The media type of server-sent events. */
export const EVENT_STREAM = 'text/event-stream';

/** Whether a client asks for server-sent events by name. */
export const asksForEvents = (accept = ''): boolean =>
  accept.split(',').some((range) => /^\s*text\/event-stream\s*(;|$)/i.test(range));

/** Milliseconds after which a client reconnects. */
const RETRY = 1000;

/**
 * Writes the feed as server-sent events, one for each item, whose id is the token to go on after
 * it. An event without data, which clients do not see, has the token of all that was read.
 * @param next waits for the next part, which is empty when nothing has happened; null at the end
 * @param stallMs until a reader who accepts nothing is cut off
 */
export async function writeEvents(
  info: RequestInfo,
  first: FeedPage,
  next: (page: FeedPage) => Promise<FeedPage | null>,
  stallMs: number,
): Promise<void> {
  const { request, response, signal } = info;
  if (!info.claim()) return;
  response.writeHead(200, { 'Content-Type': `${EVENT_STREAM}; charset=utf-8`, 'X-Accel-Buffering': 'no' });
  if (request.method === 'HEAD') return void response.end();
  const write = async (text: string) => {
    info.bytesSent += Buffer.byteLength(text);
    if (response.write(text)) return;
    const stalled = setTimeout(() => abortResponse(response), stallMs);
    await once(response, 'drain', { signal }).finally(() => clearTimeout(stalled));
  };
  try {
    const slice = new TimeSlice();
    await write(`retry: ${RETRY}\n`);
    for (let page: FeedPage | null = first; page !== null; page = await next(page)) {
      for (const entry of page.items) {
        await write(`id: ${entry.token}\ndata: ${entry.json()}\n\n`);
        await slice.yield();
      }
      await write(`${page.items.length === 0 ? ': nothing new\n' : ''}id: ${tokenOf(page.next)}\n\n`);
    }
    response.end();
  } catch (error) {
    // Nothing else can be sent to the client, which reconnects.
    response.destroy();
    if (!signal.aborted) throw error;
  }
}
