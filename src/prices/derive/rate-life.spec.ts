import { isUsableRate, rateLife } from './rate-life.js';

describe('the life of a rate', () => {
  it.each([
    ['VED', 'daily', '2018-06-30', 'outside', false],
    ['VED', 'monthly', '2021-10-01', 'within', true],
    ['VES', 'monthly', '2018-08-01', 'within', true],
    ['VES', 'daily', '2018-08-19', 'outside', false],
    ['VEF', 'monthly', '2007-12-01', 'converted_back', true],
    ['MRU', 'daily', '2017-12-31', 'converted_back', true],
    ['ANG', 'monthly', '2025-06-01', 'within', true],
    ['ANG', 'monthly', '2025-07-01', 'outside', false],
    ['SLS', 'daily', '2020-01-31', 'within', true],
  ] as const)('%s, %s, %s: %s', (currency, period, date, relation, usable) => {
    const rate = { currency, period, date };
    expect(rateLife(rate)).toBe(relation);
    expect(isUsableRate(rate)).toBe(usable);
  });
});
