import { readdirSync, readFileSync } from 'node:fs';
import { helpTexts } from '../../src/explorer/texts/help.js';
import { texts } from '../../src/explorer/texts.js';
import { SampleData } from '../../src/sample/sample-data.js';
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

describe('the words of the pages', () => {
  it('are those by which terms are mentioned', () => {
    const written = [`${texts.perAmount} kg`];
    const collect = (value: unknown) => {
      if (value === helpTexts) return;
      if (typeof value === 'string') written.push(value);
      else if (typeof value === 'function') written.push(String(value));
      else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
    };
    collect(texts);
    const mentioned = (word: string) => written.some((text) => text.includes(word));
    const unused = terms.flatMap(([slug, { mentions = [] }]) =>
      mentions.filter((word) => !mentioned(word)).map((word) => `${slug}: ${word}`),
    );
    expect(unused).toEqual([]);
  });

  it('lead to the help where a page mentions them first, and an abbreviation is spelled out', async () => {
    const service = await startTestApp();
    await service.app.get(SampleData).load();
    const [ofWarnings, ofCountry] = await Promise.all(
      ['/warnings', '/countries/XAB'].map(async (address) => (await open(service, address)).text),
    );
    const IFPA =
      '<a class="term" href="/help/ifpa">IFPA <span>(indicator of food price anomalies)</span></a>';
    for (const html of [ofWarnings!, ofCountry!]) {
      expectSafe(html);
      const linked = [...html.matchAll(/<a class="term" href="\/help\/([^"]+)"/g)].map(([, slug]) => slug!);
      expect(linked).toEqual([...new Set(linked)]);
      expect(linked.filter((slug) => !Object.hasOwn(termTexts, slug))).toEqual([]);
      expect(linked).toEqual(expect.arrayContaining(['alps', 'classes', 'fresh', 'high', 'ifpa']));
      expect(html).toContain(IFPA);
      // Titles and descriptions for search engines have no elements in them.
      expect(html.slice(0, html.indexOf('<body>'))).not.toContain('class="term"');
    }
    await service.close();
  }, 60_000);
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
    ['/help/realprice', ['/help/real']],
    ['/help/ppp', ['/help/consumer-price-index', '/help/api']],
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

describe('the guides of the help', () => {
  let service: TestApp;
  const pages = new Map<string, string>();
  beforeAll(async () => {
    service = await startTestApp();
    for (const name of Object.keys(helpTexts.guides))
      pages.set(name, await page(service, `/help/guides/${name}`));
  });
  afterAll(() => service.close());

  const idsOf = (html: string) => [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id!);

  it('are the documents of the repository, and the help lists them', async () => {
    const list = await page(service, '/help');
    expect(await page(service, '/help/guides')).toBe(list);
    for (const [name, html] of pages) {
      const lists = name.startsWith('api/') ? pages.get('api') : list;
      expect(lists).toContain(`<a href="/help/guides/${name}">`);
      const file = name === 'api' ? 'api/README' : name;
      const [, title] = /^# (.*)$/m.exec(readFileSync(`docs/${file}.md`, 'utf8'))!;
      expect(html).toContain(`<h1>${title}</h1>`);
    }
    expect(pages.get('analysis')).toMatch(
      /<h2 id="when-to-trust-them">When to trust them<\/h2>[\s\S]*<strong>Five-year mean<\/strong>: <code>mean_5y_years<\/code>/,
    );
    expect(pages.get('analysis')).toContain(
      '<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">question</th>',
    );
  });

  it('of the API are a page for each of docs/api/, with the text that its index has', () => {
    const index = readFileSync('docs/api/README.md', 'utf8');
    const listed = Array.from(index.matchAll(/^\| \[.*\]\((.*)\.md\) \| (.*) \|$/gm), ([, file, text]) => [
      `api/${file}`,
      text,
    ]);
    const ofApi = Object.entries(helpTexts.guides).filter(([name]) => name.startsWith('api/'));
    expect(listed).toEqual(ofApi.map(([name, { text }]) => [name, text]));
    expect(readdirSync('docs/api').sort()).toEqual(
      ['README.md', ...ofApi.map(([name]) => `${name.slice('api/'.length)}.md`)].sort(),
    );
    expect(pages.get('api/prices')).toContain('› <a href="/help/guides/api">API guide</a>');
  });

  it('have each id once, and links to what is there alone', () => {
    for (const [name, html] of pages) {
      const ids = idsOf(html);
      expect([name, ids.filter((id, index) => ids.indexOf(id) !== index)]).toEqual([name, []]);
      const content = html.slice(html.indexOf('<h1>'), html.indexOf('</main>'));
      const broken = [...content.matchAll(/<a href="([^"]*)"/g)]
        .map(([, to]) => to!)
        .filter((to) => {
          const [, guide, section] = /^(?:\/help\/guides\/([\w/-]+))?(?:#(.*))?$/.exec(to) ?? [];
          if (to.startsWith('https://')) return false;
          const target = pages.get(guide ?? name);
          return target === undefined || (section !== undefined && !idsOf(target).includes(section));
        });
      expect([name, broken]).toEqual([name, []]);
    }
  });

  it('have the sections that terms lead to', () => {
    const broken = terms.filter(([, { guide }]) => {
      const [name, section] = guide.split('#') as [string, string?];
      return section !== undefined && !idsOf(pages.get(name)!).includes(section);
    });
    expect(broken.map(([slug, { guide }]) => [slug, guide])).toEqual([]);
  });

  it('call the service that shows them', async () => {
    const { text } = await open(service, '/help/guides/recipes').set('Host', 'prices.example.org');
    expect(text).toContain('curl &#39;http://prices.example.org/api/v1/PriceTable/');
    expect(text).not.toContain('127.0.0.1:3000');
  });

  it.each(['rules', 'api/rules', 'rules/prices', 'api/README'])(
    'are offered where there is none of a name: %s',
    async (name) => {
      const { status, text } = await open(service, `/help/guides/${name}`);
      const listed = [...pages.keys()].filter((each) => !each.includes('/'));
      expect([status, [...text.matchAll(/<li><a href="([^"]+)">/g)].map(([, to]) => to)]).toEqual([
        404,
        listed.map((each) => `/help/guides/${each}`).concat('/help'),
      ]);
    },
  );
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
