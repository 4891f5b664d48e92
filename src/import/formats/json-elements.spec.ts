import fc from 'fast-check';
import { chunksOf } from '../../../test/support/import-input.js';
import { holds } from '../../../test/support/property.js';
import { jsonElements } from './json-elements.js';

async function elements(text: string, length?: number): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const some of jsonElements(chunksOf(text, length))) {
    found.push(...some.map((element) => JSON.parse(element) as unknown));
  }
  return found;
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
      'an envelope with much space in it',
      `{"x":"results","y":[1],"results"${' '.repeat(3000)}:${'\n'.repeat(3000)}[{"a":1}]}`,
      [{ a: 1 }],
    ],
    ['no envelope, but such a value', '{"x":"results","y":[{"a":1}]}', [{ x: 'results', y: [{ a: 1 }] }]],
    ['no envelope, but a longer name', '{"x\\"results":[{"a":1}]}', [{ 'x"results': [{ a: 1 }] }]],
    [
      'an object a line',
      '{"a":1}\n{"b":{"results":[{"c":2}]}}\n',
      [{ a: 1 }, { b: { results: [{ c: 2 }] } }],
    ],
    ['an envelope a line', '{"results":[{"a":1}]}\n{"results":[{"b":2}],"count":1}', [{ a: 1 }, { b: 2 }]],
    ['one object', '{"a":"é𝄞"}', [{ a: 'é𝄞' }]],
    ['an empty list', '[]', []],
    ['an empty envelope', '{"count":0,"results":[]}', []],
    ['nothing', '', []],
  ])('finds those of %s, whatever the pieces', async (_, text, expected) => {
    for (const length of [1, 2, 3, 7, 1000]) expect(await elements(text, length)).toEqual(expected);
  });

  it.each([
    ['[{"a":1}', 'The JSON ends early.'],
    ['{"results":[{"a":1}', 'The JSON ends early.'],
    ['{"a":"1', 'The JSON ends early.'],
    ['[{"a":1}]]', 'The input is not JSON: a bracket is closed that was not open.'],
    ['[1,{"a":1}]', 'The input is not a list of JSON objects.'],
    ['[{"a":1},"b"]', 'The input is not a list of JSON objects.'],
    ['date,price\n2021,5\n', 'The input is not a list of JSON objects.'],
    ['{"a":1} and more', 'The input is not a list of JSON objects.'],
  ])('refuses %s', async (text, message) => {
    for (const length of [1, 1000]) await expect(elements(text, length)).rejects.toThrow(message);
  });

  it('holds no more than one element', async () => {
    await expect(elements(`{"a":"${'x'.repeat(9 * 1024 * 1024)}`)).rejects.toThrow(
      'one value has more than 8 MB',
    );
  });

  it.each([
    ['lists with names', ',"a":[]'],
    ['lists without', ',[]'],
    ["the envelope's name before lists", ',"results" []'],
    ['blanks and lists', ' [ ] '],
  ])('reads an element of many %s once, not once for each of them', async (_, list) => {
    // That took minutes.
    // What is no JSON is found by whoever parses the element.
    for await (const some of jsonElements(chunksOf(`{"b":1${list.repeat(2_000_000 / list.length)}}`)))
      expect(some).toHaveLength(1);
  });

  it('gives back what JSON writes', async () => {
    const list = fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), { maxLength: 6 });
    await holds(
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
          // An object with results of its own is an envelope where it stands alone.
          fc.pre(form !== 2 || !/"results":\[/.test(text));
          expect(await elements(text, length)).toEqual(plain);
        },
      ),
    );
  });
});
