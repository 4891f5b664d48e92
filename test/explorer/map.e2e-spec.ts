import { Resvg } from '@resvg/resvg-js';
import { randomUUID } from 'node:crypto';
import { storeIndices, storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { completeStartPage, page, tableRows } from './pages.js';

const HOSTILE = '<script>alert(1)</script>"\'&';
const ESCAPED = '&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;';

/** Months of seven years up to a year, the last one `last`. */
const monthly = (year: number, last: number) =>
  Array.from({ length: 84 }, (_, index) => {
    const date = `${year - 6 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}-01`;
    return [date, index === 83 ? last : 20 + (index % 5)] as const;
  });

let service: TestApp;
const series = (iso3: string, country: string, year: number, lasts: readonly number[]) =>
  lasts.map((last, index) => ({
    uuid: randomUUID(),
    commodity: { name: 'Maize' },
    market: { name: `${iso3} ${index}`, iso3_country_code: iso3, country_name: country },
    points: { monthly: monthly(year, last) },
  }));

/** Series that cost 10 on one date, and these prices on the other. */
const short = (
  commodity: string,
  from: string,
  to: string,
  lasts: readonly number[],
  [iso3, country] = ['KEN', 'Kenya'],
) =>
  lasts.map((last, index) => ({
    uuid: randomUUID(),
    commodity: { name: commodity },
    market: { name: `${iso3} ${index}`, iso3_country_code: iso3, country_name: country },
    points: { monthly: [[from, 10] as const, [to, last] as const] },
  }));

beforeAll(async () => {
  service = await startTestApp();
  await storeSeries(service.unitOfWork, [
    ...series('KEN', 'Kenya', 2024, [90, 22, 22]),
    ...series('CPV', HOSTILE, 2024, [90, 90, 90]),
    ...series('GHA', '', 2023, [90, 90, 90]),
    ...series('XXX', 'اليمن', 2024, [22]),
    ...series('TGO', 'Togo', 2024, [90]),
    // Too short to be rated. Prices of rice end a month earlier, those of salt are of two markets.
    ...short('Rice', '2023-11-01', '2024-11-01', [11, 12, 13], ['TGO', 'Togo']),
    ...short('Beans', '2023-12-01', '2024-12-01', [9, 8, 7]),
    ...short('Salt', '2023-12-01', '2024-12-01', [90, 90]),
    ...short('Fuel (diesel)', '2023-12-01', '2024-12-01', [90, 90, 90]),
  ]);
  await storeIndices(
    service.unitOfWork,
    ['KEN', 'CPV', 'GHA', 'TGO'].flatMap((iso3) =>
      monthly(2024, 100).map(([date]) => [iso3, date, 100] as const),
    ),
  );
});
afterAll(() => service.close());

/** The countries of a map: class, label and address by what they are drawn as. */
const countriesOf = (html: string) =>
  [
    ...html.matchAll(
      /<a href="([^"]+)"(?: rel="nofollow")? aria-label="([^"]+)"><title>([^<]+)<\/title><(path|circle) class="(\w+)"/g,
    ),
  ].map(([, address, label, title, shape, name]) => {
    expect(title).toBe(label);
    return { address, label, shape, name };
  });

describe('the map of the start page', () => {
  it('has a link for each country, coloured by its share of high prices', async () => {
    const html = await completeStartPage(service);
    // XXX has no shape: it is in the table alone. Prices of Ghana are a year older than the newest.
    expect(countriesOf(html)).toEqual([
      {
        address: '/countries/GHA',
        label: 'Ghana, 2023-12. High prices: old prices',
        shape: 'path',
        name: 'unrated',
      },
      {
        address: '/countries/KEN',
        label: 'Kenya, 2024-12. High prices: 33% (1 of 3)',
        shape: 'path',
        name: 'share3',
      },
      {
        address: '/countries/TGO',
        label: 'Togo, 2024-12. High prices: too few can be rated',
        shape: 'path',
        name: 'unrated',
      },
      {
        address: '/countries/CPV',
        label: '&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;, 2024-12. High prices: 100% (3 of 3)',
        shape: 'circle',
        name: 'share4',
      },
    ]);
    expect(tableRows(html, '>Countries<').map(([name]) => name)).toContain('اليمن');
    expect(html).toContain('Borders and names imply no opinion');
    expect([...html.matchAll(/<li>\s*<svg class="map"/g)]).toHaveLength(7);
    expect(html.match(/id="after-map"/g)).toHaveLength(1);
    expect(html.match(/id="unrated"/g)).toHaveLength(1);
  });

  it('lists the newest warnings with the largest shares', async () => {
    const rows = tableRows(await completeStartPage(service), 'Newest warnings');
    expect(rows.map(([country, commodity, month, fresh]) => [country, commodity, month, fresh])).toEqual([
      ['&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;', 'Maize', '2024-12', '3'],
      ['Kenya', 'Maize', '2024-12', '3'],
    ]);
  });

  it('says in how many countries fewer prices are high than a year before', async () => {
    // Kenya and Cape Verde have three rated prices in both months; Ghana's are old.
    const sentence =
      'In 0 of 2 countries that can be rated in both months, a smaller share of food prices is high in the newest month of each country than a year before; in 2, a larger one.';
    for (const html of [await completeStartPage(service), await page(service, '/warnings')])
      expect(html.replaceAll(/<[^>]*>/g, '')).toContain(sentence);
  });

  it('lists the strongest changes, those of the API, by at least three markets', async () => {
    const html = await completeStartPage(service);
    const rows = tableRows(html, 'Strongest changes in a year');
    expect(rows.map((row) => row.toSpliced(3, 1))).toEqual([
      ['Maize', ESCAPED, 'retail', '3', '2024-12'],
      ['Maize', 'Kenya', 'retail', '3', '2024-12'],
      ['Rice', 'Togo', 'retail', '3', '2024-11'],
    ]);
    const fallen = tableRows(html, 'Foods that have fallen most');
    expect(fallen.map((row) => row.toSpliced(3, 1))).toEqual([['Beans', 'Kenya', 'retail', '3', '2024-12']]);
    const shown = [...rows, ...fallen].map(([commodity, country, , change]) => [commodity, country, change]);
    const { body } = await service.http().get('/api/v1/PriceChange/?regional_average=false').expect(200);
    const changes = (body as { results: Record<string, string | number | null>[] }).results;
    const percent = (value: unknown) =>
      `${Number(value) > 0 ? '+' : ''}${Math.round(Number(value) * 1000) / 10}%`;
    expect(shown.map((row) => row.join())).toEqual(
      [...shown].map(([commodity, country]) => {
        const { change_12m } = changes.find(
          (each) =>
            each.commodity === commodity &&
            (each.country_name === country || (each.country_name === HOSTILE && country === ESCAPED)),
        )!;
        return [commodity, country, percent(change_12m)].join();
      }),
    );
  });

  it('is a picture, too', async () => {
    const { body, headers } = await service.http().get('/map.svg').expect(200);
    const svg = (body as Buffer).toString();
    expect(svg).toContain('>Where food prices are high</text>');
    expect(svg).toMatch(/>Calculated from the food prices of all sources, to 2024-12\. Borders /);
    expect(svg).not.toMatch(/<a |<script|style=/);
    expect(headers['content-disposition']).toBe('inline; filename="Where-food-prices-are-high.svg"');
    const { width, height } = new Resvg(svg);
    const png = (await service.http().get('/map.png').expect(200)).body as Buffer;
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1760, Math.round((1760 * height) / width)]);
    const preview = (await service.http().get('/map.preview.png').expect(200)).body as Buffer;
    expect([preview.readUInt32BE(16), preview.readUInt32BE(20)]).toEqual([1200, 630]);
  });
});

describe('the map of warnings', () => {
  const hostile = '&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;';

  it('shows each country in a month, and leads to its commodities in it', async () => {
    const html = await page(service, '/warnings?month=2024-12');
    expect(countriesOf(html)).toEqual([
      {
        address: '/warnings?by=country%2Ccommodity&amp;month=2024-12&amp;iso3_country_codes=GHA',
        label: 'Ghana, 2024-12. High prices: old prices',
        shape: 'path',
        name: 'unrated',
      },
      {
        address: '/warnings?by=country%2Ccommodity&amp;month=2024-12&amp;iso3_country_codes=KEN',
        label: 'Kenya, 2024-12. High prices: 33% (1 of 3)',
        shape: 'path',
        name: 'share3',
      },
      {
        address: '/warnings?by=country%2Ccommodity&amp;month=2024-12&amp;iso3_country_codes=TGO',
        label: 'Togo, 2024-12. High prices: too few can be rated',
        shape: 'path',
        name: 'unrated',
      },
      {
        address: '/warnings?by=country%2Ccommodity&amp;month=2024-12&amp;iso3_country_codes=CPV',
        label: `${hostile}, 2024-12. High prices: 100% (3 of 3)`,
        shape: 'circle',
        name: 'share4',
      },
    ]);
    expect(html).toContain('<h1>Warnings, 2024-12</h1>');
    expect(html).toContain('<option value="2024-12" selected>');
    expect(sliderOf(html)).toEqual({ min: '24204', max: '24299', value: '24299', says: '2024-12' });
    // No month after the last one with prices.
    expect(stepsOf(html)).toEqual([
      ['2023-12', 'A year before (2023-12)'],
      ['2024-11', 'Month before (2024-11)'],
    ]);
    // Those of the newest months are of the last one, too.
    expect(stepsOf(await page(service, '/warnings'))).toEqual(stepsOf(html));
    const before = await page(service, '/warnings?month=2023-12');
    expect(countriesOf(before).map(({ label, name }) => [label!.split(', ')[0], name])).toEqual([
      ['Ghana', 'share4'],
      ['Kenya', 'share0'],
      ['Togo', 'unrated'],
      [hostile, 'share0'],
    ]);
    expect(sliderOf(before)).toMatchObject({ value: '24287', says: '2023-12' });
    expect(sliderOf(await page(service, '/warnings'))).toMatchObject({
      value: '24299',
      says: 'newest of each country',
    });
    // A month without prices is beyond either end.
    expect(sliderOf(await page(service, '/warnings?month=2001-01'))).toMatchObject({
      value: '24204',
      says: '2001-01',
    });
    expect(stepsOf(before).map(([month]) => month)).toEqual(['2022-12', '2023-11', '2024-01', '2024-12']);
  });

  it('shows what was known at a state of the data, as pictures, too', async () => {
    const month = 'month=2024-12';
    const { headers } = await service.http().get('/warnings.svg').expect(200);
    const known = `r${headers['data-revision']}`;
    await storeSeries(service.unitOfWork, series('KEN', 'Kenya', 2024, [91, 91, 91]));
    const shareOf = async (query: string) =>
      countriesOf(await page(service, `/warnings?${query}`)).find(({ label }) => label!.startsWith('Kenya'))!;
    expect((await shareOf(month)).label).toBe('Kenya, 2024-12. High prices: 67% (4 of 6)');
    expect(await shareOf(`${month}&as_of=${known}`)).toEqual({
      address: `/warnings?by=country%2Ccommodity&amp;month=2024-12&amp;iso3_country_codes=KEN&amp;as_of=${known}`,
      label: 'Kenya, 2024-12. High prices: 33% (1 of 3)',
      shape: 'path',
      name: 'share3',
    });
    const html = await page(service, `/warnings?${month}&as_of=${known}`);
    expect(html).toContain(`Shown as it was at revision ${known.slice(1)}.`);
    expect(html).toContain(`<input type="hidden" name="as_of" value="${known}" />`);
    expect(html).toContain('<a href="/warnings?month=2024-12" rel="nofollow">Show the newest data</a>');
    const picture = await service.http().get(`/warnings.svg?${month}&as_of=${known}`).expect(200);
    const svg = (picture.body as Buffer).toString();
    expect(svg).toContain('>Warnings, 2024-12</text>');
    expect(svg).toContain(`to 2024-12. Revision ${known.slice(1)}. `);
    expect(picture.headers['content-disposition']).toBe('inline; filename="Warnings-2024-12.svg"');
    for (const [query, status] of [
      [`${month}&as_of=${known}`, 200],
      ['month=2024-13', 400],
      ['as_of=r999999', 400],
      ['by=planet', 400],
    ] as const)
      expect([query, (await service.http().get(`/warnings.png?${query}`)).status]).toEqual([query, status]);
  });
});

/** The months to which a page leads, with the texts of the links. */
const stepsOf = (html: string) =>
  [...html.matchAll(/<a href="\/warnings\?month=([\d-]+)"[^>]*>([^<]+)<\/a>/g)]
    .filter(([, , text]) => text!.includes('('))
    .map(([, month, text]) => [month, text]);

/** The slider of a page, which has no name: forms send the choice of months in its place. */
function sliderOf(html: string) {
  const [, said, min, max, value, says] =
    /<label class="wide slider"\s*><span>Through time: <b aria-hidden="true">([^<]+)<\/b><\/span\s*><input\s+type="range"\s+min="(\d+)"\s+max="(\d+)"\s+value="(\d+)"\s+aria-valuetext="([^"]+)"\s+data-months="month"\s*\/>/.exec(
      html,
    )!;
  expect(said).toBe(says);
  return { min, max, value, says };
}

it('a country without food prices is old, and last, where its prices are', async () => {
  await storeSeries(service.unitOfWork, [
    ...short('Fuel (diesel)', '2021-12-01', '2022-12-01', [90], ['LAO', 'Laos']),
    ...short('Fuel (diesel)', '2023-12-01', '2024-12-01', [90], ['ARM', 'Armenia']),
  ]);
  const rows = tableRows(await completeStartPage(service), '>Countries<');
  expect(rows.map(([name]) => name)).toEqual([ESCAPED, 'Armenia', 'Kenya', 'Togo', 'اليمن', 'Ghana', 'Laos']);
  expect(rows.flatMap((cells) => (/old|no food/.test(cells.at(-1)!) ? [cells.at(-1)] : []))).toEqual([
    'no food prices',
    'old prices',
    'old prices',
  ]);
  const text = async (path: string) => (await page(service, path)).replaceAll(/<[^>]*>/g, '');
  expect(await text('/countries/LAO')).toMatch(/That is old: .*none of them is called high today/s);
  expect(await text('/countries/ARM')).toContain('There are no prices of food.');
});
