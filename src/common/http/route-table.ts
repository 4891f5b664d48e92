import type { Format } from './reply.js';
import type { QuerySchema } from '../filtering/query-schema.js';
import type { CachePolicy, RawBodyRule } from './route-decorators.js';

/** What is known of a route before it is called. */
export interface Route {
  method: string;
  /** Path pattern, `/api/v1/Commodity/:id`, without a trailing slash. */
  pattern: string;
  /** Empty when the route looks after its own media type. */
  formats: readonly Format[];
  freshness: CachePolicy;
  /** Name of the part of the data the cached answer hangs on; null when it is not cached. */
  cachedBy: string | null;
  rawBody: RawBodyRule | null;
  alwaysServed: boolean;
  deadline: boolean;
  throttleGroup: string;
  /** The parameters it takes; `'raw'` when it checks them itself, null for none. */
  query: QuerySchema | 'raw' | null;
}

/** The routes of one address. */
export interface Address {
  pattern: string;
  /** By method, HEAD and OPTIONS not included. */
  routes: Map<string, Route>;
  /** For `Allow` and OPTIONS. */
  allow: readonly string[];
}

const withoutLastSlash = (path: string): string =>
  path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;

/** The parameters of a path that matches the pattern, decoded; those of a `*rest` as one text. */
export function pathParameters(pattern: string, path: string): Record<string, string> {
  const found: Record<string, string> = {};
  if (!/[:*]/.test(pattern)) return found;
  const segments = withoutLastSlash(path).split('/');
  for (const [index, name] of pattern.split('/').entries()) {
    if (name.startsWith(':')) found[name.slice(1)] = decodeURIComponent(segments[index] as string);
    else if (name.startsWith('*')) found[name.slice(1)] = decodeURIComponent(segments.slice(index).join('/'));
  }
  return found;
}

interface Node {
  fixed: Map<string, Node>;
  param: Node | null;
  paramName: string;
  rest: Address | null;
  address: Address | null;
}

const node = (): Node => ({ fixed: new Map(), param: null, paramName: '', rest: null, address: null });

/**
 * All addresses of the service. Segments compare case-sensitively; one trailing slash makes no difference, an empty
 * segment matches nothing. A fixed segment goes before a parameter, a parameter before a `*rest`.
 */
export class RouteTable {
  private readonly root = node();
  /** Addresses without parameters, with their path as the key. */
  private readonly fixed = new Map<string, Address>();
  readonly addresses: Address[] = [];

  /** @throws Error when the same method and address are added twice */
  add(route: Route): void {
    const address = this.addressOf(route.pattern);
    if (address.routes.has(route.method))
      throw new Error(`${route.method} ${route.pattern} is routed twice.`);
    address.routes.set(route.method, route);
    const methods = new Set([...address.routes.keys(), 'OPTIONS']);
    if (methods.has('GET')) methods.add('HEAD');
    address.allow = [...methods].sort();
  }

  /** @param path as sent, not decoded; null when there is no such address */
  match(path: string): Address | null {
    const bare = withoutLastSlash(path);
    const known = this.fixed.get(bare);
    if (known !== undefined) return known;
    const [before, ...segments] = bare.split('/');
    return before !== '' || segments.includes('') ? null : walk(this.root, segments, 0);
  }

  private addressOf(pattern: string): Address {
    const segments = pattern.split('/').filter((segment) => segment !== '');
    let at = this.root;
    for (const [index, segment] of segments.entries()) {
      const rest = /^\*(\w+)$/.exec(segment);
      if (rest) {
        if (index !== segments.length - 1) throw new Error(`${pattern}: *${rest[1]} must come last.`);
        return (at.rest ??= this.create(pattern));
      }
      if (/[{}()*?+]/.test(segment)) throw new Error(`${pattern}: only :name and *name are understood.`);
      if (segment.startsWith(':')) {
        at.param ??= node();
        at.param.paramName ||= segment.slice(1);
        if (at.param.paramName !== segment.slice(1)) {
          throw new Error(`${pattern}: this parameter is called ${at.param.paramName} elsewhere.`);
        }
        at = at.param;
      } else {
        let next = at.fixed.get(segment);
        if (next === undefined) at.fixed.set(segment, (next = node()));
        at = next;
      }
    }
    if (at.address === null) {
      at.address = this.create(`/${segments.join('/')}`);
      if (!segments.some((segment) => segment.startsWith(':')))
        this.fixed.set(at.address.pattern, at.address);
    }
    return at.address;
  }

  private create(pattern: string): Address {
    const address: Address = { pattern, routes: new Map(), allow: [] };
    this.addresses.push(address);
    return address;
  }
}

function walk(at: Node, segments: string[], depth: number): Address | null {
  if (depth === segments.length) return at.address;
  const fixed = at.fixed.get(segments[depth] as string);
  return (
    (fixed && walk(fixed, segments, depth + 1)) ??
    (at.param && walk(at.param, segments, depth + 1)) ??
    at.rest
  );
}
