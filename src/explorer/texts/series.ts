/** The pages of series. */
export const seriesTexts = {
  inReal: (amount: string, base: string | null): string =>
    `${amount} in real terms${base === null ? '' : ` (${base} = 100)`}`,
  when: {
    daily: (date: string): string => `on ${date}`,
    weekly: (date: string): string => `in the week of ${date}`,
    monthly: (month: string): string => `in ${month}`,
  },
  /** @param notes price type and market, and what else is to be known of the price */
  costs: (price: string, when: string, notes: string): string => `${price} ${when} (${notes})`,
  statuses: { observed: 'observed prices', estimated: 'estimates', forecast: 'forecasts' },
  otherStatus: 'The same source also has, of the same goods:',
  changed: (costs: string, change: string): string => `${costs}, ${change}.`,
  changedMonth: (costs: string, month: string, change: string): string =>
    `${costs}. ${month} as a whole: ${change}.`,
  overMonth: (change: string, why: string): string => `${change}; over a year: ${why}`,
  /** @param why empty where no month is over yet */
  unchanged: (costs: string, why: readonly string[]): string =>
    `${costs}. No change can be given: ${why.length === 0 ? 'no month is over yet' : why.join(', ')}.`,
  description: (sentence: string, title: string, source: string): string =>
    `${title}. ${sentence} Published by ${source}.`,
  older: (count: string): string => `Older prices (${count})`,
  allRows: (count: string): string => `All ${count} prices`,
  newestRows: (count: string, unit: string): string =>
    `The newest of ${count} prices; the chart shows ${unit}. A date leads to what its price was made of.`,
  olderRows: 'Older prices, newest first.',
  scale: 'Scale',
  scales: { linear: 'Linear', log: 'Logarithmic' },
  jumps: (times: string): string => `The highest price is ${times} times the lowest.`,
  asLog: 'Show them on a logarithmic scale',
  ratingsHeading: 'How unusual prices are (IFPA and ALPS)',
  ratings: 'how unusual prices are (IFPA and ALPS)',
  ratingsUnit: 'in standard deviations; 0 is as usual',
  ratingLines: { ifpa: 'IFPA', alps: 'ALPS' },
  levels: { high: 'high (IFPA), alert (ALPS)', crisis: 'crisis (ALPS)' },
  ratingsNote: (limit: number): string =>
    `IFPA compares the growth of the real price with that of earlier years, ALPS the price with its trend and season. Values beyond ${limit} are marked at the edge, with their number.`,
  ratingsSummary: (months: number): string =>
    `IFPA and ALPS of ${months.toLocaleString('en')} ${months === 1 ? 'month' : 'months'}.`,
  season: 'By month of the year',
  seasonBand: (from: number, to: number): string => `Lowest to highest, ${from} to ${to}`,
  seasonNote: (unit: string): string =>
    `Prices of each month by year: ${unit}. A dash says that there is none.`,
  month: 'Month',
  corrections: 'What maintainers have corrected',
  correctionsNote: 'The price of the source stands beside the one that holds. Corrections can be withdrawn.',
  ofSource: 'Price of the source',
  corrected: 'Corrected price',
  removed: 'removed',
  reason: 'Reason',
  correctedFrom: (price: string | null): string =>
    price === null ? 'added by a maintainer' : `corrected, the source says ${price}`,
  otherReal: (price: string, base: string): string => `in real terms ${price}, of another base (${base})`,
  lastImport: 'Last import',
  versions: 'Versions',
  replaced: (count: number): string =>
    count === 0
      ? 'No price has been replaced since it came in.'
      : `${count.toLocaleString('en')} ${count === 1 ? 'price has' : 'prices have'} been replaced since they came in:`,
  differences: 'What has changed',
};
