/** Aggregates, which pages of countries and of commodities show. */
export const groupsTexts = {
  title: 'Aggregates',
  kind: 'Price',
  month: 'Newest month',
  median: 'Median',
  least: 'Least',
  greatest: 'Greatest',
  n: 'Series (n)',
  index: 'Index',
  matched: 'In the index',
  note: 'Prices of the newest month in US dollars, of all series with a price in it. The index compares only series with a price in both months; it is 100 where its unbroken time begins.',
  source: (revision: number): string => `Calculated from the prices of all sources. Revision ${revision}.`,
};
