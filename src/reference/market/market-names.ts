import type { Reads } from '../../database/reads.js';

/** The names of all markets, each with the code of its country. */
export const marketNames = (reads: Pick<Reads, 'arrays'>): Promise<[name: string, country: string][]> =>
  reads.arrays('SELECT DISTINCT name, iso3_country_code FROM market', []);
