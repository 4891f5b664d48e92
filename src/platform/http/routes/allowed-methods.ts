import type { Application } from 'express';

/** The parts of a layer of Express's router that are needed here. */
interface Layer {
  route?: { path: string; methods: Readonly<Record<string, boolean>> };
  match(path: string): unknown;
}

/**
 * The methods that Express's router has routes for at a path, HEAD and OPTIONS included; empty
 * where there is no such path. Of several patterns that match, the first one has the path.
 */
export function allowedMethods(app: Application, path: string): string[] {
  const methods = new Set<string>();
  let pattern: string | null = null;
  for (const layer of app.router.stack as unknown as Layer[]) {
    if (layer.route === undefined || !matches(layer, path)) continue;
    pattern ??= layer.route.path;
    if (layer.route.path !== pattern) continue;
    for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
  }
  if (methods.size === 0) return [];
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods.add('OPTIONS')].sort();
}

/** A path that cannot be decoded matches nothing. */
function matches(layer: Layer, path: string): boolean {
  try {
    return Boolean(layer.match(path));
  } catch {
    return false;
  }
}

/**
 * The test of a path that matches a pattern: whether it may be another resource, because it also
 * matches a pattern that comes before, as `Thing/latest` before `Thing/:id`. Made once for each
 * route, it compares a path with those few of hundreds of patterns which overlap.
 */
export function shadowTest(app: Application, pattern: string): (path: string) => boolean {
  const stack = app.router.stack as unknown as Layer[];
  const own = stack.findIndex(({ route }) => route?.path === pattern);
  const before = stack.slice(0, own).filter(({ route }) => route && overlap(route.path, pattern));
  return (path) => before.some((layer) => matches(layer, path));
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
