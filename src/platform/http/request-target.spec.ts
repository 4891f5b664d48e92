import type { IncomingMessage } from 'node:http';
import { originForm, splitTarget } from './request.js';

it.each([
  ['/a/b?c=d', '/a/b', 'c=d'],
  ['/a', '/a', ''],
  ['/a?', '/a', ''],
  ['/a?b?c', '/a', 'b?c'],
  ['/?http://x/y', '/', 'http://x/y'],
  ['//host/a', '//host/a', ''],
  ['*', '*', ''],
])('%s', (url, path, query) => {
  expect(splitTarget(url)).toEqual({ path, query });
});

it.each([
  ['http://host/a/b?c', '/a/b?c', 'host'],
  ['HTTPS://host:8443/a', '/a', 'host:8443'],
  ['http://host', '/', 'host'],
  ['http://host?x', '/?x', 'host'],
  ['http://host//a', '//a', 'host'],
  ['http:///a', '/a', ''],
  ['/http://host/a', '/http://host/a', 'sent'],
  ['ftp://host/a', 'ftp://host/a', 'sent'],
  ['*', '*', 'sent'],
])('%s is %s of %s', (url, target, host) => {
  const request = { url, headers: { host: 'sent' } } as unknown as IncomingMessage;
  expect([originForm(request), request.headers.host]).toEqual([target, host]);
});
