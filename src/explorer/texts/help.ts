import type { TermSlug } from './terms.js';

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
  spelled: (title: string, name: string): string => `${title} (${name})`,
  rules: 'How it is found',
  see: 'See also',
  more: 'More about it',
  all: 'All words and signs',
  noTerm: (word: string): string => `The help has no word “${word}”.`,
};
