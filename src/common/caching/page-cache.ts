import type { Format } from '../http/reply.js';
import type { CachedReply } from '../http/cached-reply.js';
import type { Route } from '../http/route-table.js';

/** What an entry costs beside its bodies. */
const OVERHEAD = 2048;

/** A finished answer and how long it holds. */
export interface CachedPage {
  answer: CachedReply;
  /** The data revision it was made of, or an older one. */
  revision: string;
  /** The UTC date it holds on; null for any. */
  day: string | null;
}

/** All that is kept for one address of one host. */
export interface CachedAddress {
  route: Route;
  /** The format the address itself asks for; null where `Accept` decides. */
  format: Format | null;
  pages: Map<Format, CachedPage>;
}

/** Pages by address (path and query as sent). */
export type HostPages = Map<string, CachedAddress>;

interface Entry extends CachedPage {
  bytes: number;
  /** Served since the last look; such pages are passed over once when room is needed. */
  used: boolean;
  drop: () => void;
}

export interface CacheBounds {
  totalBytes: number;
  pageBytes: number;
  hosts: number;
}

/**
 * Finished answers of public reads, bounded in bytes. Nothing is cleared when data change: a page is served only while
 * its revision is the present one.
 */
export class PageCache {
  private readonly hosts = new Map<string, HostPages>();
  /** In order of age, the oldest first. */
  private readonly queue = new Set<Entry>();
  private held = 0;

  constructor(private readonly bounds: CacheBounds) {}

  get bytes(): number {
    return this.held;
  }

  get pages(): number {
    return this.queue.size;
  }

  /** Pages of a scheme and host, if any are kept. */
  host(origin: string): HostPages | undefined {
    return this.hosts.get(origin);
  }

  /** The page if it is still true. @param today the UTC date; asked only where it matters */
  fresh(address: CachedAddress, format: Format, revision: string, today: () => string): CachedReply | null {
    const page = address.pages.get(format) as Entry | undefined;
    if (page === undefined || page.revision !== revision || (page.day !== null && page.day !== today()))
      return null;
    page.used = true;
    return page.answer;
  }

  /** Keeps a page, unless it is too large. */
  keep(
    origin: string,
    key: string,
    of: Omit<CachedAddress, 'pages'>,
    format: Format,
    page: CachedPage,
  ): void {
    const bytes = page.answer.bytes + OVERHEAD;
    if (bytes > this.bounds.pageBytes) return;
    const pages = this.hostFor(origin);
    let address = pages.get(key);
    if (address === undefined) pages.set(key, (address = { ...of, pages: new Map() }));
    const former = address.pages.get(format) as Entry | undefined;
    if (former) this.remove(former);
    const within = address;
    const entry: Entry = {
      ...page,
      bytes,
      used: false,
      drop: () => {
        within.pages.delete(format);
        if (within.pages.size === 0) pages.delete(key);
      },
    };
    // Removing the last page of an address also took the address away.
    pages.set(key, within);
    within.pages.set(format, entry);
    this.queue.add(entry);
    this.held += bytes;
    page.answer.onGrow = (more) => this.grow(entry, more);
    this.makeRoom();
  }

  /** The pages of a host that gets another one. Where there are too many hosts, the one that has got none for longest goes. */
  private hostFor(origin: string): HostPages {
    const pages = this.hosts.get(origin) ?? new Map();
    this.hosts.delete(origin);
    this.hosts.set(origin, pages);
    const [oldest] = this.hosts;
    if (this.hosts.size > this.bounds.hosts && oldest !== undefined) {
      this.hosts.delete(oldest[0]);
      for (const address of oldest[1].values()) {
        for (const page of address.pages.values()) this.remove(page as Entry);
      }
    }
    return pages;
  }

  private grow(entry: Entry, bytes: number): void {
    if (!this.queue.has(entry)) return;
    entry.bytes += bytes;
    this.held += bytes;
    if (entry.bytes > this.bounds.pageBytes) this.remove(entry);
    this.makeRoom();
  }

  private makeRoom(): void {
    while (this.held > this.bounds.totalBytes) {
      const [oldest] = this.queue;
      if (oldest === undefined) return;
      if (oldest.used) {
        oldest.used = false;
        this.queue.delete(oldest);
        this.queue.add(oldest);
      } else this.remove(oldest);
    }
  }

  private remove(entry: Entry): void {
    if (!this.queue.delete(entry)) return;
    this.held -= entry.bytes;
    entry.drop();
  }
}
