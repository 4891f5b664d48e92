import { escapeText } from '../../lib/text/markup.js';
import { Html, html } from '../../web/html.js';
import type { RenderedMarkdown } from '../../web/markdown.js';
import type { PageView } from '../layout/page.js';
import { texts } from '../texts.js';
import { type GuideName, termTexts, type TermSlug } from '../texts/terms.js';
import { guideAddress, indexGuideOf, type Guides } from './guides.js';
import { withTermLinks } from './mentions.js';
import { termAddress } from './term-address.js';

const words = texts.help;

/** The title of a term, with what an abbreviation stands for. */
export function termTitle(slug: TermSlug): string {
  const { title, name } = termTexts[slug];
  return name === undefined ? title : words.spelled(title, name);
}

const link = (slug: TermSlug, text: string): Html => html`<a href="${termAddress(slug)}">${text}</a>`;

/** All words and signs, each in two sentences, and the guides that are there. */
export const helpPage = ({ listed: guides }: Guides): PageView => ({
  title: words.title,
  description: words.description,
  address: '/help',
  linksTerms: false,
  main: html`<h1>${words.title}</h1>
    <p>${words.description}</p>
    ${
      guides.length === 0
        ? null
        : html`<section>
            <h2 id="guides">${words.guidesTitle}</h2>
            <dl class="terms">
              ${guides.map(
                (name) =>
                  html`<dt><a href="${guideAddress(name)}">${words.guides[name].title}</a></dt>
                    <dd>${words.guides[name].text}</dd>`,
              )}
            </dl>
          </section>`
    }
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
export function termPage(slug: TermSlug, guides: Guides): PageView {
  const { text, rules, see, guide } = termTexts[slug];
  const title = termTitle(slug);
  return {
    title,
    description: text,
    address: termAddress(slug),
    linksTerms: false,
    main: html`<p class="path"><a href="/help">${words.title}</a></p>
      <h1>${title}</h1>
      ${withTermLinks(
        html`<p>${text}</p>
          <h2>${words.rules}</h2>
          <ul>
            ${rules.map((rule) => html`<li>${rule}</li>`)}
          </ul>`,
        slug,
      )}
      <p>
        ${words.see}:
        ${see.map((each, index) => html`${index === 0 ? null : ', '}${link(each, termTexts[each].title)}`)}
      </p>
      ${
        guides.has(guide) &&
        html`<p>
          ${words.more}:
          <a href="${guideAddress(guide)}">${words.guides[guide.split('#', 1)[0] as GuideName].title}</a>
        </p>`
      }
      <p><a href="/help">${words.all}</a></p>`,
  };
}

/** Address of the service in the documents: calls of a page lead to the one that shows it. */
const DOCUMENTED_ORIGIN = 'http://127.0.0.1:3000';

/** A document with the list of its sections, if it has any. */
export function guidePage(
  name: GuideName,
  { title, html: content, sections }: RenderedMarkdown,
  origin: string,
): PageView {
  const index = indexGuideOf(name);
  return {
    title,
    description: words.guides[name].text,
    address: guideAddress(name),
    linksTerms: false,
    main: html`<p class="path">
        <a href="/help">${words.title}</a>
        ${index !== null && html`› <a href="${guideAddress(index)}">${words.guides[index].title}</a>`}
      </p>
      <h1>${title}</h1>
      ${
        sections.length > 0 &&
        html`<details>
          <summary>${words.contents}</summary>
          <ul>
            ${sections.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}
          </ul>
        </details>`
      }
      <div class="guide">${new Html(content.text.replaceAll(DOCUMENTED_ORIGIN, escapeText(origin)))}</div>`,
  };
}
