import type { TestApp } from '../support/test-app.js';

/** What browsers send when someone opens an address. */
export const BROWSER_ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/** The policy of every page. */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Opens an address as a browser does. */
export const open = (service: TestApp, address: string) =>
  service.http().get(address).set('Accept', BROWSER_ACCEPT);

/**
 * Opens a page, and asserts what all pages have in common: type, policy, revalidation, no inline
 * script but data, no inline style, no outside file.
 * @returns its HTML, without the links of its words to the help: `help.e2e-spec.ts` is about them
 */
export async function page(service: TestApp, address: string): Promise<string> {
  const { status, headers, text } = await open(service, address);
  expect({ address, status, ...headers }).toMatchObject({
    address,
    status: 200,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': PAGE_POLICY,
    'cache-control': 'public, no-cache',
    'x-content-type-options': 'nosniff',
    etag: expect.stringMatching(/^"/),
  });
  expectSafe(text);
  return withoutTermLinks(text);
}

/** A page in which first mentions of terms are plain text, with abbreviations as they are. */
export const withoutTermLinks = (html: string): string => html.replace(TERM_LINKS, '$1');

const TERM_LINKS = /<a class="term" href="\/help\/[\w-]+">([^<]*?)(?: <span>\([^<]*\)<\/span>)?<\/a>/g;

/**
 * The start page with all that is calculated for it: it waits a second for that, which may be too
 * short on a busy machine.
 */
export async function completeStartPage(service: TestApp): Promise<string> {
  for (const until = Date.now() + 60_000; ;) {
    const html = await page(service, '/');
    if (!html.includes('being calculated') && html.includes('Newest warnings')) return html;
    if (Date.now() > until) throw new Error('The start page is still not complete.');
  }
}

/** The element that loads the scripts of all pages, also below the path of a public address. */
const SCRIPTS =
  /<script type="module" src="(?:\/prices)?\/explorer\/[\w.]{16}\/main\.js" data-texts="[^"]*"><\/script>/;

/** Asserts that HTML runs only scripts of this server and loads nothing from elsewhere. */
export function expectSafe(html: string): void {
  expect(html).toMatch(/^<!doctype html>\n<html lang="en" dir="ltr">/);
  expect(html.match(/<title>[^<]+<\/title>/g)!.length).toBeGreaterThan(0);
  expect(html.replace(SCRIPTS, '')).not.toMatch(/<script(?! type="application\/(?:ld\+)?json">)/i);
  expect(html).not.toMatch(/\sstyle=|\son\w+=/i);
  const loaded = [
    ...html.matchAll(
      /<(?:link rel="(?:stylesheet|icon|modulepreload)"|img|script)[^>]*(?:href|src)="([^"]*)"/g,
    ),
  ];
  expect(loaded.map((match) => match[1]).filter((address) => !/^(\/(?!\/)|data:)/.test(address!))).toEqual(
    [],
  );
}

/** The rows of the table with a heading, each the texts of its cells. */
export function tableRows(html: string, heading: string): string[][] {
  const section = html.slice(html.indexOf(heading));
  const body = /<tbody>([\s\S]*?)<\/tbody>/.exec(section)?.[1] ?? '';
  return [...body.matchAll(/<tr(?: class="muted")?>([\s\S]*?)<\/tr>/g)].map(([, row]) =>
    [...row!.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, cell]) =>
      cell!.replace(/<[^>]+>/g, '').trim(),
    ),
  );
}

/** The exact numbers of the table with a heading; null where there is none. */
export function numbers(html: string, heading = 'The numbers'): (number | null)[][] {
  const section = html.slice(html.indexOf(heading));
  const body = /<tbody>([\s\S]*?)<\/tbody>/.exec(section)?.[1] ?? '';
  return [...body.matchAll(/<tr(?: class="muted")?>([\s\S]*?)<\/tr>/g)].map(([, row]) =>
    [...row!.matchAll(/<td class="number">([\s\S]*?)<\/td>/g)].map(([, cell]) => {
      const exact = /<data value="([^"]+)">/.exec(cell!)?.[1];
      return exact === undefined ? null : Number(exact);
    }),
  );
}
