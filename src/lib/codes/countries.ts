import data from './countries.json' with { type: 'json' };

/** A country or territory of ISO 3166-1. */
export interface Country {
  /** ISO 3166-1 alpha-3. */
  readonly iso3: string;
  /** ISO 3166-1 alpha-2. */
  readonly iso2: string;
  /** The United Nations' M49 number, three digits; the same as the numeric code of ISO 3166-1. */
  readonly m49: string;
  /** The English short name, in the word order of the United Nations' list. */
  readonly name: string;
}

/*
 * The names in `countries` are ISO's without the article. Where ISO inverts the words ("Tanzania,
 * the United Republic of"), they are in the order of the United Nations' list, as FAO writes them.
 * `otherNames` are names that published data use as well: former ISO names, and those of the
 * boundary data (GAUL) of WFP's older files; compared without case, accents and punctuation.
 */

/** All countries and territories of ISO 3166-1, by alpha-3 code. */
export const countries: readonly Country[] = data.countries;

const byIso3 = new Map(countries.map((country) => [country.iso3, country]));
const byM49 = new Map(countries.map((country) => [country.m49, country]));
const byName = new Map([
  ...countries.map((country) => [foldName(country.name), country.iso3] as const),
  ...Object.entries(data.otherNames).map(([name, iso3]) => [foldName(name), iso3] as const),
]);

/** The English name of a country, or '' for a code outside ISO 3166-1 (`IPS`). */
export function countryName(iso3: string): string {
  return byIso3.get(iso3)?.name ?? '';
}

/** All names of a country that this file has, the English short name first; none for `IPS`. */
export function countryNames(iso3: string): string[] {
  const country = byIso3.get(iso3);
  if (country === undefined) return [];
  const others = Object.entries(data.otherNames).filter(([, code]) => code === iso3);
  return [country.name, ...others.map(([name]) => name)];
}

/** The alpha-2 code of a country, or '' for a code outside ISO 3166-1. */
export function iso2Of(iso3: string): string {
  return byIso3.get(iso3)?.iso2 ?? '';
}

/** Whether an alpha-3 code, in upper case, is in ISO 3166-1. */
export function isCountryCode(iso3: string): boolean {
  return byIso3.has(iso3);
}

/** Alpha-3 code of an M49 number such as `004`; null for regions and former countries. */
export function iso3OfM49(m49: string): string | null {
  return byM49.get(m49.padStart(3, '0'))?.iso3 ?? null;
}

/** Alpha-3 code of a country's English name, in any of the spellings above, or null. */
export function iso3OfName(name: string): string | null {
  return byName.get(foldName(name)) ?? null;
}

function foldName(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .replace(/^the /, '')
    .trim();
}
