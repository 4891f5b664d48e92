/** Aggregates, which pages of countries and of commodities show. */
export const groupsTexts = {
  title: 'Aggregates',
  n: 'Series (n)',
  leftOut: 'Not in the table',
  leftOutNote: (most: string): string =>
    `A page puts the prices of at most ${most} series together, those of what has most series first. The names lead to the others.`,
  tooMany: (series: string, most: string): string =>
    `It has ${series} series here, and a page puts the prices of at most ${most} together.`,
  chooseSeries: 'Choose some of its series, by market or region',
  index: 'Index',
  matched: 'In the index',
  source: (revision: number): string => `Calculated from the prices of all sources. Revision ${revision}.`,
};
