import { SetMetadata } from '@nestjs/common';
import { listFormats } from '../../formats/formats.js';
import type { ThrottleGroup } from './throttle.js';

/** How long clients and proxies may reuse a route's responses; errors are never stored. */
export type CachePolicy = 'none' | 'revalidate' | 'minute';

/** `Cache-Control` by policy. */
export const cacheControl: Record<CachePolicy, string> = {
  none: 'no-store',
  revalidate: 'public, no-cache',
  minute: 'public, max-age=60, stale-if-error=86400',
};

/** What a route accepts that reads its body itself. */
export interface RawBodyRule {
  /** Media types the route accepts. */
  types: readonly string[];
  /** Content encodings it accepts besides none. */
  encodings?: readonly string[];
}

const key = (name: string) => `pds:${name}`;
export const FORMATS = key('formats');
export const CACHE_POLICY = key('cache-policy');
export const CACHE_AREAS = key('cache-areas');
export const RAW_BODY = key('raw-body');
export const FORM_BODY = key('form-body');
export const NO_BODY = key('no-body');
export const UNTHROTTLED = key('unthrottled');
export const NO_DEADLINE = key('no-deadline');
export const THROTTLE_GROUP = key('throttle-group');
export const QUERY = key('query');

/** The route, or every route of the controller, replies in all formats of lists. */
export const ListFormats = () =>
  SetMetadata(
    FORMATS,
    listFormats.map(({ name }) => name),
  );

/** The route replies in these formats; the first one where `Accept` names none of them. */
export const Formats = (...names: string[]) => SetMetadata(FORMATS, names);

/** The route sets its own media type; `Accept` is not checked. JSON alone is the default. */
export const OwnMediaType = () => SetMetadata(FORMATS, []);

/** The route's `Cache-Control`; `none` by default. */
export const CacheControl = (policy: CachePolicy) => SetMetadata(CACHE_POLICY, policy);

/**
 * Stores replies of a public GET in the page cache until one of these areas of the data changes.
 * Only for replies that depend on nothing but the address, the format and the data. The names are
 * those of the revision source, which are checked when the application starts; modules use a
 * wrapper that takes only these.
 */
export const CacheAreas = (...areas: string[]) => SetMetadata(CACHE_AREAS, areas.join('+'));

/**
 * The route reads its body itself, through `wholeBody(context, …)`; its media type is checked
 * first.
 */
export const RawBody = (rule: RawBodyRule) => SetMetadata(RAW_BODY, rule);

/**
 * Bodies of the route, or of every route of the controller, are forms of HTML without files: a
 * handler gets them by `@Body()` as `URLSearchParams`.
 */
export const FormBody = () => SetMetadata(FORM_BODY, true);

/** The route needs no body, though its method has one: what to do is all in the address. */
export const NoBody = () => SetMetadata(NO_BODY, true);

/** For health and metrics: not throttled and not counted among the requests in work. */
export const AlwaysServed = () => SetMetadata(UNTHROTTLED, true);

/** For work that may take longer than the ten seconds other reads have until the first byte. */
export const NoDeadline = () => SetMetadata(NO_DEADLINE, true);

/** The limit of the client's address that counts a write; by default only reads have one. */
export const ThrottledAs = (group: ThrottleGroup) => SetMetadata(THROTTLE_GROUP, group);
