import { priceColumnOf } from '../../import/formats/other-words.js';
import { ImportRejected } from '../../import/formats/batch.js';
import { openTable } from '../../import/tables/open-table.js';
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
 * @param heads the begins of its tables, in UTF-8
 */
export async function guessCountry(
  name: string,
  heads: readonly Uint8Array[],
): Promise<GuessedCountry | null> {
  const named = countryOfName(name);
  if (named !== null) return { iso3: named, by: 'name' };
  const currencies = new Set<string>();
  for (const head of heads) await addCurrencies(head, currencies);
  const iso3 = countryOfCurrency([...currencies]);
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

async function addCurrencies(head: Uint8Array, currencies: Set<string>): Promise<void> {
  try {
    const isWanted = () => Promise.resolve(true);
    const file = await openTable(chunkOf(head), { encoding: 'windows-1252', isWanted });
    const column = file.header.findIndex((name) => isCurrencyColumn(name));
    if (column < 0) return;
    for await (const { records } of file.batches())
      for (const record of records)
        if (record[column]) currencies.add(isoCurrency(record[column].trim().toUpperCase()));
  } catch (error) {
    if (!(error instanceof ImportRejected)) throw error;
  }
}

function countryOfCurrency(currencies: readonly string[]): string | null {
  const currency = only(currencies);
  if (currency === null) return null;
  return only(knownCountries.map(({ iso3 }) => iso3).filter((iso3) => currenciesOf(iso3)[0] === currency));
}

/** The value of a list that has no other one; null for other lists. */
const only = (values: readonly string[]): string | null => (new Set(values).size === 1 ? values[0]! : null);

async function* chunkOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
