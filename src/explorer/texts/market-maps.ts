const markets = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'market' : 'markets'}`;

/** Maps of the markets of a country. */
export const marketMapsTexts = {
  heading: 'Map of markets',
  price: (title: string, unit: string): string => `${title}: newest price by market, ${unit}`,
  change: (title: string): string => `${title}: change of the price in a year, by market`,
  costs: (price: string, month: string): string => `${price} (${month})`,
  changes: (change: string, month: string): string => `${change} in the year to ${month}`,
  between: (from: string, to: string): string => `${from} to ${to}`,
  below: (to: string): string => `${to} or less`,
  above: (from: string): string => `${from} or more`,
  table: (commodity: string): string => `${commodity} in each market, as a table`,
  past: 'older prices',
  placeless: (count: number): string =>
    `${markets(count)} without coordinates ${count === 1 ? 'is' : 'are'} not on the map.`,
  notAll: (shown: number, all: number): string =>
    `It shows ${shown.toLocaleString('en')} of ${markets(all)}; the table has all.`,
  unmatched: (count: number): string =>
    `${markets(count)} without a price a year before ${count === 1 ? 'is' : 'are'} not on it.`,
};
