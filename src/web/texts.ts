import { clientTexts } from './texts/client.js';

/** Texts of what all pages are made of. */
export const webTexts = {
  name: 'Price Data Service',
  skip: 'Skip to the content',
  navigation: 'Pages',
  pages: {
    label: 'Pages of the table',
    previous: 'Previous page',
    next: 'Next page',
    of: (page: number, last: number): string => `Page ${page} of ${last}`,
  },
  client: clientTexts,
};
