import { currencyLife, currencyLives, lifeRelation } from './currency-lives.js';

describe('the lives of currencies', () => {
  it('are listed once each, by code, and end after they begin', () => {
    const codes = currencyLives.map(({ code }) => code);
    expect(codes).toEqual([...new Set(codes)].sort());
    expect(codes.filter((code) => !/^[A-Z]{3}$/.test(code))).toEqual([]);
    const days = currencyLives.flatMap(({ from, to }) => [from, to]).filter((day) => day !== null);
    expect(days.filter((day) => new Date(day).toISOString().slice(0, 10) !== day)).toEqual([]);
    expect(currencyLives.filter(({ from, to }) => from !== null && to !== null && from > to)).toEqual([]);
    expect(currencyLives.filter(({ from, convertedBack }) => convertedBack && from === null)).toEqual([]);
  });

  it('tell when a code was valid', () => {
    expect(['USD', 'BYR', 'BYN', 'SLE'].map(currencyLife)).toEqual([
      { code: 'USD', from: null, to: null },
      { code: 'BYR', from: '2000-01-01', to: '2016-12-31' },
      { code: 'BYN', from: '2016-07-01', to: null, convertedBack: true },
      { code: 'SLE', from: '2022-07-01', to: null, convertedBack: true },
    ]);
    expect(currencyLife('SLS')).toBeNull();
  });

  it.each([
    ['BYN', '2016-06-30', 'converted_back'],
    ['BYN', '2016-07-01', 'within'],
    ['BYR', '2016-12-31', 'within'],
    ['BYR', '2017-01-01', 'outside'],
    ['VED', '2021-09-30', 'outside'],
    ['VED', '2021-10-01', 'within'],
    ['HRD', '2015-01-31', 'outside'],
    ['ITL', '2002-02-28', 'within'],
    ['ITL', '2002-03-01', 'outside'],
    ['USD', '1792-01-01', 'within'],
    ['SLS', '2020-01-01', 'within'],
    ['SLL', '2023-12-31', 'within'],
    ['SLL', '2024-01-01', 'outside'],
    ['ZWG', '2024-04-04', 'outside'],
    ['ZWG', '2024-04-05', 'within'],
    ['ZWL', '2024-04-30', 'within'],
    ['ZWL', '2024-05-01', 'outside'],
    ['CZK', '1993-01-31', 'converted_back'],
  ])('%s on %s: %s', (code, day, expected) => {
    expect(lifeRelation(code, day, day)).toBe(expected);
  });

  it('count a month in which a code begins or ends', () => {
    expect(lifeRelation('VES', '2018-08-01', '2018-08-31')).toBe('within');
    expect(lifeRelation('VES', '2018-07-01', '2018-07-31')).toBe('outside');
    expect(lifeRelation('VEF', '2018-08-01', '2018-08-31')).toBe('within');
    expect(lifeRelation('VEF', '2018-09-01', '2018-09-30')).toBe('outside');
  });
});
