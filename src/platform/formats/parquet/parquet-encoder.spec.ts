import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { ParquetEncoder, type ParquetColumn } from './parquet-encoder.js';
import { parquetValueOf, type ParquetValue } from './parquet-schema.js';

const file = (columns: readonly ParquetColumn[], ...groups: ParquetValue[][][]): ArrayBuffer => {
  const encoder = new ParquetEncoder(columns);
  const bytes = Buffer.concat([...groups.flatMap((group) => [...encoder.group(group)]), encoder.end()]);
  return Uint8Array.from(bytes).buffer;
};

describe('Parquet', () => {
  it('has the types of the columns, and null in each of them', async () => {
    const columns = [
      { name: 'text', type: 'string' },
      { name: 'id', type: 'integer' },
      { name: 'price', type: 'number' },
      { name: 'calculated', type: 'boolean' },
      { name: 'date', type: 'date' },
    ] as const;
    const rows = [
      ['maïs 😀', 2 ** 50, 0.1, true, '2024-02-29'],
      ['', -1, -0, false, '1000-01-01'],
      [null, null, null, null, null],
      ['=1', '', '', '', ''],
    ];
    const values = columns.map(({ type }, index) =>
      rows.map((row) => parquetValueOf(type)(row[index] ?? null)),
    );
    expect(await parquetReadObjects({ file: file(columns, values) })).toEqual([
      {
        text: 'maïs 😀',
        id: 2n ** 50n,
        price: 0.1,
        calculated: true,
        date: new Date('2024-02-29T00:00:00Z'),
      },
      { text: '', id: -1n, price: -0, calculated: false, date: new Date('1000-01-01T00:00:00Z') },
      { text: null, id: null, price: null, calculated: null, date: null },
      { text: '=1', id: null, price: null, calculated: null, date: null },
    ]);
  });

  it('has the columns alone where there are no rows', () => {
    const metadata = parquetMetadata(file([{ name: 'a', type: 'string' }]));
    expect(metadata.schema.map(({ name }) => name)).toEqual(['root', 'a']);
    expect([metadata.num_rows, metadata.row_groups]).toEqual([0n, []]);
  });

  it('has the bounds of each row group, by which readers skip', async () => {
    const columns = [
      { name: 'uuid', type: 'string', bloomFilter: true },
      { name: 'day', type: 'integer' },
    ] as const;
    const bytes = file(
      columns,
      [
        ['b', 'b', 'c'],
        [3n, null, 1n],
      ],
      [
        ['d', 'd'],
        [5n, 4n],
      ],
    );
    const { row_groups: groups } = parquetMetadata(bytes);
    expect(
      groups.map(({ columns: chunks }) =>
        chunks.map(({ meta_data }) => {
          const { min_value, max_value, null_count } = meta_data!.statistics!;
          return [min_value, max_value, null_count];
        }),
      ),
    ).toEqual([
      [
        ['b', 'c', 0n],
        [1n, 3n, 1n],
      ],
      [
        ['d', 'd', 0n],
        [4n, 5n, 0n],
      ],
    ]);
    expect(groups[0]!.columns[0]!.meta_data!.bloom_filter_length).toBeGreaterThan(0);
    const found = await parquetReadObjects({ file: bytes, filter: { uuid: { $eq: 'd' } } });
    expect(found.map(({ day }) => day as bigint)).toEqual([5n, 4n]);
  });
});
