import type { IndicatorListing } from '../analysis/indicators/indicator-listing.js';

/** The indicators of a series as in responses of the API, with the same numbers. */
export function parsedListing(listing: IndicatorListing): Record<string, unknown> {
  const [text] = listing.items('array') as [string];
  return JSON.parse(text) as Record<string, unknown>;
}
