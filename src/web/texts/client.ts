import type { ClientTexts } from '../client/client-texts.js';

/** Of the scripts in browsers; braces stand for what scripts put in. */
export const clientTexts: ClientTexts = {
  countryCommodities: 'Commodities in a country',
  countries: 'Countries',
  commodities: 'Commodities',
  markets: 'Markets',
  series: 'Series',
  suggestionList: 'Suggestions',
  suggestions: '{n} suggestions. Arrow keys choose.',
  noSuggestions: 'No suggestions.',
  cursor: 'Values of the chart “{title}”: arrow keys move through time',
  range: '{low} to {high}',
  copy: 'Copy',
  copied: 'Copied',
  notCopied: 'Not copied',
  shown: 'Shown: {title}',
};
