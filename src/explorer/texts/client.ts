import type { ClientTexts } from '../client/client-texts.js';

/** Of the scripts in browsers; `{n}` stands for a number. */
export const clientTexts: ClientTexts = {
  countries: 'Countries',
  commodities: 'Commodities',
  markets: 'Markets',
  series: 'Series',
  suggestionList: 'Suggestions',
  suggestions: '{n} suggestions. Arrow keys choose.',
  noSuggestions: 'No suggestions.',
};
