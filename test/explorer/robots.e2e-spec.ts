import { helpTexts } from '../../src/explorer/texts/help.js';
import { termTexts } from '../../src/explorer/texts/terms.js';
import { storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { BROWSER_ACCEPT } from './pages.js';

describe('crawlers', () => {
  let service: TestApp;
  // More than a page of the search.
  const uuids = Array.from({ length: 60 }, (_, index) => `aaaaaaaa-0000-4000-8000-0000000000${10 + index}`);
  beforeAll(async () => {
    service = await startTestApp({ PUBLIC_URL: 'https://example.org/prices' });
    await storeSeries(
      service.unitOfWork,
      uuids.map((uuid, index) => ({
        uuid,
        commodity: { name: `Maize ${index % 7}` },
        market: { name: `Market ${index}`, iso3_country_code: index % 2 === 0 ? 'KEN' : 'YEM' },
        points: { monthly: [['2023-01-01', 10 + index]] },
      })),
    );
  });
  afterAll(() => service.close());

  /**
   * Follows links breadth first as `robots.txt`, pages and links say.
   * @returns the pages by their paths
   */
  const crawl = async (start: string) => {
    const { text: rules } = await service.http().get('/robots.txt');
    const closed = [...rules.matchAll(/^Disallow: (.*)$/gm)].map(
      ([, path]) => new RegExp(`^${path!.replace(/[.?]/g, '\\$&').replaceAll('*', '.*')}`),
    );
    const seen = new Map<string, string>();
    const waiting = [`/prices${start}`];
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      const { text } = await service
        .http()
        .get(path.slice('/prices'.length))
        .set('Accept', BROWSER_ACCEPT)
        .expect(200);
      seen.set(path, text);
      if (seen.size > 500) throw new Error('There is no end.');
      if (/<meta name="robots" content="[^"]*nofollow/.test(text)) continue;
      for (const { href, rel } of links(text)) {
        const to = href.replace(/#.*/, '');
        if (rel === 'nofollow' || !/^\/(?!\/)/.test(to) || closed.some((pattern) => pattern.test(to)))
          continue;
        if (!seen.has(to) && !waiting.includes(to)) waiting.push(to);
      }
    }
    return seen;
  };

  it('are told what to leave out, below the path of the service', async () => {
    const { text, headers } = await service.http().get('/robots.txt').expect(200);
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(text).toBe(
      'User-agent: *\n' +
        ['api/', 'giews/', 'desk/', 'embed/', 'series/*/points/', '*?', '*.svg', '*.png']
          .map((path) => `Disallow: /prices/${path}\n`)
          .join(''),
    );
  });

  it('find pages without a query, and are told not to index states of them', async () => {
    const robots = async (address: string) =>
      /<meta name="robots" content="([^"]*)"/.exec(
        (await service.http().get(address).set('Accept', BROWSER_ACCEPT).expect(200)).text,
      )?.[1] ?? null;
    expect(await robots('/browse')).toBeNull();
    expect(await robots('/browse?utm_source=mail')).toBeNull();
    expect(await robots('/browse?search=maize')).toBe('noindex, nofollow');
    expect(await robots('/warnings?by=country,commodity')).toBe('noindex, nofollow');
  });

  it('come to an end: a page for each series, market, commodity, country, word and guide, and nine others', async () => {
    const seen = await crawl('/');
    const commodities = await service.database.rows<{ id: number }>('SELECT id FROM commodity');
    const others = [
      '/',
      '/browse',
      '/commodities',
      '/compare',
      '/data',
      '/docs',
      '/help',
      '/releases',
      '/warnings',
    ];
    const markets = await service.database.rows<{ id: number }>('SELECT id FROM market');
    const ofCommodities = commodities.map(({ id }) => `/commodities/${id}`);
    const groups = [
      ...['/countries/KEN', '/countries/YEM'].flatMap((country) => [
        country,
        ...ofCommodities.map((path) => country + path),
      ]),
      ...ofCommodities,
      ...markets.map(({ id }) => `/markets/${id}`),
      ...Object.keys(termTexts).map((slug) => `/help/${slug}`),
      ...Object.keys(helpTexts.guides).map((name) => `/help/guides/${name}`),
    ];
    const isSeries = (path: string) => path.startsWith('/prices/series/');
    expect([...seen.keys()].filter((path) => !isSeries(path)).sort()).toEqual(
      [...others, ...groups].map((path) => `/prices${path}`).sort(),
    );
    const series = [...seen.keys()].filter(isSeries).map((path) => path.slice('/prices/series/'.length));
    expect(series.length).toBeGreaterThan(50);
    expect(series.filter((uuid) => !uuids.includes(uuid))).toEqual([]);
    for (const [path, html] of seen)
      if (path !== '/prices/docs')
        expect(/<link rel="canonical" href="([^"]*)"/.exec(html)?.[1]).toBe(`https://example.org${path}`);
  });

  it('need not follow filters, orders, further pages and explanations', async () => {
    const closed = /^\/prices\/(api|giews|desk|embed|series\/.*\/points)\/|\?|\.(svg|png)$/;
    for (const path of [
      '/',
      '/browse',
      `/series/${uuids[0]}`,
      '/countries/KEN',
      '/warnings',
      '/data',
      '/browse?page=2',
    ]) {
      const { text } = await service.http().get(path).set('Accept', BROWSER_ACCEPT).expect(200);
      const found = links(text).map(({ href, rel }) => [path, href, rel]);
      expect(found.length).toBeGreaterThan(5);
      expect(found).toEqual(
        found.map(([, href]) => [
          path,
          href,
          closed.test(href!) && href!.startsWith('/') ? 'nofollow' : null,
        ]),
      );
    }
  });
});

/** The links of a page. */
const links = (html: string) =>
  [...html.matchAll(/<a\s([^>]*)>/g)].map(([, attributes]) => ({
    href: /href="([^"]*)"/.exec(attributes!)![1]!.replaceAll('&amp;', '&'),
    rel: /rel="([^"]*)"/.exec(attributes!)?.[1] ?? null,
  }));
