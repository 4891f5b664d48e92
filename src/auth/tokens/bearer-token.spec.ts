import type { IncomingMessage } from 'node:http';
import { extractBearerToken } from './bearer-token.js';

const extract = (...authorization: string[]) =>
  extractBearerToken({
    headersDistinct: authorization.length === 0 ? {} : { authorization },
  } as IncomingMessage);

describe('extractBearerToken', () => {
  it('returns the token after Bearer', () => expect(extract('Bearer a.b.c')).toBe('a.b.c'));

  it.each([[[]], [['Basic YTpi']], [['Bearer a.b.c', 'Bearer d.e.f']]])('returns null for %j', (headers) => {
    expect(extract(...headers)).toBeNull();
  });
});
