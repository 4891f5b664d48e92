import { priceColumnOf } from '../../import/formats/other-words.js';
import { ImportRejected } from '../../import/formats/batch.js';
import { CsvFile } from '../../import/tables/csv.js';
import { iso3OfName, isCountryCode, knownCountries } from '../../lib/codes/countries.js';
import { currenciesOf } from '../../lib/codes/country-currencies.js';
import { isoCurrency } from '../../lib/codes/currency-aliases.js';

/** The country that a file is probably of, and what says so. It is proposed, never taken. */
export interface GuessedCountry {
  readonly iso3: string;
  /** The name of the file, or the one currency of its rows. */
  readonly by: 'name' | 'currency';
}

/** Whether a column has the currencies of prices: `currency` in any language, WFP's `cur_name`. */
const isCurrencyColumn = (name: string) =>
  priceColumnOf(name) === 'currency' || name.toLowerCase() === 'cur_name';

/** Words of the longest names of countries. */
const MAX_WORDS = 8;

/**
 * The country that a file is probably of: the only one that its name has, in words or as a code in
 * capitals, else the only one whose currency its first rows have.
 * @param head the begin of its text, in UTF-8
 */
export async function guessCountry(name: string, head: Uint8Array): Promise<GuessedCountry | null> {
  const named = countryOfName(name);
  if (named !== null) return { iso3: named, by: 'name' };
  const iso3 = await countryOfCurrency(head);
  return iso3 === null ? null : { iso3, by: 'currency' };
}

function countryOfName(name: string): string | null {
  const words = name
    .replace(/(?:\.[a-z]{2,5})+$/i, '')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{M}'’]+/u)
    .filter((word) => word !== '');
  return (
    only(namedCountries(words)) ??
    only(words.filter((word) => /^[A-Z]{3}$/.test(word) && isCountryCode(word)))
  );
}

/** The countries that words name; of names within another, such as Sudan, the longest. */
function namedCountries(words: readonly string[]): string[] {
  const found: string[] = [];
  for (let from = 0; from < words.length; from++) {
    for (let to = Math.min(words.length, from + MAX_WORDS); to > from; to--) {
      const iso3 = iso3OfName(words.slice(from, to).join(' '));
      if (iso3 === null) continue;
      found.push(iso3);
      from = to - 1;
      break;
    }
  }
  return found;
}

async function countryOfCurrency(head: Uint8Array): Promise<string | null> {
  const currencies = new Set<string>();
  try {
    const file = await CsvFile.open(chunkOf(head), 'windows-1252');
    const column = file.header.findIndex((name) => isCurrencyColumn(name));
    if (column < 0) return null;
    for await (const { records } of file.batches())
      for (const record of records)
        if (record[column]) currencies.add(isoCurrency(record[column].trim().toUpperCase()));
  } catch (error) {
    if (error instanceof ImportRejected) return null;
    throw error;
  }
  const currency = only([...currencies]);
  if (currency === null) return null;
  return only(knownCountries.map(({ iso3 }) => iso3).filter((iso3) => currenciesOf(iso3)[0] === currency));
}

/** The value of a list that has no other one; null for other lists. */
const only = (values: readonly string[]): string | null => (new Set(values).size === 1 ? values[0]! : null);

async function* chunkOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
