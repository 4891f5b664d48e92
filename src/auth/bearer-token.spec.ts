import type { IncomingMessage } from 'node:http';
import { tokenOf } from './bearer-token.js';

const sent = (...authorization: string[]) =>
  tokenOf({ headersDistinct: authorization.length === 0 ? {} : { authorization } } as IncomingMessage);

describe('the token of a request', () => {
  it('is what follows Bearer', () => expect(sent('Bearer a.b.c')).toBe('a.b.c'));

  it.each([[[]], [['Basic YTpi']], [['Bearer a.b.c', 'Bearer d.e.f']]])('is none in %j', (headers) => {
    expect(sent(...headers)).toBeNull();
  });
});
