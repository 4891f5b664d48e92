/** The pages of countries. */
export const countriesTexts = {
  description: (name: string, series: number, markets: number): string =>
    `${name}: ${series.toLocaleString('en')} price series of ${markets.toLocaleString('en')} ${markets === 1 ? 'market' : 'markets'}.`,
  citation: (name: string): string => `Food prices of ${name}`,
  findings: (count: number): string =>
    `${count.toLocaleString('en')} open ${count === 1 ? 'finding' : 'findings'} of what looks wrong in the data`,
  markets: 'Markets',
  moreMarkets: (count: string): string => `and ${count} more`,
  old: 'The newest prices are old, so none of them is called high today.',
  warningsNote:
    'Foods of which a price is high: high by IFPA, or alert or crisis by ALPS. Fresh: with a price in the newest three months. Rated: by either.',
  allWarnings: 'All commodities, and other months',
  pricesNote: (oldest: string): string =>
    `The median of all markets with a price in the newest month (where none has prices, the average that is published), and its change since a month and a year before in the markets with both prices. A name leads to all of it. Of kinds of one food, the one that most markets have newest prices of comes first. What is older than ${oldest} is grey.`,
  mainFood: (commodity: string, name: string): string => `${commodity} in ${name}: median price`,
  index: (name: string): string => `${name}: price index by commodity`,
  indexOf: (line: string, name: string): string => `${name}: price index of ${line}`,
  indexUnit: '100 = first month of an unbroken chain',
  indexLine: (commodity: string, priceType: string, n: number): string =>
    `${commodity}, ${priceType} (n = ${n})`,
  noIndex: 'An index needs at least three series of a commodity with prices in the same months.',
  conversions: 'What prices are converted by',
  rate: 'Exchange rate',
  rateUnit: (currency: string): string => `${currency} per US$`,
  reaches: (month: string, behind: number): string =>
    `To ${month}${behind <= 0 ? '' : `, ${behind} ${behind === 1 ? 'month' : 'months'} before the newest price`}.`,
  conversionsNote: 'Months, newest first. A dash says that there is no value.',
  noRate: (currency: string): string => `There is no exchange rate of ${currency}.`,
  cpi: 'Consumer price index',
  noCpi: 'There is no consumer price index.',
};
