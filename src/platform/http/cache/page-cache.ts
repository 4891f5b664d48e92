import { LRUCache } from 'lru-cache';
import type { Route } from '../routes/route-options.js';
import { Admission } from './admission.js';
import type { FinishedReply } from './finished-reply.js';

/** Bytes that a page takes besides its bodies. */
const OVERHEAD = 2048;

/** A complete reply and what it is valid for. */
export interface CachedPage {
  reply: FinishedReply;
  /** The data revision it was made from, or an older one. */
  revision: string;
  /** The UTC date it is valid on; null for any. */
  day: string | null;
}

/** The pages of one address, by format. */
export interface CachedAddress {
  /** Scheme and host. */
  origin: string;
  route: Route;
  /** The format named in the address; null where `Accept` decides. */
  format: string | null;
  pages: Map<string, CachedPage>;
}

export interface CacheBounds {
  totalBytes: number;
  /** All pages of one address. */
  addressBytes: number;
  hosts: number;
}

/**
 * Replies to public reads, by address with scheme and host; the least recently used are evicted.
 * Nothing is cleared when data change: a page is served only while its revision is the present one.
 * Requests may name any host, so the number of hosts is limited: that stored for least recently is
 * evicted.
 */
export class PageCache {
  private readonly addresses: LRUCache<string, CachedAddress>;
  /** Addresses by origin; the origin stored for least recently is the first. */
  private readonly origins = new Map<string, Set<string>>();
  private readonly admission = new Admission();

  constructor(private readonly bounds: CacheBounds) {
    this.addresses = new LRUCache({
      maxSize: bounds.totalBytes,
      maxEntrySize: bounds.addressBytes,
      sizeCalculation: ({ pages }) =>
        [...pages.values()].reduce((sum, { reply }) => sum + reply.body.size + OVERHEAD, 0),
      disposeAfter: ({ origin }, address, reason) => {
        if (reason !== 'set') this.origins.get(origin)?.delete(address);
      },
    });
  }

  get bytes(): number {
    return this.addresses.calculatedSize;
  }

  get size(): number {
    return this.addresses.size;
  }

  get(address: string): CachedAddress | undefined {
    return this.addresses.get(address);
  }

  /** Whether a reply is worth storing: its address is in the cache, or was requested before. */
  admits(address: string, format: string): boolean {
    return this.addresses.has(address) || this.admission.admits(`${format} ${address}`);
  }

  /**
   * The page if it is still valid.
   * @param today the UTC date; called only for pages that depend on it
   */
  fresh(address: CachedAddress, format: string, revision: string, today: () => string): FinishedReply | null {
    const page = address.pages.get(format);
    if (page === undefined || page.revision !== revision || (page.day !== null && page.day !== today()))
      return null;
    return page.reply;
  }

  /** Stores a page, unless its address then has too many bytes. */
  store(address: string, of: Omit<CachedAddress, 'pages'>, format: string, page: CachedPage): void {
    const { pages } = this.addresses.peek(address) ?? { pages: new Map<string, CachedPage>() };
    pages.set(format, page);
    this.register(of.origin, address);
    // Stored anew, an address is measured anew.
    const measure = () => {
      this.addresses.set(address, { ...of, pages });
      // Too large, it has not been stored.
      if (!this.addresses.has(address)) this.origins.get(of.origin)?.delete(address);
    };
    measure();
    page.reply.onGrow = () => {
      if (this.addresses.peek(address)?.pages.get(format) === page) measure();
    };
  }

  /** Makes an origin the one stored for most recently; evicts another where there are too many. */
  private register(origin: string, address: string): void {
    const addresses = this.origins.get(origin) ?? new Set<string>();
    this.origins.delete(origin);
    this.origins.set(origin, addresses.add(address));
    const [oldest] = this.origins;
    if (this.origins.size <= this.bounds.hosts || oldest === undefined) return;
    this.origins.delete(oldest[0]);
    for (const evicted of oldest[1]) this.addresses.delete(evicted);
  }
}
