import { closestMatch } from '../../lib/text/closest-match.js';
import { foldForSearch } from '../../lib/text/folding.js';
import { termTexts, type TermSlug } from '../texts/terms.js';

/** Terms that are offered for a word. */
const MOST_OFFERED = 6;
/** Shorter words are in nearly all sentences. */
const MIN_LETTERS = 3;

const slugs = Object.keys(termTexts) as TermSlug[];

/** Whether a slug is that of a term. */
export const isTerm = (slug: string): slug is TermSlug => Object.hasOwn(termTexts, slug);

/**
 * The terms that were probably meant by a word: whose names have it, else the one whose name is
 * most like it, else those that are explained with it.
 */
export function nearTerms(word: string): TermSlug[] {
  const wanted = foldForSearch(word).trim();
  const having = (textsOf: (slug: TermSlug) => readonly (string | undefined)[]) =>
    wanted.length < MIN_LETTERS
      ? []
      : slugs.filter((slug) =>
          textsOf(slug).some((text) => text !== undefined && foldForSearch(text).includes(wanted)),
        );
  const named = having((slug) => [
    slug,
    termTexts[slug].title,
    termTexts[slug].name,
    ...(termTexts[slug].mentions ?? []),
  ]);
  const closest = closestMatch(wanted, slugs);
  if (named.length === 0 && closest !== undefined) return [closest as TermSlug];
  const found = named.length > 0 ? named : having((slug) => [termTexts[slug].text]);
  return found.slice(0, MOST_OFFERED);
}
