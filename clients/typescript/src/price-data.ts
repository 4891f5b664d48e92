import type { Item, Json, ListPath, Path, PathParameters, Query } from './paths.js';
import { type Problem, ProblemError } from './problem-error.js';
import { type RetryOptions, sleep, waitBefore } from './retry.js';

export interface PriceDataOptions extends Partial<RetryOptions> {
  /** Address of the service; that of this machine unless given. */
  url?: string;
  /** Browsers send their own. */
  userAgent?: string;
  fetch?: typeof fetch;
  /** Replies that are kept, and asked for again by their ETag; 0 for none. */
  cachedReplies?: number;
}

/** Parameters of a request. Lists of values are arrays. */
export type RequestOptions<P extends Path> = {
  query?: Query<P>;
  signal?: AbortSignal;
} & (PathParameters<P> extends undefined ? { path?: undefined } : { path: PathParameters<P> });

type Arguments<P extends Path> =
  PathParameters<P> extends undefined ? [options?: RequestOptions<P>] : [options: RequestOptions<P>];

/** A reply with what is needed to cite it. */
export interface Reply<T> {
  data: T;
  /** The revision of the data, which `as_of` takes with an `r` before it; null for none. */
  revision: number | null;
  url: string;
}

type ItemPage<P extends ListPath> = { results: Item<P>[]; next: string | null };

const VERSION = '1.0.0';

/** Reads the service. Requests that it rejects throw a `ProblemError`. */
export class PriceData {
  private readonly url: string;
  private readonly userAgent: string;
  private readonly fetch: typeof fetch;
  private readonly retry: RetryOptions;
  private readonly cachedReplies: number;
  /** By address, the one that was read longest ago first. */
  private readonly cache = new Map<string, { etag: string; reply: Reply<unknown> }>();

  constructor(options: PriceDataOptions = {}) {
    this.url = (options.url ?? 'http://127.0.0.1:3000').replace(/\/$/, '');
    this.userAgent = options.userAgent ?? `pricedata-typescript/${VERSION}`;
    this.fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
    this.retry = { retries: options.retries ?? 4, longestWait: options.longestWait ?? 120_000 };
    this.cachedReplies = options.cachedReplies ?? 100;
  }

  /** Reads an address: `get('/api/v1/PriceSerie/{uuid}', { path: { uuid } })`. */
  get<P extends Path>(path: P, ...[options]: Arguments<P>): Promise<Reply<Json<P>>> {
    return this.read(this.addressOf(path, options), options?.signal);
  }

  /**
   * All items of a list, page by page, as they are read. If the data change meanwhile, the other
   * pages are read as of the revision of the first one, where the list takes `as_of`.
   */
  async *items<P extends ListPath>(path: P, ...[options]: Arguments<P>): AsyncGenerator<Item<P>, void> {
    let page = await this.read<ItemPage<P>>(this.addressOf(path, options), options?.signal);
    const { revision } = page;
    for (;;) {
      yield* page.data.results;
      const { next } = page.data;
      if (next === null) return;
      // The service may be behind another name than the one in its links.
      page = await this.pageOf(this.url + pathAndQuery(next, this.url), revision, options?.signal);
    }
  }

  /** A page of a list as of a revision, unless the list does not take `as_of`. */
  private async pageOf<T>(url: string, revision: number | null, signal?: AbortSignal): Promise<Reply<T>> {
    // The list may have fewer pages by now.
    const page = await this.read<T>(url, signal).catch(pageNotFound);
    const isGone = page instanceof ProblemError;
    if (!isGone && (revision === null || page.revision === revision)) return page;
    try {
      return await this.read<T>(withParameter(url, 'as_of', `r${revision}`), signal);
    } catch (error) {
      if (!(error instanceof ProblemError && error.rejects('as_of', 'unknown_parameter'))) throw error;
      if (isGone) throw page;
      return page;
    }
  }

  private async read<T>(url: string, signal?: AbortSignal): Promise<Reply<T>> {
    const cached = this.cache.get(url);
    const response = await this.send(url, cached?.etag, signal);
    if (response.status === 304 && cached !== undefined) {
      this.keep(url, cached);
      return cached.reply as Reply<T>;
    }
    if (!response.ok) throw new ProblemError(response.status, await problemOf(response), url);
    const revision = response.headers.get('Data-Revision');
    const reply: Reply<T> = {
      data: (await response.json()) as T,
      revision: revision === null ? null : Number(revision),
      url,
    };
    const etag = response.headers.get('ETag');
    if (etag !== null) this.keep(url, { etag, reply });
    return reply;
  }

  private async send(url: string, etag?: string, signal?: AbortSignal): Promise<Response> {
    const headers: Record<string, string> = { Accept: 'application/json', 'User-Agent': this.userAgent };
    if (etag !== undefined) headers['If-None-Match'] = etag;
    for (let attempt = 0; ; attempt++) {
      const response = await this.fetch(url, { headers, ...(signal === undefined ? {} : { signal }) });
      const wait = waitBefore(response, attempt, this.retry);
      if (wait === null) return response;
      await response.body?.cancel();
      await sleep(wait, signal);
    }
  }

  private keep(url: string, entry: { etag: string; reply: Reply<unknown> }): void {
    this.cache.delete(url);
    this.cache.set(url, entry);
    for (const oldest of this.cache.keys()) {
      if (this.cache.size <= this.cachedReplies) break;
      this.cache.delete(oldest);
    }
  }

  private addressOf(path: string, options?: { path?: object | undefined; query?: object }): string {
    const values = (options?.path ?? {}) as Record<string, string | number>;
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name]!));
    const query = Object.entries(options?.query ?? {})
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name}=${[value].flat().map(encodeURIComponent).join(',')}`);
    return `${this.url}${filled}${query.length > 0 ? '?' : ''}${query.join('&')}`;
  }
}

/** Returns the error of a page past the last one. */
function pageNotFound(error: unknown): ProblemError {
  if (error instanceof ProblemError && error.status === 404) return error;
  throw error;
}

function withParameter(link: string, name: string, value: string): string {
  const url = new URL(link);
  url.searchParams.set(name, value);
  return url.href;
}

/** What follows the address of the service in a link, which may have another host. */
function pathAndQuery(link: string, service: string): string {
  const { pathname, search } = new URL(link);
  const prefix = new URL(service).pathname.replace(/\/$/, '');
  return (pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : pathname) + search;
}

async function problemOf(response: Response): Promise<Problem | null> {
  const isProblem = response.headers.get('Content-Type')?.startsWith('application/problem+json') ?? false;
  return isProblem ? ((await response.json()) as Problem) : null;
}
