import fc from 'fast-check';
import { chunksOf } from '../../../test/support/import-input.js';
import { assertProperty } from '../../../test/support/property.js';
import { jsonElements } from './json-elements.js';

async function elements(text: string, length?: number): Promise<unknown[]> {
  const parsed: unknown[] = [];
  for await (const batch of jsonElements(chunksOf(text, length))) {
    parsed.push(...batch.map(({ text }) => JSON.parse(text) as unknown));
  }
  return parsed;
}

describe('jsonElements', () => {
  it.each([
    ['an array', ' [ {"a":1} , {"b":[2,{"results":[3]}]} ]\n', [{ a: 1 }, { b: [2, { results: [3] }] }]],
    [
      'an envelope',
      '{"count":2,"x":{"results":[]},"results" : [{"a":"]}\\""},{"b":{}}],"next":null}',
      [{ a: ']}"' }, { b: {} }],
    ],
    [
      'an envelope with much whitespace',
      `{"x":"results","y":[1],"results"${' '.repeat(3000)}:${'\n'.repeat(3000)}[{"a":1}]}`,
      [{ a: 1 }],
    ],
    ['an object with the value results', '{"x":"results","y":[{"a":1}]}', [{ x: 'results', y: [{ a: 1 }] }]],
    ['an object with a longer name', '{"x\\"results":[{"a":1}]}', [{ 'x"results': [{ a: 1 }] }]],
    [
      'an object per line',
      '{"a":1}\n{"b":{"results":[{"c":2}]}}\n',
      [{ a: 1 }, { b: { results: [{ c: 2 }] } }],
    ],
    ['an envelope per line', '{"results":[{"a":1}]}\n{"results":[{"b":2}],"count":1}', [{ a: 1 }, { b: 2 }]],
    ['one object', '{"a":"é𝄞"}', [{ a: 'é𝄞' }]],
    ['an empty list', '[]', []],
    ['an empty envelope', '{"count":0,"results":[]}', []],
    ['nothing', '', []],
  ])('returns the elements of %s, for any chunk size', async (_, text, expected) => {
    for (const length of [1, 2, 3, 7, 1000]) expect(await elements(text, length)).toEqual(expected);
  });

  it.each([
    ['[{"a":1}', 'The JSON ends unexpectedly.'],
    ['{"results":[{"a":1}', 'The JSON ends unexpectedly.'],
    ['{"a":"1', 'The JSON ends unexpectedly.'],
    ['[{"a":1}]]', 'The input is not valid JSON: it has an unmatched closing bracket.'],
    ['[1,{"a":1}]', 'The input is not a list of JSON objects.'],
    ['[{"a":1},"b"]', 'The input is not a list of JSON objects.'],
    ['date,price\n2021,5\n', 'The input is not a list of JSON objects.'],
    ['{"a":1} and more', 'The input is not a list of JSON objects.'],
  ])('rejects %s', async (text, message) => {
    for (const length of [1, 1000]) await expect(elements(text, length)).rejects.toThrow(message);
  });

  it('rejects an element that is too long', async () => {
    await expect(elements(`{"a":"${'x'.repeat(9 * 1024 * 1024)}`)).rejects.toThrow(
      'one value is larger than 8 MB',
    );
  });

  it.each([
    ['lists with names', ',"a":[]'],
    ['lists without', ',[]'],
    ["the envelope's name before lists", ',"results" []'],
    ['whitespace and lists', ' [ ] '],
  ])('scans an element of many %s only once', async (_, list) => {
    // Scanning it once for each of them would take minutes.
    for await (const batch of jsonElements(chunksOf(`{"b":1${list.repeat(2_000_000 / list.length)}}`)))
      expect(batch).toHaveLength(1);
  });

  it('reads what JSON.stringify wrote', async () => {
    const list = fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), { maxLength: 6 });
    await assertProperty(
      'JSON lists read as written',
      fc.asyncProperty(
        list,
        fc.integer({ min: 1, max: 50 }),
        fc.constantFrom(0, 1, 2),
        async (records, length, form) => {
          const plain = records.map(
            (record) => JSON.parse(JSON.stringify({ first: 1, ...record })) as object,
          );
          const text =
            form === 0
              ? JSON.stringify(plain)
              : form === 1
                ? JSON.stringify({ count: plain.length, results: plain, previous: null }, null, 1)
                : plain.map((record) => JSON.stringify(record)).join('\n');
          // As NDJSON, an object with results of its own is an envelope.
          fc.pre(form !== 2 || !/"results":\[/.test(text));
          expect(await elements(text, length)).toEqual(plain);
        },
      ),
    );
  });
});
