import { type Html, html } from '../../web/html.js';
import type { PageView } from '../layout/page.js';
import { texts } from '../texts.js';
import { termTexts, type TermSlug } from '../texts/terms.js';
import { termAddress } from './term.js';

const words = texts.help;

/** The title of a term, with what an abbreviation stands for. */
export function termTitle(slug: TermSlug): string {
  const { title, name } = termTexts[slug];
  return name === undefined ? title : words.spelled(title, name);
}

const link = (slug: TermSlug, text: string): Html => html`<a href="${termAddress(slug)}">${text}</a>`;

/** All words and signs, each in two sentences. */
export const helpPage = (): PageView => ({
  title: words.title,
  description: words.description,
  address: '/help',
  main: html`<h1>${words.title}</h1>
    <p>${words.description}</p>
    ${words.groups.map(
      ([title, slugs]) =>
        html`<section>
          <h2>${title}</h2>
          <dl class="terms">
            ${slugs.map(
              (slug) =>
                html`<dt id="${slug}">${link(slug, termTitle(slug))}</dt>
                  <dd>${termTexts[slug].text}</dd>`,
            )}
          </dl>
        </section>`,
    )}`,
});

/** One word or sign: two sentences, how it is found, what it belongs to. */
export function termPage(slug: TermSlug): PageView {
  const { text, rules, see } = termTexts[slug];
  const title = termTitle(slug);
  return {
    title,
    description: text,
    address: termAddress(slug),
    main: html`<p class="path"><a href="/help">${words.title}</a></p>
      <h1>${title}</h1>
      <p>${text}</p>
      <h2>${words.rules}</h2>
      <ul>
        ${rules.map((rule) => html`<li>${rule}</li>`)}
      </ul>
      <p>
        ${words.see}:
        ${see.map((each, index) => html`${index === 0 ? null : ', '}${link(each, termTexts[each].title)}`)}
      </p>
      <p><a href="/help">${words.all}</a></p>`,
  };
}
