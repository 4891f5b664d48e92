import { randomUUID } from 'node:crypto';
import { storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { expectSafe, open, page, tableRows } from './pages.js';

const kenya = { iso3_country_code: 'KEN', country_name: 'Kenya' };
const goods = [
  ['Maize', { name: 'Nairobi', ...kenya, admin_unit: 'Nairobi' }, '2024-01-01'],
  ['Maize (white)', { name: 'Lodwar', ...kenya, admin_unit: 'Rift Valley' }, '2024-04-01'],
  ['Maize (white)', { name: 'Mombasa', ...kenya }, '2024-05-01'],
  ['Flour of maize', { name: 'Nairobi', ...kenya, admin_unit: 'Nairobi' }, '2024-06-01'],
  ['Rice', { name: 'Maizeville', iso3_country_code: 'TCD', country_name: 'Chad' }, '2024-07-01'],
  ['Teff', { name: 'Addis Ababa', iso3_country_code: 'ETH', country_name: 'Ethiopia' }, '2024-06-01'],
] as const;

const HOW_TO_SEARCH =
  'Search for a commodity, a market, a region or a country: “maize kenya”, “riz au tchad”.';

let service: TestApp;
beforeAll(async () => {
  service = await startTestApp();
  await storeSeries(
    service.unitOfWork,
    goods.map(([name, market, date]) => ({
      uuid: randomUUID(),
      commodity: { name },
      market,
      points: { monthly: [[date, 1]] },
    })),
  );
});
afterAll(() => service.close());

const browse = (search: string, more = '') =>
  page(service, `/browse?search=${encodeURIComponent(search)}${more}`);
const names = (html: string) =>
  tableRows(html, '<tbody>').map(([commodity, , , market]) => `${commodity} ${market}`);
/** The paragraphs of a page, as text. */
const said = (html: string) =>
  [...html.slice(html.indexOf('<h1>')).matchAll(/<p>([\s\S]*?)<\/p>/g)].map(([, text]) =>
    text!
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  );
const links = (html: string) =>
  [...html.matchAll(/<a href="([^"]+)"[^>]*>([^<]*|<bdi>[^<]*<\/bdi>)<\/a\s*>/g)].map(([, to, text]) => [
    text!.replace(/<[^>]+>/g, ''),
    to!.replaceAll('&amp;', '&'),
  ]);

describe('what a search finds', () => {
  it('is in the order of how well it matches, then of the newest prices', async () => {
    expect(names(await browse('maize'))).toEqual([
      'Maize Nairobi',
      'Maize (white) Mombasa',
      'Maize (white) Lodwar',
      'Flour of maize Nairobi',
      'Rice Maizeville',
    ]);
    expect(names(await browse('nairobi'))).toEqual(['Flour of maize Nairobi', 'Maize Nairobi']);
  });

  it('leads to the pages of what is named, a commodity in a country first', async () => {
    const html = await browse('maize kenya');
    const paths = links(html).filter(([, to]) => /^\/(countries|commodities|markets)\//.test(to!));
    expect(paths[0]![1]).toMatch(/^\/countries\/KEN\/commodities\/\d+$/);
    // All of its kinds, the one that most markets have newest prices of first.
    expect(said(html)[0]).toBe('Pages: Maize (white) in Kenya · Maize in Kenya · Flour of maize in Kenya');
  });

  it.each([
    ['maize, kenya?', null],
    ['how much is maize in nairobi', 'Understood as: Maize, Nairobi.'],
    ['mais kenya', 'Understood as: Maize, Kenya.'],
    ['prix du maïs au Kenya', 'Understood as: Maize, Kenya.'],
    ['maze', 'Nothing is called “maze”; these are prices of Maize.'],
    ['arroz chade', 'Understood as: Rice, Chad.'],
    ['maize rift valley', 'Understood as: Maize, Rift, Valley.'],
    ['how much has maize risen in Kenya in March 2024', 'Understood as: Maize, Kenya.'],
    ['price of maize KEN', 'Understood as: Maize, Kenya.'],
    ['prices of teff?', 'Understood as: Teff.'],
    ['prices of flour', 'Understood as: Flour.'],
    ['prices of white', 'Understood as: white.'],
  ])('is understood, and the page says how: %j', async (search, note) => {
    const html = await browse(search);
    expect(names(html)).not.toEqual([]);
    expect(said(html).filter((text) => /^(Understood|Nothing)/.test(text))).toEqual(
      note === null ? [] : [note],
    );
  });

  it('is data of what was understood, which the API takes literally', async () => {
    const html = await browse('prix du riz au tchad');
    expect(names(html)).toEqual(['Rice Maizeville']);
    expect(html).toContain('/api/v1/PriceSerie/?search=rice+TCD&amp;format=csv');
    const { body } = await service.http().get('/api/v1/PriceSerie/?search=rice+TCD').expect(200);
    expect(body).toMatchObject({ count: 1 });
    // The address stays that of what was typed.
    expect(html).toMatch(/<link rel="canonical" href="[^"]*\/browse\?search=prix\+du\+riz\+au\+tchad" \/>/);
    expect(await browse('maize rift valley')).toContain(
      '/api/v1/PriceSerie/?admin_units=Rift+Valley&amp;search=maize&amp;format=csv',
    );
  });
});

describe('a search that finds nothing', () => {
  it('says what nothing is called, and what one word less finds', async () => {
    const html = await browse('xyzzy kenya');
    expect(said(html)).toEqual([
      'No series fits all of this.',
      'Nothing is called “xyzzy”.',
      'The nearest pages: Kenya',
    ]);
    expect(html).toMatch(/href="\/browse\?search=kenya"[^>]*>Search without “xyzzy”<\/a\s*>: 4 series/);
    expect(html).toMatch(/href="\/browse"[^>]*>Drop “Search: xyzzy kenya”<\/a\s*>: 6 series/);
    expect(html).not.toMatch(/format=csv|class="citation"|This view as data/);
  });

  it('says what was understood where the words do not go together', async () => {
    const html = await browse('teff kenya');
    expect(said(html)).toEqual([
      'No series fits all of this.',
      'Understood as: Teff, Kenya.',
      'The nearest pages: Teff · Kenya',
    ]);
    expect(html).toMatch(/href="\/browse\?search=kenya"[^>]*>Search without “Teff”<\/a\s*>: 4 series/);
    expect(html).toMatch(/href="\/browse\?search=teff"[^>]*>Search without “Kenya”<\/a\s*>: 1 series/);
    // Also of a search that is understood when one goes there.
    expect(await browse('riz nigeria')).toMatch(
      /href="\/browse\?search=riz"[^>]*>Search without “nigeria”<\/a\s*>: 1 series/,
    );
    expect(await browse('تيف تشاد')).toContain('href="/countries/TCD"');
  });

  it('names the filter to drop of a search that was understood', async () => {
    const html = await browse('mais', '&iso3_country_codes=ETH');
    expect(said(html)).toContain('Understood as: Maize.');
    expect(html).toMatch(/href="\/browse\?search=maize"[^>]*>Drop “Country: Ethiopia”<\/a\s*>: 5 series/);
    expect(names(await browse('maize'))).toHaveLength(5);
  });

  it('names countries without prices, which are no slips', async () => {
    const html = await browse('maize congo');
    expect(said(html)).toEqual([
      'No series fits all of this.',
      'No prices of Congo are stored.',
      'The nearest pages: Maize · Maize (white)',
    ]);
    expect(html).toMatch(/href="\/browse\?search=maize"[^>]*>Search without “congo”<\/a\s*>: 5 series/);
    expect(html).toContain('<a href="/#countries">All countries with prices</a>');
    expect(said(await browse('fufu in South Sudan and the UAE'))).toEqual([
      'No series fits all of this.',
      'Nothing is called “fufu”.',
      'No prices of South Sudan, United Arab Emirates are stored.',
      HOW_TO_SEARCH,
    ]);
  });

  it('takes a word with another first letter for no slip', async () => {
    expect(said(await browse('noddwar'))).toContain('Nothing is called “noddwar”.');
    expect(said(await browse('lodwer')).slice(0, 2)).toEqual([
      'Nothing is called “lodwer”; these are prices of Lodwar.',
      'Pages: Lodwar, Kenya',
    ]);
  });

  it('leads to what one finds without all that nothing is called', async () => {
    const html = await browse('xyzzy maize nigeria kenya');
    expect(html).toMatch(
      /href="\/browse\?search=maize\+kenya"[^>]*>Search without “xyzzy”, “nigeria”<\/a\s*>: 4 series/,
    );
  });

  it('names a region to drop by its words alone', async () => {
    const html = await browse('teff rift valley');
    expect(html).toMatch(/search=teff"[^>]*>Drop “Region: Rift, Valley”<\/a\s*>: 1 series/);
    expect(html).toMatch(/admin_units=Rift\+Valley"[^>]*>Drop “Search: Teff”<\/a\s*>: 1 series/);
  });

  it('is bounded, however many words it has', async () => {
    const words = Array.from(
      { length: 60 },
      (_, index) => `q${String.fromCharCode(97 + (index % 26))}${index % 7}`,
    );
    const html = await browse(`maize teff ${words.join(' ')}`.slice(0, 200));
    const [unknown] = said(html).filter((text) => text.startsWith('Nothing is called'));
    expect(unknown!.match(/“/g)!.length).toBeLessThanOrEqual(12);
    expect(html.match(/Search without/g)?.length ?? 0).toBeLessThanOrEqual(13);
    for (const search of ['?!. ,;', '🍞🌽', 'ذرة'])
      expect(said(await browse(search)).filter((text) => text.includes('undefined'))).toEqual([]);
  });

  it('names the country of a filter that has no prices', async () => {
    expect(await browse('teff', '&iso3_country_codes=LBN')).toMatch(
      /href="\/browse\?search=teff"[^>]*>Drop “Country: Lebanon”<\/a\s*>: 1 series/,
    );
  });

  it('has near names for a slip that does not go with the rest', async () => {
    const html = await browse('maze ethiopia');
    expect(html).toMatch(/href="\/browse\?search=Maize\+ethiopia"[^>]*>Maize<\/a/);
  });
});

describe('an address that is not there', () => {
  it.each([
    ['/countries', '/#countries'],
    ['/markets', '/browse?order=market'],
  ])('leads from %s to all of them', async (address, to) => {
    const { status, headers } = await open(service, address);
    expect([status, headers.location]).toEqual([302, to]);
    await page(service, to.replace('#countries', ''));
  });

  it('says what was asked for, what is near, and searches for it', async () => {
    const { status, text } = await open(service, '/countries/kenia');
    expect(status).toBe(404);
    expectSafe(text);
    expect(text).toContain('Asked for: /countries/kenia');
    expect(text).toContain('<li><a href="/countries/KEN">Kenya</a></li>');
    expect(text).toContain('<input type="search" name="search" value="kenia" />');
    const { text: nowhere } = await open(service, `/price-of-maize-in-kenya/${'x'.repeat(300)}`);
    expect(nowhere).not.toContain('x'.repeat(61));
    expect((await open(service, '/price-of-maize-in-kenya')).text).toContain(
      'name="search" value="price of maize in kenya"',
    );
  });

  it.each([
    ['/commodities/maze', [/^\/commodities\/\d+$/, 'Maize']],
    ['/markets/nairoby', [/^\/markets\/\d+$/, 'Nairobi, Kenya']],
    ['/countries/kenya/commodities/maize', [/^\/countries\/KEN\/commodities\/\d+$/, 'Maize in Kenya']],
    ['/countries/KEN/commodities/teff', [/^\/commodities\/\d+$/, 'Teff']],
    ['/countries/ETH/commodities/{Rice}', [/^\/countries\/ETH$/, 'Ethiopia']],
  ] as const)('leads from %s to what is near', async (address, [path, name]) => {
    const { body } = await service.http().get('/api/v1/Commodity/').expect(200);
    const { id } = (body as { id: number; name: string }[]).find((each) => each.name === 'Rice')!;
    const { status, text } = await open(service, address.replace('{Rice}', String(id)));
    expect(status).toBe(404);
    expectSafe(text);
    const near = links(text.slice(text.indexOf('Perhaps one of these')));
    expect(near.filter((link) => link[0] === name && path.test(link[1]!))).toHaveLength(1);
  });
});

it.each(['lebanon', 'LBN', 'Liban'])('the address of a country without prices says so: %s', async (name) => {
  const { status, text } = await open(service, `/countries/${name}`);
  expect(status).toBe(404);
  expect(text).toContain('No prices of Lebanon are stored.');
  expect((await open(service, '/countries/nowhere')).text).toContain('Nothing here is called “nowhere”.');
});

describe('an error', () => {
  it.each([
    [
      '/browse?newerThan=yesterday',
      'Newest price since: “yesterday” is no date; dates look like 2024-05-31.',
    ],
    ['/browse?order=colour', 'Order: “colour” is none of the choices.'],
    ['/browse?iso3_country_codes=x', 'Country: “x” cannot be understood here.'],
    ['/browse?commodity_ids=rice', 'Commodity: “rice” cannot be understood here.'],
    ['/browse?page=-1', 'Page: “-1” is no whole number that fits here.'],
    ['/compare?measure=gold', 'Prices: “gold” is none of the choices.'],
    ['/warnings?by=colour', 'By: “colour” is none of the choices.'],
  ])('names the field in the words of the page: %s', async (address, sentence) => {
    const { status, text } = await open(service, address);
    expect(status).toBe(400);
    const said = text.slice(text.indexOf('<h1>'), text.indexOf('<form')).replace(/<[^>]+>/g, ' ');
    expect(said.replace(/\s+/g, ' ')).toContain(sentence);
    expect(said).not.toMatch(/_|JSON|GET|newerThan|must be/);
  });

  it('names no verb of HTTP', async () => {
    const { text } = await service.http().post('/browse').set('Accept', 'text/html').expect(405);
    expect(text.slice(text.indexOf('<h1>'))).not.toMatch(/GET|HEAD|OPTIONS|Method/);
  });
});

it('a search that was understood keeps a region with a comma in its name', async () => {
  await storeSeries(service.unitOfWork, [
    {
      uuid: randomUUID(),
      commodity: { name: 'Dates' },
      market: {
        name: 'Bajil',
        iso3_country_code: 'YEM',
        country_name: 'Yemen',
        admin_unit: 'Tihama, north',
      },
    },
  ]);
  const html = await browse('price of dates tihama', '&iso3_country_codes=ETH');
  const [, to] = links(html).find(([text]) => text === 'Drop “Country: Ethiopia”')!;
  expect(to).toBe('/browse?admin_units=%22Tihama%2C+north%22&search=dates');
  expect(names(await page(service, to!))).toEqual(['Dates Bajil']);
});

it('a country is not taken for another whose name in a language has a word of questions', async () => {
  await storeSeries(service.unitOfWork, [
    {
      uuid: randomUUID(),
      commodity: { name: 'Okra' },
      market: { name: 'Kassala', iso3_country_code: 'SDN', country_name: 'Sudan' },
    },
  ]);
  // "Sudán del Sur" without "sur", which is also French.
  expect(said(await browse('teff sudan'))).toEqual([
    'No series fits all of this.',
    'Understood as: Teff, Sudan.',
    'The nearest pages: Teff · Sudan',
  ]);
});

describe('the whole name of a country', () => {
  const togo = { iso3_country_code: 'TGO', country_name: 'Togo' };
  beforeAll(() =>
    storeSeries(
      service.unitOfWork,
      (
        [
          ['Sesame', { name: 'Malindi', ...kenya, admin_unit: 'Nigeria Road' }],
          ['Sesame', { name: 'Togotown', ...kenya }],
          ['Sesame', { name: 'Peru', ...kenya }],
          ['Sesame', { name: 'Lamu-Benin', ...kenya }],
          ['Ginger', { name: 'Togotown', ...kenya }],
          ['Ginger', { name: 'Lomé', ...togo }],
        ] as const
      ).map(([name, market]) => ({
        uuid: randomUUID(),
        commodity: { name },
        market,
        points: { monthly: [['2024-01-01', 1]] },
      })),
    ),
  );

  it('is that country where it has no prices, not a market or region that begins so', async () => {
    for (const [search, country] of [
      ['sesame mali', 'Mali'],
      ['sesame Malí', 'Mali'],
      ['sesame niger', 'Niger'],
      // A market that has it within its name is rarely meant.
      ['sesame benin', 'Benin'],
    ] as const) {
      const html = await browse(search);
      expect(names(html)).toEqual([]);
      expect(said(html)).toContain(`No prices of ${country} are stored.`);
      expect(html).toMatch(/href="\/browse\?search=sesame"[^>]*>Search without/);
      expect(html).not.toMatch(/format=csv/);
    }
    // What is typed on the way to it is none, and a market may be called like a country.
    expect(names(await browse('sesame malin'))).toEqual(['Sesame Malindi']);
    expect(names(await browse('sesame peru'))).toEqual(['Sesame Peru']);
    // Who chose a country is there.
    expect(names(await browse('sesame mali', '&iso3_country_codes=KEN'))).toEqual(['Sesame Malindi']);
  });

  it('is that country where it has prices', async () => {
    const ginger = await browse('ginger togo');
    expect(names(ginger)).toEqual(['Ginger Lomé']);
    expect(said(ginger)).toContain('Understood as: Ginger, Togo.');
    const sesame = await browse('sesame togo');
    expect(names(sesame)).toEqual([]);
    expect(said(sesame)).toContain('Understood as: Sesame, Togo.');
    expect(sesame).toMatch(/href="\/browse\?search=TGO"[^>]*>Search without “Sesame”/);
  });
});

describe('words that no series is called by', () => {
  beforeAll(() =>
    storeSeries(
      service.unitOfWork,
      (
        [
          ['Simsim', 12, 'UGX', 'Lira', 'UGA', 'Uganda', 'World Grain Board (WGB)'],
          ['Simsim', 13, 'UGX', 'Lira', 'UGA', 'Uganda', 'Ministry'],
          ['Simsim', 12, 'MWK', 'Lilongwe', 'MWI', 'Malawi', 'Ministry'],
        ] as const
      ).map(([name, priceType, currency, market, iso3_country_code, country_name, source]) => ({
        uuid: randomUUID(),
        commodity: { name },
        priceType,
        currency,
        market: { name: market, iso3_country_code, country_name },
        source: { name: source },
        points: { monthly: [['2024-01-01', 1]] },
      })),
    ),
  );

  it.each([
    ['UGX', 2, 'Understood as: currency UGX.', 'Pages: Uganda'],
    ['simsim kwacha', 1, 'Understood as: Simsim, currency MWK.', 'Pages: Simsim'],
    [
      'simsim en gros ouganda',
      1,
      'Understood as: Simsim, Uganda, price type wholesale.',
      'Pages: Simsim in Uganda',
    ],
    ['simsim WGB', 1, 'Understood as: Simsim, source World Grain Board (WGB).', 'Pages: Simsim'],
    [
      'inflation in uganda',
      2,
      'Understood as: Uganda.',
      'Pages: Exchange rate and consumer price index of Uganda · Uganda',
    ],
  ])(
    'are those of currencies, price types and sources, or of what pages tell: %s',
    async (search, ...rest) => {
      const html = await browse(search);
      expect([names(html).length, ...said(html).slice(0, 2)]).toEqual(rest);
    },
  );

  it('are data of the same filters', async () => {
    const html = await browse('simsim kwacha');
    expect(html).toContain('/api/v1/PriceSerie/?currencies=MWK&amp;search=simsim&amp;format=csv');
    const { body } = await service.http().get('/api/v1/PriceSerie/?search=simsim&currencies=MWK').expect(200);
    expect(body).toMatchObject({ count: 1 });
    const nothing = await browse('simsim kwacha', '&iso3_country_codes=UGA');
    expect(nothing).toMatch(/search=simsim"[^>]*>Drop “Currency: MWK”<\/a\s*>: 2 series/);
    expect(nothing).toMatch(/href="\/browse\?currencies=MWK&amp;search=simsim"[^>]*>Drop “Country: Uganda”/);
    // A currency that was chosen stays.
    expect(names(await browse('simsim kwacha', '&currencies=UGX'))).toEqual([]);
  });

  it.each([
    [
      'exchange rate uganda',
      '/countries/UGA#conversions',
      'Exchange rate and consumer price index of Uganda',
    ],
    ['inflation', '/help/consumer-price-index', 'Help: Consumer price index (CPI)'],
    ['price per kg', '/help/per-kilogram', 'Help: Per kilogram or litre, per unit'],
    ['where are prices high', '/warnings', 'Where food prices are high'],
    [
      'alerts uganda',
      '/warnings?by=country%2Ccommodity&iso3_country_codes=UGA',
      'High food prices in Uganda',
    ],
  ])('lead to the page that answers, first: %s', async (search, to, name) => {
    const html = await browse(search);
    const nearest = html.slice(html.search(/The nearest pages:|Pages:/));
    expect(links(nearest)[0]).toEqual([name, to]);
    await page(service, to);
    expect(html).not.toMatch(/format=csv/);
  });

  it('stay in the state of the data', async () => {
    const [, revision] = /as_of=(r[0-9]+)/.exec(await browse('uganda'))!;
    const found = links(await browse('exchange rate uganda', `&as_of=${revision!}`));
    expect(found.filter(([, to]) => to!.startsWith('/countries/'))).toEqual([
      ['Exchange rate and consumer price index of Uganda', `/countries/UGA?as_of=${revision!}#conversions`],
      ['Uganda', `/countries/UGA?as_of=${revision!}`],
    ]);
  });

  it.each(['2023', '10117', '🌽', 'what does food cost in my town'])(
    'are told how to search, where nothing is named: %s',
    async (search) => {
      const html = await browse(search);
      expect(said(html)).toContain(HOW_TO_SEARCH);
      const leads = links(html.slice(html.indexOf('No series fits'))).map(([, to]) => to);
      expect(leads).toEqual(expect.arrayContaining(['/browse', '/#countries', '/commodities']));
      expect(leads.filter((to) => to === '/browse')).toHaveLength(1);
    },
  );

  it('are no words of a country that has no prices', async () => {
    const html = await browse('teff papua new guinea');
    expect(said(html)).toEqual([
      'No series fits all of this.',
      'No prices of Papua New Guinea are stored.',
      'The nearest pages: Teff',
    ]);
    expect(html).toMatch(/href="\/browse\?search=teff"[^>]*>Search without “papua new guinea”<\/a\s*>: 1/);
  });

  it('are nearest to what goes together without one of them', async () => {
    expect(said(await browse('teff simsim uganda')).at(-1)).toBe(
      'The nearest pages: Simsim in Uganda · Teff · Simsim · Uganda',
    );
  });
});
