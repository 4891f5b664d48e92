import { AsyncLocalStorage } from 'node:async_hooks';

/** The trace that a request belongs to, as its caller sent it (W3C Trace Context). */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  traceId: string;
  /**
   * Headers of requests that the service sends on behalf of the caller. It records no spans of its
   * own, so the caller's span stays the parent.
   */
  headers: { traceparent: string; tracestate?: string };
}

/** Later versions may append fields, which are dropped. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/;
const TRACEPARENT_LENGTH = 55;
/** What every participant must be able to forward; longer states are dropped. */
const TRACESTATE = /^[\x20-\x7e]{1,512}$/;

const storage = new AsyncLocalStorage<TraceContext>();

/** Reads `traceparent` and `tracestate`; null where there is no valid `traceparent`. */
export function readTraceContext(headers: Readonly<Record<string, unknown>>): TraceContext | null {
  const { traceparent, tracestate } = headers;
  if (typeof traceparent !== 'string') return null;
  const [, version, traceId] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined) return null;
  if (version === '00' && traceparent.length > TRACEPARENT_LENGTH) return null;
  const sent = `00${traceparent.slice(2, TRACEPARENT_LENGTH)}`;
  const state = typeof tracestate === 'string' && TRACESTATE.test(tracestate) ? { tracestate } : {};
  return { traceId, headers: { traceparent: sent, ...state } };
}

/** Runs a function, and all that it starts, in a trace. */
export function runInTrace<T>(trace: TraceContext | null, run: () => T): T {
  // Without a trace nothing is stored: on Node 20 a storage in use slows every promise.
  return trace === null ? run() : storage.run(trace, run);
}

/** The trace of the request in progress. */
export function currentTrace(): TraceContext | undefined {
  return storage.getStore();
}
