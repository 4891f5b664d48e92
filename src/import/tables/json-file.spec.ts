import { chunksOf } from '../../../test/support/import-input.js';
import { ImportRejected, WrongFormat } from '../formats/batch.js';
import { openTable } from './open-table.js';

/** The header, the records with their numbers and types, and what is rejected. */
async function read(text: string, length?: number) {
  const file = await openTable(chunksOf(text, length), { isWanted: () => Promise.resolve(true) });
  const records: (readonly [number, string[], string | undefined])[] = [];
  const rejects: string[] = [];
  for await (const batch of file.batches()) {
    batch.records.forEach((record, index) =>
      records.push([batch.lines[index]!, record, batch.types?.[index]]),
    );
    for (const { line, field, reason, detail } of batch.rejects)
      rejects.push(`${line} ${field} ${reason}: ${detail}`);
  }
  return { header: file.header, records, rejects, notes: file.notes };
}

describe('JsonFile', () => {
  const records = '{"a":"x, \\"y\\"","b":1.5},{"b":-2e-7,"c":true,"a":null}';
  it.each([
    ['an array', `\ufeff[${records}]`],
    ['lines', records.replace('},', '}\n')],
    ...['data', 'Data', 'records', 'results', 'observations', 'items', 'value'].map((list) => [
      `an envelope with ${list}`,
      `{"count":2,"links":["x"],"${list}":[${records}],"next":null}`,
    ]),
  ])('reads records in %s, in chunks of any length', async (_, text) => {
    for (const length of [1, 7, 1000])
      expect(await read(text, length)).toEqual({
        header: ['a', 'b', 'c'],
        records: [
          [1, ['x, "y"', '1.5', ''], 'tnt'],
          [2, ['', '-2e-7', 'true'], 'tnt'],
        ],
        rejects: [],
        notes: [],
      });
  });

  it('knows the columns by the first 200 records', async () => {
    const list = Array.from({ length: 250 }, (_, index) => ({ a: index, ...(index === 199 && { b: 1 }) }));
    const { header, records, rejects } = await read(JSON.stringify([...list, { a: 1, c: 2 }]), 50);
    expect([header, records.length, records.at(-1)]).toEqual([['a', 'b'], 250, [250, ['249', ''], 'nt']]);
    expect(rejects).toEqual(['251 c columns: The record has "c", which none of the first records has.']);
  });

  it('leaves columns of lists and objects out, and says so; one such value is rejected', async () => {
    const text = '[{"a":1,"b":{"c":2},"d":[1]},{"a":[2],"b":null,"d":"x"},{"a":3,"b":{},"d":"y"}]';
    expect(await read(text)).toEqual({
      header: ['a', 'd'],
      records: [[3, ['3', 'y'], 'nt']],
      rejects: [
        '1 d nested: d must be one value, not a list or an object.',
        '2 a nested: a must be one value, not a list or an object.',
      ],
      notes: ['Lists and objects within records are not read: b.'],
    });
  });

  it('rejects elements that are no records', async () => {
    const { records, rejects } = await read('[{"a":1},\n{"a":NaN},[1],{"a":2}]');
    expect(records).toEqual([
      [1, ['1'], 'n'],
      [4, ['2'], 'n'],
    ]);
    expect(rejects).toEqual([
      '2  invalid_json: The element is not valid JSON: line 2, column 6: NaN is not JSON: write null.',
      '3  invalid_json: The element is a list, not an object.',
    ]);
  });

  const noRecords =
    'The JSON has no records: it must be an array of objects, or have one in data, items, observations, records, results or value.';
  it.each<[string, string, ImportRejected]>([
    ['an empty list', '[]', new ImportRejected('The input is empty, or a list without elements.')],
    [
      'a list of lists',
      '[["a"],[1]]',
      new WrongFormat('The JSON has no records: it is a list of lists, not of objects.'),
    ],
    ['a list of numbers', '[1,2]', new WrongFormat(noRecords)],
    [
      'what is no JSON',
      '[{"a":}]',
      new ImportRejected('The JSON is not valid: line 1, column 7: "}" is not expected there.'),
    ],
    ['JSON that ends too early', '[{"a":1}', new ImportRejected('The JSON ends unexpectedly.')],
    [
      'a value without end',
      `[{"a":"${'x'.repeat(9 * 1024 * 1024)}`,
      new ImportRejected('The input is not a list: one value is larger than 8 MB.'),
    ],
    [
      'lists in lists without end',
      '['.repeat(9 * 1024 * 1024),
      new ImportRejected('The input is not a list: one value is larger than 8 MB.'),
    ],
  ])('rejects %s', async (_, text, error) => {
    await expect(read(text)).rejects.toEqual(error);
  });

  it('reads a list without end record by record', async () => {
    async function* endless() {
      yield Buffer.from('[');
      for (;;) yield Buffer.from('{"a":1},'.repeat(1000));
    }
    const file = await openTable(endless(), { isWanted: () => Promise.resolve(true) });
    let read = 0;
    for await (const { records } of file.batches()) if ((read += records.length) > 1_000_000) break;
    expect(read).toBeGreaterThan(1_000_000);
  });
});
