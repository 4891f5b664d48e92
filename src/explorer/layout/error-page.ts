import { NotFound, type Violation } from '../../platform/errors/api-error.js';
import { HTML_MEDIA_TYPE } from '../../platform/formats/page-formats.js';
import { prefersHtml } from '../../platform/http/accept.js';
import type { ErrorPages } from '../../platform/http/reply.js';
import { texts } from '../texts.js';
import type { RequestInfo } from '../../platform/http/request.js';
import { field } from '../../web/form.js';
import { type Html, html } from '../../web/html.js';
import { pageHtml } from './page.js';
import { PAGE_HEADERS } from '../../web/frame.js';

/** 404 of a page that has a better place to go to: others are near what the address asks for. */
export class NoSuchPage extends NotFound {
  /** @param near addresses of this server with their texts, the nearest first */
  constructor(
    detail: string,
    readonly near: readonly (readonly [address: string, text: string])[],
  ) {
    super(detail);
  }
}

/** Addresses of programs: their errors are problem details whatever `Accept` names. */
const API = /^\/(api|giews|health|problems)(\/|$)/;

/** Most characters of what was asked for that a page repeats. */
const MAX_SHOWN = 60;

/** A text of the caller as a page repeats it. */
export const shortened = (text: string): string =>
  text.length <= MAX_SHOWN ? text : `${Array.from(text).slice(0, MAX_SHOWN).join('')}…`;

/**
 * The page for an error where someone follows a link to a page, or to an address that does not
 * exist.
 */
export const errorPage: ErrorPages = (error, info) => {
  const isForPeople = info.route === null ? !API.test(info.path) : info.route.formats.includes('html');
  if (!isForPeople || !prefersHtml(info.request.headers.accept)) return null;
  const title = texts.error.title(error.status);
  const view = {
    title,
    description: title,
    address: '/',
    linksTerms: false,
    main: html`<h1>${title}</h1>
      <p>${texts.error.help(error.status)}</p>
      ${error.status === 404 ? html`<p class="muted">${texts.error.asked(shortened(askedFor(info.path)))}</p>` : null}
      ${
        error.errors === undefined
          ? EXPLAINED.includes(error.status) && html`<p>${error.detail}</p>`
          : html`<ul>
              ${[...new Set(error.errors.map((each) => violationText(each, info)))].map((text) => html`<li>${text}</li>`)}
            </ul>`
      }
      ${error.status === 404 ? notStoredThen(info) : null}
      ${error instanceof NoSuchPage && error.near.length > 0 ? nearPages(error) : null}
      <form class="row" method="get" action="/browse" role="search">
        <div class="wide">
          ${field(texts.search, 'search', error.status === 404 ? wordsOf(info.path) : undefined, 'search')}
        </div>
        <button>${texts.home.search}</button>
      </form>
      <p><a href="/">${texts.error.home}</a> · <a href="/browse">${texts.nav.browse}</a></p>
      <p class="muted">${texts.error.id(error.status, info.id)}</p>`,
  };
  return {
    body: pageHtml(view, info),
    headers: { ...PAGE_HEADERS, 'Content-Type': HTML_MEDIA_TYPE },
  };
};

/** The statuses whose details are for people; the others tell programs what to change. */
const EXPLAINED: readonly number[] = [404, 429, 503, 504];

function askedFor(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** What an address may be about: the words of its last part, if that is no number. */
const wordsOf = (path: string): string =>
  shortened(
    (
      askedFor(path)
        .split('/')
        .findLast((part) => part !== '') ?? ''
    )
      .replace(/\.\w{1,4}$/, '')
      .replace(/[^\p{L}\p{M}]+/gu, ' ')
      .trim(),
  );

/** What an earlier state does not have, the newest one may. */
function notStoredThen({ path, query }: RequestInfo): Html | null {
  const asOf = query.all('as_of')[0];
  if (asOf === undefined) return null;
  return html`<p>${texts.error.notStoredThen(shortened(asOf))} <a href="${path}">${texts.showNewest}</a></p>`;
}

const nearPages = ({ near }: NoSuchPage) =>
  html`<p>${texts.error.near}</p>
    <ul>
      ${near.map(([address, text]) => html`<li><a href="${address}">${text}</a></li>`)}
    </ul>`;

/** What is wrong with a value, by the name that its field has in pages. */
function violationText({ in: place, name = '', code, detail, max }: Violation, info: RequestInfo): string {
  // Of these the detail is a sentence about the data.
  if (code === 'reference_missing') return detail;
  const label = place === 'query' ? (fieldTexts[name] ?? null) : null;
  if (code === 'too_many_items' && max !== undefined) return texts.error.tooMany(label, max);
  const value = shortened(info.query.all(name).join(', '));
  return texts.error.value(label, value, texts.error.wrong[code as keyof typeof texts.error.wrong]);
}

const fieldTexts: Readonly<Partial<Record<string, string>>> = { ...texts.filter, ...texts.field };
