import { digestTag } from '../../platform/http/cache/etag.js';
import { HTML_MEDIA_TYPE } from '../../platform/formats/page-formats.js';
import { Reply, type ReplyHeaders } from '../../platform/http/response/reply.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { texts } from '../texts.js';
import { addressOf } from './address.js';
import { withClosedLinks } from './crawlers.js';
import { type Html, html } from './html.js';
import { SCRIPT_ELEMENTS } from './scripts.js';
import { GENERAL_PREVIEW, type LinkPreview, previewTags } from '../images/preview-tags.js';
import { STYLE } from './style.js';

/** Where the stylesheet is: the address changes with its content. */
export const STYLE_FILE = `style.${digestTag(Buffer.from(STYLE)).slice(0, 16)}.css`;

/** Only this server's files, no inline script or style, and no frame of another page. */
export const PAGE_HEADERS: ReplyHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
};

/** A page: what its frame and its head need. */
export interface PageView {
  title: string;
  /** A sentence for search engines and previews of links. */
  description: string;
  /** Path and parameters of the state that it shows, without others. */
  address: string;
  /** A picture for previews of links, in their size: its path, and what it shows. */
  preview?: LinkPreview;
  /** Further elements of the head. */
  head?: Html;
  main: Html;
}

const NAVIGATION = [
  ['/browse', texts.nav.browse],
  ['/compare', texts.nav.compare],
  ['/warnings', texts.nav.warnings],
  ['/data', texts.nav.data],
  ['/docs', texts.nav.docs],
] as const;

/**
 * Pages of the navigation that show an earlier state where the page that leads to them does. Those
 * of warnings can show one of few series only, and these would be all.
 */
const OF_STATES: readonly string[] = ['/browse', '/compare'];

/** States of a page are many, and each leads to others: crawlers have the page itself. */
const NOT_INDEXED = html`<meta name="robots" content="noindex, nofollow" />`;

/** Scales with the text around it; a data address, so that no other request is needed. */
const ICON =
  'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22%3E' +
  '%3Cpath d=%22M1 13l5-6 3 3 6-8%22 fill=%22none%22 stroke=%22%230072b2%22 stroke-width=%222.5%22/%3E%3C/svg%3E';

/** The whole document. */
export function pageHtml(view: PageView, origin: string): string {
  const { title, description, address, preview = GENERAL_PREVIEW, head, main } = view;
  const { pathname, searchParams } = new URL(address, origin);
  const inState = (path: string) =>
    OF_STATES.includes(path) ? addressOf(path, { as_of: searchParams.get('as_of') }) : path;
  const document = frameHtml({
    title: title === texts.name ? title : `${title} – ${texts.name}`,
    head: html`<meta name="description" content="${description}" />
      <link rel="canonical" href="${origin}${address}" />
      <meta property="og:type" content="website" />
      <meta property="og:title" content="${title}" />
      <meta property="og:description" content="${description}" />
      <meta property="og:url" content="${origin}${address}" />
      ${address.includes('?') ? NOT_INDEXED : null} ${previewTags(preview, origin)} ${head}`,
    home: ['/', texts.name],
    navigation: NAVIGATION.map(([path, text]) => [inState(path), text] as const),
    current: inState(pathname),
    main,
    footer: html`${texts.footer} <a href="/data">${texts.footerLink}</a>`,
  });
  return withClosedLinks(document);
}

/** What stands around the content of a page. */
export interface Frame {
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
  main: Html;
  footer: Html;
}

/** A document of this service, as the explorer and the desk have it. */
export function frameHtml({ title, head, home, navigation, current, tools, main, footer }: Frame): string {
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
        <a class="skip" href="#main">${texts.skip}</a>
        <header class="bar">
          <div>
            <a class="home" href="${home[0]}">${home[1]}</a>
            ${links.length === 0 ? null : html`<nav aria-label="${texts.nav.label}">${links}</nav>`} ${tools}
          </div>
        </header>
        <p id="status" role="status" class="unseen"></p>
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

/** A page as the reply to a request. @param revision of the data that it shows */
export const pageReply = (view: PageView, { origin }: Pick<RequestContext, 'origin'>, revision?: number) =>
  Reply.text(pageHtml(view, origin), HTML_MEDIA_TYPE, { headers: PAGE_HEADERS, revision });
