import type { RecordedReply } from '../record/recording.js';
import { withoutProcess } from './any-process.js';
import { compareRecordings } from './compare.js';

function reply(changes: Partial<RecordedReply> = {}, framing = ['Content-Length', '2']): RecordedReply {
  return {
    id: 'one',
    request: { method: 'GET', target: '/api/v1/Commodity/', headers: [], body: null },
    line: 'HTTP/1.1 200 OK',
    status: 200,
    headers: [framing as [string, string]],
    encoding: 'br',
    body: '[]',
    sha256: 'a',
    bytes: 2,
    varies: false,
    connection: 'not waited for',
    ...changes,
  };
}

const streamed = (changes: Partial<RecordedReply> = {}) => reply(changes, ['Transfer-Encoding', 'chunked']);
const throttled = (changes: Partial<RecordedReply> = {}) =>
  reply({ line: 'HTTP/1.1 429 Too Many Requests', status: 429, body: '{}', ...changes });

/** What is left out, and the differences that stay. */
function compared(one: RecordedReply[], other: RecordedReply[]) {
  const { old, newer, throttled: left, framed } = withoutProcess(one, other);
  const kinds = compareRecordings(old, newer).differences.map(({ kind, what }) => `${kind} ${what}`);
  return { left, framed, kinds };
}

describe('recordings of several processes', () => {
  it.each([
    ['throttled in the new one', [reply()], [throttled()], { left: 1 }],
    ['throttled in the old one', [throttled()], [reply()], { left: 1 }],
    ['throttled in both', [throttled()], [throttled()], {}],
    ['streamed in one', [reply()], [streamed({ sha256: 'b', bytes: 3 })], { framed: 1 }],
  ])('are the same where a reply is %s', (_, one, other, expected) => {
    expect(compared(one, other)).toEqual({ left: 0, framed: 0, kinds: [], ...expected });
  });

  const login = { request: { ...reply().request, target: '/api/auth/login/' } };
  it.each([
    ['a login is throttled in one', [reply(login)], [throttled(login)]],
    ['a streamed reply has another text', [reply()], [streamed({ body: '[1]' })]],
    ['a streamed reply has another status', [reply()], [streamed({ line: 'HTTP/1.1 500 Internal' })]],
    ['bytes differ of a reply that both send whole', [reply()], [reply({ sha256: 'b' })]],
    ['a reply is in one of them', [reply()], []],
    ['a reply is only in the new one', [], [reply()]],
  ])('differ where %s', (_, one, other) => {
    expect(compared(one, other).kinds).not.toEqual([]);
  });
});
