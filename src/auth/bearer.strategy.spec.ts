import type { IncomingMessage } from 'node:http';
import { extractBearerToken } from './bearer.strategy.js';
import { MAX_TOKEN_LENGTH } from './tokens/token-claims.js';

const extract = (...authorization: string[]) =>
  extractBearerToken({
    headersDistinct: authorization.length === 0 ? {} : { authorization },
  } as IncomingMessage);

describe('extractBearerToken', () => {
  const longest = 'x'.repeat(MAX_TOKEN_LENGTH);

  it.each([
    ['Bearer a.b.c', 'a.b.c'],
    ['bEARER   a-b_c~+/==  ', 'a-b_c~+/=='],
    [`Bearer ${longest}`, longest],
  ])('returns the token of %s', (header, token) => expect(extract(header)).toBe(token));

  it.each([
    [[]],
    [['']],
    [['Basic YTpi']],
    [['Bearer a.b.c', 'Bearer d.e.f']],
    [['a Bearer b']],
    [['Bearer a b']],
    [['Bearera']],
    [['Bearer =a']],
    [[`Bearer ${longest}x`]],
  ])('returns null for %j', (headers) => {
    expect(extract(...headers)).toBeNull();
  });
});
