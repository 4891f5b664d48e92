/** What embedded charts say, and the pages of them. */
export const embedTexts = {
  open: 'Numbers, sources and other views: Price Data Service',
  summary: 'Show this chart on another site',
  code: 'Code for a page; it shows the newest data unless the address has as_of',
};
