/** Statuses that pass: too many requests, and unavailable. */
const RETRIED: readonly number[] = [429, 503];

export interface RetryOptions {
  /** How often a request is sent again. */
  readonly retries: number;
  /** The longest time to wait, in milliseconds; a request that is told to wait longer fails. */
  readonly longestWait: number;
}

/** Milliseconds to wait before a request is sent again; null if it is not. */
export function waitBefore(
  response: Response,
  attempt: number,
  { retries, longestWait }: RetryOptions,
): number | null {
  if (!RETRIED.includes(response.status) || attempt >= retries) return null;
  const wait = retryAfter(response.headers.get('Retry-After')) ?? 1000 * 2 ** attempt;
  return wait <= longestWait ? wait : null;
}

/** `Retry-After` in milliseconds: seconds, or a date. */
function retryAfter(value: string | null): number | null {
  if (value === null) return null;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}

/** Waits, unless the signal aborts. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    if (signal?.aborted) return abort();
    signal?.addEventListener('abort', abort, { once: true });
  });
}
