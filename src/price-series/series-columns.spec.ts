import fc from 'fast-check';
import { TimeSlice } from '../common/scheduling/time-slice.js';
import {
  COLUMN_NAMES,
  ColumnsDraft,
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
  it('gives back every uuid, in small letters', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uuid(), fc.boolean(), async (uuid, capitals) => {
        const draft = new ColumnsDraft(NO_SERIES, 1);
        draft.add(valuesOf(capitals ? uuid.toUpperCase() : uuid, 0, 1));
        expect(uuidAt(await draft.ordered(new Uint16Array(1), new TimeSlice()), 0)).toBe(uuid);
      }),
    );
  });

  it.each([
    '',
    'x',
    '{01234567-89ab-4def-8123-456789abcdef}',
    '0123456789ab4def8123456789abcdef',
    '01234567-89ab-4def-8123-456789abcdeg',
  ])('refuses %j', (text) => expect(uuidWords(text)).toBeNull());
});

describe('ColumnsDraft', () => {
  const country = [2, 0, 1];
  const series = fc.uniqueArray(fc.record({ uuid: fc.uuid(), market: fc.nat(2) }), {
    selector: ({ uuid }) => uuid,
    maxLength: 300,
  });

  it('orders series by the country of their market, then uuid, and keeps their values together', async () => {
    await fc.assert(
      fc.asyncProperty(series, fc.nat(300), async (rows, known) => {
        const first = new ColumnsDraft(NO_SERIES, Math.min(known, rows.length));
        for (const [id, { uuid, market }] of rows.slice(0, known).entries())
          first.add(valuesOf(uuid, market, id));
        const countryOf = Uint16Array.from(country);
        const before = await first.ordered(countryOf, new TimeSlice());
        const draft = new ColumnsDraft(before, rows.length);
        for (const [id, { uuid, market }] of rows.entries()) {
          if (id >= known) expect(draft.add(valuesOf(uuid, market, id))).toBe(true);
        }
        expect(draft.add(valuesOf('01234567-89ab-4def-8123-456789abcdef', 0, 0))).toBe(false);
        const columns = await draft.ordered(countryOf, new TimeSlice());
        const key = (row: { uuid: string; market: number }) => `${country[row.market]} ${row.uuid}`;
        const expected = rows.map((row, id) => ({ ...row, id })).sort((a, b) => (key(a) < key(b) ? -1 : 1));
        expect(
          [...columns.id].map((id, place) => ({
            uuid: uuidAt(columns, place),
            market: columns.market[place],
            id,
          })),
        ).toEqual(expected);
        const index = await UuidIndex.of(columns, new TimeSlice());
        expect(expected.map(({ uuid }) => index.find(uuidWords(uuid)!))).toEqual(
          expected.map((_, place) => place),
        );
        expect(index.find(uuidWords('01234567-89ab-4def-8123-456789abcdef')!)).toBe(-1);
      }),
    );
  });

  it('copies the columns that change and shares the others', async () => {
    const draft = new ColumnsDraft(NO_SERIES, 1);
    const values = valuesOf('01234567-89ab-4def-8123-456789abcdef', 0, 7);
    draft.add(values);
    const before = await draft.ordered(new Uint16Array(1), new TimeSlice());
    const change = new ColumnsDraft(before, 1);
    change.set(0, { ...values, end1: 9, last_day: 9 });
    const after = await change.ordered(new Uint16Array(1), new TimeSlice());
    expect(COLUMN_NAMES.filter((name) => after[name] !== before[name])).toEqual(['end1', 'last_day']);
    expect([before.end1[0], after.end1[0]]).toEqual([0, 9]);
  });
});

describe('UuidIndex', () => {
  it('tells apart uuids that stand in the same slot', async () => {
    // The slot depends on the first and the last word together, so these all begin at one.
    const uuids = Array.from({ length: 50 }, (_, number) => {
      const word = (number + 1).toString(16).padStart(8, '0');
      return `${word}-0000-4000-8000-0000${word}`;
    });
    const draft = new ColumnsDraft(NO_SERIES, uuids.length);
    for (const [id, uuid] of uuids.entries()) draft.add(valuesOf(uuid, 0, id));
    const index = await UuidIndex.of(
      await draft.ordered(new Uint16Array(1), new TimeSlice()),
      new TimeSlice(),
    );
    expect(uuids.map((uuid) => index.find(uuidWords(uuid)!))).toEqual(uuids.map((_, place) => place));
    expect(index.find(uuidWords('000000ff-0000-4000-8000-0000000000ff')!)).toBe(-1);
  });
});
