/** The page about the data. */
export const dataTexts = {
  title: 'The data',
  description: 'Downloads, sources with their licences, and how to cite.',
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
  quality: 'Quality',
  rule: 'Rule',
  severity: 'Severity',
  openFindings: 'Open findings',
  ruleMeaning: 'What it finds',
  sources: 'Sources and licences',
  sourcesNote: 'The licence of a source holds for its series, most series first.',
};
