import { digestTag, ifNoneMatchIncludes, parseTags, tagHeader } from './etag.js';

describe('entity tags', () => {
  it('are strong, and tell encodings apart', () => {
    expect([tagHeader('a'), tagHeader('a', 'br'), tagHeader('a', 'gzip')]).toEqual([
      '"a"',
      '"a-br"',
      '"a-gzip"',
    ]);
  });

  it('of a digest never end like that of a compressed form', () => {
    const tags = Array.from({ length: 500 }, (_, index) => digestTag(String(index)));
    expect(new Set(tags).size).toBe(500);
    for (const tag of tags) expect(tag).toMatch(/^[A-Za-z0-9_.]{27}$/);
    expect(digestTag(Buffer.from('5'))).toBe(tags[5]);
  });

  it('are read from a header, without the suffix of their form', () => {
    expect(parseTags('"a", W/"b-br","c-gzip" , broken, "", "d,e"')).toEqual([
      { tag: 'a', weak: false },
      { tag: 'b', weak: true },
      { tag: 'c', weak: false },
      { tag: '', weak: false },
      { tag: 'd,e', weak: false },
    ]);
    expect(parseTags(' * ')).toBe('*');
    expect(parseTags('a')).toEqual([]);
  });

  it.each([
    ['"a"', true],
    ['"a-br"', true],
    ['W/"a"', true],
    ['"b", "a-gzip"', true],
    ['*', true],
    ['"ab"', false],
    ['"a-deflate"', false],
    ['a', false],
    ['', false],
  ])('%s names a: %s', (header, expected) => {
    expect(ifNoneMatchIncludes(header, 'a')).toBe(expected);
  });
});
