import { Injectable } from '@nestjs/common';
import { DataRevision } from '../../ledger/revision/data-revision.js';
import { RequestQueue } from '../../lib/scheduling/request-queue.js';
import { Draining } from '../../platform/shutdown/draining.js';
import { type FeedPosition, tokenOf } from './feed-position.js';
import { FeedReader, type FeedPage, type FeedRequest, type SharedPart } from './feed-reader.js';

/** Waits for something to happen in the feed. */
@Injectable()
export class FeedWaiter {
  /** The parts that clients who wait are sent: by position, the newest only. */
  private readonly parts = new Map<string, { since: FeedPosition; part: Promise<SharedPart> }>();
  /** Clients are woken a few at a time: other requests are served in between. */
  private readonly turns = new RequestQueue();

  constructor(
    private readonly reader: FeedReader,
    private readonly revision: DataRevision,
    private readonly draining: Draining,
  ) {}

  /**
   * The next part of the feed, as soon as it has an item. What a commit has changed is read once,
   * however many clients wait, whatever they ask for.
   * @param page what was found before
   * @param until when to stop waiting (`performance.now()`); the part is empty then
   * @param signal to stop before; the end of the service stops it, too
   */
  async next(request: FeedRequest, page: FeedPage, until: number, signal: AbortSignal): Promise<FeedPage> {
    let latest = page;
    const isAtEnd = !page.more;
    do {
      if (!latest.more && !(await this.newer(latest.upTo, until, signal))) break;
      const since = latest.next;
      // The shared parts have what most ask for.
      latest =
        isAtEnd && request.criteria.scope === 'observed'
          ? await this.share({ ...request, since })
          : await this.reader.read({ ...request, since });
    } while (latest.items.length === 0 && !signal.aborted);
    return latest;
  }

  /** The service shuts down: nobody waits any more. */
  get stopped(): boolean {
    return this.draining.active;
  }

  private async share(request: FeedRequest & { since: FeedPosition }): Promise<FeedPage> {
    const part = await this.partSince(request.since, request.points);
    await new Promise<void>((resolve) => this.turns.run(resolve));
    return this.reader.pageOf(part, request);
  }

  private partSince(since: FeedPosition, points: boolean): Promise<SharedPart> {
    const key = `${tokenOf(since)} ${points}`;
    const known = this.parts.get(key);
    if (known !== undefined) return known.part;
    // Clients that are woken late still ask for the last part; nobody asks for those before it.
    for (const [old, { since: before }] of this.parts)
      if (before.revision < since.revision) this.parts.delete(old);
    const part = this.reader.readShared(since, points);
    this.parts.set(key, { since, part });
    const forget = () => this.parts.delete(key);
    // What was empty or failed is asked for anew.
    part.then(({ items }) => items.length > 0 || forget(), forget);
    return part;
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
