import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { SampleData } from '../../src/sample/sample-data.js';
import { pandas } from '../clients/run-client.js';
import { assertProperty } from '../support/property.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { compareHighPrices } from './high-prices.js';
import { compareNumbers, type Fetch } from './page-numbers.js';
import { BROWSER_ACCEPT, numbers, withoutTermLinks } from './pages.js';

/*
 * The suite looks at some states and numbers. By hand, also of another database:
 *
 *   STATES=200 NUMBERS=200 MONTHS=24 PAGES_ORIGIN=http://127.0.0.1:3000 npm test -- test/explorer/sample-pages
 */
const STATES = Number(process.env.STATES ?? 25);
const NUMBERS = Number(process.env.NUMBERS ?? 40);
const MONTHS = Number(process.env.MONTHS ?? 6);

interface Series {
  uuid: string;
  iso3_country_code: string;
  commodity_id: number;
  currency: string;
  price_type_id: number;
}

let service: TestApp | null = null;
let origin = process.env.PAGES_ORIGIN ?? '';
let all: Series[];
let revision: string;
const fetchText: Fetch = async <T>(address: string): Promise<T> => {
  const reply = await fetch(origin + address, {
    headers: address.startsWith('/api/') ? {} : { Accept: BROWSER_ACCEPT },
  });
  if (reply.status !== 200) throw new Error(`${address} has status ${reply.status}: ${await reply.text()}`);
  return (address.startsWith('/api/') ? reply.json() : withoutTermLinks(await reply.text())) as T;
};

beforeAll(async () => {
  if (origin === '') {
    service = await startTestApp();
    await service.app.get(SampleData).load();
    const server = service.app.getHttpServer() as { address(): AddressInfo };
    origin = `http://127.0.0.1:${server.address().port}`;
  }
  const list = await fetchText<{ results: Series[] }>('/api/v1/PriceSerie/?page_size=500');
  all = list.results;
  revision = /as_of=(r\d+)/.exec(await fetchText('/browse'))![1]!;
});
afterAll(() => service?.close());

const decoded = (text: string) =>
  text
    .replaceAll('&amp;', '&')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>');

/** The address that a page says it has. */
const canonical = (html: string) =>
  decoded(/<link rel="canonical" href="([^"]*)"/.exec(html)![1]!).slice(origin.length);

const mainOf = (html: string) => html.slice(html.indexOf('<main'), html.indexOf('</main>'));

/** The address to which the form of a page leads as it stands. */
function formAddress(html: string): string {
  const [, action, content] = /<form class="row" method="get" action="([^"]+)"[^>]*>([\s\S]*?)<\/form>/.exec(
    mainOf(html),
  )!;
  const values = new URLSearchParams();
  const fields = /<input[^>]*name="([^"]+)"[^>]*value="([^"]*)"|<select name="([^"]+)">([\s\S]*?)<\/select>/g;
  for (const [, input, value, choice, options] of content!.matchAll(fields))
    if (input !== undefined) values.append(input, decoded(value!));
    else values.append(choice!, decoded(/<option value="([^"]*)" selected/.exec(options!)?.[1] ?? ''));
  return `${action}?${values.toString()}`;
}

/** Pages with the same parameters that are opened. */
const MAX_VISITS = 2;

/** Pages, images and data of the API that take `as_of`. */
const SHOWS_STATES = new RegExp(
  '^/(browse|compare|warnings|series|countries|commodities|markets|' +
    'api/v1/(PriceSerie|PriceSerieIndicator|PriceTable|PriceAggregate|PriceChange|PriceSeason|PriceWarning|PriceWarningChange|PriceCompare|FxRate|Cpi|' +
    'PriceSeriePrice(?!.*/(?:differences|versions)/)))([/.?]|$)',
);

/** Where links and forms of a page lead, but for that to the newest data. */
function targetsOf(html: string): string[] {
  const links = [...html.matchAll(/<a\s[^>]*href="([^"]*)"[^>]*>([^<]*)/g)]
    .filter(([, , text]) => text !== 'Show the newest data')
    .map(([, link]) => decoded(link!).replace(origin, ''));
  const forms = [...html.matchAll(/<form [^>]*method="get" action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)].map(
    ([, action, content]) => `${action}?as_of=${/name="as_of" value="([^"]*)"/.exec(content!)?.[1] ?? ''}`,
  );
  return [...links, ...forms];
}

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const date = fc.constantFrom('2024-01-01', '2024-06-15', '2025-02-28', '2026-01-31');
const shownBy = (newest: string) => ({
  measure: maybe(fc.constantFrom('nominal', 'real', 'usd')),
  per: maybe(fc.constantFrom('unit', 'base')),
  scale: maybe(fc.constantFrom('linear', 'log')),
  start_date: maybe(fc.constantFrom('2023-05-01', '2024-01-01')),
  end_date: maybe(date),
  as_of: maybe(fc.constant(newest)),
});

/** Addresses of pages in random states. */
function states(): fc.Arbitrary<string> {
  const series = fc.constantFrom(...all);
  const shown = shownBy(revision);
  const address = (path: string, values: Record<string, unknown>) => {
    const given = Object.entries(values).filter(([, value]) => value !== undefined);
    return `${path}?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()}`;
  };
  const periodicity = maybe(fc.constantFrom('daily', 'weekly', 'monthly'));
  return fc.oneof(
    fc
      .record({ series, values: fc.record({ periodicity, ...shown }) })
      .map(({ series: { uuid }, values }) => address(`/series/${uuid}`, values)),
    fc
      .record({
        uuids: fc.uniqueArray(series, { minLength: 1, maxLength: 4 }),
        values: fc.record({
          base: maybe(fc.constantFrom('2024-01', '2025-03')),
          formula: maybe(fc.constantFrom('ratio', 'difference')),
          ...shown,
        }),
      })
      .map(({ uuids, values }) =>
        address('/compare', { uuids: uuids.map(({ uuid }) => uuid).join(','), ...values }),
      ),
    fc
      .record({
        iso3_country_codes: maybe(series.map(({ iso3_country_code }) => iso3_country_code)),
        commodity_ids: maybe(series.map(({ commodity_id }) => commodity_id)),
        currencies: maybe(series.map(({ currency }) => currency)),
        price_types_ids: maybe(series.map(({ price_type_id }) => price_type_id)),
        search: maybe(fc.constantFrom('ma', 'rice', 'a “quoted” & <odd> text', 'é')),
        newerThan: maybe(date),
        order: maybe(fc.constantFrom('market', '-last_price_date')),
        as_of: shown.as_of,
      })
      .map((values) => address('/browse', values)),
    fc
      .record({ series, as_of: shown.as_of })
      .map(({ series: { iso3_country_code }, as_of }) =>
        address(`/countries/${iso3_country_code}`, { as_of }),
      ),
    fc
      .record({ series, as_of: shown.as_of })
      .map(({ series: { commodity_id }, as_of }) => address(`/commodities/${commodity_id}`, { as_of })),
  );
}

describe('pages of the sample', () => {
  it('keep their state from address to page and back', async () => {
    const property = fc.asyncProperty(states(), async (address) => {
      const html = await fetchText(address);
      const named = canonical(html);
      expect(mainOf(await fetchText(named))).toBe(mainOf(html));
      if (/^\/(series|compare|browse)/.test(address))
        expect(canonical(await fetchText(formAddress(html)))).toBe(named);
    });
    await assertProperty('states of pages', property, { numRuns: STATES });
  }, 600_000);

  it('keep an earlier state in every link to what can show it', async () => {
    const waiting = ['/browse', '/browse?search=nothing', '/compare', '/warnings'].map(
      (address) => `${address}${address.includes('?') ? '&' : '?'}as_of=${revision}`,
    );
    const visits = new Map<string, number>();
    const lost: string[] = [];
    for (const address of waiting) {
      const { pathname, searchParams } = new URL(address, origin);
      const [, first, , third] = pathname.split('/');
      const kind = third === undefined ? first! : `${first}/${third}`;
      const form = `${kind}?${[...searchParams.keys()].join()}`;
      visits.set(form, (visits.get(form) ?? 0) + 1);
      if (visits.get(form)! > MAX_VISITS) continue;
      const html = await fetchText(address);
      const header = html.slice(html.indexOf('<header'), html.indexOf('</header>'));
      expect([...header.matchAll(/href="([^"]*)"/g)].map(([, link]) => link)).toEqual([
        '/',
        `/browse?as_of=${revision}`,
        `/compare?as_of=${revision}`,
        '/warnings',
        '/data',
        '/help',
        '/docs',
      ]);
      const targets = targetsOf(mainOf(html)).filter((target) => SHOWS_STATES.test(target));
      lost.push(
        ...targets
          .filter((target) => !target.includes(`as_of=${revision}`))
          .map((target) => `${address} leads to ${target}`),
      );
      waiting.push(...targets.filter((target) => !/^[^?]*\.|^\/api\//.test(target)));
    }
    expect(lost).toEqual([]);
    const kinds = new Set([...visits.keys()].map((form) => form.split('?')[0]));
    expect([...kinds].sort()).toEqual([
      'browse',
      'commodities',
      'compare',
      'countries',
      'countries/commodities',
      'markets',
      'series',
      'series/points',
      'warnings',
    ]);
  }, 600_000);

  it('have links to the API in their lists of data alone', async () => {
    const { uuid, iso3_country_code: iso3, commodity_id: id } = all[0]!;
    const [corrected] = (
      await fetchText<{ results: { uuid: string }[] }>('/api/v1/Correction/?state=standing')
    ).results;
    const [found] = (await fetchText<{ results: { uuid: string | null }[] }>('/api/v1/Finding/?state=open'))
      .results;
    const series = [uuid, corrected?.uuid, found?.uuid].flatMap((each) => (each ? [`/series/${each}`] : []));
    const point = /href="(\/series\/[^"]*\/points\/[^"]*)"/.exec(await fetchText(series[0]!))![1]!;
    const pages = [
      ...['/', '/data', '/browse', '/browse?search=xyzzy', '/warnings', `/compare?uuids=${uuid}`, '/help'],
      ...[`/countries/${iso3}`, `/commodities/${id}`, `/countries/${iso3}/commodities/${id}`, decoded(point)],
      ...series,
    ];
    for (const address of pages) {
      const main = mainOf(await fetchText(address));
      const others = main.replace(/<h2>(?:This view as data|Downloads)<\/h2>\s*<ul>[\s\S]*?<\/ul>/, '');
      expect([address, ...[...others.matchAll(/href="(\/api\/[^"]*)"/g)].map(([, link]) => link)]).toEqual([
        address,
      ]);
    }
  });

  it('have the numbers of the API', async () => {
    const seed = Number(process.env.PROPERTY_SEED) || Date.now() % 0x7fffffff;
    process.stdout.write(`numbers of pages: seed ${seed}\n`);
    let state = seed;
    const below = (limit: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * limit);
    };
    const compared = await compareNumbers(fetchText, below, NUMBERS);
    expect(compared.length).toBeGreaterThanOrEqual(NUMBERS);
    expect(compared.filter(({ shown: number, known }) => number !== known)).toEqual([]);
    expect(compared.filter(({ known }) => known !== null).length).toBeGreaterThan(NUMBERS / 3);
  }, 600_000);

  it('say the same of high prices, in every place and month', async () => {
    const compared = await compareHighPrices(fetchText, MONTHS);
    process.stdout.write(`high prices: ${compared.length} texts compared\n`);
    expect(compared.filter(({ shown, known }) => shown !== known)).toEqual([]);
    // All that can be said is said of some country.
    expect(new Set(compared.map(({ known }) => known.replace(/[\d,]+/g, '#'))).size).toBeGreaterThan(1);
  }, 600_000);
});

describe('the calls that a page shows', () => {
  const run = promisify(execFile);
  /** The code of a call by its name. */
  const call = (html: string, name: string) =>
    decoded(new RegExp(`<summary>${name}</summary>\\s*<pre><code>([\\s\\S]*?)</code>`).exec(html)![1]!);
  const has = (program: string) => {
    const isThere = spawnSync(program, ['--version']).status === 0;
    if (!isThere) process.stdout.write(`${program} is not installed: its call is not run.\n`);
    return isThere;
  };
  /** The list on the last line of an output. */
  const listIn = (stdout: string) => JSON.parse(stdout.trim().split('\n').at(-1)!) as number[];
  /** As many as the page shows. */
  const firstOf = (values: number[]) => values.slice(0, prices.length);
  let html: string;
  let prices: (number | null)[];
  beforeAll(async () => {
    html = await fetchText(`/series/${all[0]!.uuid}?periodicity=monthly`);
    prices = numbers(html).map(([nominal]) => nominal!);
    expect(prices.length).toBeGreaterThan(0);
  });

  it('in a shell give its numbers', async () => {
    if (!has('curl')) return;
    const { stdout } = await run('sh', ['-c', call(html, 'curl').split('\n')[0]!]);
    const { datapoints } = JSON.parse(stdout) as { datapoints: { price_value: number }[] };
    expect(firstOf(datapoints.map(({ price_value }) => price_value))).toEqual(prices);
  });

  it('in Python give its numbers', async () => {
    if (pandas.command === null) return void process.stdout.write('Skipped, needs pandas\n');
    const code = `${call(html, 'Python')}\nprint(list(rows["price_value"].astype(float)))`;
    const [program, ...options] = pandas.command;
    const { stdout } = await run(program!, [...options, '-c', code]);
    expect(firstOf(listIn(stdout))).toEqual(prices);
  });

  it('in R give its numbers', async () => {
    if (!has('Rscript')) return;
    const code = `${call(html, 'R')}\ncat("\\n[", paste(format(rows$price_value, digits = 15), collapse = ","), "]", sep = "")`;
    const { stdout } = await run('Rscript', ['-e', code]);
    expect(firstOf(listIn(stdout))).toEqual(prices);
  }, 60_000);
});
