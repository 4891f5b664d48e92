import type { Reads } from '../../database/reads.js';

/** The names of all commodities. */
export async function commodityNames(reads: Pick<Reads, 'arrays'>): Promise<string[]> {
  const rows = await reads.arrays<[name: string]>('SELECT name FROM commodity', []);
  return rows.map(([name]) => name);
}
