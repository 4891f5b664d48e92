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
  country_name: string;
  month: string;
  series: number;
  fresh: number;
  rated: number;
  high: number;
  ifpa: { high: number };
  alps: { alert: number; crisis: number };
}

/** The order of the page: countries with old prices last, each by name; the API's is by code. */
const inOrder = (rows: readonly Warning[], old: readonly string[]) => {
  const keyOf = ({ country_name: name }: Warning) => `${Number(old.includes(name))}${name}`;
  return rows.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : Number(keyOf(one) > keyOf(other))));
};

function textOf({ country_name: country, fresh, rated, high }: Warning, old: readonly string[]): string {
  if (old.includes(country)) return 'old prices';
  if (rated < 3) return fresh === 0 ? 'no fresh series' : 'too few can be rated';
  return high === 0 ? `none of ${rated}` : `${Math.round((100 * high) / rated)}% (${high} of ${rated})`;
}

describe('the page of warnings', () => {
  it('says so where there are none', async () => {
    const html = await page(service, '/warnings');
    expect(html).toContain('No country has prices of such a month.');
    expect(html).not.toContain('<table>');
    expect(html).not.toContain('type="range"');
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
    for (const query of ['', '?by=country,commodity', '?month=2024-06', '?iso3_country_codes=YEM']) {
      const html = await page(service, `/warnings${query}`);
      const { body } = await service.http().get(`/api/v1/PriceWarning/${query}`).expect(200);
      const { results } = body as { results: Warning[] };
      expect(results.length).toBeGreaterThan(0);
      const skipped = query.includes('by=') ? 1 : 0;
      const rows = tableRows(html, '<tbody>').map(([country, ...cells]) => [
        country,
        ...cells.slice(skipped),
      ]);
      // Behind Kenya, whose prices reach December: of three countries the first counts.
      const old = query.includes('month=2024-06') ? ['اليمن'] : ['Switzerland', 'اليمن'];
      expect(rows.map((cells) => cells.slice(0, 7))).toEqual(
        inOrder(results, old).map((row) => [
          row.country_name,
          row.month,
          ...[row.series, row.fresh].map(String),
          textOf(row, old),
          ...[row.ifpa.high, row.alps.alert + row.alps.crisis].map(String),
        ]),
      );
    }
    const html = await page(service, '/warnings');
    expect(html).toContain('&lt;script&gt;');
    expect(html).toMatch(/<data value="0\.\d+">/);
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
