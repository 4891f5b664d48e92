/** The pages of series. */
export const seriesTexts = {
  scale: 'Scale',
  scales: { linear: 'Linear', log: 'Logarithmic' },
  jumps: (times: string): string => `The highest price is ${times} times the lowest.`,
  asLog: 'Show them on a logarithmic scale',
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
  differences: 'what has changed',
};
