import { type Route, RouteTable } from './route-table.js';

const route = (method: string, pattern: string): Route => ({
  method,
  pattern,
  formats: ['json'],
  freshness: 'none',
  cachedBy: null,
  rawBody: null,
  alwaysServed: false,
  deadline: true,
  throttleGroup: 'read',
  query: null,
});

function table(...routes: string[]): RouteTable {
  const made = new RouteTable();
  for (const one of routes) made.add(route(...(one.split(' ') as [string, string])));
  return made;
}

const found = (routes: RouteTable, path: string) => routes.match(path)?.pattern ?? null;

describe('RouteTable', () => {
  const routes = table(
    'GET /',
    'GET /a',
    'GET /a/b',
    'GET /a/:id',
    'POST /a/:id',
    'DELETE /a/:id',
    'GET /a/:id/c',
    'GET /docs/*file',
    'GET /docs/index',
  );

  it.each([
    ['/', '/'],
    ['/a', '/a'],
    ['/a/', '/a'],
    ['/a/b', '/a/b'],
    ['/a/b/', '/a/b'],
    ['/a/x', '/a/:id'],
    ['/a/x/', '/a/:id'],
    ['/a/b/c', '/a/:id/c'],
    ['/docs/x', '/docs/*file'],
    ['/docs/x/y.js', '/docs/*file'],
    ['/docs/index', '/docs/index'],
    ['/docs', null],
    ['/docs/', null],
    ['/A', null],
    ['//a', null],
    ['/a//', null],
    ['/a//c', null],
    ['/a/x/d', null],
    ['/a/x/c/', '/a/:id/c'],
    ['/docs/x//y', null],
    ['a', null],
    ['*', null],
  ])('%s is %s', (path, pattern) => {
    expect(found(routes, path)).toBe(pattern);
  });

  it('lists the methods of an address, HEAD with GET and OPTIONS always', () => {
    expect(routes.match('/a/5')?.allow).toEqual(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST']);
    expect(table('POST /x').match('/x')?.allow).toEqual(['OPTIONS', 'POST']);
  });

  it.each([
    [['GET /a', 'GET /a/'], 'GET /a/ is routed twice.'],
    [['GET /a/:id', 'GET /a/:name'], '/a/:name: this parameter is called id elsewhere.'],
    [['GET /*rest/b'], '/*rest/b: *rest must come last.'],
    [['GET /a{/:id}'], '/a{/:id}: only :name and *name are understood.'],
    [['GET /a/b?'], '/a/b?: only :name and *name are understood.'],
  ])('refuses %j', (given, message) => {
    expect(() => table(...given)).toThrow(message);
  });
});
