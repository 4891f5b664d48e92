import { Html, html } from '../../web/html.js';
import { termTexts, type TermSlug } from '../texts/terms.js';
import { termAddress } from './term-address.js';

/**
 * What stands in these is no mention: links and controls, headings, code, drawings, and what is of
 * the data, such as names and the rows of tables.
 */
const PASSED_OVER =
  'a|bdi|button|code|h1|h2|h3|label|nav|option|pre|script|select|summary|svg|tbody|textarea';
/** An element that is passed over, a tag, or a text. */
const PART = new RegExp(`<(${PASSED_OVER})\\b[^>]*>[\\s\\S]*?</\\1>|<[^>]*>|[^<]+`, 'g');

const slugOf = new Map<string, TermSlug>(
  Object.entries(termTexts).flatMap(([slug, { mentions = [] }]) =>
    mentions.map((word) => [word, slug as TermSlug] as const),
  ),
);
/** Of words that begin alike the longest. */
const words = [...slugOf.keys()].sort((one, other) => other.length - one.length);
const MENTION = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${words.map((word) => word.replace(/[$().]/g, '\\$&')).join('|')})(?![\\p{L}\\p{N}])`,
  'gu',
);
/**
 * The content of a page in which the first mention of each term leads to its explanation, and an
 * abbreviation is spelled out there. Which mention is the first only the whole page shows: its
 * parts come from many files, and some of them are left out.
 * @param own the term that the page explains itself; null on other pages
 */
export function withTermLinks(content: Html, own: string | null = null): Html {
  const seen = new Set<string>(own === null ? [] : [own]);
  let isHeading = false;
  const text = content.text.replace(PART, (part: string) => {
    if (!part.startsWith('<')) return part.replace(MENTION, (word) => linked(word, seen, !isHeading));
    if (part.startsWith('<th ') || part === '<th>') isHeading = true;
    else if (part === '</th>') isHeading = false;
    return part;
  });
  return new Html(text);
}

/** @param isSpelled an abbreviation is spelled out: headings of columns have no room for it */
function linked(word: string, seen: Set<string>, isSpelled: boolean): string {
  const slug = slugOf.get(word)!;
  if (seen.has(slug)) return word;
  seen.add(slug);
  const { name } = termTexts[slug];
  const text = name !== undefined && isSpelled ? html`${word} <span>(${name})</span>` : word;
  return html`<a class="term" href="${termAddress(slug)}">${text}</a>`.text;
}
