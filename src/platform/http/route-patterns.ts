import type { IRoute } from 'express';
import { METHODS } from 'node:http';
import { pathToRegexp } from 'path-to-regexp';

/** A path of Express: a pattern, an expression, or several of them. */
type RoutePath = string | RegExp | readonly (string | RegExp)[];

/** A path pattern that Nest has registered routes for. */
export interface RoutePattern {
  path: string;
  methods: Set<string>;
  expression: RegExp;
}

/** A route that a module has put on Express itself. Its methods are added after it is made. */
interface PlainRoute {
  route: Pick<IRoute, 'stack'>;
  expressions: readonly RegExp[];
}

/** What is read of the routes that Express has. */
export type RegisteredRoutes = Pick<RoutePatterns, 'methodsAt' | 'before'>;

/** The methods of `@All()`, and of `all()` of Express. */
const ALL = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The paths and methods that Express has routes for, as they are registered. */
export class RoutePatterns {
  /** By path, in the order of registration: of several that match, the first has the path. */
  private readonly patterns = new Map<string, RoutePattern>();
  private readonly plain: PlainRoute[] = [];

  /** Called for each route that Nest registers. @param method `get`, or `all` */
  add(method: string, path: string): void {
    let pattern = this.patterns.get(path);
    if (pattern === undefined) {
      pattern = { path, methods: new Set(), expression: expressionOf(path) };
      this.patterns.set(path, pattern);
    }
    for (const name of namesOf(method)) pattern.methods.add(name);
  }

  /**
   * Called for each route that is put on Express itself. It has no path for itself: one that
   * matches everything takes no method from the others.
   */
  addPlain(path: RoutePath, route: PlainRoute['route']): void {
    this.plain.push({ route, expressions: [path].flat(Infinity as 1).map(expressionOf) });
  }

  /** The methods of a path, HEAD and OPTIONS included; empty where there is no such path. */
  methodsAt(path: string): string[] {
    // A path that cannot be decoded matches nothing.
    if (!isDecodable(path)) return [];
    const matches = (expression: RegExp) => path.search(expression) >= 0;
    const own = [...this.patterns.values()].find(({ expression }) => matches(expression));
    const methods = new Set(own?.methods);
    for (const { route, expressions } of this.plain)
      if (expressions.some(matches)) for (const name of methodsOf(route)) methods.add(name);
    if (methods.size === 0) return [];
    if (methods.has('GET')) methods.add('HEAD');
    return [...methods.add('OPTIONS')].sort();
  }

  /** Nest's patterns before one of them that may match the same paths. */
  before(path: string): readonly RoutePattern[] {
    const patterns = [...this.patterns.values()];
    const own = patterns.findIndex((pattern) => pattern.path === path);
    return patterns.slice(0, Math.max(own, 0)).filter((pattern) => overlap(pattern.path, path));
  }
}

const namesOf = (method: string) => (method === 'all' ? ALL : [method.toUpperCase()]);

/** The methods of a route of Express, whose `all()` adds each one that Node knows. */
function methodsOf({ stack }: PlainRoute['route']): readonly string[] {
  const names = (stack as { method?: string }[]).flatMap(({ method }) => namesOf(method ?? 'all'));
  return METHODS.every((name) => names.includes(name)) ? ALL : names;
}

/** A pattern matches with and without a slash at its end, as it does in Express. */
const expressionOf = (path: string | RegExp): RegExp =>
  path instanceof RegExp ? path : pathToRegexp(withoutLastSlash(path), { sensitive: true }).regexp;

const withoutLastSlash = (path: string) => (path === '/' ? path : path.replace(/\/+$/, ''));

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

const segmentsOf = (pattern: string) => withoutLastSlash(pattern).split('/');
