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
  tableRows(html, COLUMNS).map(([commodity, , , market]) => `${commodity} ${market}`);

describe('the page of a search', () => {
  it('says that nothing is stored yet before the first import, whatever is searched for', async () => {
    for (const address of ['/browse', '/browse?search=maize&iso3_country_codes=KEN']) {
      const html = await page(service, address);
      expect(html).toContain('No prices are stored yet. They come with the first import.');
      expect(html).not.toMatch(/<table>|<form|This view as data|Drop|citation/);
    }
  });

  it('lists series with links, escaped, those with the newest prices first', async () => {
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
    const links = [...html.matchAll(/<a href="\/series\/([^"]+)">/g)].map((match) => match[1]);
    expect(tableRows(html, COLUMNS).map(([name]) => name)).toEqual([
      '&lt;script&gt;alert(1)&lt;/script&gt;&quot;',
      'Maïs, blanc',
      'Beans',
      'أرز',
    ]);
    expect(tableRows(html, COLUMNS)[0]).toEqual([
      '&lt;script&gt;alert(1)&lt;/script&gt;&quot;',
      '1',
      'GHS per Kg',
      'Accra',
      'Ghana',
      '–',
      '',
      '2024-05-01 30 months ago',
      'retail',
      'Monthly',
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
    expect(html).toContain('<option value="KEN,GHA" selected>as chosen</option>');
    const chips = /<ul class="chips"[\s\S]*?<\/ul>/.exec(html)![0];
    expect(
      [...chips.matchAll(/href="([^"]+)"\s+(?:rel="nofollow"\s+)?aria-label="([^"]+)"/g)].map(
        ([, to, what]) => [what, to],
      ),
    ).toEqual([
      ['Remove Country: Kenya', '/browse?iso3_country_codes=GHA&amp;newerThan=2024-01-01'],
      ['Remove Country: Ghana', '/browse?iso3_country_codes=KEN&amp;newerThan=2024-01-01'],
      ['Remove Newest price since: 2024-01-01', '/browse?iso3_country_codes=KEN%2CGHA'],
    ]);
    expect(html).toContain('<input type="date" name="newerThan" value="2024-01-01" />');
    // What no field of dates can show is kept as it is.
    expect(await page(service, '/browse?newerThan=9+years+ago&market_types=""')).toMatch(
      /<input type="hidden" name="newerThan" value="9 years ago" \/>[\s\S]*<input type="hidden" name="market_types"/,
    );
  });

  it('counts values of a filter where they are many: a link without each would repeat all others', async () => {
    const ids = Array.from({ length: 500 }, (_, index) => 1_000_000 + index);
    const html = await page(service, `/browse?market_ids=${ids.join(',')}&iso3_country_codes=KEN`);
    expect(html.length).toBeLessThan(40_000);
    expect(html).toMatch(
      /<span class="muted">Market:<\/span> 500 values\s+<a href="\/browse\?iso3_country_codes=KEN"/,
    );
    expect(html).toContain('Drop “Market: 500 values”');
  });

  it('orders by each column, up and down, and what has no value comes last', async () => {
    const order = async (by: string) =>
      tableRows(await page(service, `/browse?order=${by}`), COLUMNS).map((cells) => cells[3]);
    expect(await order('market')).toEqual(['Accra', 'Mombasa', 'Nairobi', 'صنعاء']);
    expect(await order('-market')).toEqual(['صنعاء', 'Nairobi', 'Mombasa', 'Accra']);
    expect(await order('-last_price_date')).toEqual(['Accra', 'Mombasa', 'Nairobi', 'صنعاء']);
    expect(await order('last_price_date')).toEqual(['Nairobi', 'Mombasa', 'Accra', 'صنعاء']);
    expect(await order('commodity')).toEqual(['Accra', 'Nairobi', 'Mombasa', 'صنعاء']);
    expect(await order('price_type')).toEqual(['Accra', 'Nairobi', 'صنعاء', 'Mombasa']);
    // Equal ones: the newest prices first.
    expect(await order('country')).toEqual(['Accra', 'Mombasa', 'Nairobi', 'صنعاء']);
    for (const by of ['unit', '-unit', 'frequency', '-frequency', 'price', '-price', 'change'])
      expect([by, await order(by)]).toEqual([by, ['Accra', 'Mombasa', 'Nairobi', 'صنعاء']]);
    const html = await page(service, '/browse?order=country');
    expect(html).toContain('/api/v1/PriceSerie/?sort=country_name&amp;format=csv');
    expect(html).toContain('/api/v1/PriceSeriePrice/?sort=country_name&amp;format=csv');
    expect(html).not.toMatch(/PriceTable\/\?[^\s"]*sort=/);
  });

  it('leads from each heading to its order, and says which one it has', async () => {
    const headings = async (address: string) =>
      [...(await page(service, address)).matchAll(/<th scope="col"([^>]*)>([\s\S]*?)<\/th>/g)].map(
        ([, attributes, content]) => [
          content!.replace(/<[^>]+>/g, ''),
          /href="([^"]+)"/.exec(content!)?.[1] ?? null,
          /aria-sort="(\w+)"/.exec(attributes!)?.[1] ?? null,
        ],
      );
    expect(await headings('/browse?search=mais&order=market')).toEqual([
      ['Commodity', '/browse?search=mais&amp;order=commodity', null],
      ['Newest monthly price', '/browse?search=mais&amp;order=-price', null],
      ['Unit', '/browse?search=mais&amp;order=unit', null],
      ['Market', '/browse?search=mais&amp;order=-market', 'ascending'],
      ['Country', '/browse?search=mais&amp;order=country', null],
      ['In a year', '/browse?search=mais&amp;order=-change', null],
      ['3 years', null, null],
      ['Newest price', '/browse?search=mais&amp;order=-last_price_date', null],
      ['Price type', '/browse?search=mais&amp;order=price_type', null],
      ['Frequency', '/browse?search=mais&amp;order=frequency', null],
    ]);
    expect((await headings('/browse?order=-price'))[1]).toEqual([
      'Newest monthly price',
      '/browse?order=price',
      'descending',
    ]);
  });

  it('ticks series for comparing, in the address and without scripts', async () => {
    const buttons = (html: string) =>
      [
        ...html.matchAll(
          /<button\s+class="tick"\s+form="ticks"\s+name="tick"\s+value="([^"]+)"\s+aria-pressed="(\w+)"\s+aria-label="([^"]+)"/g,
        ),
      ].map(([, uuid, pressed, label]) => ({ uuid: uuid!, pressed, label }));
    const formOf = (html: string, start: string) => {
      const form = html.slice(html.indexOf(start), html.indexOf('</form>', html.indexOf(start)));
      return [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]);
    };
    const html = await page(service, '/browse?order=market');
    const rows = buttons(html);
    expect(rows.map(({ label }) => label)).toEqual([
      'Compare &lt;script&gt;alert(1)&lt;/script&gt;&quot;, Accra',
      'Compare Maïs, blanc, Mombasa',
      'Compare Beans, Nairobi',
      '\u2068Compare أرز\u2069, \u2068صنعاء\u2069',
    ]);
    expect(html).toContain('Tick up to 8 series of the table to compare them.');
    expect(html).not.toContain('action="/compare"');
    // A button sends the form with itself, as browsers do.
    const [a, b] = rows.map(({ uuid }) => uuid) as [string, string];
    expect(formOf(html, '<form id="ticks"')).toEqual([['order', 'market']]);
    const one = await page(service, `/browse?order=market&tick=${a}`);
    expect(buttons(one).filter(({ pressed }) => pressed === 'true')).toHaveLength(2);
    const two = await page(service, `/browse?order=market&compare=${a}&tick=${b}`);
    expect(two).toContain('<button>Compare (2)</button>');
    expect(formOf(two, 'action="/compare"')).toEqual([['uuids', `${a},${b}`]]);
    expect(formOf(two, '<form id="ticks"')).toEqual([
      ['order', 'market'],
      ['compare', `${a},${b}`],
    ]);
    // Filters, orders and pages keep what is ticked; the page itself is the same without.
    expect(formOf(two, 'role="search"').at(-1)).toEqual(['compare', `${a},${b}`]);
    expect(two).toContain(`href="/browse?order=-market&amp;compare=${a}%2C${b}"`);
    expect(two).toMatch(/<link rel="canonical" href="[^"]*\/browse\?order=market" \/>/);
    const without = await page(service, `/browse?compare=${a},${b}&tick=${a}`);
    expect(formOf(without, 'action="/compare"')).toEqual([['uuids', b]]);
    const sent = await page(service, `/compare?uuids=${a}%2C${b}`);
    expect(sent).toContain(`<link rel="canonical" href="${originOf(sent)}/compare?uuids=${a}%2C${b}" />`);
    // What is no series is not counted.
    expect(await page(service, `/browse?compare=${a},${randomUUID()}`)).toContain('Compare (1)');
    // An earlier state stays the one that is shown.
    const { headers } = await open(service, '/browse');
    const known = `r${headers['data-revision']}`;
    const before = await page(service, `/browse?as_of=${known}&tick=${a}`);
    expect(formOf(before, 'action="/compare"')).toEqual([
      ['uuids', a],
      ['as_of', known],
    ]);
    expect(before).not.toMatch(/order=-?(price|change)&amp;/);
  });

  it('says which filter to drop where nothing fits, and what that gives', async () => {
    const html = await page(service, '/browse?iso3_country_codes=KEN&currencies=GHS');
    expect(html).toMatch(/href="\/browse\?currencies=GHS"[^>]*>Drop “Country: Kenya”<\/a\s*>: 1 series/);
    expect(html).toMatch(
      /href="\/browse\?iso3_country_codes=KEN"[^>]*>Drop “Currency: GHS”<\/a\s*>: 2 series/,
    );
    expect(html.indexOf('Drop “Currency')).toBeLessThan(html.indexOf('Drop “Country'));
    expect(html).toContain('Drop all filters');
    expect(html).not.toMatch(/format=csv|class="citation"|Tick up to/);
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

  it('tells of a ninth tick in words, before the button', async () => {
    const uuids = Array.from({ length: 9 }, () => randomUUID());
    await storeSeries(
      service.unitOfWork,
      uuids.map((uuid, index) => ({
        uuid,
        commodity: { name: `Salt ${index}` },
        market: { name: 'Kigali', iso3_country_code: 'RWA', country_name: 'Rwanda' },
      })),
    );
    const bar = (html: string) =>
      html
        .slice(html.indexOf('class="compare-bar"'), html.indexOf('<details>', html.indexOf('compare-bar')))
        .replace(/^[^>]*>|<[^>]+>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim();
    const first = uuids.slice(0, 7).join(',');
    expect(bar(await page(service, `/browse?compare=${first}`))).toBe('Compare (7)');
    expect(bar(await page(service, `/browse?compare=${first}&tick=${uuids[7]}`))).toBe(
      '8 series are ticked, which is the most. Untick one to tick another. Compare (8)',
    );
    const eight = uuids.slice(0, 8).join(',');
    expect(bar(await page(service, `/browse?compare=${eight}&tick=${uuids[8]}`))).toBe(
      'One more was not ticked: 8 series are the most. Untick one to tick another. Compare (8)',
    );
    expect(bar(await page(service, `/browse?compare=${eight}&tick=${uuids[0]}`))).toBe('Compare (7)');
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
    const workbook = 'Excel opens the CSV. A workbook takes 15,624 prices: for one, select fewer';
    const nepal = await dataOf('iso3_country_codes=NPL');
    expect(nepal).toContain(workbook);
    expect(nepal).toContain('/PriceSeriePrice/?iso3_country_codes=NPL&amp;format=csv');
    expect(nepal).not.toContain('/PriceSeriePrice/?iso3_country_codes=NPL&amp;format=xlsx');
    const bhutan = await dataOf('iso3_country_codes=BTN');
    expect(bhutan).not.toContain(workbook);
    expect(bhutan).toContain('/PriceSeriePrice/?iso3_country_codes=BTN&amp;format=xlsx');
    expect(bhutan).toContain('for up to 500 series; there are 501.');
    expect(bhutan).not.toContain('/PriceTable/');
    const dated = await dataOf('iso3_country_codes=NPL&start_date=1900-01-01');
    expect(dated).toContain('not where series are chosen by when their data begin or end');
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

it('prices, changes and their order are those of months that are over', async () => {
  const days = (month: string, value: number) =>
    Array.from({ length: 31 }, (_, day): [string, number] => [
      `${month}-${String(day + 1).padStart(2, '0')}`,
      value,
    ]);
  await storeSeries(service.unitOfWork, [
    {
      uuid: randomUUID(),
      commodity: { name: 'Cloves' },
      market: { name: 'Lamu', ...kenya },
      points: { daily: [...days('2023-05', 10), ...days('2024-05', 15), ['2024-06-03', 99]] },
    },
    {
      uuid: randomUUID(),
      commodity: { name: 'Cloves' },
      market: { name: 'Kilifi', ...kenya },
      points: {
        monthly: [
          ['2023-05-01', 10],
          ['2024-05-01', 16],
        ],
      },
    },
  ]);
  const html = await page(service, '/browse?search=cloves&order=-change');
  expect(tableRows(html, COLUMNS).map((cells) => [cells[3], cells[1], cells[5]])).toEqual([
    ['Kilifi', '16', '+60%'],
    ['Lamu', '15', '+50%'],
  ]);
  expect(names(await page(service, '/browse?search=cloves&order=-price'))).toEqual([
    'Cloves Kilifi',
    'Cloves Lamu',
  ]);
});

it('old prices come last by price and change, and are grey', async () => {
  const cardamom = (name: string, year: number, before: number, value: number) => ({
    uuid: randomUUID(),
    commodity: { name: 'Cardamom' },
    market: { name, ...kenya },
    points: {
      monthly: [
        [`${year - 1}-05-01`, before],
        [`${year}-05-01`, value],
      ] as [string, number][],
    },
  });
  await storeSeries(service.unitOfWork, [
    cardamom('Lamu', 2023, 10, 30),
    cardamom('Kilifi', 2024, 10, 12),
    cardamom('Nairobi', 2024, 10, 11),
  ]);
  for (const [order, expected] of [
    ['-change', ['Kilifi', 'Nairobi', 'Lamu']],
    ['change', ['Nairobi', 'Kilifi', 'Lamu']],
    ['price', ['Nairobi', 'Kilifi', 'Lamu']],
    ['last_price_date', ['Lamu', 'Kilifi', 'Nairobi']],
  ] as const) {
    const html = await page(service, `/browse?search=cardamom&order=${order}`);
    expect(tableRows(html, COLUMNS).map((cells) => cells[3])).toEqual(expected);
    const grey = [...html.matchAll(/<tr class="muted">([\s\S]*?)<\/tr>/g)].map(([, row]) => row!);
    expect(grey).toHaveLength(1);
    expect(grey[0]).toContain('Lamu');
  }
  expect(await page(service, '/browse?search=cardamom')).toContain(
    'What is older than March 2024 is grey and, by price or change, comes last.',
  );
});
