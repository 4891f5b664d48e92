import { HTML_MEDIA_TYPE } from '../../platform/formats/page-formats.js';
import { Reply } from '../../platform/http/reply.js';
import type { RequestInfo } from '../../platform/http/request.js';
import { texts } from '../texts.js';
import { addressOf } from '../../web/address.js';
import { withClosedLinks } from './crawlers.js';
import { withTermLinks } from '../help/mentions.js';
import { frameHtml, PAGE_HEADERS } from '../../web/frame.js';
import { type Html, html } from '../../web/html.js';
import { GENERAL_PREVIEW, type LinkPreview, previewTags } from '../images/preview-tags.js';

/** A page: what its frame and its head need. */
export interface PageView {
  title: string;
  /** For search engines and previews of links: what the page says first. */
  description: string;
  /** Path and parameters of the state that it shows, without others. */
  address: string;
  /** A picture for previews of links, in their size: its path, and what it shows. */
  preview?: LinkPreview;
  /** Further elements of the head. */
  head?: Html;
  main: Html;
  /** The first mentions of terms lead to the help unless this is false. */
  linksTerms?: boolean;
}

/** Sentences of a description, without those that a page does not have. */
export const inOneLine = (...sentences: readonly (string | null)[]): string =>
  sentences.filter((sentence) => sentence !== null).join(' ');

const NAVIGATION = [
  ['/browse', texts.nav.browse],
  ['/compare', texts.nav.compare],
  ['/warnings', texts.nav.warnings],
  ['/data', texts.nav.data],
  ['/help', texts.nav.help],
  ['/docs', texts.nav.docs],
] as const;

/**
 * Pages of the navigation that show an earlier state where the page that leads to them does. Those
 * of warnings can show one of few series only, and these would be all.
 */
const OF_STATES: readonly string[] = ['/browse', '/compare'];

/** States of a page are many, and each leads to others: crawlers have the page itself. */
const NOT_INDEXED = html`<meta name="robots" content="noindex, nofollow" />`;

/** What a page depends on besides its view. */
export type PageContext = Pick<RequestInfo, 'origin' | 'notice'>;

/** The whole document. */
export function pageHtml(view: PageView, { origin, notice }: PageContext): string {
  const { title, description, address, preview = GENERAL_PREVIEW, head, main, linksTerms = true } = view;
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
    notice,
    main: linksTerms ? withTermLinks(main) : main,
    footer: html`${notice === null ? texts.footer : null} <a href="/data">${texts.footerLink}</a>`,
  });
  return withClosedLinks(document);
}

/** A page as the reply to a request. @param revision of the data that it shows */
export const pageReply = (view: PageView, info: PageContext, revision?: number) =>
  Reply.text(pageHtml(view, info), HTML_MEDIA_TYPE, { headers: PAGE_HEADERS, revision });
