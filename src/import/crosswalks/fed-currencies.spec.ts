import { fedCurrency } from './fed-currencies.js';

describe('fedCurrency', () => {
  it.each([
    ['Kenya', null],
    ['Brazil', 'BRL'],
    ['Venezuela', 'VED'],
    ['constructor', null],
    ['__proto__', null],
  ])('%s', (name, currency) => expect(fedCurrency(name, '2024-01-01')).toBe(currency));
});
