import { setTimeout as sleep } from 'node:timers/promises';
import { BASE } from '../config/price-paths.js';
import type { FeedItem } from '../history/changes/feed-item.js';

/** A part of another service's feed. */
export interface SourcePage {
  results: FeedItem[];
  next: string;
  more: boolean;
}

/** The other service has no data for the token any more, or rejects the request. */
export class SourceRejected extends Error {}

/** Milliseconds for an answer, besides the time it may wait. */
const TIMEOUT = 60_000;
/** Milliseconds until the first retry; each further one waits twice as long, up to the last. */
const FIRST_RETRY = 500;
const LAST_RETRY = 30_000;

/** Reads the feed of another service over HTTP, for as long as it takes to reach it. */
export class MirrorSource {
  readonly address: string;

  /** @param limit most items of a part */
  constructor(
    base: string,
    private readonly signal: AbortSignal,
    private readonly onFailure: (message: string) => void,
    private readonly limit = 1000,
  ) {
    this.address = new URL(`/${BASE}/Changes/`, base).href;
  }

  /**
   * The part after a token; without one, the first.
   * @param wait seconds to wait for an item
   * @throws SourceRejected; AbortError when the signal is aborted
   */
  async read(token: string | null, wait: number): Promise<SourcePage> {
    const query = new URLSearchParams({ points: 'true', limit: String(this.limit), wait: String(wait) });
    if (token !== null) query.set('since', token);
    for (let delay = FIRST_RETRY; ; delay = Math.min(2 * delay, LAST_RETRY)) {
      const page = await this.tryRead(`${this.address}?${query.toString()}`, wait * 1000 + TIMEOUT);
      if (page !== null) return page;
      await sleep(delay, undefined, { signal: this.signal });
    }
  }

  /** @returns null where another attempt may succeed */
  private async tryRead(address: string, timeoutMs: number): Promise<SourcePage | null> {
    try {
      const signal = AbortSignal.any([this.signal, AbortSignal.timeout(timeoutMs)]);
      const response = await fetch(address, { signal });
      if (response.ok) return (await response.json()) as SourcePage;
      const { detail } = (await response.json().catch(() => ({}))) as { detail?: string };
      const message = `${response.status} ${detail ?? response.statusText}`;
      if (response.status < 500 && response.status !== 429 && response.status !== 408)
        throw new SourceRejected(message);
      this.onFailure(message);
    } catch (error) {
      if (error instanceof SourceRejected || this.signal.aborted) throw error;
      this.onFailure(String((error as Error).cause ?? error));
    }
    return null;
  }
}
