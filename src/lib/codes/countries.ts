import { closestMatch } from '../text/closest-match.js';
import data from './countries.json' with { type: 'json' };

/** A country or territory of ISO 3166-1, or one with a code that its users have agreed on. */
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
 * `otherNames` are names that published data use as well: former ISO names, those of the boundary
 * data (GAUL) of WFP's older files, those of the World Bank, and common English ones; compared
 * without case, accents, punctuation and articles. "Congo" alone is ISO's name of COG.
 * `territories` are not in ISO 3166-1: XKX is the code of the World Bank and the European Union for
 * Kosovo, and 412 that of FAO.
 */

/**
 * Other codes that published data have for a country: those of international organizations for
 * Kosovo, with XK, the alpha-2 code of the European Union, and those of the World Bank, some of
 * which are former ones of ISO.
 */
const CODE_ALIASES: ReadonlyMap<string, string> = new Map([
  ...['XKV', 'KOS', 'XK', 'KSV', 'UNK', 'RKS'].map((code) => [code, 'XKX'] as const),
  ...([
    ['ADO', 'AND'],
    ['IMY', 'IMN'],
    ['ROM', 'ROU'],
    ['TMP', 'TLS'],
    ['WBG', 'PSE'],
    ['ZAR', 'COD'],
  ] as const),
]);

/** All countries and territories of ISO 3166-1, by alpha-3 code. */
export const countries: readonly Country[] = data.countries;

/** Words that lists of countries abbreviate. */
const ABBREVIATIONS: ReadonlyMap<string, string> = new Map([
  ['dem', 'democratic'],
  ['fed', 'federal'],
  ['rep', 'republic'],
  ['st', 'saint'],
]);

/** Those, and the territories with a code that its users have agreed on. */
export const knownCountries: readonly Country[] = [...countries, ...data.territories];
const byIso3 = new Map(knownCountries.map((country) => [country.iso3, country]));
/** Without Namibia, whose code is a mark for a missing value in most files. */
const byIso2 = new Map(knownCountries.flatMap(({ iso2, iso3 }) => (iso2 === 'NA' ? [] : [[iso2, iso3]])));
const byM49 = new Map(knownCountries.map((country) => [country.m49, country]));
const allNames = [
  ...knownCountries.map(({ name, iso3 }) => [name, iso3] as const),
  ...Object.entries(data.otherNames),
];
const byName = new Map(allNames.map(([name, iso3]) => [foldName(name), iso3]));

/**
 * Words of forms of government, which some lists add to the names of countries: `Armenia, Republic
 * of`, `Kingdom of Lesotho`.
 */
const FORM_OF_GOVERNMENT = new Set(
  (
    'of republic islamic kingdom federal democratic people peoples s arab socialist state states' +
    ' principality sultanate commonwealth independent union cooperative co operative hashemite grand duchy'
  ).split(' '),
);

/** Names that differ from that of another country by such words alone. */
const OTHER_STATES =
  /^(china republic of|republic of china|(yemen|germany) .*democratic.*|.*democratic.* (yemen|germany))$/;

/** Kosovo with the resolution of the Security Council, which each publisher words anew. */
const KOSOVO_BY_RESOLUTION = /^\s*kosovo\b.*\bun.*\b1244\b/i;

/** Countries by their names without a form of government, if no two share one (`Congo`). */
const byBareName = new Map<string, string | null>();
for (const [folded, iso3] of byName) {
  const bare = bareName(folded);
  const other = byBareName.get(bare);
  byBareName.set(bare, other === undefined || other === iso3 ? iso3 : null);
}

/** Shorter names resemble too many: an unknown `CAR` is not Chad. */
const MIN_PROPOSED_LENGTH = 5;

/** Places without a code, for which no other one may be proposed. */
const WITHOUT_CODE = new Set(['abyei', 'somaliland']);

/** The English name of a country, or '' for an unknown code (`IPS`). */
export function countryName(iso3: string): string {
  return byIso3.get(iso3)?.name ?? '';
}

/** A country as text: `Kenya (KEN)`; its code where it has no name. */
export const countryWords = (iso3: string): string =>
  countryName(iso3) === '' ? iso3 : `${countryName(iso3)} (${iso3})`;

/** All names of a country that this file has, the English short name first; none for `IPS`. */
export function countryNames(iso3: string): string[] {
  const country = byIso3.get(iso3);
  if (country === undefined) return [];
  const others = Object.entries(data.otherNames).filter(([, code]) => code === iso3);
  return [country.name, ...others.map(([name]) => name)];
}

/** The alpha-2 code of a country, or '' for an unknown code. */
export function iso2Of(iso3: string): string {
  return byIso3.get(iso3)?.iso2 ?? '';
}

/** Whether an alpha-3 code, in upper case, is that of a country or territory. */
export function isCountryCode(iso3: string): boolean {
  return byIso3.has(iso3);
}

/** The code of a country by which it is known here; the code itself, in upper case, for others. */
export const knownCountryCode = (code: string): string => CODE_ALIASES.get(code) ?? code;

/** The alpha-3 code of an alpha-2 one in upper case; null for others, and for `NA`. */
export const iso3OfIso2 = (code: string): string | null => byIso2.get(code) ?? null;

/** Alpha-3 code of an M49 number such as `004`; null for regions and former countries. */
export function iso3OfM49(m49: string): string | null {
  return byM49.get(m49.padStart(3, '0'))?.iso3 ?? null;
}

/** Alpha-3 code of a country's English name, in any of the spellings above, or null. */
export function iso3OfName(name: string): string | null {
  const folded = foldName(name);
  const iso3 = byName.get(folded);
  if (iso3 !== undefined) return iso3;
  if (KOSOVO_BY_RESOLUTION.test(name)) return 'XKX';
  const bare = bareName(folded);
  return bare === folded || OTHER_STATES.test(folded) ? null : (byBareName.get(bare) ?? null);
}

/** The languages besides English in which files name countries. */
const LANGUAGES = ['fr', 'es', 'pt'];
let foreignNames: ReadonlyMap<string, string | null> | null = null;

/** Alpha-3 code of a country's name in French, Spanish or Portuguese; null for names of two. */
export function iso3OfForeignName(name: string): string | null {
  foreignNames ??= readForeignNames();
  return foreignNames.get(foldName(name)) ?? null;
}

function readForeignNames(): ReadonlyMap<string, string | null> {
  const names = new Map<string, string | null>();
  for (const language of LANGUAGES) {
    const translations = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
    for (const { iso2, iso3 } of countries) {
      const folded = foldName(translations.of(iso2) ?? '');
      if (folded !== '') names.set(folded, (names.get(folded) ?? iso3) === iso3 ? iso3 : null);
    }
  }
  return names;
}

/**
 * The country that a name means, where it cannot mean that of a code; null for names that are not
 * known. `Congo` may be COD, and `Korea` PRK, though both are the names of others.
 */
export function otherCountryOfName(name: string, iso3: string): string | null {
  const named = iso3OfName(name) ?? iso3OfForeignName(name);
  if (named === null || named === iso3) return null;
  const bare = bareName(foldName(name));
  return countryNames(iso3).some((own) => bareName(foldName(own)) === bare) ? null : named;
}

/** The country that was probably meant by an unknown name, or null. */
export function nearestCountry(name: string): Country | null {
  const folded = foldName(name);
  if (WITHOUT_CODE.has(folded) || folded.length < MIN_PROPOSED_LENGTH) return null;
  const nearest = closestMatch(folded, [...byName.keys()]);
  return nearest === undefined ? null : byIso3.get(byName.get(nearest)!)!;
}

function bareName(folded: string): string {
  return folded
    .split(' ')
    .filter((word) => !FORM_OF_GOVERNMENT.has(word))
    .join(' ');
}

function foldName(name: string): string {
  return name
    .replaceAll('&', ' and ')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '' && word !== 'the')
    .map((word) => ABBREVIATIONS.get(word) ?? word)
    .join(' ');
}
