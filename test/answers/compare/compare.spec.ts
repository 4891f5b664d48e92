import type { RecordedReply } from '../record/recording.js';
import { compareRecordings } from './compare.js';
import { reportLines } from './report.js';
import { readTexts } from './texts.js';

const TAGS = [
  '"aaaaaaaaaaaaaaaaaaaaaaaaaaa"',
  '"bbbbbbbbbbbbbbbbbbbbbbbbbbb"',
  '"ccccccccccccccccccccccccccc"',
];

function reply(changes: Partial<RecordedReply> = {}): RecordedReply {
  return {
    id: 'one',
    request: { method: 'GET', target: '/api/v1/Commodity/', headers: [], body: null },
    line: 'HTTP/1.1 200 OK',
    status: 200,
    headers: [
      ['Content-Type', 'application/json; charset=utf-8'],
      ['Date', '<date>'],
    ],
    encoding: null,
    body: '{"detail":"There is nothing here."}',
    sha256: 'a',
    bytes: 35,
    varies: false,
    connection: 'not waited for',
    ...changes,
  };
}

const withHeader = (name: string, value: string, changes: Partial<RecordedReply> = {}) =>
  reply({ ...changes, headers: [...reply().headers, [name, value]] });
const found = (old: RecordedReply[], newer: RecordedReply[], texts = '') =>
  compareRecordings(old, newer, readTexts(texts));
const differences = (...recordings: Parameters<typeof found>) =>
  found(...recordings).differences.map(({ kind, what }) => [kind, what]);

const changed = reply({ body: '{"detail":"Nothing found."}', sha256: 'b', bytes: 27 });
const ALLOWED = 'There is nothing here. => Nothing found.';

describe('comparing recordings', () => {
  it('finds nothing where nothing differs', () => {
    expect(found([reply()], [reply()])).toEqual({
      compared: 1,
      differences: [],
      texts: [],
      renamedTags: 0,
      recased: [],
    });
  });

  it('finds other statuses, headers, bodies and connections', () => {
    const other = withHeader('Vary', 'Accept', { line: 'HTTP/1.1 404 Not Found', connection: 'closed' });
    expect(differences([reply()], [{ ...other, body: '{"detail":"Gone."}' }])).toEqual([
      ['body', 'detail: There is nothing here. => Gone.'],
      ['status', 'HTTP/1.1 200 OK => HTTP/1.1 404 Not Found'],
      ['connection', 'not waited for => closed'],
      ['header', 'vary: (none) => Accept'],
    ]);
    expect(differences([withHeader('Vary', 'Accept')], [reply()])).toEqual([
      ['header', 'vary: Accept => (none)'],
    ]);
  });

  it('finds requests that are in one recording only, or are others', () => {
    const request = { ...reply().request, target: '/' };
    expect(
      differences([reply(), reply({ id: 'two' })], [reply({ request }), reply({ id: 'three' })]),
    ).toEqual([
      ['request', 'only in the new recording'],
      ['request', 'the request is another one'],
      ['request', 'only in the old recording'],
    ]);
  });

  it('finds other bytes of the same text, unless they differ each time', () => {
    const compressed = reply({ encoding: 'br' });
    const other = { ...compressed, sha256: 'b' };
    expect(differences([compressed], [other])).toEqual([['body', 'other bytes of the same text (br)']]);
    expect(differences([{ ...compressed, varies: true }], [{ ...other, varies: true }])).toEqual([]);
  });

  it('leaves out dates and rate limits, and capitals of names', () => {
    const { differences: none, recased } = found(
      [withHeader('RateLimit', '"read";r=1;t=60')],
      [reply({ headers: [['content-type', 'application/json; charset=utf-8']] })],
    );
    expect([none, recased]).toEqual([[], ['Content-Type => content-type']]);
  });

  it('allows changed texts, with the lengths that follow from them', () => {
    const length = (bytes: number) => withHeader('Content-Length', String(bytes), { id: 'head', body: '' });
    const comparison = found([length(35), reply()], [length(27), changed], ALLOWED);
    expect(comparison.differences).toEqual([]);
    expect(comparison.texts.map(({ count }) => count)).toEqual([1]);
    expect(differences([length(35), reply()], [length(28), changed], ALLOWED)).toEqual([
      ['header', 'content-length: 35 => 28'],
    ]);
  });

  it('tells of texts that were allowed and never needed', () => {
    const comparison = found([reply()], [changed], `# changed\n${ALLOWED}\n\nNobody => says this`);
    expect([...reportLines(comparison)]).toEqual([
      '1 replies compared: no difference.',
      'used 1 times: There is nothing here. => Nothing found.',
      'never used: Nobody => says this',
    ]);
  });

  it('shows what is not allowed, by kind', () => {
    const comparison = found([reply(), reply({ id: 'two' })], [changed, { ...changed, id: 'two' }]);
    expect([...reportLines(comparison)]).toEqual([
      '== body',
      'detail: There is nothing here. => Nothing found.   (2)',
      '    one',
      '    two',
      '',
      '2 replies compared: 2 differ.',
    ]);
  });

  it('lets tags be renamed, each to one and the same', () => {
    const tagged = (...tags: string[]) =>
      tags.map((tag, index) => withHeader('ETag', tag, { id: String(index) }));
    const [a = '', b = '', c = ''] = TAGS;
    expect(found(tagged(a, b, a), tagged(c, b, c))).toMatchObject({ differences: [], renamedTags: 1 });
    expect(differences(tagged(a, a), tagged(b, c))).toEqual([['header', `etag: ${a} => ${c}`]]);
    expect(differences(tagged(a, b), tagged(c, c))).toEqual([['header', `etag: ${b} => ${c}`]]);
    expect(differences(tagged(a), tagged(`W/${a}`))).toEqual([['header', `etag: ${a} => W/${a}`]]);
    expect(differences(tagged('"1"'), tagged('"2"'))).toEqual([['header', 'etag: "1" => "2"']]);
  });

  it('rejects a list of texts that it does not understand', () => {
    expect(() => readTexts('old text -> new text')).toThrow('Line 1 is not');
  });

  const allowed = (old: string, newer: string, texts: string) =>
    differences(
      [reply({ body: JSON.stringify({ id: 1, detail: old }) })],
      [reply({ body: JSON.stringify({ id: 1, detail: newer }), sha256: 'b' })],
      texts,
    ).length === 0;

  it.each([
    ['page: x is empty.', 'page: x is required.', '{…} is empty. => {…} is required.'],
    ['2 of 3 taken.', '3 with 2.', '{a} of {b} taken. => {b} with {a}.'],
    [
      '5 is no date.',
      'day must be a date, not 5.',
      '{value} is no date. => {field} must be a date, not {value}.',
    ],
    [
      'a differs: a and b are one.',
      'a must equal b.',
      '{…} differs: {…} and {…} are one. => {…} must equal {…}.',
    ],
    ['Say "a".', 'Write "a".', 'Say "{…}". => Write "{…}".'],
    ['One. Two.', 'First. Second.', 'One. => First.\nTwo. => Second.'],
    ['There is no {id}.', 'Not found: {id}.', 'There is no {…}. => Not found: {…}.'],
  ])('allows %j to become %j', (old, newer, texts) => {
    expect(allowed(old, newer, texts)).toBe(true);
  });

  it.each([
    ['page: x is empty.', 'page: y is required.', '{…} is empty. => {…} is required.'],
    ['2 of 3 taken.', '2 with 3.', '{a} of {b} taken. => {b} with {a}.'],
    ['One. Two.', 'First. Two, three.', 'One. => First.'],
  ])('does not allow %j to become %j', (old, newer, texts) => {
    expect(allowed(old, newer, texts)).toBe(false);
  });

  it('allows no other name of a member', () => {
    const renamed = [reply({ body: '{"old":1}' })];
    expect(differences(renamed, [reply({ body: '{"new":1}', sha256: 'b' })], 'old => new')).toEqual([
      ['body', 'old: 1 => (nothing)'],
      ['body', 'new: (nothing) => 1'],
    ]);
  });

  it('explains a text of several lines line by line', () => {
    const lines = (word: string) => Array.from({ length: 9 }, (_, n) => `${word} ${n}.`).join('\n');
    expect(allowed(lines('old'), lines('new'), 'old {…}. => new {…}.')).toBe(true);
  });

  it('applies a change only where the new text has it, and only inside of texts', () => {
    const body = (one: string, other: string, id = 1) =>
      reply({ body: JSON.stringify({ one, other, id }), sha256: one });
    const texts = 'old => new\n1 => 2';
    expect(differences([body('old', 'old')], [body('new', 'old')], texts)).toEqual([]);
    expect(differences([body('old', 'old')], [body('new', 'old', 2)], texts)).toEqual([
      ['body', 'id: 1 => 2'],
    ]);
  });
});
