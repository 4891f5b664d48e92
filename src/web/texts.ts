import { clientTexts } from './texts/client.js';

/** Texts of what all pages are made of. */
export const webTexts = {
  name: 'Price Data Service',
  licence: (names: string): string => `Licence: ${names}.`,
  unknownLicence: 'not known',
  skip: 'Skip to the content',
  navigation: 'Pages',
  pages: {
    label: 'Pages of the table',
    previous: 'Previous page',
    next: 'Next page',
    of: (page: number, last: number): string => `Page ${page} of ${last}`,
  },
  figures: {
    sameAxes: 'All charts have the same axes.',
    ownAxes: 'Each chart has values of its own, all from 0; all have the same dates.',
    ownValues: 'Each chart has values of its own; all have the same dates.',
  },
  client: clientTexts,
};
