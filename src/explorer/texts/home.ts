/** Texts of the start page. */
export const homeTexts = {
  strongest: 'Strongest changes in a year',
  rises:
    'Foods that have risen most, at most one a country: the change of the same markets, of at least three.',
  falls: 'Foods that have fallen most, by the same rules.',
  priceType: 'Price',
  matched: 'Markets',
  data: 'Take the data',
  dataText:
    'For analysts, ministries, newsrooms and programs: every page has its numbers as CSV, Excel, Parquet and JSON, a citation, and the call that fetches them.',
  dataLinks: ['Files of everything', 'API', 'What the words mean'],
  search: 'Search',
  title: 'Food prices, from market to market',
  description: (series: number, countries: number): string =>
    `${series.toLocaleString('en')} price series of ${countries.toLocaleString('en')} ` +
    `${countries === 1 ? 'country' : 'countries'}: retail, wholesale and export, as published, in real terms and in US dollars.`,
  newestOnly: 'This page shows the newest data alone; the other pages show earlier states, too.',
  empty: 'There are no prices yet. A maintainer can import a file.',
  countries: 'Countries',
  allCommodities: 'All commodities',
  countriesNote:
    'High prices: food prices that are high by IFPA, or alert or crisis by ALPS, of those that either can rate. Countries with old prices come last, and count nowhere.',
  age: 'Age',
  noFood: 'no food prices',
  calculating: 'being calculated',
  changes: 'What came in lately',
  changesNote: 'Imports, corrections and other changes of the data, newest first.',
  format: (format: string): string => `format ${format}`,
  input: 'Input and reason',
  mapTitle: 'Where food prices are high',
  warnings: 'Newest warnings',
  warningsNote:
    'Foods of a country with the largest share of high prices: high by IFPA, or alert or crisis by ALPS.',
  allWarnings: 'All warnings, by month',
};
