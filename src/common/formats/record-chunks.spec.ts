import { recordChunks } from './record-chunks.js';

const fields = ['id', 'name', 'rate', 'open'];
const batches = [
  [],
  [{ id: 1, name: 'a, "b"', rate: null, open: true }],
  [],
  [{ id: 2, name: '=1', rate: -0.5, open: false }],
];

const serialize = async (format: 'json' | 'csv' | 'ndjson', records: object[][]) => {
  let text = '';
  for await (const chunk of recordChunks(format, fields, records)) text += chunk;
  return text;
};

describe('recordChunks', () => {
  it('writes the same JSON as JSON.stringify', async () => {
    expect(await serialize('json', batches)).toBe(JSON.stringify(batches.flat()));
    expect(await serialize('json', [])).toBe('[]');
    expect(await serialize('json', [[]])).toBe('[]');
  });

  it('writes one line of JSON per record', async () => {
    expect(await serialize('ndjson', batches)).toBe(
      batches
        .flat()
        .map((record) => `${JSON.stringify(record)}\n`)
        .join(''),
    );
    expect(await serialize('ndjson', [])).toBe('');
  });

  it('writes CSV with a header, guarded texts and empty fields for null', async () => {
    expect(await serialize('csv', batches)).toBe(
      'id,name,rate,open\r\n1,"a, ""b""",,true\r\n2,\'=1,-0.5,false\r\n',
    );
    expect(await serialize('csv', [])).toBe('id,name,rate,open\r\n');
  });
});
