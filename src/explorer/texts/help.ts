import type { GuideName, TermSlug } from './terms.js';

/** The pages that explain words and signs, and guides. */
export const helpTexts = {
  title: 'Help',
  description: 'Every word and sign of the pages in two sentences, and guides that tell more.',
  groups: [
    [
      'Prices and what they are of',
      [
        'price-series',
        'commodity',
        'not-food',
        'market',
        'average-series',
        'price-type',
        'per-kilogram',
        'frequency',
        'calculated',
        'month-not-over',
        'codes',
      ],
    ],
    [
      'Money and inflation',
      ['as-published', 'real', 'consumer-price-index', 'base-period', 'us-dollars', 'exchange-rate'],
    ],
    [
      'Many prices together',
      ['median', 'n', 'change', 'matched', 'index', 'index-100', 'ratio', 'five-year-mean', 'season'],
    ],
    ['Is it high?', ['high', 'share-of-high', 'rated', 'ifpa', 'alps', 'classes', 'standard-deviation']],
    ['How new it is, and what is missing', ['age', 'fresh', 'old', 'missing', 'gap']],
    ['Charts and maps', ['five-year-band', 'trend', 'marks', 'edge', 'axes', 'scale', 'map', 'embed']],
    ['Is it right?', ['source', 'finding', 'correction', 'change-set', 'versions', 'sample']],
    [
      'To take away and cite',
      ['formats', 'api', 'identity', 'licence', 'citation', 'revision', 'as-of', 'edition'],
    ],
  ] satisfies readonly (readonly [title: string, terms: readonly TermSlug[]])[],
  guidesTitle: 'Guides',
  /** By their file in `docs/`; the index of `docs/api/` has the texts of its pages, too. */
  guides: {
    analysis: {
      title: 'Analysis',
      text: 'What changes, indices, IFPA, ALPS and warnings mean, when to trust them, and a number recomputed step by step.',
    },
    recipes: {
      title: 'Recipes',
      text: 'Eleven questions of analysts, each with curl, Python and R.',
    },
    api: {
      title: 'API guide',
      text: 'Every list of the API with an example, its parameters and fields.',
    },
    'api/addresses': {
      title: 'API: addresses and versions',
      text: 'Where everything is, what a version promises, and what may be cached.',
    },
    'api/authentication': {
      title: 'API: authentication',
      text: 'Logging in, tokens of an identity provider, and accounts.',
    },
    'api/pages-and-formats': {
      title: 'API: pages and formats',
      text: 'Pages, CSV, NDJSON, Parquet and workbooks, and the order and fields of lists.',
    },
    'api/errors': {
      title: 'API: errors',
      text: 'What an error looks like, all codes, and limits.',
    },
    'api/reference-tables': {
      title: 'API: reference tables',
      text: 'Commodities, markets, sources, units, price types, exchange rates and consumer price indices; writes and retries.',
    },
    'api/aliases': {
      title: 'API: aliases',
      text: 'Other names of a record, and two records made one.',
    },
    'api/price-series': {
      title: 'API: price series',
      text: 'Series, their fields and uuids, and two series joined into one.',
    },
    'api/filters': {
      title: 'API: filters',
      text: 'The parameters that select series; countries, suggestions and facets.',
    },
    'api/prices': {
      title: 'API: prices of a series',
      text: 'The prices of series, and how those of weeks and months are derived.',
    },
    'api/dollars-and-real-terms': {
      title: 'API: dollars and real terms',
      text: 'How prices are converted, with which rates and indices.',
    },
    'api/imports': {
      title: 'API: imports',
      text: 'The files that are read, how they are read, and the report.',
    },
    'api/mappings': {
      title: 'API: mappings',
      text: 'Import formats that maintainers store.',
    },
    'api/releases': {
      title: 'API: release calendar',
      text: 'When sources have published, and when their next values are expected.',
    },
    'api/harvests': {
      title: 'API: harvests',
      text: 'Files that are fetched and imported by a schedule, and what became of it.',
    },
    'api/corrections': {
      title: 'API: corrections',
      text: 'Changing, adding and removing prices, and what the next import makes of it.',
    },
    'api/as-of': {
      title: 'API: as of a date',
      text: 'Earlier states of the data, versions of a price, and differences of two states.',
    },
    'api/change-sets': {
      title: 'API: change sets',
      text: 'What changed the data, reverting it, and the audit log.',
    },
    'api/changes': {
      title: 'API: changes',
      text: 'A feed for programs that keep a copy of the data.',
    },
    'api/findings': {
      title: 'API: findings',
      text: 'What looks wrong in the data, and dismissing it.',
    },
    'api/indicators': {
      title: 'API: indicators',
      text: 'Changes, seasonal indices, IFPA and ALPS of a series, month by month.',
    },
    'api/warnings': {
      title: 'API: warnings',
      text: 'How many prices of a country are high, and what has changed since.',
    },
    'api/tables': {
      title: 'API: tables of several series',
      text: 'Several series side by side, and the ratio or difference of two.',
    },
    'api/aggregates': {
      title: 'API: aggregates',
      text: 'Prices and indices of groups of series, how much they have risen, and their seasons.',
    },
    'api/editions': {
      title: 'API: editions',
      text: 'Files of one revision that never change.',
    },
    'api/fpma': {
      title: 'API: FPMA-compatible addresses',
      text: 'The addresses that clients of the FPMA tool use.',
    },
    quality: {
      title: 'Data quality',
      text: 'What rules find in prices, and what maintainers do about it.',
    },
    harvests: {
      title: 'Harvests',
      text: 'Files of sources that come by themselves, and what is done where one looks wrong or is late.',
    },
    history: {
      title: 'History',
      text: 'Revisions, earlier states of the data, versions, and corrections that last.',
    },
    publishing: {
      title: 'Publishing',
      text: 'Files for spreadsheets and databases, and editions to cite.',
    },
    assistants: {
      title: 'Assistants',
      text: 'How programs with a language model ask this service.',
    },
    'coming-from-fpma': {
      title: 'Coming from FPMA',
      text: 'For programs that were written for FAO’s tool for food prices.',
    },
  } satisfies Record<GuideName, { title: string; text: string }>,
  contents: 'Sections',
  noGuide: (name: string): string => `There is no guide “${name}”.`,
  spelled: (title: string, name: string): string => `${title} (${name})`,
  rules: 'How it is found',
  see: 'See also',
  more: 'More about it',
  all: 'All words and signs',
  noTerm: (word: string): string => `The help has no word “${word}”.`,
};
