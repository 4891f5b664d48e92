import { closestMatch, editDistance } from '../../lib/text/closest-match.js';
import { foldForSearch } from '../../lib/text/folding.js';
import { termTexts, type TermSlug } from '../texts/terms.js';

/** Terms that are offered for a word. */
const MAX_OFFERED = 6;
/** Shorter words are in nearly all sentences. */
const MIN_LETTERS = 3;

const ABBREVIATION = /\b[A-Z]{3,5}\b/g;

const slugs = Object.keys(termTexts) as TermSlug[];

/** Whether a slug is that of a term. */
export const isTerm = (slug: string): slug is TermSlug => Object.hasOwn(termTexts, slug);

/**
 * The terms that were probably meant by a word: whose names have it, else the one whose name is
 * most like it, else those that are explained with it, else those of the words that it is joined
 * of. Short words are first taken for abbreviations.
 */
export function nearTerms(word: string): TermSlug[] {
  const wanted = foldForSearch(word).trim();
  const named = termsWith(wanted, namesOf);
  if (named.length > 0) return named.slice(0, MAX_OFFERED);
  // Words as short as that are like any other short word.
  const short = wanted.length <= MIN_LETTERS ? abbreviations(wanted) : [];
  if (short.length > 0) return short;
  const closest = closestMatch(wanted, slugs);
  if (closest !== undefined) return [closest as TermSlug];
  const found = termsWith(wanted, (slug) => [termTexts[slug].text]);
  const near = found.length > 0 ? found : joinedTerms(wanted);
  return near.slice(0, MAX_OFFERED);
}

const namesOf = (slug: TermSlug) => [
  slug,
  termTexts[slug].title,
  termTexts[slug].name,
  ...(termTexts[slug].mentions ?? []),
];

const termsWith = (
  wanted: string,
  textsOf: (slug: TermSlug) => readonly (string | undefined)[],
): TermSlug[] =>
  wanted.length < MIN_LETTERS
    ? []
    : slugs.filter((slug) =>
        textsOf(slug).some((text) => text !== undefined && foldForSearch(text).includes(wanted)),
      );

/** Terms of the rarer of two words that stand without a blank, such as `realprice`. */
function joinedTerms(wanted: string): TermSlug[] {
  for (let at = MIN_LETTERS; at <= wanted.length - MIN_LETTERS; at++) {
    const parts = [wanted.slice(0, at), wanted.slice(at)].map((part) => termsWith(part, namesOf));
    if (parts.some((terms) => terms.length === 0)) continue;
    return parts.sort((one, other) => one.length - other.length)[0]!;
  }
  return [];
}

/** Terms with abbreviations that have some of the letters of a short word at the same place. */
const abbreviations = (wanted: string): TermSlug[] =>
  slugs.filter((slug) =>
    namesOf(slug)
      .flatMap((name) => name?.match(ABBREVIATION) ?? [])
      .some((name) => editDistance(wanted, name.toLowerCase()) < wanted.length),
  );
