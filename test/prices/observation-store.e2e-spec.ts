import fc from 'fast-check';
import { dayFromIso, isoFromDay } from '../../src/lib/dates/calendar-date.js';
import { driverErrorKind } from '../../src/database/errors/driver-errors.js';
import type { Transaction } from '../../src/ledger/unit-of-work.js';
import {
  DAILY,
  MONTHLY,
  PERIODS,
  PERIOD_NAMES,
  StoredExtents,
  WEEKLY,
  type Period,
} from '../../src/price-series/periodicity.js';
import { ObservationStore } from '../../src/prices/store/observation-store.js';
import { PeriodicityCache } from '../../src/prices/store/periodicity-cache.js';
import type { NewPoint, WriteCounts } from '../../src/prices/store/point-merging.js';
import type { PointKey } from '../../src/prices/store/point-id.js';
import { onSqlite } from '../support/engines.js';
import { openDatabase } from '../support/open-database.js';
import { assertProperty } from '../support/property.js';
import { createSeries } from '../support/series-factory.js';
import { testChange } from '../support/change-set.js';

const store = new ObservationStore();

let opened: Awaited<ReturnType<typeof openDatabase>>;
beforeAll(async () => {
  opened = await openDatabase();
});
afterAll(() => opened.close());

const day = (date: string) => dayFromIso(date)!;

function point(
  serieId: number,
  period: Period,
  date: string,
  value = 1,
  more: Partial<NewPoint> = {},
): NewPoint {
  return { serieId, period, day: day(date), value, calculated: false, comment: null, ...more };
}

const counts = (some: Partial<WriteCounts>): WriteCounts => ({
  added: 0,
  changed: 0,
  unchanged: 0,
  superseded: 0,
  ...some,
});

const write = (...points: NewPoint[]) =>
  opened.unitOfWork.change(testChange, (transaction) => store.write(transaction, points));
const newSeries = (count: number) =>
  opened.unitOfWork.change(testChange, (transaction) => createSeries(transaction, count));

interface PointRow {
  serie_id: number;
  period: Period;
  day: number;
  value: number;
  calculated: number;
  comment: string | null;
}

interface PeriodRow {
  serie_id: number;
  period: Period;
  start_day: number;
  end_day: number;
  calculated: number;
  points: number;
}

const placeholdersOf = (ids: readonly number[]) => ids.map(() => '?').join(',');

async function pointsOf({ rows }: Pick<Transaction, 'rows'>, ids: readonly number[]) {
  return rows<PointRow>(
    `SELECT serie_id, period, day, value, calculated, comment FROM observation WHERE serie_id IN (${placeholdersOf(ids)}) ORDER BY serie_id, period, day`,
    ids,
  );
}

async function periodsOf({ rows }: Pick<Transaction, 'rows'>, ids: readonly number[]) {
  return rows<PeriodRow>(
    `SELECT serie_id, period, start_day, end_day, calculated, points FROM series_period WHERE serie_id IN (${placeholdersOf(ids)}) ORDER BY serie_id, period`,
    ids,
  );
}

const committed: Pick<Transaction, 'rows'> = { rows: (sql, values) => opened.database.rows(sql, values) };

/** Stored points of a series, one a line: `weekly 2025-01-03 5 comment calculated`. */
const pointLines = async (id: number) =>
  (await pointsOf(committed, [id])).map((row) =>
    [
      PERIOD_NAMES[row.period],
      isoFromDay(row.day),
      row.value,
      ...(row.comment === null ? [] : [row.comment]),
      ...(row.calculated ? ['calculated'] : []),
    ].join(' '),
  );

/** Periods of a series, one a line: `weekly 2025-01-03 2025-01-10 (2) calculated`. */
const periodLines = async (id: number) =>
  (await periodsOf(committed, [id])).map((row) =>
    [
      PERIOD_NAMES[row.period],
      isoFromDay(row.start_day),
      isoFromDay(row.end_day),
      `(${row.points})`,
      ...(row.calculated ? ['calculated'] : []),
    ].join(' '),
  );

const revisionOf = async (id: number) =>
  Number(
    (
      await opened.database.rows<{ revision: number }>('SELECT revision FROM price_serie WHERE id = ?', [id])
    )[0]!.revision,
  );

describe('writing points', () => {
  it('adds and changes points, leaves equal ones alone, and counts each', async () => {
    const [a, b] = (await newSeries(2)) as [number, number];
    const first = [
      point(a, MONTHLY, '2024-01-01', 10),
      point(b, MONTHLY, '2024-01-01', 20),
      point(a, MONTHLY, '2024-02-01', 11.5, { comment: 'wholesale market' }),
      point(a, MONTHLY, '2024-03-01', 123456789.012345),
    ];
    expect(await write(...first)).toEqual(counts({ added: 4 }));
    const again = [
      point(a, MONTHLY, '2024-01-01', 10),
      point(a, MONTHLY, '2024-02-01', 11.5, { comment: 'revised' }),
      point(a, MONTHLY, '2024-03-01', 123456789.012345, { comment: '' }),
      point(b, MONTHLY, '2024-01-01', 21),
      point(b, MONTHLY, '2023-12-01', 19),
    ];
    expect(await write(...again)).toEqual(counts({ added: 1, changed: 2, unchanged: 2 }));
    expect(await pointLines(a)).toEqual([
      'monthly 2024-01-01 10',
      'monthly 2024-02-01 11.5 revised',
      'monthly 2024-03-01 123456789.012345',
    ]);
    expect(await pointLines(b)).toEqual(['monthly 2023-12-01 19', 'monthly 2024-01-01 21']);
    expect(await periodLines(a)).toEqual(['monthly 2024-01-01 2024-03-01 (3)']);
    expect(await periodLines(b)).toEqual(['monthly 2023-12-01 2024-01-01 (2)']);
  });

  it('stores the periods of derived data', async () => {
    const [a] = (await newSeries(1)) as [number];
    await write(point(a, DAILY, '2025-01-04'), point(a, DAILY, '2025-01-09'));
    expect(await periodLines(a)).toEqual([
      'daily 2025-01-04 2025-01-09 (2)',
      'monthly 2025-01-01 2025-01-01 (0) calculated',
    ]);
    await write(point(a, DAILY, '2025-01-13'));
    await write(point(a, DAILY, '2025-02-03'));
    expect(await periodLines(a)).toEqual([
      'daily 2025-01-04 2025-02-03 (4)',
      'weekly 2025-01-10 2025-01-17 (0) calculated',
      'monthly 2025-01-01 2025-02-01 (0) calculated',
    ]);
    await write(point(a, WEEKLY, '2024-06-04'));
    expect(await periodLines(a)).toEqual([
      'daily 2025-01-04 2025-02-03 (4)',
      'weekly 2024-06-04 2024-06-04 (1)',
      'monthly 2024-06-01 2025-02-01 (0) calculated',
    ]);
  });

  it('lets an original point replace a marked one, and not the reverse', async () => {
    const [a] = (await newSeries(1)) as [number];
    const mark = { calculated: true };
    await write(point(a, WEEKLY, '2025-01-03', 1, mark), point(a, MONTHLY, '2025-01-01', 2, mark));
    expect(await periodLines(a)).toEqual([
      'weekly 2025-01-03 2025-01-03 (1) calculated',
      'monthly 2025-01-01 2025-01-01 (1) calculated',
    ]);
    expect(await write(point(a, WEEKLY, '2025-01-03', 1))).toEqual(counts({ changed: 1 }));
    // The weeks are originals now, so a derived month replaces the stored ones.
    expect(await periodLines(a)).toEqual([
      'weekly 2025-01-03 2025-01-03 (1)',
      'monthly 2024-12-01 2024-12-01 (0) calculated',
    ]);
    expect(await write(point(a, WEEKLY, '2025-01-03', 9, mark))).toEqual(counts({ superseded: 1 }));
    expect(
      await write(point(a, MONTHLY, '2025-01-01', 2, mark), point(a, MONTHLY, '2025-02-01', 3, mark)),
    ).toEqual(counts({ added: 1, unchanged: 1 }));
    expect(await pointLines(a)).toEqual([
      'weekly 2025-01-03 1',
      'monthly 2025-01-01 2 calculated',
      'monthly 2025-02-01 3 calculated',
    ]);
    expect(await periodLines(a)).toEqual([
      'weekly 2025-01-03 2025-01-03 (1)',
      'monthly 2024-12-01 2024-12-01 (0) calculated',
    ]);
  });

  it('applies points of the same key in order', async () => {
    const [a] = (await newSeries(1)) as [number];
    const january = (value: number) => point(a, MONTHLY, '2024-01-01', value);
    expect(await write(january(1), january(2), january(2), january(1))).toEqual(
      counts({ added: 1, changed: 2, unchanged: 1 }),
    );
    expect(await pointLines(a)).toEqual(['monthly 2024-01-01 1']);
    expect(await periodLines(a)).toEqual(['monthly 2024-01-01 2024-01-01 (1)']);
  });

  it('of many series at once takes several statements and misses none', async () => {
    const ids = await newSeries(1203);
    const points = ids.flatMap((id) => [
      point(id, WEEKLY, '2024-05-03', id),
      point(id, WEEKLY, '2024-05-10', id / 4),
    ]);
    expect(await write(...points)).toEqual(counts({ added: 2406 }));
    const more = ids.map((id, index) => point(id, WEEKLY, index % 2 ? '2024-05-10' : '2024-05-17', id / 4));
    expect(await write(...more)).toEqual(counts({ added: 602, unchanged: 601 }));
    const periods = await periodsOf(committed, ids);
    expect(periods.map((row) => ({ ...row, calculated: Boolean(row.calculated) }))).toEqual(
      ids.flatMap((id, index) => [
        {
          serie_id: id,
          period: WEEKLY,
          start_day: day('2024-05-03'),
          end_day: day(index % 2 ? '2024-05-10' : '2024-05-17'),
          calculated: false,
          points: index % 2 ? 2 : 3,
        },
        {
          serie_id: id,
          period: MONTHLY,
          // The week of 3 May has its Tuesday in April.
          start_day: day('2024-04-01'),
          end_day: day('2024-05-01'),
          calculated: true,
          points: 0,
        },
      ]),
    );
    expect(await pointsOf(committed, ids)).toHaveLength(3008);
  });

  it('sets the revision of changed series, and increments it only for them', async () => {
    const [a, b] = (await newSeries(2)) as [number, number];
    await write(point(a, MONTHLY, '2024-01-01'), point(b, MONTHLY, '2024-01-01'));
    const before = await opened.revision.refresh();
    expect([await revisionOf(a), await revisionOf(b)]).toEqual([before.series, before.series]);
    await write(point(a, MONTHLY, '2024-01-01', 2), point(b, MONTHLY, '2024-01-01'));
    const after = await opened.revision.refresh();
    expect(after.series).toBeGreaterThan(before.series);
    expect([await revisionOf(a), await revisionOf(b)]).toEqual([after.series, before.series]);
    await write(point(a, MONTHLY, '2024-01-01', 2));
    expect((await opened.revision.refresh()).series).toBe(after.series);
  });

  it('is all or nothing', async () => {
    const [a] = (await newSeries(1)) as [number];
    const failing = opened.unitOfWork.change(testChange, async (transaction) => {
      await store.write(transaction, [point(a, DAILY, '2024-01-05')]);
      throw new Error('later failure');
    });
    await expect(failing).rejects.toThrow('later failure');
    expect([await pointLines(a), await periodLines(a)]).toEqual([[], []]);
  });

  it('of an unknown series is rejected by the database', async () => {
    const error: unknown = await write(point(2_000_000_000, DAILY, '2024-01-05')).catch(
      (reason: unknown) => reason,
    );
    expect(driverErrorKind(error)).toBe('reference_missing');
  });

  it('of one series by several writers at once stores correct periods', async () => {
    const [a] = (await newSeries(1)) as [number];
    const months = ['01', '02', '03', '04', '05', '06', '07', '08'];
    await Promise.all(
      months.map((month) =>
        write(point(a, MONTHLY, `2024-${month}-01`), point(a, DAILY, `2023-${month}-07`)),
      ),
    );
    expect(await periodLines(a)).toEqual([
      'daily 2023-01-07 2023-08-07 (8)',
      'weekly 2023-01-13 2023-07-07 (0) calculated',
      'monthly 2024-01-01 2024-08-01 (8)',
    ]);
  });
});

describe('removing points', () => {
  it('shrinks the periods, and returns how many were removed', async () => {
    const [a] = (await newSeries(1)) as [number];
    await write(
      ...['2025-01-03', '2025-01-08', '2025-01-17', '2025-01-22'].map((date) => point(a, DAILY, date)),
      point(a, MONTHLY, '2024-01-01', 1, { calculated: true }),
    );
    expect(await periodLines(a)).toEqual([
      'daily 2025-01-03 2025-01-22 (4)',
      'weekly 2025-01-03 2025-01-17 (0) calculated',
      'monthly 2025-01-01 2025-01-01 (0) calculated',
    ]);
    const remove = (...dates: string[]) =>
      opened.unitOfWork.change(testChange, (transaction) =>
        store.remove(
          transaction,
          dates.map((date) => ({ serieId: a, period: DAILY, day: day(date) })),
        ),
      );
    expect(await remove('2025-01-17', '2025-01-18')).toBe(1);
    expect(await periodLines(a)).toEqual([
      'daily 2025-01-03 2025-01-22 (3)',
      'weekly 2025-01-03 2025-01-10 (0) calculated',
      'monthly 2025-01-01 2025-01-01 (0) calculated',
    ]);
    const before = await opened.revision.refresh();
    expect(await remove('2025-01-17')).toBe(0);
    expect((await opened.revision.refresh()).series).toBe(before.series);
    expect(await remove('2025-01-03', '2025-01-08', '2025-01-22')).toBe(3);
    // Without finer data the marked month is served again.
    expect(await periodLines(a)).toEqual(['monthly 2024-01-01 2024-01-01 (1) calculated']);
  });

  it('of whole series leaves other series alone', async () => {
    const [a, b, c] = (await newSeries(3)) as [number, number, number];
    await write(
      ...[a, b, c].flatMap((id) => [point(id, DAILY, '2025-01-03'), point(id, WEEKLY, '2025-01-08')]),
    );
    expect(
      await opened.unitOfWork.change(testChange, (transaction) => store.removeAll(transaction, [a, c])),
    ).toBe(4);
    expect([await periodLines(a), await periodLines(c)]).toEqual([[], []]);
    expect([await pointLines(a), await pointLines(c)]).toEqual([[], []]);
    expect(await pointLines(b)).toEqual(['daily 2025-01-03 1', 'weekly 2025-01-08 1']);
    expect(await periodLines(b)).toHaveLength(3);
  });
});

/** A step of a history: points to write, or keys to remove. Series are numbered 0 to 2. */
type Step = { write: NewPoint[] } | { remove: PointKey[] };

const anyHistory: fc.Arbitrary<Step[]> = fc
  .record({
    spread: fc.constantFrom(8, 20, 200),
    // Series of daily points alone must be common: derived weeks depend on them.
    periods: fc.oneof(fc.constant([DAILY]), fc.subarray([...PERIODS], { minLength: 1 })),
    marks: fc.constantFrom([false], [false, true]),
  })
  .chain(({ spread, periods, marks }) => {
    const middle = day('2024-12-30');
    const key = {
      serieId: fc.constantFrom(0, 0, 0, 1, 2),
      period: fc.constantFrom(...(periods as Period[])),
      day: fc.integer({ min: middle - spread, max: middle + spread }),
    };
    const newPoint: fc.Arbitrary<NewPoint> = fc.record({
      ...key,
      value: fc.constantFrom(1, 2.5),
      calculated: fc.constantFrom(...marks),
      comment: fc.constantFrom(null, null, 'a', ''),
    });
    const steps = fc.oneof(
      { weight: 2, arbitrary: fc.record({ write: fc.array(newPoint, { minLength: 1, maxLength: 12 }) }) },
      {
        weight: 1,
        arbitrary: fc.record({ remove: fc.array(fc.record(key), { minLength: 1, maxLength: 25 }) }),
      },
    );
    return fc.array(steps, { minLength: 1, maxLength: 6 });
  });

/** What the store should do, point by point. */
class Model {
  readonly points = new Map<string, PointRow>();

  write(points: readonly NewPoint[]): WriteCounts {
    const result = counts({});
    for (const { serieId, period, day, value, calculated, comment } of points) {
      const key = `${serieId} ${period} ${day}`;
      const row = {
        serie_id: serieId,
        period,
        day,
        value,
        calculated: calculated ? 1 : 0,
        comment: comment || null,
      };
      const stored = this.points.get(key);
      if (!stored) result.added++;
      else if (calculated && !stored.calculated) result.superseded++;
      else if (JSON.stringify(stored) === JSON.stringify(row)) result.unchanged++;
      else result.changed++;
      if (!stored || !calculated || stored.calculated) this.points.set(key, row);
    }
    return result;
  }

  remove(keys: readonly PointKey[]): number {
    return keys.filter(({ serieId, period, day }) => this.points.delete(`${serieId} ${period} ${day}`))
      .length;
  }

  rows(): PointRow[] {
    return [...this.points.values()].sort(
      (a, b) => a.serie_id - b.serie_id || a.period - b.period || a.day - b.day,
    );
  }

  /** The periods from scratch. */
  periods(): PeriodRow[] {
    const series = new Map<number, StoredExtents>();
    for (const { serie_id, period, day, calculated } of this.rows()) {
      if (!series.has(serie_id)) series.set(serie_id, new StoredExtents());
      series.get(serie_id)!.add(period, day, calculated === 1);
    }
    return [...series].flatMap(([serie_id, extents]) =>
      extents.items().map(({ period, start, end, calculated, points }) => ({
        serie_id,
        period,
        start_day: start,
        end_day: end,
        calculated: calculated ? 1 : 0,
        points,
      })),
    );
  }
}

class RolledBack extends Error {}

it('after any history, points, counts and periods are as if computed from scratch', async () => {
  const ids = await newSeries(3);
  const withIds = <T extends PointKey>(keys: T[]) =>
    keys.map((key) => ({ ...key, serieId: ids[key.serieId]! }));
  await assertProperty(
    'histories of points',
    fc.asyncProperty(anyHistory, async (history) => {
      const model = new Model();
      const run = opened.unitOfWork.change(testChange, async (transaction) => {
        for (const step of history) {
          if ('write' in step) {
            const points = withIds(step.write);
            expect(await store.write(transaction, points)).toEqual(model.write(points));
          } else {
            const keys = withIds(step.remove);
            expect(await store.remove(transaction, keys)).toBe(model.remove(keys));
          }
          const inside: Pick<Transaction, 'rows'> = { rows: (sql, values) => transaction.rows(sql, values) };
          expect(await pointsOf(inside, ids)).toEqual(model.rows());
          expect(await periodsOf(inside, ids)).toEqual(model.periods());
        }
        // Rolled back, so that each history begins with nothing.
        throw new RolledBack();
      });
      await expect(run).rejects.toBeInstanceOf(RolledBack);
    }),
  );
}, 120_000);

it('a writer that caches periodicity sees what others write after a transaction of its own that changed nothing', async () => {
  const [serieId] = await newSeries(1);
  const cache = new PeriodicityCache();
  const write = async (day: number, by: PeriodicityCache | null) => {
    const point = { serieId: serieId!, period: MONTHLY, day, value: 1 } as const;
    await opened.unitOfWork.change(testChange, (transaction) =>
      store.write(transaction, [{ ...point, calculated: false, comment: null }], by),
    );
    by?.commit();
  };
  await write(739_001, cache);
  await write(739_001, cache);
  await write(739_032, null);
  await write(739_062, cache);
  expect(await periodsOf(committed, [serieId!])).toEqual([
    { serie_id: serieId, period: MONTHLY, start_day: 739_001, end_day: 739_062, calculated: 0, points: 3 },
  ]);
}, 120_000);

it('a writer that caches periodicity between its transactions stores correct periods, whoever writes between', async () => {
  const ids = await newSeries(3);
  const withIds = <T extends PointKey>(keys: T[]) =>
    keys.map((key) => ({ ...key, serieId: ids[key.serieId]! }));
  const who = fc.constantFrom('writer', 'writer', 'writer', 'other', 'rolled back');
  const steps = anyHistory.chain((history) =>
    fc
      .array(who, { minLength: history.length, maxLength: history.length })
      .map((by) => history.map((step, at) => ({ step, by: by[at]! }))),
  );
  await assertProperty(
    'histories of points by a writer with a cache, and others',
    fc.asyncProperty(steps, async (history) => {
      await opened.unitOfWork.change(testChange, (transaction) => store.removeAll(transaction, ids));
      const model = new Model();
      const cache = new PeriodicityCache();
      for (const { step, by } of history) {
        const run = opened.unitOfWork.change(testChange, async (transaction) => {
          if ('remove' in step) await store.remove(transaction, withIds(step.remove));
          else await store.write(transaction, withIds(step.write), by === 'other' ? null : cache);
          if (by === 'rolled back') throw new RolledBack();
        });
        if (by === 'rolled back') await expect(run).rejects.toBeInstanceOf(RolledBack);
        else {
          await run;
          if ('remove' in step) model.remove(withIds(step.remove));
          else model.write(withIds(step.write));
          if (by === 'writer' && 'write' in step) cache.commit();
        }
        const monthly = model.rows().filter(({ period, calculated }) => period === MONTHLY && !calculated);
        const written = await writtenBefore(cache);
        for (const [id, points] of ids.map((id) => [id, written?.of(id)] as const)) {
          if (points === undefined) continue;
          const stored = monthly.filter(({ serie_id }) => serie_id === id);
          expect(points).toEqual({
            days: stored.map(({ day }) => day),
            values: stored.map(({ value }) => value),
          });
        }
      }
      expect(await pointsOf(committed, ids)).toEqual(model.rows());
      expect(await periodsOf(committed, ids)).toEqual(model.periods());
    }),
  );
}, 120_000);

const writtenBefore = (cache: PeriodicityCache) =>
  opened.unitOfWork.change(testChange, async (transaction) => cache.writtenBefore(transaction));

onSqlite.it('a writer keeps the points of the series that it has begun, until others write', async () => {
  const [begun, filled, other] = (await newSeries(3)) as [number, number, number];
  await write(point(filled, MONTHLY, '2024-01-01'));
  const cache = new PeriodicityCache();
  const writeCached = async (...points: NewPoint[]) => {
    await opened.unitOfWork.change(testChange, (transaction) => store.write(transaction, points, cache));
    cache.commit();
  };
  await writeCached(
    point(begun, MONTHLY, '2024-02-01', 2),
    point(begun, MONTHLY, '2024-01-01', 1),
    point(begun, MONTHLY, '2024-03-01', 3, { calculated: true }),
    point(begun, DAILY, '2024-03-01', 9),
    point(filled, MONTHLY, '2024-02-01'),
    point(other, MONTHLY, '2024-02-01'),
  );
  await writeCached(point(begun, MONTHLY, '2024-04-01', 4), point(other, MONTHLY, '2024-01-01'));
  const written = await writtenBefore(cache);
  expect(written?.of(begun)).toEqual({
    days: [day('2024-01-01'), day('2024-02-01'), day('2024-04-01')],
    values: [1, 2, 4],
  });
  expect([written?.of(filled), written?.of(other)]).toEqual([undefined, undefined]);
  await write(point(filled, MONTHLY, '2024-03-01'));
  expect(await writtenBefore(cache)).toBeNull();
});
