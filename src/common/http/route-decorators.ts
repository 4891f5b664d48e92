import { SetMetadata } from '@nestjs/common';
import type { Format } from './reply.js';

/** How long an answer of a route may be kept by clients and proxies; errors are never kept. */
export type CachePolicy = 'none' | 'reference' | 'series';

/** `Cache-Control` by kind of route. */
export const cacheControl: Record<CachePolicy, string> = {
  none: 'no-store',
  reference: 'public, no-cache',
  series: 'public, max-age=60, stale-if-error=86400',
};

/** What a route takes that reads its body itself. */
export interface RawBodyRule {
  /** Media types the route takes. */
  types: readonly string[];
  /** Content encodings it takes besides none. */
  encodings?: readonly string[];
}

const key = (name: string) => `pds:${name}`;
export const FORMATS = key('formats');
export const CACHE_POLICY = key('freshness');
export const CACHED_BY = key('cached-answer');
export const RAW_BODY = key('raw-body');
export const UNTHROTTLED = key('unthrottled');
export const NO_DEADLINE = key('no-deadline');
export const THROTTLE_GROUP = key('throttle-group');

/**
 * The formats a route (or every route of a controller) can answer in; JSON alone unless said. Without arguments the
 * route looks after its own media type, and `Accept` is not checked.
 */
export const ReplyFormats = (...formats: Format[]) => SetMetadata(FORMATS, formats);

/** The route's `Cache-Control`: `reference`, `series`, or `none` (the default). */
export const CacheControl = (freshness: CachePolicy) => SetMetadata(CACHE_POLICY, freshness);

/**
 * Keeps finished answers of a public GET in the page cache, until the data revision moves. `revisionOf` names the part
 * of the data the answer is made of, as the revision source knows it, or several of them (`series+references`); all of
 * it unless given. Only for answers that depend on nothing but the address, the format and the data.
 */
export const CachedBy = (revisionOf?: string) => SetMetadata(CACHED_BY, revisionOf ?? 'all');

/** The route reads its body itself, through `wholeBody(context, …)`; its media type is checked first. */
export const RawBody = (rule: RawBodyRule) => SetMetadata(RAW_BODY, rule);

/** For health and metrics: not throttled and not counted among the requests in work. */
export const AlwaysServed = () => SetMetadata(UNTHROTTLED, true);

/** For work that may take longer than the ten seconds other reads have until the first byte. */
export const NoDeadline = () => SetMetadata(NO_DEADLINE, true);

/** Which allowance the route draws on; `read` for GET and `write` for the rest unless given. */
export const ThrottledAs = (group: string) => SetMetadata(THROTTLE_GROUP, group);
