import { html } from '../../web/html.js';
import { texts } from '../../explorer/texts.js';
import { HTML_MEDIA_TYPE } from '../../platform/formats/page-formats.js';
import { prefersHtml } from '../../platform/http/accept.js';
import type { ErrorPages } from '../../platform/http/reply.js';
import { sessionOf } from '../session/desk-session.js';
import { HOME, INVITATION } from '../session/return-address.js';
import { CrossSite } from '../session/site.guard.js';
import { deskTexts } from '../texts.js';
import { DESK_HEADERS, deskHtml, SECRET_PAGE_HEADERS } from './desk-page.js';

/** The page for an error below `/desk/`, with the navigation of the desk for who is signed in. */
export const deskErrorPage: ErrorPages = (error, info) => {
  if (!/^\/desk(\/|$)/.test(info.path) || !prefersHtml(info.request.headers.accept)) return null;
  const title = error.status === 404 ? texts.error.notFound : error.title;
  const again = error instanceof CrossSite && info.isRead ? info.request.originalUrl : null;
  const main = html`<h1>${title}</h1>
    <p>${error.detail}</p>
    ${
      error.errors === undefined
        ? null
        : html`<ul>
            ${error.errors.map(({ detail }) => html`<li>${detail}</li>`)}
          </ul>`
    }
    ${again === null ? null : html`<p><a href="${again}">${deskTexts.error.open}</a></p>`}
    <p><a href="${HOME}">${deskTexts.error.back}</a> · <a href="/">${texts.error.home}</a></p>
    <p class="muted">${texts.error.id(error.status, info.id)}</p>`;
  const headers = info.path.startsWith(`${INVITATION}/`) ? SECRET_PAGE_HEADERS : DESK_HEADERS;
  return {
    body: deskHtml({ title, main }, sessionOf(info.request)),
    headers: { ...headers, 'Content-Type': HTML_MEDIA_TYPE },
  };
};
