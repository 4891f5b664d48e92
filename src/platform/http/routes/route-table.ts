import { type ExecutionContext, Inject, Injectable, type OnModuleInit, Optional } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/internal';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { Request } from 'express';
import { pathToRegexp } from 'path-to-regexp';
import { MethodNotAllowed } from '../../errors/api-error.js';
import { REVISION_SOURCE, type RevisionSource } from '../cache/revision-source.js';
import { type Route, routeOptions } from './route-options.js';

/** A path pattern that Express has routes for. */
interface Pattern {
  path: string;
  methods: Set<string>;
  expression: RegExp;
}

/** A route that Express has matched, with the patterns before its own that overlap it. */
interface MatchedRoute {
  route: Route;
  before: readonly Pattern[];
}

/** The methods of `@All()`. */
const ALL = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * The routes of the application: patterns and methods as Nest registers them with Express, whatever
 * prefix a module has, and what the decorators of their handlers say. Serves 405, OPTIONS, CORS,
 * the guards and the API document. Express does the routing.
 */
@Injectable()
export class RouteTable implements OnModuleInit {
  /** By path, in the order of registration: of several that match, the first has the path. */
  private readonly patterns = new Map<string, Pattern>();
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

  /** Called for each route that is registered with Express. @param method `get`, or `all` */
  add(method: string, path: string): void {
    let pattern = this.patterns.get(path);
    if (pattern === undefined) {
      const { regexp } = pathToRegexp(path, { sensitive: true });
      pattern = { path, methods: new Set(), expression: regexp };
      this.patterns.set(path, pattern);
    }
    for (const name of method === 'all' ? ALL : [method.toUpperCase()]) pattern.methods.add(name);
  }

  /** The methods of a path, HEAD and OPTIONS included; empty where there is no such path. */
  methodsAt(path: string): string[] {
    // A path that cannot be decoded matches nothing.
    if (!isDecodable(path)) return [];
    for (const { expression, methods } of this.patterns.values()) {
      if (!expression.test(path)) continue;
      return [...new Set([...methods, ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS'])].sort();
    }
    return [];
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
      matched = { route: { pattern: path, ...options }, before: this.before(path) };
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

  /** The patterns before one that may match the same paths. */
  private before(path: string): Pattern[] {
    const patterns = [...this.patterns.values()];
    const own = patterns.findIndex((pattern) => pattern.path === path);
    return patterns.slice(0, own).filter((pattern) => overlap(pattern.path, path));
  }
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Whether two patterns may match the same path. */
function overlap(one: string, other: string): boolean {
  const [segments, others] = [segmentsOf(one), segmentsOf(other)];
  if (/[*{]/.test(one + other)) return true;
  const meet = (segment: string, index: number) =>
    segment === others[index] || segment.includes(':') || others[index]!.includes(':');
  return segments.length === others.length && segments.every(meet);
}

const segmentsOf = (pattern: string) => pattern.replace(/\/$/, '').split('/');

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
