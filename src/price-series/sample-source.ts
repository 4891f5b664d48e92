import type { CatalogueSnapshot } from './catalogue/catalogue-snapshot.js';

/** The source of the series of the bundled sample, and of no others: their prices are invented. */
export const SAMPLE_SOURCE = 'Synthetic sample';

/** What is said of prices wherever the sample is among them. */
export const SAMPLE_NOTICE =
  'Invented prices: this service shows its sample. No country, market or price of it is real.';

/** The same where other prices are stored beside the sample. */
export const PARTLY_SAMPLE_NOTICE = `Some prices of this service are invented: those of its sample, whose source is “${SAMPLE_SOURCE}”. Others are as published.`;

/** What is said of the prices of a catalogue; null where none are invented. */
export function sampleNotice({ dictionaries }: CatalogueSnapshot): string | null {
  const sources = dictionaries.of('source').records;
  if (!sources.some(({ name }) => name === SAMPLE_SOURCE)) return null;
  return sources.length === 1 ? SAMPLE_NOTICE : PARTLY_SAMPLE_NOTICE;
}
