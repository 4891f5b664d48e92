import type { TermSlug } from '../texts/terms.js';

/** The address of the explanation of a word or sign. */
export const termAddress = (slug: TermSlug): string => `/help/${slug}`;
