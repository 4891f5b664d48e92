import { recordParts } from './record-parts.js';

const fields = ['id', 'name', 'rate', 'open'];
const pieces = [
  [],
  [{ id: 1, name: 'a, "b"', rate: null, open: true }],
  [],
  [{ id: 2, name: '=1', rate: -0.5, open: false }],
];

const whole = async (format: 'json' | 'csv' | 'ndjson', from: object[][]) => {
  let text = '';
  for await (const part of recordParts(format, fields, from)) text += part;
  return text;
};

describe('recordParts', () => {
  it('writes JSON as it is written in one go', async () => {
    expect(await whole('json', pieces)).toBe(JSON.stringify(pieces.flat()));
    expect(await whole('json', [])).toBe('[]');
    expect(await whole('json', [[]])).toBe('[]');
  });

  it('writes a line of JSON for each record', async () => {
    expect(await whole('ndjson', pieces)).toBe(
      pieces
        .flat()
        .map((record) => `${JSON.stringify(record)}\n`)
        .join(''),
    );
    expect(await whole('ndjson', [])).toBe('');
  });

  it('writes CSV with a header, guarded texts and nothing for null', async () => {
    expect(await whole('csv', pieces)).toBe(
      'id,name,rate,open\r\n1,"a, ""b""",,true\r\n2,\'=1,-0.5,false\r\n',
    );
    expect(await whole('csv', [])).toBe('id,name,rate,open\r\n');
  });
});
