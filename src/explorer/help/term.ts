import { type Html, html, type HtmlValue } from '../../web/html.js';
import { termTexts, type TermSlug } from '../texts/terms.js';

/** The address of the explanation of a word or sign. */
export const termAddress = (slug: TermSlug): string => `/help/${slug}`;

/**
 * A word or sign that leads to its explanation. Pages need it only for what they mention in other
 * words than `mentions` of the term: first mentions of these lead there by themselves.
 * @param text as the page writes it; the title of the term unless given
 */
export const term = (slug: TermSlug, text: HtmlValue = termTexts[slug].title): Html =>
  html`<a class="term" href="${termAddress(slug)}">${text}</a>`;
