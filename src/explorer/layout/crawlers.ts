/**
 * Paths of addresses for programs, for maintainers, of copies of pages, or of single prices, which
 * are too many (RFC 9309).
 */
export const CLOSED_PATHS = [
  '/api/',
  '/giews/',
  '/desk/',
  '/embed/',
  '/series/*/points/',
  '/*?',
  '/*.svg',
  '/*.png',
];

const patterns = CLOSED_PATHS.map((path) => path.replace(/[.?]/g, '\\$&').replaceAll('*', '.*'));
const CLOSED = new RegExp(`^(?:${patterns.join('|')})`);

const LINK = /<a\s([^>]*?)href="([^"]*)"/g;

/**
 * A page whose links to filters, orders, further pages and data say that crawlers need not follow
 * them: what `robots.txt` closes to those that read it.
 */
export const withClosedLinks = (page: string): string =>
  page.replace(LINK, (link: string, before: string, address: string) =>
    CLOSED.test(address) ? `<a ${before}href="${address}" rel="nofollow"` : link,
  );
