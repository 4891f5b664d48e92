import { randomUUID } from 'node:crypto';
import { storeIndices, storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { expectSafe, open, page, tableRows } from './pages.js';

const HOSTILE = '<script>alert(1)</script>';

let service: TestApp;
beforeAll(async () => (service = await startTestApp()));
afterAll(() => service.close());

const monthly = (last: number) =>
  Array.from({ length: 84 }, (_, index) => {
    const date = `${2018 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}-01`;
    return [date, index === 83 ? last : 20 + (index % 5)] as const;
  });

interface Warning {
  iso3_country_code: string;
  country_name: string;
  month: string;
  fresh: number;
  rated: number;
  high: number;
  ifpa: { high: number };
  alps: { alert: number; crisis: number };
}

interface WarningChange extends Warning {
  old: boolean;
  share_12m_ago: number | null;
  rated_12m_ago: number;
  high_12m_ago: number;
}

function textOf({ old, fresh, rated, high }: WarningChange): string {
  if (old) return 'old prices';
  if (rated < 3) return fresh === 0 ? 'no fresh series' : 'too few can be rated';
  return high === 0 ? `none of ${rated}` : `${Math.round((100 * high) / rated)}% (${high} of ${rated})`;
}

/** The same of a year before. */
const pastTextOf = (change: WarningChange) =>
  change.old || change.share_12m_ago === null
    ? '–'
    : textOf({ ...change, rated: change.rated_12m_ago, high: change.high_12m_ago });

describe('the page of warnings', () => {
  it('says so where there are no prices, and offers no data of nothing', async () => {
    const html = await page(service, '/warnings');
    expect(html).toContain('There are no prices yet. A maintainer can import a file.');
    const [, main] = /<main[^>]*>([\s\S]*)<\/main>/.exec(html)!;
    expect(main).not.toMatch(/<table|<form|<svg|format=|\.png|as_of=/);
  });

  it('has the numbers of the API, escaped', async () => {
    await storeSeries(service.unitOfWork, [
      ...['a', 'b', HOSTILE].map((name, index) => ({
        uuid: randomUUID(),
        commodity: { name },
        market: { name: 'Nairobi', iso3_country_code: 'KEN', country_name: 'Kenya' },
        points: { monthly: monthly(20 + 30 * index) },
      })),
      {
        uuid: randomUUID(),
        market: { name: 'x', iso3_country_code: 'YEM', country_name: 'اليمن' },
        currency: 'YER',
        points: { monthly: [['2024-01-01', 5]] },
      },
      {
        uuid: randomUUID(),
        market: { name: 'x', iso3_country_code: 'CHE', country_name: 'Switzerland' },
        points: { monthly: [['2024-06-01', 5]] },
      },
    ]);
    await storeIndices(
      service.unitOfWork,
      monthly(100).map(([date]) => ['KEN', date, 100] as const),
    );
    for (const [query, sort] of [
      ['', 'old,-share,-rated'],
      ['by=country,commodity', 'old,-share,-rated'],
      ['month=2024-06', 'old,-share,-rated'],
      ['iso3_country_codes=YEM', 'old,-share,-rated'],
      ['order=country', 'old,country_name'],
      ['order=year_before', 'old,-share_12m_ago'],
    ] as const) {
      const html = await page(service, `/warnings?${query}`);
      const filters = query.startsWith('order') ? '' : query;
      const list = async <T>(name: string, parameters: string) => {
        const { body } = await service.http().get(`/api/v1/${name}/?${parameters}`).expect(200);
        return (body as { results: T[] }).results;
      };
      const counts = await list<Warning>('PriceWarning', filters);
      const changes = await list<WarningChange>('PriceWarningChange', `sort=${sort}&${filters}`);
      expect(changes.length).toBe(counts.length);
      expect(changes.length).toBeGreaterThan(0);
      const skipped = query.includes('by=') ? 1 : 0;
      const rows = tableRows(html, '<tbody>').map(([country, ...cells]) => [
        country,
        ...cells.slice(skipped),
      ]);
      const plain = ({ country_name, month, fresh }: Warning) => [country_name, month, String(fresh)];
      expect(rows.map(([country, month, , , fresh]) => [country, month, fresh])).toEqual(changes.map(plain));
      expect(rows.map(([, , now, before]) => [now, before])).toEqual(
        changes.map((change) => [textOf(change), pastTextOf(change)]),
      );
      expect(rows.map(([country, , , , , ifpa, alps]) => [country, ifpa, alps]).sort()).toEqual(
        counts
          .map(({ country_name, ifpa, alps }) => [
            country_name,
            ...[ifpa.high, alps.alert + alps.crisis].map(String),
          ])
          .sort(),
      );
      expect(html).toContain(
        `&amp;sort=${encodeURIComponent(sort)}`.replace(/^&amp;/, filters === '' ? '?' : '&amp;'),
      );
    }
    const html = await page(service, '/warnings');
    expect(html).toContain('&lt;script&gt;');
    expect(html).toMatch(/<data value="0\.\d+">/);
  });

  it('says what has changed since the month before, and since the year before', async () => {
    const html = await page(service, '/warnings');
    expect(html).toContain(
      'In 0 of 1 country that can be rated in both months, a smaller share of food prices is high in the newest month ' +
        'of each country than a year before; in 1, a larger one.',
    );
    // Previews of links say it, too.
    for (const name of ['name="description"', 'property="og:description"'])
      expect(html).toContain(
        `<meta ${name} content="In 0 of 1 country that can be rated in both months, a smaller share`,
      );
    expect(await page(service, '/countries/KEN')).toContain(
      '<meta property="og:description" content="December 2024: 67% of the food prices that can be rated are high (2 of 3). ',
    );
    expect((await open(service, '/')).text).toContain(
      '<meta property="og:description" content="In 0 of 1 country that can be rated in both months, a smaller share',
    );
    expect(tableRows(html, 'Series that can be rated in both months')).toEqual([
      ['Kenya', '2024-12', '2', '&lt;script&gt;alert(1)&lt;/script&gt;b', '0', ''],
    ]);
    expect(await page(service, '/warnings?month=2024-11')).toContain(
      'No price has become high, or is no longer high.',
    );
  });

  it('offers the months of fifty years, whatever the first date is', async () => {
    const months = async (query = '') => {
      const html = await page(service, `/warnings${query}`);
      const [, options] = /<select name="month">(.*?)<\/select>/s.exec(html)!;
      return { html, months: [...options!.matchAll(/<option value="(\d.*?)"/g)].map((match) => match[1]!) };
    };
    const before = await months();
    expect([before.months[0], before.months.at(-1), before.months.length]).toEqual([
      '2024-12',
      '2018-01',
      84,
    ]);
    await storeSeries(service.unitOfWork, [{ uuid: randomUUID(), points: { monthly: [['1018-01-01', 5]] } }]);
    const { html, months: after } = await months();
    expect([after[0], after.at(-1), after.length]).toEqual(['2024-12', '1975-01', 600]);
    expect(html).toContain(`min="${1975 * 12}"`);
    // An earlier one can be asked for, and is offered.
    expect((await months('?month=1018-01')).months.slice(0, 2)).toEqual(['1018-01', '2024-12']);
  });

  it('answers what it cannot understand in words', async () => {
    for (const [query, status] of [
      ['by=planet', 400],
      ['month=2024-13', 400],
      ['page=9', 404],
    ] as const) {
      const { status: answered, text } = await open(service, `/warnings?${query}`);
      expect([query, answered]).toEqual([query, status]);
      expectSafe(text);
    }
  });
});

describe('the page about the data', () => {
  it('says where there are no prices', async () => {
    const empty = await startTestApp();
    const html = await page(empty, '/data');
    await empty.close();
    expect(html).toMatch(/<h2>Sources and licences<\/h2>\s*<p>There are no prices yet\./);
    expect(html).not.toContain('<table');
  });

  it('lists sources with their licences, and downloads that are there', async () => {
    await storeSeries(service.unitOfWork, [
      {
        uuid: randomUUID(),
        source: { name: HOSTILE, url: 'javascript:x', license: 'https://creativecommons.org/x' },
      },
    ]);
    const html = await page(service, '/data');
    expect(tableRows(html, 'Sources and licences')).toEqual([
      ['Ministry', '6', 'not known'],
      ['&lt;script&gt;alert(1)&lt;/script&gt;', '1', 'https://creativecommons.org/x'],
    ]);
    expect(html).not.toContain('javascript:');
    const links = [...html.matchAll(/href="(\/api\/v1\/[^"?]+\?format=[^"]+)"/g)].map((match) => match[1]!);
    expect(links).toHaveLength(18);
    for (const link of links) await service.http().get(link).expect(200);
    expect(await page(service, '/data?utm_source=x')).toBe(html);
  });

  it('says what rules find with the values of their thresholds', async () => {
    const authorization = await service.authHeader();
    for (const market_name of ['Owino', 'Owinno'])
      await service
        .http()
        .post('/api/v1/Market/')
        .set(authorization)
        .send({ market_name, market_iso3_country_code: 'UGA' })
        .expect(201);
    const rows = tableRows(await page(service, '/data'), 'Quality');
    expect(rows.filter(([rule]) => rule === 'near_duplicate')).toEqual([
      [
        'near_duplicate',
        'look',
        '1',
        expect.stringMatching(/, or differ by one letter and have 6 or more\.$/) as string,
      ],
    ]);
  });
});
