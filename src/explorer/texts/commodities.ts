/** The pages of commodities. */
export const commoditiesTexts = {
  index: {
    title: 'Commodities',
    description: (count: number): string =>
      `${count.toLocaleString('en')} ${count === 1 ? 'commodity has' : 'commodities have'} price series.`,
    category: 'Category',
    countries: 'Countries',
    /** @param oldest month of fresh prices; null without prices of food */
    note: (oldest: string | null): string =>
      'A name leads to what it costs in each country. Foods come first.' +
      (oldest === null ? '' : ` What is older than ${oldest} is grey and comes after the others.`),
  },
  description: (name: string, series: number, countries: number): string =>
    `${name}: ${commoditiesTexts.counts(series, countries)}`,
  citation: (name: string): string => `Prices of ${name} by country`,
  none: 'None of its prices can be given in US dollars: there is no exchange rate of their months.',
  counts: (series: number, countries: number): string =>
    `${series.toLocaleString('en')} price series of ${countries.toLocaleString('en')} ${countries === 1 ? 'country' : 'countries'}.`,
  /** Of countries with a price since a month, and in the same month of the year before. */
  headline: (up: number, compared: number, since: string): string =>
    compared === 1
      ? `In the one country with a price since ${since} and one a year before, it costs ${up === 1 ? 'more' : 'no more'} than then.`
      : `In ${up === 0 ? 'none' : up.toLocaleString('en')} of ${compared.toLocaleString('en')} countries with a price since ${since} and one a year before, it costs more than then.`,
  note: (oldest: string): string =>
    `The newest price of each country in local money (the median of its markets, else the average that it publishes), and its change since a year and a month before in the markets with both prices. A name leads to all of it. What is older than ${oldest} is grey and comes last.`,
  dollars: 'In US$',
  inDollars: 'The same in US dollars',
  changes: (name: string): string => `${name}: change of local prices by country`,
  since: (month: string): string => `100 = ${month}`,
  changeNote:
    'The index of the same markets of each country, in local money: inflation is in it. The countries with most series whose index goes back two years.',
  inCountry: (name: string, country: string): string => `${name}, ${country}`,
  byCountry: (name: string): string => `${name} by country`,
  unit: (priceType: string, unit: string): string => `US$ per ${unit}, median of ${priceType} prices`,
  chartNote: (count: number): string =>
    count === 1
      ? 'The median of the prices of each month.'
      : `The median of each month, of the price type and unit that most series of markets have; of more than ${count} such countries, those with most series. Averages of countries are charted where no market has prices.`,
};
