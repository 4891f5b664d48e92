import { countryWords } from '../../lib/codes/countries.js';
import { ImportRejected, type RowViolation } from './batch.js';
import { optionHint } from './option-hint.js';
import { invalid, readCountry } from './values.js';

/** The option that sets the country of an input, for messages. */
export const COUNTRY_OPTION = optionHint('country');

/** What is asked where neither an input nor the option says the country. */
export const COUNTRY_QUESTION = 'The input does not name its country.';

/**
 * The country that the option names; null where it is not given.
 * @throws ImportRejected where it names none
 */
export function countryOfOption(country: string | undefined): string | null {
  if (country === undefined) return null;
  // Over HTTP two letters are no code of a country, either.
  const iso3 =
    country.trim().length === 2
      ? invalid(COUNTRY_OPTION, 'invalid_country', 'a three-letter country code', country)
      : readCountry(country, COUNTRY_OPTION);
  if ('reason' in iso3) throw new ImportRejected(iso3.detail);
  return iso3.value;
}

/** Why a row of another country than that of the option is rejected, and not moved. */
export const otherCountry = (field: string, found: string, country: string): RowViolation => ({
  field,
  reason: 'other_country',
  detail: `The row is of ${countryWords(found)}, not of ${countryWords(country)}, which ${COUNTRY_OPTION} names.`,
});
