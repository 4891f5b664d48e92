import { splitTarget } from './request.js';

it.each([
  ['/a/b?c=d', '/a/b', 'c=d'],
  ['/a', '/a', ''],
  ['/a?', '/a', ''],
  ['/a?b?c', '/a', 'b?c'],
  ['/?http://x/y', '/', 'http://x/y'],
  ['http://host/a/b?c', '/a/b', 'c'],
  ['HTTPS://host:8443/a', '/a', ''],
  ['http://host', '/', ''],
  ['http://host?x', '/', 'x'],
  ['//host/a', '//host/a', ''],
  ['*', '*', ''],
])('%s', (url, path, query) => {
  expect(splitTarget(url)).toEqual({ path, query });
});
