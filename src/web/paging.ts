import { pageBounds } from '../platform/listing/page.js';
import { webTexts } from './texts.js';
import { html, type Html } from './html.js';

/** A part of a list, and links to the parts around it. */
interface PagedItems<T> {
  readonly items: readonly T[];
  readonly links: Html | null;
}

/**
 * One page of a list with its links.
 * @param addressOf the address of another page; undefined for the first
 * @throws NotFound past the last page
 */
export function paged<T>(
  all: readonly T[],
  page: number,
  pageSize: number,
  addressOf: (page: number | undefined) => string,
): PagedItems<T> {
  const { offset, limit, lastPage } = pageBounds({ page, pageSize }, all.length);
  const items = all.slice(offset, offset + limit);
  return { items, links: pageLinks(page, lastPage, addressOf) };
}

/** Links to the pages before and after one; null where it is the only one. */
export function pageLinks(
  page: number,
  lastPage: number,
  addressOf: (page: number | undefined) => string,
): Html | null {
  if (lastPage === 1) return null;
  const link = (to: number, text: string) =>
    to < 1 || to > lastPage ? null : html`<a href="${addressOf(to === 1 ? undefined : to)}">${text}</a>`;
  return html`<nav class="pages" aria-label="${webTexts.pages.label}">
    ${link(page - 1, webTexts.pages.previous)} <span>${webTexts.pages.of(page, lastPage)}</span>
    ${link(page + 1, webTexts.pages.next)}
  </nav>`;
}
