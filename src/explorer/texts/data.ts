/** How an edition differs from the one before. */
interface Difference {
  series_added: number;
  series_removed: number;
  points_added: number;
  points_changed: number;
  points_removed: number;
}

/** The page about the data. */
export const dataTexts = {
  title: 'The data',
  description: 'Downloads, sources with their licences, and how to cite.',
  dataset: 'Food prices from market to market: all series',
  datasetDescription: (series: number): string =>
    `Prices of ${series.toLocaleString('en')} series as published, indicators of unusual prices, ` +
    'exchange rates and consumer price indices, as JSON and CSV.',
  downloads: 'Downloads',
  prices: 'All prices',
  series: 'All series',
  indicators: 'Newest indicators of all series',
  rates: 'Exchange rates',
  indices: 'Consumer price indices',
  docs: 'Everything else by the API, described here',
  cite: 'How to cite',
  citeHow:
    'Name the source of the series, this service and the date. The page of a series has a link to the state that it shows: it will show the same numbers later, whatever is corrected until then.',
  editions: 'Editions',
  editionsNote: 'Files of the data as they were at a time. They never change. SHA256SUMS has their digests.',
  edition: 'Edition',
  editionState: 'State of the data',
  editionPrices: 'Prices',
  editionDifference: 'Since the edition before',
  difference: ({ series_added, series_removed, ...points }: Difference) =>
    `series: ${series_added} added, ${series_removed} removed; prices: ${points.points_added} added, ` +
    `${points.points_changed} changed, ${points.points_removed} removed`,
  editionFiles: 'Files',
  allEditions: 'All editions',
  citeEdition: 'To cite the newest one:',
  quality: 'Quality',
  rule: 'Rule',
  severity: 'Severity',
  openFindings: 'Open findings',
  ruleMeaning: 'What it finds',
  sources: 'Sources and licences',
  sourcesNote: 'The licence of a source holds for its series, most series first.',
};
