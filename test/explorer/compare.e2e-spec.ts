import { randomUUID } from 'node:crypto';
import { storePoints, storeRates, storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { expectSafe, numbers, open, page, tableRows } from './pages.js';

const HOSTILE = '<script>alert(1)</script>"\'&';
const UUIDS = {
  bag: randomUUID(),
  kilogram: randomUUID(),
  yemen: randomUUID(),
  head: randomUUID(),
  one: randomUUID(),
  none: randomUUID(),
  togo: randomUUID(),
  ghana: randomUUID(),
};
const kenya = { iso3_country_code: 'KEN', country_name: 'Kenya' };
const yemen = { name: 'سوق', iso3_country_code: 'YEM', country_name: 'اليمن' };

const monthly = (count: number, first: number) =>
  Array.from({ length: count }, (_, index) => {
    const date = `${2023 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}-01`;
    return [date, first + index] as const;
  });

let service: TestApp;
let ids: Map<string, number>;
beforeAll(async () => {
  service = await startTestApp();
  ids = await storeSeries(service.unitOfWork, [
    {
      uuid: UUIDS.bag,
      commodity: { name: 'Maize' },
      unit: { name: '90 kg', dimension: 'mass', conversion_factor: 1 / 90 },
      points: { monthly: monthly(14, 4000) },
    },
    {
      uuid: UUIDS.kilogram,
      commodity: { name: 'Maize' },
      market: { name: 'Mombasa', ...kenya },
      points: { monthly: monthly(12, 50) },
    },
    {
      uuid: UUIDS.yemen,
      commodity: { name: HOSTILE },
      market: yemen,
      source: { name: HOSTILE },
      currency: 'YER',
      points: { monthly: monthly(12, 900) },
    },
    {
      uuid: UUIDS.head,
      commodity: { name: 'Goat' },
      unit: { name: 'Head', dimension: 'count', conversion_factor: 1 },
      points: { monthly: monthly(3, 9000) },
    },
    { uuid: UUIDS.one, commodity: { name: 'Millet' }, points: { monthly: [['2024-01-01', 5]] } },
    {
      uuid: UUIDS.togo,
      market: { name: 'Lomé', iso3_country_code: 'TGO', country_name: 'Togo' },
      currency: 'XOF',
      points: { monthly: monthly(3, 300) },
    },
    {
      uuid: UUIDS.ghana,
      market: { name: 'Accra', iso3_country_code: 'GHA', country_name: 'Ghana' },
      currency: 'GHS',
      points: { monthly: monthly(2, 5) },
    },
    { uuid: UUIDS.none, commodity: { name: 'Sorghum' } },
  ]);
  await storeRates(
    service.unitOfWork,
    monthly(12, 100).flatMap(([date, rate]) => [
      ['KES', date, rate] as const,
      ['YER', date, rate * 2] as const,
    ]),
  );
});
afterAll(() => service.close());

interface Table {
  dates: string[];
  columns: { uuid: string }[];
  values: (number | null)[][];
}

const get = async <T>(address: string) => (await service.http().get(address).expect(200)).body as T;

/** The columns of `PriceTable`, in the order of the uuids. */
async function tableOf(uuids: readonly string[], query: string) {
  const { dates, columns, values } = await get<Table>(
    `/api/v1/PriceTable/?uuid__in=${uuids.join(',')}${query}`,
  );
  const places = uuids.map((uuid) => columns.findIndex((column) => column.uuid === uuid));
  return { dates, values: values.map((row) => places.map((place) => row[place])) };
}

const addressOf = (uuids: readonly string[], query = '') => `/compare?uuids=${uuids.join(',')}${query}`;
const labels = (html: string) =>
  [...html.matchAll(/<li>\s*<a href="\/series\/[^"]+"><bdi>(.*?)<\/bdi>/g)].map((match) => match[1]);

/** The links that add a series: their names, and where they lead. */
const addLinks = (html: string) =>
  [...html.matchAll(/<a\s+href="(\/compare\?[^"]+)"(?: rel="nofollow")?\s+aria-label="(Add [^"]+)"/g)].map(
    ([, address, name]) => [name!, address!] as const,
  );

describe('the page that compares series', () => {
  it('without series has a form to add one, by uuid or by the address of its page', async () => {
    const html = await page(service, '/compare');
    expect(html).toContain('name="add"');
    expect(html).not.toContain('<svg');
    const one = await page(service, `/compare?uuids=&add=${UUIDS.kilogram}&start_date=`);
    expect(labels(one)).toEqual(['1 · Kenya · Mombasa · Maize · RETAIL · KES/Kg']);
    const address = encodeURIComponent(`https://example.org/series/${UUIDS.bag}?periodicity=monthly`);
    const two = await page(service, `/compare?uuids=${UUIDS.kilogram}&add=${address}`);
    expect(labels(two)).toHaveLength(2);
    expect(two).toContain(`/compare?uuids=${UUIDS.kilogram}%2C${UUIDS.bag}" />`);
    // The form that changes what is shown keeps both.
    expect(two).toContain(`name="uuids" value="${UUIDS.kilogram},${UUIDS.bag}"`);
    expect(await page(service, `/series/${UUIDS.bag}`)).toContain(`href="/compare?uuids=${UUIDS.bag}"`);
  });

  it('finds series to add by words, each by a link that keeps the rest', async () => {
    const { headers } = await service.http().get('/api/v1/PriceSerie/').expect(200);
    const state = `r${headers['data-revision']}`;
    const html = await page(service, `/compare?uuids=${UUIDS.bag}&add=maize&scale=log&as_of=${state}`);
    const older = await page(service, `/compare?uuids=${UUIDS.bag}&add=maize&scale=log`);
    expect(older).toContain('<h2>1 series for “maize”, the newest first</h2>');
    expect(addLinks(older)).toEqual([
      ['Add Maize, Mombasa', `/compare?uuids=${UUIDS.bag}%2C${UUIDS.kilogram}&amp;scale=log`],
    ]);
    expect(html).toContain(`<input type="hidden" name="as_of" value="${state}" />`);
    expect(addLinks(html)[0]![1]).toContain(`as_of=${state}`);
    const [[, address]] = addLinks(older) as [[string, string]];
    expect(labels(await page(service, address.replaceAll('&amp;', '&')))).toHaveLength(2);
    const empty = await page(service, '/compare?add=NAIROBI');
    expect(
      addLinks(empty)
        .map(([name]) => name)
        .sort(),
    ).toEqual(['Maize', 'Goat', 'Millet', 'Sorghum'].map((name) => `Add ${name}, Nairobi`).sort());
    // The newest price first; the series without one last.
    expect(addLinks(empty).at(-1)![0]).toBe('Add Sorghum, Nairobi');
    // Understood as in `/browse`.
    const meant = await page(service, '/compare?add=prix+du+ma%C3%AFs+NAIROBI');
    expect(addLinks(meant).map(([name]) => name)).toEqual(['Add Maize, Nairobi']);
    const none = await page(service, `/compare?add=${encodeURIComponent(HOSTILE)}x`);
    expect(none).toContain('No other series has “&lt;script&gt;');
    expectSafe(none);
  });

  it('offers no ninth series', async () => {
    const html = await page(service, `${addressOf(Object.values(UUIDS))}&add=maize`);
    expect(html).toContain('A chart shows 8 series at most. Remove one to add another.');
    expect(html).not.toContain('name="add"');
    expect(addLinks(html)).toEqual([]);
    expect(html).not.toContain('Add another series of the commodity');
  });

  it('has the numbers of the API, per kilogram where the units differ', async () => {
    const uuids = [UUIDS.bag, UUIDS.kilogram];
    const html = await page(service, addressOf(uuids));
    const table = await tableOf(uuids, '&per=base');
    const { observations } = await get<{ observations: { date: string; value: number | null }[] }>(
      `/api/v1/PriceCompare/?uuids=${uuids.join(',')}&per=base`,
    );
    const ratios = new Map(observations.map(({ date, value }) => [date, value]));
    expect(numbers(html)).toEqual(
      table.values.map((row, index) => [...row, ratios.get(table.dates[index]!)]),
    );
    expect(tableRows(html, 'The numbers').map(([date]) => date)).toEqual(table.dates);
    expect(numbers(html)).toHaveLength(14);
    expect(numbers(html)[0]!.slice(1)).toEqual([null, null]);
    expect(html).toContain('>KES per kilogram</text>');
    expect(html.match(/<svg /g)).toHaveLength(4);
    expect(html).toContain('>Maize, Kenya (retail). Ratio: Nairobi ÷ Mombasa</text>');
    expect(html).toContain('<h1><bdi>Maize in Nairobi and Mombasa, Kenya (retail)</bdi></h1>');
    expect(html).toContain('<path class="line line1"');
  });

  it('shows dollars where the currencies differ, and escapes every name', async () => {
    const uuids = [UUIDS.yemen, UUIDS.kilogram, UUIDS.none];
    const html = await page(service, addressOf(uuids));
    expect(numbers(html)).toEqual((await tableOf(uuids, '&measure=usd')).values);
    expect(html).toContain('In US dollars, because the currencies differ.');
    expect(html).toContain('>US$ per Kg</text>');
    expect(labels(html)[0]).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;');
    expect(html).not.toMatch(/NaN|Infinity|undefined/);
    const real = await page(service, addressOf(uuids, '&measure=real'));
    expect(numbers(real)).toEqual((await tableOf(uuids, '&measure=real_usd')).values);
  });

  it('says what it compares, and of each line what it alone has', async () => {
    const chart = async (...uuids: string[]) => {
      const html = await page(service, addressOf(uuids, '&base=2023-02'));
      const [, title] = /<h1><bdi>(.*?)<\/bdi><\/h1>/.exec(html)!;
      const [, data] = /<script type="application\/json">(.*?)<\/script>/.exec(html)!;
      const drawn = JSON.parse(data!) as { title: string; lines: { name: string }[] };
      expect([drawn.title, html.includes(`<title>${title} – `)]).toEqual([title, true]);
      return [title, ...drawn.lines.map(({ name }) => name)];
    };
    expect(await chart(UUIDS.one)).toEqual([
      'Millet, Nairobi, Kenya (retail)',
      'Millet, Nairobi, Kenya (retail)',
    ]);
    expect(await chart(UUIDS.bag, UUIDS.head, UUIDS.one, UUIDS.none)).toEqual([
      '4 commodities in Nairobi, Kenya (retail)',
      'Maize',
      'Goat',
      'Millet: no values',
      'Sorghum: no values',
    ]);
    expect(await chart(UUIDS.togo, UUIDS.kilogram)).toEqual([
      'Rice, Lomé, Togo; Maize, Mombasa, Kenya',
      'Rice, Lomé, Togo',
      'Maize, Mombasa, Kenya',
    ]);
    expect(await chart(UUIDS.togo, UUIDS.ghana)).toEqual([
      'Rice in Lomé and Accra (retail)',
      'Lomé, Togo',
      'Accra, Ghana',
    ]);
    expect(await chart(UUIDS.bag, UUIDS.head, UUIDS.one)).toEqual([
      'Maize, Goat and Millet in Nairobi, Kenya (retail)',
      'Maize',
      'Goat',
      'Millet: no values',
    ]);
    expect(await chart(UUIDS.head, UUIDS.kilogram, UUIDS.ghana, UUIDS.togo)).toEqual([
      'Goat / Maize / Rice: 4 series',
      'Goat, Nairobi, Kenya',
      'Maize, Mombasa, Kenya',
      'Rice, Accra, Ghana',
      'Rice, Lomé, Togo',
    ]);
  });

  it('shows indices, and names the series that have none', async () => {
    const uuids = [UUIDS.yemen, UUIDS.head, UUIDS.one];
    const html = await page(service, addressOf(uuids, '&base=2023-02'));
    expect(numbers(html)).toEqual((await tableOf(uuids, '&transform=index&base=2023-02')).values);
    expect(html).toContain('>Index, 2023-02 = 100</text>');
    expect(html).toContain('Millet · RETAIL · KES/Kg</bdi> has no price in 2023-02: it has no index.');
  });

  it('says of which series there is no line, and why', async () => {
    const html = await page(service, addressOf([UUIDS.yemen, UUIDS.kilogram, UUIDS.togo]));
    const [, caption] = /<figcaption>([\s\S]*?)<\/figcaption>/.exec(html)!;
    // A name in another direction of writing must not turn the sentence.
    expect(caption!.trim()).toMatch(
      /^In US dollars, because the currencies differ\. <bdi>3 · Togo [^<]*<\/bdi> has no line: it has no price in these months, or no rate or index to convert it\.$/,
    );
    const picture = await service
      .http()
      .get(addressOf([UUIDS.yemen, UUIDS.togo]).replace('/compare', '/compare.svg'));
    expect(String(picture.body)).toMatch(/<text[^>]*>Rice, Lomé, Togo: no values<\/text>/);
  });

  it('says in words what cannot be compared, and offers an index', async () => {
    const uuids = [UUIDS.head, UUIDS.kilogram];
    const html = await page(service, addressOf(uuids, '&formula=difference'));
    const { body } = await service
      .http()
      .get(`/api/v1/PriceCompare/?uuids=${uuids.join(',')}&formula=difference`)
      .expect(400);
    const { errors } = body as { errors: { code: string; detail: string }[] };
    expect(errors[0]!.code).toBe('not_comparable');
    expect(html).toContain(errors[0]!.detail);
    expect(html).toContain('These prices have no common unit');
    expect(html).toContain('Show them as an index that is 100 in 2023-03');
    expect(html).not.toContain('<svg');
    expect(numbers(html)).toEqual((await tableOf(uuids, '')).values);
    const ratio = await page(service, addressOf(uuids));
    expect(numbers(ratio)[9]).toEqual([9002, 52, 9002 / 52].map((value) => Number(value.toPrecision(15))));
  });

  it('offers an index where there is no exchange rate', async () => {
    const uuids = [UUIDS.togo, UUIDS.ghana];
    const html = await page(service, addressOf(uuids));
    expect(html).toContain('there is no exchange rate to convert these prices to US dollars');
    expect(html).toContain('Show them as an index that is 100 in 2023-02');
    expect(html).not.toContain('<svg');
    expect(numbers(html)).toEqual(Array.from({ length: 3 }, () => [null, null, null]));
  });

  it('knows one point, no point, and a window of dates', async () => {
    const one = await page(service, addressOf([UUIDS.one]));
    expect(numbers(one)).toEqual([[5]]);
    expect(one.match(/<circle class="line line0"/g)).toHaveLength(2);
    const none = await page(service, addressOf([UUIDS.none]));
    expect(none).toContain('There are no prices to show here.');
    expect(none).not.toMatch(/NaN|Infinity|undefined/);
    const window = await page(service, addressOf([UUIDS.bag], '&start_date=2024-01-01&end_date=2024-01-31'));
    expect(tableRows(window, 'The numbers').map(([date]) => date)).toEqual(['2024-01-01']);
  });

  it('links to the same data, and to the page without a series', async () => {
    const uuids = [UUIDS.bag, UUIDS.kilogram];
    const html = await page(service, addressOf(uuids));
    const links = [...html.matchAll(/href="(\/api\/v1\/[^"]+)"/g)].map((match) =>
      match[1]!.replaceAll('&amp;', '&'),
    );
    expect(links).toHaveLength(6);
    for (const link of links) await service.http().get(link).expect(200);
    expect(html).toContain(`<a href="/compare?uuids=${UUIDS.bag}" rel="nofollow">remove</a>`);
  });

  it('shows a correction at once, and the state before it by its link', async () => {
    const before = await page(service, addressOf([UUIDS.one]));
    const cite = /href="[^"]*(\/compare\?[^"]*as_of=r\d+)"/.exec(before)![1]!.replaceAll('&amp;', '&');
    await storePoints(service.unitOfWork, ids.get(UUIDS.one)!, { monthly: [['2024-01-01', 7]] });
    expect(numbers(await page(service, addressOf([UUIDS.one])))).toEqual([[7]]);
    const past = await page(service, cite);
    expect(numbers(past)).toEqual([[5]]);
    expect(past).toContain('Show the newest data');
  });

  it('answers what it cannot understand in words', async () => {
    const nine = Array.from({ length: 9 }, () => randomUUID());
    for (const [address, text] of [
      [addressOf([randomUUID()]), 'There is no price series'],
      [addressOf(nine), 'Series: at most 8 can be shown at once.'],
      [addressOf(['x']), 'Series: “x” cannot be understood here.'],
      [addressOf([UUIDS.one], '&base=2024-13'), 'Index, 100 in: “2024-13” '],
      [addressOf([UUIDS.one], '&as_of=r999999'), 'As known on: “r999999” '],
    ] as const) {
      const response = await open(service, address);
      expect([address, response.status]).toEqual([address, 400]);
      expect(response.text).toContain(text);
      expectSafe(response.text);
    }
    expect((await open(service, addressOf([UUIDS.one], '&page=2'))).status).toBe(404);
  });
});
