/** The page on which series are found. */
export const browseTexts = {
  description: (count: number, filters: readonly string[]): string =>
    `${count.toLocaleString('en')} price series${filters.length === 0 ? '' : `: ${filters.join(', ')}`}.`,
  dataset: (filters: readonly string[]): string => ['Food price series', ...filters].join(', '),
  found: (count: string): string => `${count} series`,
  newest: 'Newest monthly price',
  trend: '3 years',
  trendNote: '– The lines show up to 36 newest monthly prices as published, in the unit of their row.',
  trendLabel: (ends: readonly string[]): string => `From ${ends.join(' to ')}`,
  compare: 'Compare',
  compareNote: (most: number): string => `Tick up to ${most} series of the table, then compare them.`,
  compareOne: (name: string): string => `Compare ${name}`,
  ordered: '(ordered)',
  nothing: 'No series fits all of this.',
  without: (filter: string): string => `Drop “${filter}”`,
  all: 'Drop all filters',
};
