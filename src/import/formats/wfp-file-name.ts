import { isCountryCode, knownCountryCode } from '../../lib/codes/countries.js';

/** A date or a number at the end of a name: `_2024`, `-2016-05-09`, `_mar_2024`, ` (1)`. */
const END =
  /^(?:[_-](?:\d[\d_-]*|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[_-]?\d*))?(?: ?\(\d+\))?(?:\.\w+)*$/i;

/** The names that WFP gives its files on HDX, today and before, and in the tool VAM. */
const PATTERNS = [
  /^wfp_food_prices_([a-z]{3})(?![a-z])/i,
  /^([a-z]{3})_WFP_FoodPrices(?![a-z])/i,
  /^wfpvam_foodprices_([a-z]{3})(?![a-z])/i,
];

/**
 * The country of a file of WFP by the name that WFP has given it, or null: a code among other words
 * is none (`uganda_prices_mar_2024.csv` is not of Morocco).
 * @param name of the file, or its address
 */
export function countryOfFileName(name: string): string | null {
  const file = name.slice(name.lastIndexOf('/') + 1);
  for (const pattern of PATTERNS) {
    const match = pattern.exec(file);
    if (match === null) continue;
    const iso3 = knownCountryCode(match[1]!.toUpperCase());
    if (isCountryCode(iso3) && END.test(file.slice(match[0].length))) return iso3;
  }
  return null;
}
