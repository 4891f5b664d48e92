import { LRUCache } from 'lru-cache';
import { decodeQueryText } from '../validation/query-pairs.js';
import type { FinishedReply } from './finished-reply.js';
import type { Route } from './routes.js';

/** Provider token of the `RevisionSource`. */
export const REVISION_SOURCE = Symbol('RevisionSource');

/** The state the data are in. Provided by the database layer. */
export interface RevisionSource {
  /** Names of the areas of the data that change independently of each other. */
  readonly areas: readonly string[];

  /**
   * The present revision of some areas, joined by `+`, which changes with every committed write to
   * one of them; null while it is not known for sure: then nothing is cached.
   */
  current(areas: string): string | null;

  /** The number of the newest revision of all data; null while it is not known for sure. */
  newest(): string | null;
}

/** Bytes that a page takes besides its bodies. */
const OVERHEAD = 2048;

/** A complete reply and what it is valid for. */
interface CachedPage {
  reply: FinishedReply;
  /** The data revision it was made from, or an older one. */
  revision: string;
  /** The UTC date it is valid on; null for any. */
  day: string | null;
}

/** The pages of one address, by format. */
interface CachedAddress {
  /** Scheme and host. */
  origin: string;
  route: Route;
  /** The format named in the address; null where `Accept` decides. */
  format: string | null;
  pages: Map<string, CachedPage>;
}

interface CacheBounds {
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

/**
 * Key of an address in the page cache: path and query as sent, without `_` where that can be
 * decoded.
 */
export function cacheKey(url: string): string {
  if (!url.includes('_=') && !url.endsWith('_') && !url.includes('_&')) return url;
  const start = url.indexOf('?');
  if (start < 0) return url;
  const parameters = url
    .slice(start + 1)
    .split('&')
    .filter((raw) => raw !== '_' && !(raw.startsWith('_=') && decodeQueryText(raw.slice(2)) !== null));
  return url.slice(0, start) + (parameters.length > 0 ? `?${parameters.join('&')}` : '');
}

/**
 * Bits of the filter, and keys after which it starts anew: at most some 2 % of new keys seem seen.
 */
const BITS = 1 << 18;
const MAX_KEYS = 1 << 14;

/**
 * Decides what is worth storing: what is requested a second time, as TinyLFU's doorkeeper does.
 * Most addresses are requested once; stored at first sight, they would evict what is requested
 * often, and cost the garbage collector more than all else. A Bloom filter remembers the keys, so a
 * few are admitted early; it is cleared once it has seen many.
 */
export class Admission {
  private readonly filter = new Uint32Array(BITS / 32);
  private keys = 0;

  /** Whether the key was seen before; from now on it was. */
  admits(key: string): boolean {
    const first = hash(key, FNV_OFFSET);
    const second = hash(key, first);
    const seen = this.has(first) && this.has(second);
    if (seen) return true;
    if (this.keys === MAX_KEYS) this.clear();
    this.keys++;
    this.add(first);
    this.add(second);
    return false;
  }

  private has(bits: number): boolean {
    return (this.filter[(bits >>> 5) % this.filter.length]! & (1 << (bits & 31))) !== 0;
  }

  private add(bits: number): void {
    this.filter[(bits >>> 5) % this.filter.length]! |= 1 << (bits & 31);
  }

  private clear(): void {
    this.filter.fill(0);
    this.keys = 0;
  }
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** FNV-1a over the UTF-16 code units, from a seed. */
function hash(key: string, seed: number): number {
  let value = seed;
  for (let index = 0; index < key.length; index++)
    value = Math.imul(value ^ key.charCodeAt(index), FNV_PRIME);
  // FNV's low bits are weak: fold the high ones into them.
  return (value ^ (value >>> 15)) >>> 0;
}
