/** What charts say. */
export const chartTexts = {
  noPeriod: (period: string): string => `This series has no ${period.toLowerCase()} prices.`,
  noneInRange: (from: string, to: string): string =>
    `There are no prices in these months. There are some from ${from} to ${to}.`,
  noneInTime: 'There are no prices in these months.',
  noRate: (currency: string): string => `no exchange rate of ${currency}`,
  noIndex: (country: string): string => `no consumer price index of ${country}`,
  /** Where rates or indices end and begin; null for a side on which there are none. */
  reach: (what: string, after: string | null, before: string | null): string => {
    const sides = [after === null ? '' : ` after ${after}`, before === null ? '' : ` before ${before}`];
    return what + sides.filter((side) => side !== '').join(' and');
  },
  unconverted: (why: string): string => `There are prices, but ${why}.`,
  notShown: (count: string, isOne: boolean, why: string): string =>
    `${count} ${isOne ? 'price is' : 'prices are'} not shown: there is ${why}.`,
  inThoseMonths: (what: string): string => `${what} in those months`,
  asPublished: 'Show prices as published',
  inPeriod: (period: string): string => `Show ${period.toLowerCase()} prices`,
  allDates: 'Show all dates',
  empty: 'There are no prices to show here.',
  summary: (points: number, from: string, to: string, unit: string, range: [string, string]): string =>
    `${points.toLocaleString('en')} ${points === 1 ? 'price' : 'prices'} from ${from} to ${to}, between ${range[0]} and ${range[1]} ${unit}.`,
  note: (source: string, date: string | null, revision: number): string =>
    `Source: ${source}${date === null ? '' : `, to ${date}`}. Revision ${revision}.`,
  lines: (names: readonly string[], unit: string): string => `${unit}: ${names.join(', ')}.`,
  band: 'Same month, 5 years before',
  forecast: 'Forecast of the source',
  marks:
    'A circle marks a price that something looks wrong about, a square on its corner one that a maintainer has corrected: see the remarks in the table.',
  months: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
};
