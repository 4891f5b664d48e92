/** The pages of a commodity in a country. */
export const countryCommodityTexts = {
  title: (commodity: string, country: string): string => `${commodity} in ${country}`,
  description: (sentence: string, series: number, markets: number): string =>
    `${sentence} ${series.toLocaleString('en')} price series of ${markets.toLocaleString('en')} ${markets === 1 ? 'market' : 'markets'}.`,
  citation: (commodity: string, country: string): string => `Prices of ${commodity} in ${country}`,
  priceOf: (amount: string, priceType: string): string => `${amount}, ${priceType},`,
  /** @param markets with one price each; null where a market has several */
  price: (price: string, month: string, n: number, markets: number | null): string => {
    const of =
      markets === null
        ? `${n} prices`
        : markets === 1
          ? 'one market'
          : `${markets.toLocaleString('en')} markets`;
    return `${price} in ${month} (${n === 1 ? of : `median of ${of}`})`;
  },
  average: (price: string, month: string): string => `${price} in ${month} (national or regional average)`,
  matched: (count: number, all: number): string =>
    count === all
      ? ''
      : ` (${count === 1 ? 'the one' : `the ${count.toLocaleString('en')}`} with both prices)`,
  unmatched: 'nothing can be compared with a year before',
  sentence: (price: string, change: string): string => `${price}, ${change}.`,
  missing: {
    nominal: 'There are no such prices.',
    real: 'None of these prices can be given in real terms: there is no consumer price index of their months.',
    usd: 'None of these prices can be given in US dollars: there is no exchange rate of their months.',
  },
  ends: {
    nominal: (): null => null,
    real: (month: string): string =>
      `In real terms, prices end in ${month}: there is no consumer price index of later months.`,
    usd: (month: string): string =>
      `In US dollars, prices end in ${month}: there is no exchange rate of later months.`,
  },
  kinds: 'Other prices of it',
  kind: (priceType: string, unit: string, series: number): string =>
    `${priceType}, ${unit} (${series.toLocaleString('en')} series)`,
  measures: 'In which money',
  also: 'Also:',
  changeInYear: (change: string): string => `${change} in a year`,
  everywhere: (commodity: string): string => `${commodity} in all countries`,
  median: (title: string, priceType: string): string => `${title}: median of ${priceType} prices`,
  averages: (title: string, priceType: string): string => `${title}: average ${priceType} price`,
  index: (title: string): string => `${title}: price index`,
  indexNote:
    'The median is of all markets with a price in a month, so it jumps where a dear one joins. The index compares each market with itself alone, month by month; the change in a year above compares the two months of the markets with both prices.',
  noIndex: 'An index needs at least three series with prices in the same months.',
  markets: 'Markets',
  marketsNote: (month: string): string =>
    `The newest price of each market, and its change since a month and a year before. Those whose newest price is older than ${month} are grey.`,
  multiples: 'Prices by market',
  multiplesNote: (shown: number, all: number): string =>
    `The ${shown} markets of ${all} with most months in five years.`,
  allMarkets: 'Show all markets',
  season: {
    heading: 'Dear and cheap months',
    sentence: (dear: string, above: string, cheap: string, below: string): string =>
      `Usually dearest in ${dear}, ${above} above the level of the year, and cheapest in ${cheap}, ${below} below it.`,
    ofIndex: (years: number): string => `By the index of the same markets, in ${years} years or more.`,
    ofMedian: (years: number): string => `By the median, in ${years} years or more.`,
    none: (years: number): string => `In ${years} years or more, no month is dearer than the others.`,
    short: 'To say which months are usually dear takes four years of prices without a gap.',
  },
  month: 'Month',
  inMonth: 'In a month',
  inYear: 'In a year',
  inMarkets: (unit: string): string => `Price (${unit})`,
  medianColumn: (unit: string): string => `Median (${unit})`,
  tableNote: (count: string): string => `${count} months, newest first.`,
  changes: 'Newest price and its change',
  marketChanges: 'The same by market',
  monthly: 'Median and index by month',
};
