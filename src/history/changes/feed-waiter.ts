import { Injectable } from '@nestjs/common';
import { DataRevision } from '../../database/revision/data-revision.js';
import { Draining } from '../../platform/shutdown/draining.js';
import { tokenOf } from './feed-position.js';
import { FeedReader, type FeedPage, type FeedRequest } from './feed-reader.js';

/** Waits for something to happen in the feed. */
@Injectable()
export class FeedWaiter {
  /** Reads under way: many clients wait at the end of the feed, and are woken at once. */
  private readonly reads = new Map<string, Promise<FeedPage>>();

  constructor(
    private readonly reader: FeedReader,
    private readonly revision: DataRevision,
    private readonly draining: Draining,
  ) {}

  /**
   * The next part of the feed, as soon as it has an item.
   * @param page what was found before
   * @param until when to stop waiting (`performance.now()`); the part is empty then
   * @param signal to stop before; the end of the service stops it, too
   */
  async next(request: FeedRequest, page: FeedPage, until: number, signal: AbortSignal): Promise<FeedPage> {
    let latest = page;
    do {
      if (!latest.more && !(await this.newer(latest.upTo, until, signal))) break;
      latest = await this.read({ ...request, since: latest.next });
    } while (latest.items.length === 0);
    return latest;
  }

  /** The service shuts down: nobody waits any more. */
  get stopped(): boolean {
    return this.draining.active;
  }

  private read(request: FeedRequest): Promise<FeedPage> {
    const { since, limit, points, criteria } = request;
    const key = [since && tokenOf(since), limit, points, criteria.key].join(' ');
    let read = this.reads.get(key);
    if (read === undefined) {
      read = this.reader.read(request).finally(() => this.reads.delete(key));
      this.reads.set(key, read);
    }
    return read;
  }

  /** Waits for a newer revision. @returns whether there is one */
  private newer(than: number, until: number, signal: AbortSignal): Promise<boolean> {
    if (this.revision.seen > than) return Promise.resolve(true);
    const milliseconds = until - performance.now();
    if (milliseconds <= 0 || signal.aborted || this.draining.active) return Promise.resolve(false);
    return new Promise((resolve) => {
      const end = (found: boolean) => {
        clearTimeout(timer);
        stopListening();
        signal.removeEventListener('abort', stop);
        this.draining.signal.removeEventListener('abort', stop);
        resolve(found);
      };
      const stop = () => end(false);
      const timer = setTimeout(stop, milliseconds);
      const stopListening = this.revision.onNewer(() => end(true));
      signal.addEventListener('abort', stop);
      this.draining.signal.addEventListener('abort', stop);
    });
  }
}
