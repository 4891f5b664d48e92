import { type ApiError, NotFound, type Violation } from '../../platform/errors/api-error.js';
import { HTML_MEDIA_TYPE } from '../../platform/formats/page-formats.js';
import { prefersHtml } from '../../platform/http/accept.js';
import type { ErrorPages } from '../../platform/http/reply.js';
import { texts } from '../texts.js';
import { html } from '../../web/html.js';
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

/**
 * The page for an error where someone follows a link to a page, or to an address that does not
 * exist.
 */
export const errorPage: ErrorPages = (error, info) => {
  const isForPeople = info.route === null ? !API.test(info.path) : info.route.formats.includes('html');
  if (!isForPeople || !prefersHtml(info.request.headers.accept)) return null;
  const view = {
    title: titleOf(error),
    description: error.detail,
    address: '/',
    linksTerms: false,
    main: html`<h1>${titleOf(error)}</h1>
      <p>${texts.error.help(error.status)}</p>
      ${
        error.errors === undefined
          ? html`<p>${error.detail}</p>`
          : html`<ul>
              ${error.errors.map(violation)}
            </ul>`
      }
      ${error instanceof NoSuchPage ? nearPages(error) : null}
      <p><a href="/">${texts.error.home}</a> · <a href="/browse">${texts.nav.browse}</a></p>
      <p class="quiet">${texts.error.id(error.status, info.id)}</p>`,
  };
  return {
    body: pageHtml(view, info),
    headers: { ...PAGE_HEADERS, 'Content-Type': HTML_MEDIA_TYPE },
  };
};

const titleOf = ({ status, title }: ApiError) => (status === 404 ? texts.error.notFound : title);

const nearPages = ({ near }: NoSuchPage) =>
  html`<p>${texts.error.near}</p>
    <ul>
      ${near.map(([address, text]) => html`<li><a href="${address}">${text}</a></li>`)}
    </ul>`;

const violation = ({ detail }: Violation) => html`<li>${detail}</li>`;
