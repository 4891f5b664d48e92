import {
  type ExecutionContext,
  Inject,
  Injectable,
  type OnModuleInit,
  Optional,
  RequestMethod,
  SetMetadata,
} from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/internal';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { Request } from 'express';
import { MethodNotAllowed } from '../errors/api-error.js';
import { listFormats } from '../formats/formats.js';
import type { QuerySchema } from '../validation/query-schema.js';
import { type ApiDocs, apiDocs } from './api-docs.js';
import { REVISION_SOURCE, type RevisionSource } from './cache.js';
import type { ThrottleGroup } from './overload/throttle.js';
import { type RegisteredRoutes, type RoutePattern, RoutePatterns } from './route-patterns.js';

/** A route that Express has matched, with the patterns before its own that overlap it. */
interface MatchedRoute {
  route: Route;
  before: readonly RoutePattern[];
}

/**
 * The routes of the application: patterns and methods as Nest registers them with Express, whatever
 * prefix a module has, and what the decorators of their handlers say. Serves 405, OPTIONS, CORS,
 * the guards and the API document. Express does the routing.
 */
@Injectable()
export class RouteTable implements OnModuleInit {
  /** Those that Express has: none before `readFrom`. */
  private registered: RegisteredRoutes = new RoutePatterns();
  /** By Express's route, of which there is one for each path of a handler. */
  private readonly matched = new WeakMap<object, MatchedRoute>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    @Optional() @Inject(REVISION_SOURCE) private readonly revision?: RevisionSource,
  ) {}

  /**
   * @throws Error for a cache area that does not exist: its replies would be served stale for ever
   */
  onModuleInit(): void {
    const known = this.revision?.areas;
    if (known === undefined) return;
    for (const { method, pattern, cacheAreas } of this.all()) {
      const unknown = cacheAreas?.split('+').find((area) => !known.includes(area));
      if (unknown !== undefined) throw new Error(`${method} ${pattern}: there is no cache area ${unknown}.`);
    }
  }

  /** Reads what Express has from its adapter, from now on; `configureApp` calls it. */
  readFrom(registered: RegisteredRoutes): void {
    this.registered = registered;
  }

  /** The methods of a path, HEAD and OPTIONS included; empty where there is no such path. */
  methodsAt(path: string): string[] {
    return this.registered.methodsAt(path);
  }

  /**
   * The route that Express has matched.
   * @throws MethodNotAllowed for a write that only a wider pattern has: `Thing/:id` where
   * `Thing/latest` is another resource
   */
  of(request: Request, execution: ExecutionContext): Route {
    let matched = this.matched.get(request.route as object);
    if (matched === undefined) {
      const { path } = request.route as { path: string };
      const options = routeOptions(execution.getClass(), execution.getHandler());
      matched = { route: { pattern: path, ...options }, before: this.registered.before(path) };
      this.matched.set(request.route as object, matched);
    }
    const { route, before } = matched;
    const { method, path } = request;
    if (before.length > 0 && method !== 'GET' && method !== 'HEAD') {
      if (before.some(({ expression }) => expression.test(path)) && !this.methodsAt(path).includes(method))
        throw new MethodNotAllowed(this.methodsAt(path));
    }
    return route;
  }

  /** The routes of all controllers; prefixes and versions of Nest are not described here. */
  all(): Route[] {
    return this.discovery.getControllers().flatMap(({ metatype }) => {
      if (typeof metatype !== 'function') return [];
      const prototype = metatype.prototype as Record<string, object>;
      return this.scanner
        .getAllMethodNames(prototype)
        .map((name) => prototype[name]!)
        .filter((handler) => Reflect.hasMetadata(PATH_METADATA, handler))
        .flatMap((handler) => routesOf(metatype, handler));
    });
  }
}

function routesOf(controller: object, handler: object): Route[] {
  const options = routeOptions(controller, handler);
  return pathsOf(controller).flatMap((prefix) =>
    pathsOf(handler).map((path) => ({ ...options, pattern: `/${[...prefix, ...path].join('/')}` })),
  );
}

function pathsOf(target: object): string[][] {
  const paths = Reflect.getMetadata(PATH_METADATA, target) as string | string[] | undefined;
  return [paths ?? ''].flat().map((path) => path.split('/').filter((segment) => segment !== ''));
}

/** What the decorators of a handler and its controller say of a route. */
interface RouteOptions {
  /** Empty when the route sets its own media type. */
  formats: readonly string[];
  cachePolicy: CachePolicy;
  /** The areas of the data that a reply is made of, joined by `+`; null where it is not cached. */
  cacheAreas: string | null;
  rawBody: RawBodyRule | null;
  /** Its bodies are forms of HTML. */
  formBody: boolean;
  noBody: boolean;
  alwaysServed: boolean;
  deadline: boolean;
  /** The limit of the client's address that counts its requests. */
  throttle: ThrottleGroup | null;
  /** The parameters it accepts; null for none. */
  query: QuerySchema | null;
  requiresToken: boolean;
  /** The roles that it is for; undefined for accounts with any. */
  roles: readonly Role[] | undefined;
  docs: ApiDocs;
}

/** A route with its options. */
export interface Route extends RouteOptions {
  method: string;
  /** Path pattern, `/api/v1/Book/:id`, without a trailing slash. */
  pattern: string;
}

/** What decorators say of a handler; its own decorators win over its controller's. */
function routeOptions(controller: object, handler: object): RouteOptions & { method: string } {
  const read = <T>(key: string, fallback?: T): T =>
    (Reflect.getMetadata(key, handler) ?? Reflect.getMetadata(key, controller) ?? fallback) as T;
  const roles = read<readonly Role[] | undefined>(ROLES);
  const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as number]!;
  return {
    method,
    formats: read<readonly string[]>(FORMATS, ['json']),
    cachePolicy: read<CachePolicy>(CACHE_POLICY, 'none'),
    cacheAreas: method === 'GET' ? read<string | null>(CACHE_AREAS, null) : null,
    rawBody: read<RawBodyRule | null>(RAW_BODY, null),
    formBody: read(FORM_BODY, false),
    noBody: read(NO_BODY, false),
    alwaysServed: read(ALWAYS_SERVED, false),
    deadline: !read(NO_DEADLINE, false),
    throttle: read<ThrottleGroup | null>(THROTTLE_GROUP, method === 'GET' ? 'read' : null),
    query: (Reflect.getMetadata(QUERY, handler) ?? null) as Route['query'],
    requiresToken: requiresToken(method, roles, read<Access | undefined>(ACCESS)),
    roles,
    docs: apiDocs(controller, handler),
  };
}

/** How long clients and proxies may reuse a route's responses; errors are never stored. */
export type CachePolicy = 'none' | 'revalidate' | 'minute';

/** `Cache-Control` by policy. */
export const cacheControl: Record<CachePolicy, string> = {
  none: 'no-store',
  revalidate: 'public, no-cache',
  minute: 'public, max-age=60, stale-if-error=86400',
};

/** What a route accepts that reads its body itself. */
interface RawBodyRule {
  /** Media types the route accepts. */
  types: readonly string[];
  /** Content encodings it accepts besides none. */
  encodings?: readonly string[];
}

const key = (name: string) => `pds:${name}`;
const FORMATS = key('formats');
const CACHE_POLICY = key('cache-policy');
const CACHE_AREAS = key('cache-areas');
const RAW_BODY = key('raw-body');
const FORM_BODY = key('form-body');
const NO_BODY = key('no-body');
const ALWAYS_SERVED = key('always-served');
const NO_DEADLINE = key('no-deadline');
const THROTTLE_GROUP = key('throttle-group');
export const QUERY = key('query');

/** The route, or every route of the controller, replies in all formats of lists, and in others. */
export const ListFormats = (...others: string[]) =>
  SetMetadata(FORMATS, [...listFormats.map(({ name }) => name), ...others]);

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
 * The route reads its body itself, through `wholeBody(info, …)`; its media type is checked
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
export const AlwaysServed = () => SetMetadata(ALWAYS_SERVED, true);

/** For work that may take longer than the ten seconds other reads have until the first byte. */
export const NoDeadline = () => SetMetadata(NO_DEADLINE, true);

/** The limit of the client's address that counts a write; by default only reads have one. */
export const ThrottledAs = (group: ThrottleGroup) => SetMetadata(THROTTLE_GROUP, group);

/** Roles of accounts: maintainers write, admins also read the audit log. */
export const roles = ['maintainer', 'admin'] as const;
export type Role = (typeof roles)[number];

/*
 * What the access guard requires of a route. Without any of these a GET is public and every other
 * method needs an access token. A decorator of the handler overrides that of its controller.
 */

export const ACCESS = 'pds:access';
const ROLES = 'pds:roles';

export type Access = 'public' | 'protected';

/** The safe methods of RFC 9110 that are routed. */
export const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a method of a route needs an access token. */
export function requiresToken(method: string, roles?: readonly Role[], access?: Access): boolean {
  if (roles !== undefined) return true;
  return SAFE_METHODS.has(method) ? access === 'protected' : access !== 'public';
}

/** Makes a method public that is not a read: login, refresh and logout. */
export const Public = () => SetMetadata(ACCESS, 'public' satisfies Access);

/** Protects a read: it needs an access token, as writes do. */
export const Protected = () => SetMetadata(ACCESS, 'protected' satisfies Access);

/** Only accounts with one of these roles; others get 403. Protects reads like `@Protected()`. */
export const Roles = (...roles: Role[]) => SetMetadata(ROLES, roles);
