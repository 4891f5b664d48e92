import { helpTexts } from '../../src/explorer/texts/help.js';
import { termTexts, type TermSlug } from '../../src/explorer/texts/terms.js';
import { expectProblem } from '../support/problems.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { expectSafe, open, page } from './pages.js';

const terms = Object.entries(termTexts);

describe('the terms of the help', () => {
  it('are each in one group', () => {
    const grouped = helpTexts.groups.flatMap(([, slugs]) => [...slugs] as string[]);
    expect(grouped.toSorted()).toEqual(Object.keys(termTexts).sort());
  });

  it('have two sentences, a rule, and other terms beside them', () => {
    const sentences = (text: string) => text.split(/(?<=[.?!])\s+(?=[\p{Lu}“])/u).length;
    const wrong = terms.filter(
      ([slug, { text, rules, see }]) =>
        sentences(text) !== 2 || rules.length === 0 || see.length === 0 || see.includes(slug as TermSlug),
    );
    expect(wrong.map(([slug]) => slug)).toEqual([]);
  });

  it('are mentioned by words that no other term has', () => {
    const words = terms.flatMap(([, { mentions = [] }]) => mentions);
    expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([]);
  });
});

describe('the pages of the help', () => {
  let service: TestApp;
  beforeAll(async () => (service = await startTestApp()));
  afterAll(() => service.close());

  it('list every term with its sentences, and lead to each', async () => {
    const html = await page(service, '/help');
    const found = [...html.matchAll(/<dt id="([^"]+)"><a href="\/help\/([^"]+)">/g)];
    expect(found.map(([, id, slug]) => [id, slug])).toEqual(
      helpTexts.groups.flatMap(([, slugs]) => slugs.map((slug) => [slug, slug])),
    );
    expect(html).toContain(`<dd>${termTexts.median.text}</dd>`);
  });

  it('explain a term in two sentences, with its formula, and lead to others', async () => {
    const html = await page(service, '/help/ifpa');
    expect(html).toContain('<h1>IFPA (indicator of food price anomalies)</h1>');
    expect(html).toContain('<li>IFPA = 0.4 × score of 3 months + 0.6 × score of 12 months.</li>');
    expect(html).toContain('<link rel="canonical" href="http://127.0.0.1');
    const see = termTexts.ifpa.see.map((slug) => `/help/${slug}`);
    const links = [...html.matchAll(/href="(\/help\/[^"]+)"/g)].map(([, address]) => address!);
    expect(links).toEqual(expect.arrayContaining(see));
    for (const [slug] of terms) await page(service, `/help/${slug}`);
  });

  it.each([
    ['/help/alp', ['/help/alps']],
    ['/help/anomalies', ['/help/ifpa']],
    ['/help/CPI', ['/help/consumer-price-index']],
    ['/help/medain', ['/help/median']],
    ['/help/harvest', ['/help/season']],
    ['/help/qqqqqqq', []],
  ])('offer what is near a word that they do not have: %s', async (address, near) => {
    const { status, headers, text } = await open(service, address);
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      404,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    expectSafe(text);
    const offered = [...text.slice(text.indexOf('<h1>')).matchAll(/<li><a href="([^"]+)">/g)];
    expect(offered.map(([, to]) => to)).toEqual([...near, '/help']);
  });

  it('escape the word that they do not have, and are problem details for programs', async () => {
    expectSafe((await open(service, '/help/%3Cscript%3Ealert(1)%3C%2Fscript%3E')).text);
    expectProblem(await service.http().get('/help/alp'), { status: 404, code: 'not_found' });
  });

  it('are kept by browsers until they change', async () => {
    const { headers } = await open(service, '/help/median');
    expect((await open(service, '/help/median').set('If-None-Match', headers.etag!)).status).toBe(304);
  });
});

it('every page leads to the help', async () => {
  const service = await startTestApp();
  for (const address of ['/', '/browse', '/data', '/warnings', '/help', '/nowhere'])
    expect([address, (await open(service, address)).text]).toEqual([
      address,
      expect.stringContaining('<a href="/help"'),
    ]);
  await service.close();
});
