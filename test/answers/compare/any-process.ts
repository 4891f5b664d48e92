import type { RecordedReply } from '../record/recording.js';

/** Two recordings without what depends on the process that answers. */
export interface Comparable {
  old: RecordedReply[];
  newer: RecordedReply[];
  /** Replies left out, because only one of the two is throttled. */
  throttled: number;
  /** Replies that one process streams, and another has as a whole in its page cache. */
  framed: number;
}

/** Logins are throttled by all processes together. */
const SHARED_THROTTLE = /^\/api\/auth\/login/;
const FRAMING = /^(content-length|transfer-encoding)$/i;

/**
 * Prepares recordings of a service with several workers for a comparison. Each worker has throttles
 * and a page cache of its own, so the one that answers decides whether the rate is exceeded, and
 * whether a long body is streamed; its bytes then differ where it is compressed. All else has to
 * be the same.
 */
export function withoutProcess(old: readonly RecordedReply[], newer: readonly RecordedReply[]): Comparable {
  const others = new Map(newer.map((reply) => [reply.id, reply]));
  const result: Comparable = { old: [], newer: [], throttled: 0, framed: 0 };
  for (const reply of old) {
    const other = others.get(reply.id);
    others.delete(reply.id);
    if (other === undefined) result.old.push(reply);
    else if (isThrottledOnce(reply, other)) result.throttled++;
    else if (isWhole(reply) === isWhole(other)) add(result, reply, other);
    else {
      result.framed++;
      add(result, withoutFraming(reply), withoutFraming(other));
    }
  }
  result.newer.push(...others.values());
  return result;
}

function add({ old, newer }: Comparable, one: RecordedReply, other: RecordedReply): void {
  old.push(one);
  newer.push(other);
}

const isThrottledOnce = (one: RecordedReply, other: RecordedReply): boolean =>
  (one.status === 429) !== (other.status === 429) && !SHARED_THROTTLE.test(one.request.target);

const isWhole = ({ headers }: RecordedReply): boolean =>
  headers.some(([name]) => name.toLowerCase() === 'content-length');

/** The text of the body is compared, but neither its length nor its bytes. */
function withoutFraming(reply: RecordedReply): RecordedReply {
  return { ...reply, varies: true, headers: reply.headers.filter(([name]) => !FRAMING.test(name)) };
}
