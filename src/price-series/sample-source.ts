import type { CatalogueSnapshot } from './catalogue/catalogue-snapshot.js';

/** The source of the series of the bundled sample, and of no others: their prices are invented. */
export const SAMPLE_SOURCE = 'Synthetic sample';

/** What is said of prices wherever the sample is among them. */
export const SAMPLE_NOTICE =
  'Invented prices: this service shows its sample. No country, market or price of it is real.';

/** Whether the series of the sample are among those of a catalogue. */
export const hasSample = ({ dictionaries }: CatalogueSnapshot): boolean =>
  dictionaries.of('source').records.some(({ name }) => name === SAMPLE_SOURCE);
