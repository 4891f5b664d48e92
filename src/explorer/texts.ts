/** Every text of the pages that is not in the data. */
export const texts = {
  name: 'Price Data Service',
  skip: 'Skip to the content',
  nav: {
    label: 'Pages',
    browse: 'Browse series',
    warnings: 'Warnings',
    compare: 'Compare',
    data: 'Data',
    docs: 'API',
  },
  country: 'Country',
  series: 'Series',
  newestDate: 'Newest price',
  timeUtc: 'Time (UTC)',
  change: 'Change',
  changeKind: (kind: string): string => kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('_', ' '),
  home: {
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
    input: 'Input and reason',
  },
  footer: 'Food prices as published by their sources.',
  footerLink: 'Downloads, licences and how to cite',
  error: {
    notFound: 'This page does not exist',
    help: (status: number): string => {
      if (status === 404) return 'The link may be old or mistyped, or what it showed has been removed.';
      if (status === 400) return 'Something in the address cannot be understood. Change it and try again.';
      if (status >= 500) return 'The service could not make this page. Try again in a moment.';
      return 'The service could not answer this request.';
    },
    home: 'Start page',
    id: (status: number, id: string): string => (status >= 500 ? `Request ${id}` : ''),
  },
};
