import { columnFormat, exact, monthText, share } from './numbers.js';

const column = (...values: number[]) => {
  const format = columnFormat(values);
  return values.map((value) => format(value));
};

describe('numbers of a column', () => {
  it('have as many decimals each', () => {
    expect(column(0.5, 12.25, 3)).toEqual(['0.50', '12.25', '3.00']);
    expect(column(1234, 5)).toEqual(['1,234', '5']);
  });

  it('are whole where they are too large for decimals', () => {
    expect(column(1.23456789e25)).toEqual(['12,345,678,900,000,000,000,000,000']);
    expect(column(1.5e21, 2)).toEqual(['1,500,000,000,000,000,000,000', '2']);
  });

  it('show what would read as zero, and no zero with a sign', () => {
    expect(column(3e-9, 2)).toEqual(['0.000000003', '2']);
    expect([-0.004, -0.2].map(columnFormat([0.01]))).toEqual(['0.00', '-0.20']);
  });
});

describe('shares and months', () => {
  it('are rounded as the fractions that they are of', () => {
    // 23 of 40, which no double is.
    expect([23 / 40, 1 / 3, 0, 1].map(share)).toEqual(['58%', '33%', '0%', '100%']);
    expect([2023 * 12 + 6, 12].map(monthText)).toEqual(['July 2023', 'January 1']);
  });
});

describe('a number in a table', () => {
  it('has its value for programs, and a dash that has a role and a name where there is none', () => {
    expect(String(exact(0.5))).toBe('<data value="0.5">0.5</data>');
    // A name needs a role: a span has none of its own.
    expect(String(exact(null))).toBe('<span role="img" aria-label="no value">–</span>');
  });
});
