import { frameHtml, PAGE_HEADERS } from '../../web/frame.js';
import { type Html, html, nameOf } from '../../web/html.js';
import { HTML_MEDIA_TYPE } from '../../platform/formats/page-formats.js';
import type { ReplyHeaders } from '../../platform/http/headers.js';
import { Reply } from '../../platform/http/reply.js';
import type { DeskSession } from '../session/desk-session.js';
import { HOME } from '../session/return-address.js';
import { deskTexts } from '../texts.js';
import { tokenField } from './desk-form.js';

/** Forms name the page that they come from, within this site. */
export const DESK_HEADERS: ReplyHeaders = { ...PAGE_HEADERS, 'Referrer-Policy': 'same-origin' };

/** Seconds after which a browser opens the page of what is running again. */
export const REFRESH: ReplyHeaders = { Refresh: '2' };

/** For pages whose address is a secret: nothing that they lead to learns it. */
export const SECRET_PAGE_HEADERS: ReplyHeaders = { ...PAGE_HEADERS, 'Referrer-Policy': 'no-referrer' };

/** A page of the desk. */
export interface DeskView {
  title: string;
  /** The address in the navigation that it belongs to. */
  section?: string;
  /** Further elements of the head. */
  head?: Html;
  main: Html;
}

const NAVIGATION = [
  [HOME, deskTexts.nav.home],
  ['/desk/upload', deskTexts.nav.upload],
  ['/desk/findings', deskTexts.nav.findings],
  ['/desk/tables', deskTexts.nav.tables],
  ['/desk/series', deskTexts.nav.series],
  ['/desk/mappings', deskTexts.nav.mappings],
  ['/desk/harvests', deskTexts.nav.harvests],
  ['/desk/change-sets', deskTexts.nav.changeSets],
] as const;

const FOR_ADMINS = [
  ['/desk/accounts', deskTexts.nav.accounts],
  ['/desk/audit-log', deskTexts.nav.auditLog],
] as const;

/**
 * A page as the reply to a request.
 * @param session null for visitors, who see no navigation
 */
export const deskPage = (
  view: DeskView,
  session: DeskSession | null,
  { status = 200, headers = {} }: { status?: number; headers?: ReplyHeaders } = {},
): Reply =>
  Reply.text(deskHtml(view, session), HTML_MEDIA_TYPE, { status, headers: { ...DESK_HEADERS, ...headers } });

/** The whole document. */
export function deskHtml({ title, section, head, main }: DeskView, session: DeskSession | null): string {
  return frameHtml({
    title: `${title} – ${deskTexts.name}`,
    head: html`<meta name="robots" content="noindex" /> ${head}`,
    home: [HOME, deskTexts.name],
    navigation:
      session === null ? [] : session.caller.role === 'admin' ? [...NAVIGATION, ...FOR_ADMINS] : NAVIGATION,
    current: section ?? '',
    tools: session === null ? null : signOut(session),
    main,
    footer: html`${deskTexts.footer} <a href="/">${deskTexts.footerLink}</a>.`,
  });
}

const signOut = (session: DeskSession) =>
  html`<form method="post" action="/desk/logout">
    ${tokenField(session)} <span class="muted">${nameOf(session.caller.username)}</span>
    <button>${deskTexts.session.signOut}</button>
  </form>`;
