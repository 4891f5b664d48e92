import { digestTag } from '../platform/http/etag.js';
import type { ReplyHeaders } from '../platform/http/headers.js';
import { type Html, html } from './html.js';
import { SCRIPT_ELEMENTS } from './scripts.js';
import { STYLE } from './style/style.js';
import { webTexts } from './texts.js';

/** Where the stylesheet is: the address changes with its content. */
export const STYLE_FILE = `style.${digestTag(Buffer.from(STYLE)).slice(0, 16)}.css`;

/** Only this server's files, no inline script or style, and no frame of another page. */
export const PAGE_HEADERS: ReplyHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
};

/** Scales with the text around it; a data address, so that no other request is needed. */
const ICON =
  'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22%3E' +
  '%3Cpath d=%22M1 13l5-6 3 3 6-8%22 fill=%22none%22 stroke=%22%230072b2%22 stroke-width=%222.5%22/%3E%3C/svg%3E';

/** What stands around the content of a page. */
interface PageFrame {
  /** Of the window, and of bookmarks. */
  title: string;
  /** Elements of the head beside those of every page. */
  head: Html | null;
  home: readonly [address: string, text: string];
  navigation: readonly (readonly [address: string, text: string])[];
  /** The address in the navigation that is shown. */
  current: string;
  /** Beside the navigation. */
  tools?: Html | null;
  /** What the whole page has to say of its data. */
  notice?: string | null;
  main: Html;
  footer: Html;
}

/** A document of this service, as the explorer and the desk have it. */
export function frameHtml({
  title,
  head,
  home,
  navigation,
  current,
  tools,
  notice,
  main,
  footer,
}: PageFrame): string {
  const links = navigation.map(
    ([href, text]) => html`<a href="${href}" ${href === current ? CURRENT : null}>${text}</a> `,
  );
  return html`<!doctype html>
    <html lang="en" dir="ltr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${PAINTED_WHOLE}
        <link rel="stylesheet" href="/explorer/${STYLE_FILE}" />
        <link rel="icon" href="${ICON}" />
        ${SCRIPT_ELEMENTS} ${head}
      </head>
      <body>
        <a class="skip" href="#main">${webTexts.skip}</a>
        <header class="bar">
          <div>
            <a class="home" href="${home[0]}">${home[1]}</a>
            ${links.length === 0 ? null : html`<nav aria-label="${webTexts.navigation}">${links}</nav>`}
            ${tools}
          </div>
          ${notice ? html`<p class="notice">${notice}</p>` : null}
        </header>
        <p id="status" role="status" class="visually-hidden"></p>
        <main id="main">${main}</main>
        <footer id="end">${footer}</footer>
      </body>
    </html> `.text;
}

/**
 * Browsers that know this link (HTML, "expect") paint a page once its content has been read.
 * Else its tables and forms move as their later rows and fields are read.
 */
const PAINTED_WHOLE = html`<link rel="expect" href="#end" blocking="render" />`;

const CURRENT = html`aria-current="page"`;
