/** Texts that scripts show; the server writes them into the page from the texts of all pages. */
export interface ClientTexts {
  countryCommodities: string;
  countries: string;
  commodities: string;
  markets: string;
  series: string;
  suggestionList: string;
  /** With `{n}` for a number. */
  suggestions: string;
  noSuggestions: string;
  /** With `{title}`. */
  cursor: string;
  /** With `{low}` and `{high}`. */
  range: string;
  copy: string;
  copied: string;
  notCopied: string;
  /** With `{title}`. */
  shown: string;
}
