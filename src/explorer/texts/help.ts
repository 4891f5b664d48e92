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
  /** By their file in `docs/`. */
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
    quality: {
      title: 'Data quality',
      text: 'What rules find in prices, and what maintainers do about it.',
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
