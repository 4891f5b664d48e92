import { randomUUID } from 'node:crypto';
import { storeIndices, storePoints, storeRates, storeSeries } from '../support/price-fixture.js';
import { expectProblem } from '../support/problems.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { expectSafe, numbers, open, page, tableRows } from './pages.js';

const HOSTILE = '</script><script>alert(1)</script>"\'&';
const UUIDS = {
  maize: randomUUID(),
  one: randomUUID(),
  none: randomUUID(),
  daily: randomUUID(),
  weekly: randomUUID(),
  expected: randomUUID(),
  forecast: randomUUID(),
  gone: randomUUID(),
};

/** Months from January 2018 on. */
const months = Array.from({ length: 80 }, (_, index) => {
  const month = String((index % 12) + 1).padStart(2, '0');
  return [`${2018 + Math.floor(index / 12)}-${month}-01`, 40 + ((index * 7) % 11) / 3] as const;
});

interface Point {
  date: string;
  price_value: number;
  price_value_real: number | null;
  price_value_dollar: number | null;
}

let service: TestApp;
let ids: Map<string, number>;
beforeAll(async () => {
  service = await startTestApp();
  ids = await storeSeries(service.unitOfWork, [
    {
      uuid: UUIDS.maize,
      commodity: { name: 'Maize (white)' },
      unit: { name: '90 kg', dimension: 'mass', conversion_factor: 1 / 90 },
      points: { monthly: months },
    },
    {
      uuid: UUIDS.one,
      commodity: { name: HOSTILE },
      market: { name: 'سوق', iso3_country_code: 'YEM', country_name: 'اليمن' },
      source: { name: HOSTILE, url: 'javascript:alert(1)', license: HOSTILE },
      unit: { name: HOSTILE, dimension: 'other', conversion_factor: null },
      points: { monthly: [['2024-01-01', 5, HOSTILE]] },
    },
    {
      uuid: UUIDS.expected,
      market: { name: 'Kisumu', iso3_country_code: 'KEN', country_name: 'Kenya' },
      points: {
        monthly: [
          ['2024-01-01', 5],
          ['2024-02-01', 6],
        ],
      },
    },
    {
      uuid: UUIDS.forecast,
      status: 'forecast',
      market: { name: 'Kisumu', iso3_country_code: 'KEN', country_name: 'Kenya' },
      points: {
        monthly: [
          ['2024-02-01', 6.5],
          ['2024-03-01', 7],
          ['2024-04-01', 8],
        ],
      },
    },
    { uuid: UUIDS.none, market: { name: 'Empty', iso3_country_code: 'KEN' } },
    {
      uuid: UUIDS.daily,
      commodity: { name: 'Maize (white)' },
      market: { name: 'Mombasa', iso3_country_code: 'KEN', country_name: 'Kenya' },
      points: {
        daily: [
          ['2024-01-01', 1],
          ['2024-01-02', 2],
          ['2024-03-01', 3],
        ],
      },
    },
    {
      uuid: UUIDS.weekly,
      commodity: { name: 'Gold dust' },
      market: { name: 'Kisumu', iso3_country_code: 'KEN', country_name: 'Kenya' },
      points: {
        weekly: Array.from({ length: 300 }, (_, week) => [
          new Date(Date.UTC(2018, 0, 1 + 7 * week)).toISOString().slice(0, 10),
          week < 100 ? 1e-9 : 1e12 + week * 1e9,
        ]),
      },
    },
  ]);
  await storeRates(service.unitOfWork, [['KES', '2024-07-01', 129.3]]);
  await storeIndices(service.unitOfWork, [
    ['KEN', '2024-07-01', 187.5],
    ['KEN', '2024-08-01', 188.1],
  ]);
});
afterAll(() => service.close());

interface Rated {
  date: string;
  ifpa: { value: number | null };
  alps: { value: number | null };
}

/** The exact numbers of the newest rows and of the folded ones. */
const allNumbers = (html: string) => [...numbers(html), ...numbers(html, 'Older prices (')];

/** What the page says first, without its markup. */
const headlineOf = async (address: string) =>
  /<h1>[\s\S]*?<p>([\s\S]*?)<\/p>/
    .exec(await page(service, address))![1]!
    .replace(/<[^>]+>/g, '')
    .replace(/(\d+) months? ago/, 'N months ago')
    .trim();

const get = async <T>(address: string) => (await service.http().get(address).expect(200)).body as T;
const pointsOf = async (address: string) => (await get<{ datapoints: Point[] }>(address)).datapoints;

describe('the page of a series', () => {
  it('has the numbers of the API, newest first', async () => {
    const html = await page(service, `/series/${UUIDS.maize}`);
    const points = await pointsOf(`/api/v1/PriceSeriePrice/${UUIDS.maize}/?periodicity=monthly`);
    expect(points).toHaveLength(80);
    const { observations } = await get<{ observations: Rated[] }>(
      `/api/v1/PriceSerieIndicator/${UUIDS.maize}/`,
    );
    const rated = new Map(observations.map((each) => [each.date, [each.ifpa.value, each.alps.value]]));
    expect([numbers(html).length, allNumbers(html).length]).toEqual([24, 80]);
    expect(allNumbers(html)).toEqual(
      points.map((each) => [
        each.price_value,
        each.price_value_real,
        each.price_value_dollar,
        ...rated.get(each.date)!,
      ]),
    );
    expect(allNumbers(html).filter(([, , dollar]) => dollar !== null)).toHaveLength(1);
    expect(allNumbers(html).filter(([, , , , alps]) => alps !== null)).toHaveLength(45);
    expect(
      ['The numbers', 'Older prices ('].flatMap((heading) => tableRows(html, heading)).map(([date]) => date),
    ).toEqual(points.map(({ date }) => date));
    const first = await page(service, `/series/${UUIDS.maize}?page=1`);
    expect(numbers(first)).toEqual(allNumbers(html));
  });

  it('says first how old it is, what it costs, and how much that has changed', async () => {
    const { maize, one, none, daily, weekly } = UUIDS;
    const said: [address: string, text: string][] = [
      [
        `/series/${maize}`,
        'Newest prices: August 2024, N months ago. KES 41 per 90 kg in August 2024 (retail, Nairobi), 3.1% less than a year before.',
      ],
      [
        `/series/${maize}?end_date=2019-01-01`,
        'Newest prices: August 2024, N months ago. KES 41 per 90 kg in August 2024 (retail, Nairobi), 3.1% less than a year before.',
      ],
      [
        `/series/${maize}?measure=usd&per=base`,
        'Newest prices: August 2024, N months ago. US$ 0.00364 per kilogram in July 2024 (retail, Nairobi). No change can be given: no exchange rate. In US dollars, prices end in July 2024: there is no exchange rate of later months.',
      ],
      [
        `/series/${maize}?measure=real`,
        'Newest prices: August 2024, N months ago. KES 21.8 per 90 kg in real terms (2015 = 100) in August 2024 (retail, Nairobi), 3.5% less than a month before; over a year: no consumer price index.',
      ],
      [
        `/series/${one}?measure=real`,
        'Newest prices: January 2024, N months ago. None of these prices can be given in real terms: there is no consumer price index of their months.',
      ],
      [
        `/series/${daily}?periodicity=daily`,
        'Newest prices: March 2024, N months ago. KES 3 per Kg on 2024-03-01 (retail, Mombasa). No change can be given: no price a year before, no price a month before.',
      ],
      [
        `/series/${maize}?periodicity=daily`,
        'Newest prices: August 2024, N months ago. This series has no daily prices.',
      ],
      [
        `/series/${weekly}?periodicity=weekly`,
        'Newest prices: September 2023, N months ago. KES 1,299,000,000,000 per Kg in the week of 2023-09-25 (retail, Kisumu). September 2023 as a whole: 4.2% more than a year before.',
      ],
      [`/series/${none}`, 'There are no prices yet.'],
    ];
    expect(await Promise.all(said.map(async ([address]) => [address, await headlineOf(address)]))).toEqual(
      said,
    );
  });

  it('leads to all rows where they are too many to be folded', async () => {
    const address = `/series/${UUIDS.weekly}?periodicity=weekly`;
    const html = await page(service, address);
    expect(numbers(html)).toHaveLength(24);
    expect(html).not.toContain('Older prices');
    expect(html).toContain(`<a href="${address}&amp;page=1" rel="nofollow">All 300 prices</a>`);
    expect(numbers(await page(service, `${address}&page=1`))).toHaveLength(100);
    expect(numbers(await page(service, `${address}&page=3`)).at(-1)![0]).toBe(1e-9);
  });

  it('says how the newest month stands as the indicators of the API do', async () => {
    const html = await page(service, `/series/${UUIDS.maize}`);
    const { body } = await service.http().get(`/api/v1/PriceSerieIndicator/${UUIDS.maize}/?latest=1`);
    const [newest] = (body as { observations: Record<string, unknown>[] }).observations;
    for (const field of ['change_1m', 'change_3m', 'change_12m', 'against_mean_5y'])
      expect(html).toContain(`<strong><data value="${newest![field]}">`);
    const { class: alps } = newest!.alps as { class: string };
    expect(html).toContain(`<span class="class ${alps}">`);
    expect(html).toContain('no consumer price index');
  });

  it('shows prices per kilogram, as the API converts them', async () => {
    const html = await page(service, `/series/${UUIDS.maize}?per=base&measure=nominal`);
    const { body } = await service.http().get(`/api/v1/PriceSerieIndicator/${UUIDS.maize}/?per=base`);
    const values = (body as { observations: { value: number }[] }).observations.map(({ value }) => value);
    expect(allNumbers(html).map(([nominal]) => nominal)).toEqual(values);
    expect(html).toContain('KES per kilogram');
  });

  it('has a chart with a band, as a picture that other sites may show, too', async () => {
    const html = await page(service, `/series/${UUIDS.maize}`);
    expect(html.match(/<svg /g)).toHaveLength(6);
    expect(html).toContain('Same month, 5 years before');
    const { status, headers, body } = await service.http().get(`/series/${UUIDS.maize}.svg?measure=usd`);
    expect([status, headers['content-type'], headers['cross-origin-resource-policy']]).toEqual([
      200,
      'image/svg+xml; charset=utf-8',
      'cross-origin',
    ]);
    const svg = (body as Buffer).toString();
    expect(svg).toContain('>Maize (white), Nairobi, Kenya (retail)</text>');
    expect(svg).toContain('>US$ per 90 kg</text>');
    expect(svg).toMatch(/>Source: Ministry, to 2024-08-01\. Revision \d+\.<\/text>/);
  });

  it('goes on with the forecasts of its source, dashed', async () => {
    const dashes = /<path class="line line0"[^>]* stroke-dasharray="6 4"\/>/g;
    const chart = async (uuid: string, query = '') =>
      String((await open(service, `/series/${uuid}.svg${query}`).expect(200)).body);
    const svg = await chart(UUIDS.expected);
    expect(svg.match(dashes)).toHaveLength(1);
    expect(svg).toContain('>Forecast of the source</text>');
    expect(svg).toContain('2024-04');
    expect(svg).toMatch(/>Source: Ministry, to 2024-02-01\./);
    // A window that ends before them, and their own series.
    expect(await chart(UUIDS.expected, '?end_date=2024-02-28')).not.toContain('>Forecast of the source<');
    expect((await chart(UUIDS.forecast)).match(dashes)).toHaveLength(1);
    expect(await chart(UUIDS.maize)).not.toContain('>Forecast of the source</text>');
    const rows = tableRows(await page(service, `/series/${UUIDS.expected}`), 'The numbers');
    expect(rows.map(([date]) => date)).toEqual(['2024-02-01', '2024-01-01']);
  });

  it('shows a window of dates, and says where there is nothing in it', async () => {
    const html = await page(service, `/series/${UUIDS.maize}?start_date=2024-01-01&end_date=2024-02-28`);
    expect(tableRows(html, 'The numbers').map(([date]) => date)).toEqual(['2024-02-01', '2024-01-01']);
    expect(html).toContain(
      'href="/api/v1/PriceSeriePrice/' +
        UUIDS.maize +
        '/?periodicity=monthly&amp;start_date=2024-01-01&amp;end_date=2024-02-28"',
    );
    const empty = await page(service, `/series/${UUIDS.maize}?start_date=2030-01-01`);
    expect(empty).toContain(
      `There are no prices in these months. There are some from 2018-01-01 to 2024-08-01. <a href="/series/${UUIDS.maize}?periodicity=monthly" rel="nofollow">Show all dates</a>`,
    );
    expect(empty).not.toMatch(/NaN|Infinity|undefined/);
  });

  it('escapes every name, comment and address, and knows one point', async () => {
    const html = await page(service, `/series/${UUIDS.one}`);
    expect(html).not.toMatch(/alert\(1\)<\/script>|href="javascript/);
    expect(html).toContain('<bdi>اليمن</bdi>');
    expect(tableRows(html, 'The numbers')).toEqual([
      [
        '2024-01-01',
        '5',
        '–',
        '–',
        '–',
        '–',
        '&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;',
      ],
    ]);
    expect(html.match(/<circle class="line line0"/g)).toHaveLength(2);
    const block = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)![1]!;
    expect(JSON.parse(block)).toMatchObject({
      '@type': 'Dataset',
      creator: { name: HOSTILE },
      temporalCoverage: '2024-01-01/2024-01-01',
      variableMeasured: { name: HOSTILE },
    });
    expect(JSON.parse(block)).not.toHaveProperty('license');
    expectSafe(html);
  });

  it('says why a chart has no prices or lacks some, and offers what there is', async () => {
    const captionOf = async (address: string) => {
      const [, caption] = /<figcaption>([\s\S]*?)<\/figcaption>/.exec(await page(service, address))!;
      return caption!.replace(/\s+/g, ' ').trim();
    };
    const published = (uuid: string, period: string, query = '') =>
      `<a href="/series/${uuid}?periodicity=${period}${query}" rel="nofollow">Show prices as published</a>`;
    expect(await captionOf(`/series/${UUIDS.maize}?measure=usd`)).toBe(
      `79 prices are not shown: there is no exchange rate of KES after July 2024 and before July 2024. ${published(UUIDS.maize, 'monthly')}`,
    );
    expect(await captionOf(`/series/${UUIDS.maize}?measure=usd&start_date=2024-08-01`)).toBe(
      `There are prices, but no exchange rate of KES after July 2024. ${published(UUIDS.maize, 'monthly', '&amp;start_date=2024-08-01')}`,
    );
    expect(await captionOf(`/series/${UUIDS.daily}?measure=real`)).toBe(
      `There are prices, but no consumer price index of Kenya before July 2024. ${published(UUIDS.daily, 'monthly')}`,
    );
    expect(await captionOf(`/series/${UUIDS.one}?measure=real`)).toBe(
      `There are prices, \u2068but no consumer price index of اليمن\u2069. ${published(UUIDS.one, 'monthly')}`,
    );
    expect(await captionOf(`/series/${UUIDS.maize}?periodicity=daily`)).toBe(
      `This series has no daily prices. <a href="/series/${UUIDS.maize}?periodicity=monthly" rel="nofollow">Show monthly prices</a>`,
    );
    const { body } = await service.http().get(`/series/${UUIDS.daily}.svg?measure=real`).expect(200);
    expect((body as Buffer).toString()).toContain(
      '>There are prices, but no consumer price index of Kenya before July 2024.</text>',
    );
  });

  it('leads to its newest years, in pictures and frames, too', async () => {
    const rangesOf = (html: string) =>
      [
        ...(/<nav class="pages" aria-label="Time shown">(.*?)<\/nav>/s.exec(html)?.[1] ?? '').matchAll(
          /<a href="([^"]*)" ([^>]*)>([^<]*)/g,
        ),
      ].map(([, address, attributes, text]) => [
        text,
        address!.replaceAll('&amp;', '&'),
        attributes!.includes('aria-current'),
      ]);
    const path = `/series/${UUIDS.maize}?periodicity=monthly`;
    const html = await page(service, path);
    expect(rangesOf(html)).toEqual([
      ['1 year', `${path}&start_date=2023-08-01`, false],
      ['5 years', `${path}&start_date=2019-08-01`, false],
      ['All', path, true],
    ]);
    const year = await page(service, `${path}&start_date=2023-08-01`);
    expect(rangesOf(year).map(([, , isChosen]) => isChosen)).toEqual([true, false, false]);
    expect(tableRows(year, 'The numbers')).toHaveLength(13);
    expect(year).toContain(`/series/${UUIDS.maize}.png?periodicity=monthly&amp;start_date=2023-08-01`);
    expect(year).toContain(`/embed${path}&amp;amp;start_date=2023-08-01&quot;`);
    expect(rangesOf(await page(service, `/series/${UUIDS.none}`))).toEqual([]);
  });

  it('of a series without prices says so', async () => {
    const html = await page(service, `/series/${UUIDS.none}`);
    expect(html).toContain('There are no prices to show here.');
    expect(html).not.toMatch(/NaN|Infinity|undefined/);
    expect((await service.http().get(`/series/${UUIDS.none}.svg`)).status).toBe(200);
  });

  it('has the frequencies of the series, the coarsest first shown', async () => {
    const html = await page(service, `/series/${UUIDS.daily}`);
    expect(html).toContain('<option value="monthly" selected>');
    const daily = await page(service, `/series/${UUIDS.daily}?periodicity=daily`);
    const points = await pointsOf(`/api/v1/PriceSeriePrice/${UUIDS.daily}/?periodicity=daily`);
    expect(numbers(daily).map(([nominal]) => nominal)).toEqual(points.map((each) => each.price_value));
    expect(daily.match(/<circle class="line line0"/g)).toHaveLength(2);
    expect(daily).toContain('Nairobi');
  });

  it('shows a correction at once, and the state before it by its link', async () => {
    const before = await page(service, `/series/${UUIDS.one}`);
    const cite = /href="[^"]*(\/series\/[^"]*as_of=r\d+)"/.exec(before)![1]!.replaceAll('&amp;', '&');
    await storePoints(service.unitOfWork, ids.get(UUIDS.one)!, { monthly: [['2024-01-01', 7]] });
    expect(numbers(await page(service, `/series/${UUIDS.one}`))).toEqual([[7, null, null, null, null]]);
    const past = await page(service, cite);
    expect(numbers(past)).toEqual([[5, null, null, null, null]]);
    expect(past).toContain('Shown as it was at revision');
  });

  it('ignores parameters of trackers, and answers bad ones in words', async () => {
    const plain = await page(service, `/series/${UUIDS.maize}`);
    expect(await page(service, `/series/${UUIDS.maize}?utm_source=x`)).toBe(plain);
    for (const [query, sentence] of Object.entries({
      'measure=gold': 'Prices: “gold” is none of the choices.',
      'start_date=2024-02-30': 'Data begin on or after: “2024-02-30” is no date; dates look like 2024-05-31.',
      'page=0': 'Page: “0” is no whole number that fits here.',
      'as_of=r999999': 'As known on: “r999999” cannot be understood here.',
      'per=ton': 'Per: “ton” is none of the choices.',
      'scale=cubic': 'Scale: “cubic” is none of the choices.',
    })) {
      const { status, headers, text } = await open(service, `/series/${UUIDS.maize}?${query}`);
      expect([query, status, headers['content-type']]).toEqual([query, 400, 'text/html; charset=utf-8']);
      expect(text).toContain(`<li>${sentence}</li>`);
    }
    for (const path of [`/series/${UUIDS.gone}`, '/series/x', `/series/${UUIDS.maize}?page=2`]) {
      const { status, text } = await open(service, path);
      expect([path, status]).toEqual([path, 404]);
      expectSafe(text);
    }
  });

  it('is HTML for everyone who accepts it', async () => {
    const { headers } = await service.http().get(`/series/${UUIDS.maize}`).expect(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    const rejected = await service.http().get(`/series/${UUIDS.maize}`).set('Accept', 'application/json');
    expectProblem(rejected, { status: 406, code: 'not_acceptable' });
  });
});
