import { Admission } from './admission.js';
import type { CachedReply } from './cached-reply.js';
import type { Route } from '../routes/route-options.js';

/** Bytes that an entry takes besides its bodies. */
const OVERHEAD = 2048;

/** A complete reply and what it is valid for. */
export interface CachedPage {
  reply: CachedReply;
  /** The data revision it was made from, or an older one. */
  revision: string;
  /** The UTC date it is valid on; null for any. */
  day: string | null;
}

/** The pages of one address of one host. */
export interface CachedAddress {
  route: Route;
  /** The format named in the address; null where `Accept` decides. */
  format: string | null;
  pages: Map<string, CachedPage>;
}

/** Pages by address (path and query as sent). */
export type HostPages = Map<string, CachedAddress>;

interface Entry extends CachedPage {
  bytes: number;
  /** Served since the last eviction: such a page gets a second chance. */
  used: boolean;
  drop: () => void;
}

export interface CacheBounds {
  totalBytes: number;
  pageBytes: number;
  hosts: number;
}

/**
 * Replies to public reads, bounded in bytes; the eviction is second chance (CLOCK). Nothing is
 * cleared when data change: a page is served only while its revision is the present one.
 */
export class PageCache {
  private readonly hosts = new Map<string, HostPages>();
  /** Oldest first. */
  private readonly queue = new Set<Entry>();
  private totalBytes = 0;
  private readonly admission = new Admission();

  constructor(private readonly bounds: CacheBounds) {}

  get bytes(): number {
    return this.totalBytes;
  }

  get pages(): number {
    return this.queue.size;
  }

  /** Pages of a scheme and host. */
  host(origin: string): HostPages | undefined {
    return this.hosts.get(origin);
  }

  /** Whether a reply is worth storing: its address is in the cache, or was requested before. */
  admits(origin: string, key: string, format: string): boolean {
    return this.hosts.get(origin)?.has(key) || this.admission.admits(`${origin} ${format} ${key}`);
  }

  /**
   * The page if it is still valid. @param today the UTC date; called only for pages that depend on
   * it
   */
  fresh(address: CachedAddress, format: string, revision: string, today: () => string): CachedReply | null {
    const page = address.pages.get(format) as Entry | undefined;
    if (page === undefined || page.revision !== revision || (page.day !== null && page.day !== today()))
      return null;
    page.used = true;
    return page.reply;
  }

  /** Stores a page, unless it is too large. */
  store(
    origin: string,
    key: string,
    of: Omit<CachedAddress, 'pages'>,
    format: string,
    page: CachedPage,
  ): void {
    const bytes = page.reply.bytes + OVERHEAD;
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
    // Removing the last page of an address has removed the address, too.
    pages.set(key, within);
    within.pages.set(format, entry);
    this.queue.add(entry);
    this.totalBytes += bytes;
    page.reply.onGrow = (more) => this.grow(entry, more);
    this.evict();
  }

  /** The pages of a host to store one for; the host stored for least recently is evicted. */
  private hostFor(origin: string): HostPages {
    const pages = this.hosts.get(origin) ?? (new Map() as HostPages);
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
    this.totalBytes += bytes;
    if (entry.bytes > this.bounds.pageBytes) this.remove(entry);
    this.evict();
  }

  private evict(): void {
    while (this.totalBytes > this.bounds.totalBytes) {
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
    this.totalBytes -= entry.bytes;
    entry.drop();
  }
}
