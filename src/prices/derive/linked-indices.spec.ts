import fc from 'fast-check';
import { assertProperty } from '../../../test/support/property.js';
import { dayFromIso, isoFromMonth, monthOf } from '../../lib/dates/calendar-date.js';
import { type DatedIndex, linkedIndices } from './linked-indices.js';

const index = (basePeriod: string, month: string, value: number): DatedIndex => ({
  basePeriod,
  day: dayFromIso(`${month}-01`)!,
  value,
});
const monthNumber = (text: string) => monthOf(dayFromIso(`${text}-01`)!);

/** Value and base by month. */
const seen = (indices: Iterable<DatedIndex>) =>
  Object.fromEntries(
    [...linkedIndices(indices)]
      .sort(([one], [other]) => one - other)
      .map(([month, { value, base }]) => [isoFromMonth(month), [value, base]]),
  );

describe('linked indices', () => {
  it('take months that the newest base lacks from the one before, by the means of common months', () => {
    const linked = linkedIndices([
      index('2010', '2022-09', 240),
      index('2010', '2022-10', 200),
      index('2010', '2022-11', 300),
      index('2020', '2022-10', 110),
      index('2020', '2022-11', 140),
      index('2020', '2022-12', 150),
    ]);
    const [september, october] = ['2022-09', '2022-10'].map((text) => linked.get(monthNumber(text))!);
    expect(september).toMatchObject({ value: 120, base: '2020', record: { value: 240 } });
    expect(september!.link).toEqual({
      base_period: '2020',
      factor: 250 / 500,
      months: ['2022-10', '2022-11'].map(monthNumber),
    });
    expect(october).toMatchObject({ value: 110, base: '2020', link: null });
  });

  it('link base after base, also where one that is newer has no month in common', () => {
    expect(
      seen([
        index('2020', '2020-01', 100),
        index('2015', '2010-01', 80),
        index('2010', '2010-01', 160),
        index('2010', '2020-01', 400),
        index('2000', '2009-01', 50),
        index('2000', '2010-01', 100),
      ]),
    ).toEqual({ '2009-01': [20, '2020'], '2010-01': [40, '2020'], '2020-01': [100, '2020'] });
  });

  it('link a base by one that is older than it', () => {
    expect(
      seen([
        index('2020', '2020-01', 100),
        index('2015', '2010-01', 80),
        index('2015', '2011-06', 90),
        index('2010', '2010-01', 160),
        index('2010', '2020-01', 400),
      ]),
    ).toEqual({ '2010-01': [40, '2020'], '2011-06': [45, '2020'], '2020-01': [100, '2020'] });
  });

  it('are linked by the newest value of each common month', () => {
    expect(
      seen([
        index('2020', '2022-02', 100),
        index('2020', '2022-03', 130),
        index('2015', '2022-02', 60),
        index('2015', '2022-03', 40),
        index('2010', '2022-01', 5),
        index('2010', '2022-02', 10),
      ]),
    ).toEqual({ '2022-01': [50, '2020'], '2022-02': [100, '2020'], '2022-03': [130, '2020'] });
  });

  it('are used as they are without a month in common, and linked to each other', () => {
    expect(
      seen([
        index('2020', '2020-01', 100),
        index('2010', '2012-01', 110),
        index('2000', '2011-01', 180),
        index('2000', '2012-01', 220),
        index('1990', '1995-01', 130),
      ]),
    ).toEqual({
      '1995-01': [130, '1990'],
      '2011-01': [90, '2010'],
      '2012-01': [110, '2010'],
      '2020-01': [100, '2020'],
    });
  });

  it('take no value of 0, neither for a month nor to link by', () => {
    expect(
      seen([
        index('2020', '2020-01', 0),
        index('2020', '2020-02', 100),
        index('2010', '2020-01', 150),
        index('2010', '2020-02', 200),
        index('2000', '2020-01', 0),
      ]),
    ).toEqual({ '2020-01': [75, '2020'], '2020-02': [100, '2020'] });
  });

  it('do not depend on the order of the records', async () => {
    const record = fc.record({
      basePeriod: fc.constantFrom('2000', '2010', '2015', '2020'),
      day: fc
        .integer({ min: 600, max: 640 })
        .map((month) => dayFromIso(`${isoFromMonth(month + 23_000)}-01`)!),
      value: fc.double({ min: 0.01, max: 1000, noNaN: true }),
    });
    const records = fc.uniqueArray(record, { selector: ({ basePeriod, day }) => `${basePeriod} ${day}` });
    const property = fc.property(
      records.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
      ([all, shuffled]) => expect(seen(shuffled)).toEqual(seen(all)),
    );
    await assertProperty('linked indices in any order', property);
  });
});
