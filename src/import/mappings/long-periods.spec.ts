import { isLongPeriod } from './long-periods.js';

describe('a period longer than a month', () => {
  it.each([
    ...['Q1', '2024Q1', '2024-Q1', 'Q1 2024', 'T1 2024', '1er trimestre', '2nd quarter', '3 кв. 2024'],
    ...['H1 2024', '2e semestre', 'First half 2024', 'M13', '2024', '2023/2024', 'Average', '2024 average'],
    ...['Annual average', 'Moyenne annuelle 2024', 'Promedio anual', 'Média do ano', 'Average of the year'],
    ...['среднее за год', 'в среднем за 2024 год', 'المتوسط السنوي', 'Total', 'Year'],
  ])('is %s', (text) => expect(isLongPeriod(text)).toBe(true));

  it.each([
    '',
    '-',
    'January',
    '2024-01',
    'Jan-24',
    'M12',
    'monthly',
    'of the',
    'Maize',
    '12',
    'Average price',
  ])('is not %j', (text) => expect(isLongPeriod(text)).toBe(false));
});
