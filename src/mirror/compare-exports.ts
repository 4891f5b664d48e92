import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { BASE } from '../config/price-paths.js';
import { recordTables } from '../history/feed/record-tables.js';

/** Attempts at comparing one export: a mirror may be a moment behind its source. */
const ATTEMPTS = 5;
/** Milliseconds between them. */
const PAUSE = 2000;

/**
 * Compares all that two services export: records, series and prices.
 * @param print gets a line for each export
 * @returns whether all are equal, byte for byte
 */
export async function compareExports(
  one: string,
  other: string,
  print: (line: string) => void,
): Promise<boolean> {
  const names = [...recordTables().values()].map(({ name }) => name);
  let equal = true;
  for (const name of [...names, 'PriceSerie', 'PriceSeriePrice']) {
    const same = await isEqual(name, one, other);
    print(`${name}: ${same ? 'equal' : 'different'}`);
    equal &&= same;
  }
  return equal;
}

async function isEqual(name: string, one: string, other: string): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    const [first, second] = await Promise.all([digest(one, name), digest(other, name)]);
    if (first === second) return true;
    if (attempt === ATTEMPTS) return false;
    await sleep(PAUSE);
  }
}

/** The SHA-256 of a whole export. @throws Error if it cannot be read */
async function digest(base: string, name: string): Promise<string> {
  const query = name.startsWith('PriceSerie') ? 'format=ndjson&status=all' : 'format=ndjson';
  const address = new URL(`/${BASE}/${name}/?${query}`, base).href;
  const response = await fetch(address, { redirect: 'error' });
  if (!response.ok || response.body === null) throw new Error(`${address}: ${response.status}`);
  const hash = createHash('sha256');
  for await (const chunk of response.body) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}
