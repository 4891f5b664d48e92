import { randomUUID } from 'node:crypto';
import { storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { expectSafe, open, page, tableRows } from './pages.js';

const HOSTILE = '<script>alert(1)</script>"';
const kenya = { iso3_country_code: 'KEN', country_name: 'Kenya' };

let service: TestApp;
beforeAll(async () => (service = await startTestApp()));
afterAll(() => service.close());

const originOf = (html: string) => /<link rel="canonical" href="(http:\/\/[^/]+)/.exec(html)![1]!;
const COLUMNS = '<tbody>';
const names = (html: string) =>
  tableRows(html, COLUMNS).map(([commodity, market]) => `${commodity} ${market}`);

describe('the page of a search', () => {
  it('says so where there is no series', async () => {
    const html = await page(service, '/browse');
    expect(html).toContain('No series fits all of this.');
    expect(html).not.toContain('<table>');
  });

  it('lists series with links, escaped, in the order of the API', async () => {
    await storeSeries(service.unitOfWork, [
      {
        uuid: randomUUID(),
        commodity: { name: HOSTILE },
        market: { name: 'Accra', iso3_country_code: 'GHA', country_name: 'Ghana' },
        currency: 'GHS',
        points: { monthly: [['2024-05-01', 1]] },
      },
      {
        uuid: randomUUID(),
        commodity: { name: 'Beans' },
        market: { name: 'Nairobi', ...kenya },
        points: { monthly: [['2023-05-01', 1]] },
      },
      {
        uuid: randomUUID(),
        commodity: { name: 'Maïs, blanc' },
        market: { name: 'Mombasa', ...kenya },
        priceType: 13,
        points: { monthly: [['2024-02-01', 1]] },
      },
      {
        uuid: randomUUID(),
        commodity: { name: 'أرز' },
        market: { name: 'صنعاء', iso3_country_code: 'YEM', country_name: 'Yemen' },
        currency: 'YER',
      },
    ]);
    const html = await page(service, '/browse');
    const { body } = await service.http().get('/api/v1/PriceSerie/').expect(200);
    const { results } = body as { results: { uuid: string }[] };
    const links = [...html.matchAll(/<a href="\/series\/([^"]+)">/g)].map((match) => match[1]);
    expect(links).toEqual(results.map(({ uuid }) => uuid));
    expect(tableRows(html, COLUMNS)[0]).toEqual([
      '&lt;script&gt;alert(1)&lt;/script&gt;&quot;',
      'Accra',
      'Ghana',
      'retail',
      'GHS per Kg',
      'Monthly',
      '1',
      '',
      '2024-05-01 30 months ago',
    ]);
    expect(html).toContain('<bdi>أرز</bdi>');
    for (const uuid of links) expect(await page(service, `/series/${uuid}`)).toContain('<h1>');
  });

  it('filters as the API does, with numbers beside the values', async () => {
    const html = await page(service, '/browse?iso3_country_codes=KEN');
    expect(names(html).toSorted()).toEqual(['Beans Nairobi', 'Maïs, blanc Mombasa']);
    expect(html).toContain('<option value="KEN" selected>Kenya (2)</option>');
    expect(html).toContain('>Ghana (1)</option>');
    expect(html).toContain('href="/api/v1/PriceSerie/?iso3_country_codes=KEN&amp;format=csv"');
    expect(names(await page(service, '/browse?search=mais'))).toEqual(['Maïs, blanc Mombasa']);
    expect(names(await page(service, '/browse?search=&price_types_ids=13&order='))).toEqual([
      'Maïs, blanc Mombasa',
    ]);
  });

  it('keeps several values, and filters that it has no choice of', async () => {
    const html = await page(service, '/browse?iso3_country_codes=KEN,GHA&newerThan=2024-01-01');
    expect(names(html).toSorted()).toEqual([
      '&lt;script&gt;alert(1)&lt;/script&gt;&quot; Accra',
      'Maïs, blanc Mombasa',
    ]);
    expect(html).toContain('<option value="KEN,GHA" selected>KEN,GHA</option>');
    expect(html).toContain('<input type="hidden" name="newerThan" value="2024-01-01" />');
  });

  it('orders by a column, ties as the lists do', async () => {
    const order = async (by: string) =>
      tableRows(await page(service, `/browse?order=${by}`), COLUMNS).map((cells) => cells[1]);
    expect(await order('market')).toEqual(['Accra', 'Mombasa', 'Nairobi', 'صنعاء']);
    expect(await order('-last_price_date')).toEqual(['Accra', 'Mombasa', 'Nairobi', 'صنعاء']);
    // As in the lists, what has none comes last in both.
    expect(await order('last_price_date')).toEqual(['Nairobi', 'Mombasa', 'Accra', 'صنعاء']);
    const html = await page(service, '/browse?order=country');
    expect(html).toContain('/api/v1/PriceSerie/?sort=country_name&amp;format=csv');
    expect(html).toContain('/api/v1/PriceSeriePrice/?sort=country_name&amp;format=csv');
    expect(html).not.toMatch(/PriceTable\/\?[^\s"]*sort=/);
    const countries = tableRows(html, COLUMNS).map((cells) => cells[2]);
    expect(countries).toEqual(['Ghana', 'Kenya', 'Kenya', 'Yemen']);
  });

  it('compares the series that are ticked, without scripts', async () => {
    const html = await page(service, '/browse?order=market');
    const boxes = [
      ...html.matchAll(
        /<input\s+type="checkbox"\s+form="compare"\s+name="uuids"\s+value="([^"]+)"\s+aria-label="([^"]+)"/g,
      ),
    ];
    expect(boxes.map(([, , label]) => label)).toEqual([
      'Compare &lt;script&gt;alert(1)&lt;/script&gt;&quot;, Accra',
      'Compare Maïs, blanc, Mombasa',
      'Compare Beans, Nairobi',
      '\u2068Compare أرز\u2069, \u2068صنعاء\u2069',
    ]);
    const form = /<form id="compare" class="row" method="get" action="\/compare">([\s\S]*?)<\/form>/.exec(
      html,
    )![1]!;
    expect(form.replace(/<[^>]+>/g, '').trim()).toMatch(
      /^Compare\s+Tick up to 8 series of the table, then compare them\.$/,
    );
    expect(form).not.toContain('as_of');
    // As browsers send boxes: the name once for each, in the order of the table.
    const uuids = boxes.slice(0, 3).map(([, uuid]) => uuid!);
    const sent = await page(service, `/compare?${uuids.map((uuid) => `uuids=${uuid}`).join('&')}`);
    expect(sent).toContain(
      `<link rel="canonical" href="${originOf(sent)}/compare?uuids=${uuids.join('%2C')}" />`,
    );
    // An earlier state stays the one that is shown.
    const { headers } = await open(service, '/browse');
    const known = `r${headers['data-revision']}`;
    expect(await page(service, `/browse?as_of=${known}`)).toMatch(
      new RegExp(`action="/compare">\\s*<input type="hidden" name="as_of" value="${known}" />`),
    );
    // None, or too many.
    expect(await page(service, '/compare')).toContain('Add series by their uuid');
    const many = Array.from({ length: 9 }, () => `uuids=${randomUUID()}`).join('&');
    const { text } = await open(service, `/compare?${many}`).expect(400);
    expect(text).toContain('at most 8 series; got 9.');
  });

  it('says which filter to drop where nothing fits, and what that gives', async () => {
    const html = await page(service, '/browse?iso3_country_codes=KEN&currencies=GHS');
    expect(html).toMatch(/href="\/browse\?currencies=GHS"[^>]*>Drop “Country”<\/a\s*>: 1 series/);
    expect(html).toMatch(/href="\/browse\?iso3_country_codes=KEN"[^>]*>Drop “Currency”<\/a\s*>: 2 series/);
    expect(html.indexOf('Drop “Currency”')).toBeLessThan(html.indexOf('Drop “Country”'));
    expect(html).toContain('Drop all filters');
  });

  it('has pages', async () => {
    await storeSeries(
      service.unitOfWork,
      Array.from({ length: 50 }, (_, index) => ({
        uuid: randomUUID(),
        commodity: { name: `Tea ${String(index).padStart(2, '0')}` },
        market: { name: 'Kampala', iso3_country_code: 'UGA', country_name: 'Uganda' },
      })),
    );
    const first = await page(service, '/browse?order=commodity');
    expect(names(first)).toHaveLength(50);
    expect(first).toContain('Page 1 of 2');
    expect(first).toContain('<a href="/browse?order=commodity&amp;page=2" rel="nofollow">');
    const last = await page(service, '/browse?order=commodity&page=2');
    expect(names(last)).toHaveLength(4);
    expect(last).toContain('<a href="/browse?order=commodity" rel="nofollow">');
    expect(names(first).filter((name) => names(last).includes(name))).toEqual([]);
  });

  it('says before a click what is too large, and what cannot be had at once', async () => {
    const market = { name: 'x', iso3_country_code: 'NPL', country_name: 'Nepal' };
    await storeSeries(service.unitOfWork, [
      // Of two prices, but it spans more days than a workbook takes rows.
      {
        uuid: randomUUID(),
        market,
        points: {
          daily: [
            ['1900-01-01', 1],
            ['2024-05-01', 2],
          ],
        },
      },
      ...Array.from({ length: 501 }, (_, index) => ({
        uuid: randomUUID(),
        commodity: { name: `Rice ${index}` },
        market: { name: 'y', iso3_country_code: 'BTN', country_name: 'Bhutan' },
      })),
    ]);
    const dataOf = async (query: string) =>
      (await page(service, `/browse?${query}`)).split('<h2>This view as data</h2>')[1]!;
    const workbook = 'Excel: these may be too many; a workbook takes 15,624.';
    const nepal = await dataOf('iso3_country_codes=NPL');
    expect(nepal).toContain(workbook);
    expect(nepal).toContain('/PriceSeriePrice/?iso3_country_codes=NPL&amp;format=xlsx');
    const bhutan = await dataOf('iso3_country_codes=BTN');
    expect(bhutan).not.toContain(workbook);
    expect(bhutan).toContain('for up to 500 series; there are 501.');
    expect(bhutan).not.toContain('/PriceTable/');
    const dated = await dataOf('iso3_country_codes=NPL&start_date=1900-01-01');
    expect(dated).toContain('not with start_date or end_date');
    expect(dated).not.toContain('/PriceSeriePrice/');
    expect(await page(service, '/browse?iso3_country_codes=ZZZ')).not.toContain('This view as data');
  });

  it('answers what it cannot understand in words, and ignores trackers', async () => {
    for (const [query, status] of [
      ['iso3_country_codes=x', 400],
      ['order=colour', 400],
      ['newerThan=yesterday', 400],
      ['page=99', 404],
      ['page=-1', 400],
    ] as const) {
      const { status: answered, text } = await open(service, `/browse?${query}`);
      expect([query, answered]).toEqual([query, status]);
      expectSafe(text);
    }
    expect(await page(service, '/browse?utm_campaign=x')).toBe(await page(service, '/browse'));
  });
});
