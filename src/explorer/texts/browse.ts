/** The page on which series are found. */
export const browseTexts = {
  description: (count: number): string => `${count.toLocaleString('en')} price series, by every filter.`,
  found: (count: string): string => `${count} series`,
  ordered: '(ordered)',
  nothing: 'No series fits all of this.',
  without: (filter: string): string => `Drop “${filter}”`,
  all: 'Drop all filters',
};
