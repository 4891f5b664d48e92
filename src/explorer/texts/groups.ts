/** Aggregates, which pages of countries and of commodities show. */
export const groupsTexts = {
  title: 'Aggregates',
  n: 'Series (n)',
  index: 'Index',
  matched: 'In the index',
  source: (revision: number): string => `Calculated from the prices of all sources. Revision ${revision}.`,
};
