import { parseReply } from './reply.js';

const parse = (text: string, method = 'GET', closed = false) => {
  const parsed = parseReply(Buffer.from(text), method, closed);
  return (
    parsed && [
      parsed.reply.status,
      parsed.reply.body.toString(),
      parsed.reply.truncated,
      text.slice(parsed.end),
    ]
  );
};
const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';

describe('reading replies from the wire', () => {
  it.each([
    ['by its length', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabcd', 'GET', [200, 'ab', false, 'cd']],
    ['in chunks', `${CHUNKED}1\r\na\r\n2\r\nbc\r\n0\r\n\r\nrest`, 'GET', [200, 'abc', false, 'rest']],
    ['of a HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nrest', 'HEAD', [200, '', false, 'rest']],
    ['unchanged', 'HTTP/1.1 304 Not Modified\r\n\r\nrest', 'GET', [304, '', false, 'rest']],
    ['for the time being', 'HTTP/1.1 100 Continue\r\n\r\nrest', 'POST', [100, '', false, 'rest']],
  ])('%s', (_, text, method, expected) => {
    expect(parse(text, method)).toEqual(expected);
  });

  it.each([
    ['a head', 'HTTP/1.1 200 OK\r\nContent-'],
    ['a body', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na'],
    ['a chunk', `${CHUNKED}2\r\na`],
    ['a last chunk', `${CHUNKED}1\r\na\r\n`],
    ['an end', 'HTTP/1.1 200 OK\r\n\r\nabc'],
  ])('waits for the rest of %s', (_, text) => {
    expect(parse(text)).toBeNull();
  });

  it('says what was cut, and takes an end for the end where nothing else tells it', () => {
    expect(parse('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na', 'GET', true)).toEqual([200, 'a', true, '']);
    expect(parse(`${CHUNKED}1\r\na\r\n`, 'GET', true)).toEqual([200, 'a', true, '']);
    expect(parse('HTTP/1.1 200 OK\r\n\r\nabc', 'GET', true)).toEqual([200, 'abc', false, '']);
  });
});
