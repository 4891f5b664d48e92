/** Texts of the start page. */
export const homeTexts = {
  search: 'Search',
  title: 'Food prices, from market to market',
  description: (series: number, countries: number): string =>
    `${series.toLocaleString('en')} price series of ${countries.toLocaleString('en')} ` +
    `${countries === 1 ? 'country' : 'countries'}: retail, wholesale and export, as published, in real terms and in US dollars.`,
  empty: 'There are no prices yet. A maintainer can import a file.',
  countries: 'Countries',
  countriesNote:
    'High prices: series whose newest month is high by IFPA, or alert or crisis by ALPS, of those that either can rate.',
  high: 'High prices',
  unrated: 'not rated',
  calculating: 'being calculated',
  changes: 'What came in lately',
  changesNote: 'Imports, corrections and other changes of the data, newest first.',
  format: (format: string): string => `format ${format}`,
  input: 'Input and reason',
  mapTitle: 'Where food prices are high',
  warnings: 'Newest warnings',
  warningsNote:
    'Commodities of a country with the largest share of series that are high by IFPA, or alert or crisis by ALPS, in their newest month.',
  allWarnings: 'All warnings, by month',
};
