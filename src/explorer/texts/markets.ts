/** The pages of markets. */
export const marketsTexts = {
  title: (name: string, country: string): string => `${name}, ${country}`,
  description: (name: string, country: string, series: number): string =>
    `What food costs in ${name}, ${country}: ${series.toLocaleString('en')} price series.`,
  citation: (name: string, country: string): string => `Food prices of ${name}, ${country}`,
  /** Of commodities with a price since a month, and in the same month of the year before. */
  headline: (up: number, compared: number, since: string): string =>
    compared === 1
      ? `Its one food with a price since ${since} and one a year before costs ${up === 1 ? 'more than then' : 'no more than then'}.`
      : `Of ${compared.toLocaleString('en')} foods with a price since ${since} and one a year before, ${up === 0 ? 'none' : up.toLocaleString('en')} ${up < 2 ? 'costs' : 'cost'} more than then.`,
  note: (oldest: string): string =>
    `The newest price of each commodity, and its change since a month and a year before. A name leads to its prices in the country. What is older than ${oldest} is grey.`,
  average: 'These are averages of a country or region.',
  near: 'Near markets',
  nearNote: 'By distance in a straight line.',
  distance: 'Kilometres',
  region: (name: string): string => `Other markets of ${name}`,
};
