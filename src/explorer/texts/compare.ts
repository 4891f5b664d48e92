const listFormat = new Intl.ListFormat('en-GB');

/** The page that compares series. */
export const compareTexts = {
  title: 'Compare series',
  commodities: (count: number): string => `${count} commodities`,
  markets: (count: number): string => `${count} markets`,
  series: (count: number): string => `${count} series`,
  with: 'Compare with…',
  description: (labels: readonly string[]): string =>
    labels.length === 0 ? 'Up to 8 price series in one chart.' : `Prices of ${labels.join(', ')}.`,
  empty:
    'Search for a series and add it, tick several in “Browse series”, or follow “Compare with…” from the page of a series.',
  add: 'Add a series: commodity, market or country',
  addLink: 'add',
  addOne: (name: string): string => `Add ${name}`,
  full: (most: number): string => `A chart shows ${most} series at most. Remove one to add another.`,
  found: (count: number, words: string): string =>
    `${count.toLocaleString('en')} series for “${words}”, the newest first`,
  moreFound: (count: number): string => `${count.toLocaleString('en')} more.`,
  nothing: (words: string): string => `No other series has “${words}” in its name.`,
  browseFound: 'Look for them in “Browse series”',
  in: (what: string, where: string): string => `${what} in ${where}`,
  list: (names: readonly string[]): string => listFormat.format(names),
  base: 'Index, 100 in',
  formula: 'Of two',
  formulas: { ratio: 'Ratio', difference: 'Difference' },
  remove: 'remove',
  more: 'Add another series of the commodity in the country',
  index: (base: string): string => `Index, ${base} = 100`,
  noUnit: 'These prices have no common unit, such as a kilogram, so one chart cannot show them.',
  noRate: 'The currencies differ, and there is no exchange rate to convert these prices to US dollars.',
  asIndex: (base: string): string => `Show them as an index that is 100 in ${base}`,
  noBase: (base: string): string => `has no price in ${base}: it has no index.`,
  /** In a legend, where pictures and frames have no other place for it. */
  noLine: (name: string): string => `${name}: no values`,
  noPrice: 'has no line: it has no price in these months, or no rate or index to convert it.',
  noPriceInBase: (base: string): string =>
    `has no line: it has no price in these months, or no consumer price index that can be linked to the base ${base}.`,
  realBase: {
    real: (base: string): string =>
      `In real terms: price × 100 ÷ the consumer price index of the country, which is 100 in ${base}.`,
    real_usd: (base: string): string =>
      `In real terms: dollars × 100 ÷ the consumer price index of the United States, which is 100 in ${base}.`,
  },
  dollars: 'In US dollars, because the currencies differ.',
  tableNote: (count: string): string =>
    `${count} months, newest first. A dash says that there is no price, or no rate or index to convert it.`,
  unit: 'published unit',
  baseUnit: 'kilogram or litre',
};
