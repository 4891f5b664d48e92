import { setTimeout as sleep } from 'node:timers/promises';
import { BASE } from '../config/price-paths.js';
import type { FeedItem } from '../history/feed/feed-item.js';

/** A part of another service's feed. */
interface SourcePage {
  results: FeedItem[];
  next: string;
  more: boolean;
}

/**
 * The other service has no data for the token any more, rejects the request, or replies with what
 * no such service does.
 */
export class SourceRejected extends Error {}

/** Milliseconds for an answer, besides the time it may wait. */
const TIMEOUT = 60_000;
/** Milliseconds until the first retry; each further one waits twice as long, up to the last. */
const FIRST_RETRY = 500;
const LAST_RETRY = 30_000;
/** Most bytes of an answer: a few times as many as the largest part of a feed has. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Most characters of a token. */
const MAX_TOKEN_LENGTH = 300;

/**
 * Reads the feed of another service over HTTP, for as long as it takes to reach it. Only its own
 * address is read: redirections are not followed.
 */
export class MirrorSource {
  readonly address: string;

  /**
   * @param limit most items of a part
   * @param maxBytes most bytes of a part
   */
  constructor(
    base: string,
    private readonly signal: AbortSignal,
    private readonly onFailure: (message: string) => void,
    private readonly limit = 1000,
    private readonly maxBytes = MAX_BYTES,
  ) {
    this.address = new URL(`/${BASE}/Changes/`, base).href;
  }

  /**
   * The part after a token; without one, the first.
   * @param wait seconds to wait for an item
   * @throws SourceRejected; AbortError when the signal is aborted
   */
  async read(token: string | null, wait: number): Promise<SourcePage> {
    const query = new URLSearchParams({
      points: 'true',
      status: 'all',
      limit: String(this.limit),
      wait: String(wait),
    });
    if (token !== null) query.set('since', token);
    for (let delay = FIRST_RETRY; ; delay = Math.min(2 * delay, LAST_RETRY)) {
      const page = await this.tryRead(`${this.address}?${query.toString()}`, wait * 1000 + TIMEOUT);
      if (page !== null) return this.checked(page, token);
      await sleep(delay, undefined, { signal: this.signal });
    }
  }

  /** @returns null where another attempt may succeed */
  private async tryRead(address: string, timeoutMs: number): Promise<unknown> {
    try {
      const signal = AbortSignal.any([this.signal, AbortSignal.timeout(timeoutMs)]);
      const response = await fetch(address, { signal, redirect: 'manual' });
      if (response.status >= 300 && response.status < 400)
        throw new SourceRejected('It redirects to another address, which is not followed: give that one.');
      const text = await textOf(response, this.maxBytes);
      if (response.ok) return JSON.parse(text) as unknown;
      const message = `${response.status} ${detailOf(text) ?? response.statusText}`;
      if (response.status < 500 && response.status !== 429 && response.status !== 408)
        throw new SourceRejected(message);
      this.onFailure(message);
    } catch (error) {
      if (error instanceof SourceRejected || this.signal.aborted) throw error;
      this.onFailure(String((error as Error).cause ?? error));
    }
    return null;
  }

  /** @throws SourceRejected for what is no part of a feed, or one that never ends */
  private checked(page: unknown, token: string | null): SourcePage {
    const { results, next, more } = (page ?? {}) as Partial<SourcePage>;
    if (!Array.isArray(results) || typeof next !== 'string' || typeof more !== 'boolean')
      throw new SourceRejected('Its answer is no part of a feed of changes.');
    if (next === '' || next.length > MAX_TOKEN_LENGTH)
      throw new SourceRejected(`Its token must have 1 to ${MAX_TOKEN_LENGTH} characters.`);
    if (results.length > this.limit)
      throw new SourceRejected(
        `It sends ${results.length} items, where at most ${this.limit} were asked for.`,
      );
    if (more && (results.length === 0 || next === token))
      throw new SourceRejected('It says that there is more, and sends nothing.');
    return { results, next, more };
  }
}

/** The text of a body. @throws SourceRejected for one that is too long */
async function textOf(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += (chunk as Uint8Array).length;
    if (length > maxBytes) throw new SourceRejected(`Its answer is longer than ${maxBytes} bytes.`);
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks).toString();
}

/** What problem details say; null for any other text. */
function detailOf(text: string): string | null {
  try {
    const { detail } = JSON.parse(text) as { detail?: unknown };
    return typeof detail === 'string' ? detail.slice(0, 500) : null;
  } catch {
    return null;
  }
}
