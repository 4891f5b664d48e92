import fc from 'fast-check';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import {
  COLUMN_NAMES,
  ColumnsBuilder,
  NO_SERIES,
  type SeriesValues,
  UuidIndex,
  uuidAt,
  uuidWords,
} from './series-columns.js';

const valuesOf = (uuid: string, market: number, id: number): SeriesValues => {
  const [uuid0, uuid1, uuid2, uuid3] = uuidWords(uuid)!;
  const zeros = Object.fromEntries(COLUMN_NAMES.map((name) => [name, 0])) as SeriesValues;
  return { ...zeros, id, uuid0, uuid1, uuid2, uuid3, market };
};

describe('uuidWords', () => {
  it('restores every uuid, in lower case', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uuid(), fc.boolean(), async (uuid, upperCase) => {
        const builder = new ColumnsBuilder(NO_SERIES, 1);
        builder.add(valuesOf(upperCase ? uuid.toUpperCase() : uuid, 0, 1));
        expect(uuidAt(await builder.sorted(new Uint16Array(1), new TimeSlice()), 0)).toBe(uuid);
      }),
    );
  });

  it.each([
    '',
    'x',
    '{01234567-89ab-4def-8123-456789abcdef}',
    '0123456789ab4def8123456789abcdef',
    '01234567-89ab-4def-8123-456789abcdeg',
  ])('rejects %j', (text) => expect(uuidWords(text)).toBeNull());
});

describe('ColumnsBuilder', () => {
  const country = [2, 0, 1];
  const series = fc.uniqueArray(fc.record({ uuid: fc.uuid(), market: fc.nat(2) }), {
    selector: ({ uuid }) => uuid,
    maxLength: 300,
  });

  it('sorts series by the country of their market, then uuid, and keeps their values together', async () => {
    await fc.assert(
      fc.asyncProperty(series, fc.nat(300), async (rows, earlier) => {
        const first = new ColumnsBuilder(NO_SERIES, Math.min(earlier, rows.length));
        for (const [id, { uuid, market }] of rows.slice(0, earlier).entries())
          first.add(valuesOf(uuid, market, id));
        const countryOf = Uint16Array.from(country);
        const before = await first.sorted(countryOf, new TimeSlice());
        const builder = new ColumnsBuilder(before, rows.length);
        for (const [id, { uuid, market }] of rows.entries()) {
          if (id >= earlier) expect(builder.add(valuesOf(uuid, market, id))).toBe(true);
        }
        expect(builder.add(valuesOf('01234567-89ab-4def-8123-456789abcdef', 0, 0))).toBe(false);
        const columns = await builder.sorted(countryOf, new TimeSlice());
        const key = (row: { uuid: string; market: number }) => `${country[row.market]} ${row.uuid}`;
        const expected = rows.map((row, id) => ({ ...row, id })).sort((a, b) => (key(a) < key(b) ? -1 : 1));
        expect(
          [...columns.id].map((id, row) => ({
            uuid: uuidAt(columns, row),
            market: columns.market[row],
            id,
          })),
        ).toEqual(expected);
        const index = await UuidIndex.of(columns, new TimeSlice());
        expect(expected.map(({ uuid }) => index.find(uuidWords(uuid)!))).toEqual(
          expected.map((_, row) => row),
        );
        expect(index.find(uuidWords('01234567-89ab-4def-8123-456789abcdef')!)).toBe(-1);
      }),
    );
  });

  it('copies changed columns and shares the others', async () => {
    const builder = new ColumnsBuilder(NO_SERIES, 1);
    const values = valuesOf('01234567-89ab-4def-8123-456789abcdef', 0, 7);
    builder.add(values);
    const before = await builder.sorted(new Uint16Array(1), new TimeSlice());
    const change = new ColumnsBuilder(before, 1);
    change.set(0, { ...values, end1: 9, last_day: 9 });
    const after = await change.sorted(new Uint16Array(1), new TimeSlice());
    expect(COLUMN_NAMES.filter((name) => after[name] !== before[name])).toEqual(['end1', 'last_day']);
    expect([before.end1[0], after.end1[0]]).toEqual([0, 9]);
  });
});

describe('UuidIndex', () => {
  it('distinguishes uuids with the same hash', async () => {
    // The slot is hashed from the first and the last word together, so probing for all of these
    // begins at the same slot.
    const uuids = Array.from({ length: 50 }, (_, number) => {
      const word = (number + 1).toString(16).padStart(8, '0');
      return `${word}-0000-4000-8000-0000${word}`;
    });
    const builder = new ColumnsBuilder(NO_SERIES, uuids.length);
    for (const [id, uuid] of uuids.entries()) builder.add(valuesOf(uuid, 0, id));
    const index = await UuidIndex.of(
      await builder.sorted(new Uint16Array(1), new TimeSlice()),
      new TimeSlice(),
    );
    expect(uuids.map((uuid) => index.find(uuidWords(uuid)!))).toEqual(uuids.map((_, row) => row));
    expect(index.find(uuidWords('000000ff-0000-4000-8000-0000000000ff')!)).toBe(-1);
  });
});
