import { tableRows } from '../explorer/pages.js';
import { storeSeries } from '../support/price-fixture.js';
import { storedRecord } from '../reference/reference-tables.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { DeskBrowser, expectDeskPage } from './desk.js';

const HOSTILE = '"><script>alert(1)</script>';
const ESCAPED = '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;';
/** Of revisions, which have the time of the database. */
const MINUTE = expect.stringMatching(/^20\d\d-\d\d-\d\d \d\d:\d\d$/) as string;
const A = 'aaaaaaaa-0000-4000-8000-000000000001';

interface Stored {
  id: number;
  version?: number;
  [field: string]: unknown;
}

/** The value of a field of a form. */
const valueOf = (html: string, name: string) =>
  new RegExp(`name="${name}"[^>]*?value="([^"]*)"`).exec(html)?.[1];

/** The text of a page without tags. */
const plain = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

describe('the tables of the desk', () => {
  let service: TestApp;
  let desk: DeskBrowser;
  beforeAll(async () => {
    service = await startTestApp();
    desk = await new DeskBrowser(service).login();
  });
  afterAll(() => service.close());

  const records = async (table: string) =>
    (await service.http().get(`/api/v1/${table}/`).expect(200)).body as Stored[];
  const record = async (table: string, id: number) =>
    (await service.http().get(`/api/v1/${table}/${id}/`).expect(200)).body as Stored;
  /** Sends the form of a page with some fields filled in. */
  const submit = async (address: string, fields: Record<string, string>, action = address) =>
    desk.submit(action, { ...hiddenOf(await desk.page(address)), ...fields }, address);
  const hiddenOf = (html: string) =>
    Object.fromEntries(
      ['key', 'version', 'into']
        .map((name) => [name, valueOf(html, name)])
        .filter((pair): pair is [string, string] => pair[1] !== undefined),
    );
  const create = async (table: string, fields: Record<string, string>) => {
    const { status, headers } = await submit(`/desk/tables/${table}/new`, fields);
    expect([status, headers.location]).toEqual([303, expect.stringMatching(/\d+\?done=created$/)]);
    return Number(/(\d+)\?/.exec(headers.location as string)![1]);
  };

  it('are listed with their records', async () => {
    expect(tableRows(await desk.page('/desk/tables'), '<h1>Tables')).toEqual([
      ['Commodities', '0', 'New commodity'],
      ['Consumer price indices', '0', 'New index value'],
      ['Exchange rates', '0', 'New exchange rate'],
      ['Markets', '0', 'New market'],
      ['Measure units', '0', 'New measure unit'],
      ['Price types', '4', 'New price type'],
      ['Sources', '0', 'New source'],
    ]);
    expect(plain(await desk.page('/desk/tables/Commodity'))).toContain('There are no records yet.');
    expectDeskPage(await desk.open('/desk/tables/Nothing'), 404);
    expectDeskPage(await desk.open('/desk/tables/Commodity/77'), 404);
    expectDeskPage(await desk.open('/desk/tables/Commodity/x'), 404);
  });

  it('create, edit, show the history and remove a record', async () => {
    const id = await create('Commodity', {
      name: 'Maïs “blanc”',
      hs_code: '1005',
      category: '',
      reason: 'أرز',
    });
    const page = await desk.page(`/desk/tables/Commodity/${id}?done=created`);
    expect(plain(page)).toContain('It was created.');
    expect(await record('Commodity', id)).toEqual(
      storedRecord('Commodity', { id, name: 'Maïs “blanc”', hs_code: '1005' }),
    );

    const saved = await submit(`/desk/tables/Commodity/${id}`, {
      name: 'Maïs “blanc”',
      hs_code: '',
      category: 'Cereals',
      reason: 'A closer look',
    });
    expect([saved.status, saved.headers.location]).toEqual([303, `/desk/tables/Commodity/${id}?done=saved`]);
    expect(await record('Commodity', id)).toMatchObject({ hs_code: null, category: 'Cereals' });
    const html = await desk.page(`/desk/tables/Commodity/${id}`);
    const changeSets = await service.database.rows<{ id: number }>(
      'SELECT id FROM change_set ORDER BY id DESC',
    );
    expect(tableRows(html, '<h2>History')).toEqual([
      [
        MINUTE,
        'admin',
        `${changeSets[0]!.id} Record\n: A closer look`,
        'HS code: 1005 → –Category: – → Cereals',
      ],
      [MINUTE, 'admin', `${changeSets[1]!.id} Record\n: أرز`, 'created'],
    ]);
    const audit = await service.database.rows<{ action: string }>(
      `SELECT action FROM audit_log WHERE table_name = 'commodity' AND record_id = ${id} ORDER BY id`,
    );
    expect(audit.map(({ action }) => action)).toEqual(['create', 'update']);

    const removed = await submit(`/desk/tables/Commodity/${id}`, {}, `/desk/tables/Commodity/${id}/remove`);
    expect([removed.status, removed.headers.location]).toEqual([303, '/desk/tables/Commodity?done=removed']);
    expect(plain(await desk.page('/desk/tables/Commodity?done=removed'))).toContain('It was removed.');
    expectDeskPage(await desk.open(`/desk/tables/Commodity/${id}`), 404);
  });

  it('say what is wrong at the fields, and keep what was sent', async () => {
    const before = await records('FxRate');
    const sent = { currency: 'KE', date: '2026-02-30', period: 'monthly', rate: '12x', rate_type: HOSTILE };
    const response = await submit('/desk/tables/FxRate/new', {
      ...sent,
      source: HOSTILE,
      reason: 'x'.repeat(501),
    });
    expectDeskPage(response, 400);
    const { text } = response;
    expect(text).toContain('id="reason-error">Reason must be at most 500 characters long.');
    const shorter = await submit('/desk/tables/FxRate/new', { ...sent, source: HOSTILE, reason: HOSTILE });
    expectDeskPage(shorter, 400);
    const errors = [...shorter.text.matchAll(/id="([\w]+)-error">([^<]*)</g)].map(([, name, detail]) => [
      name,
      detail,
    ]);
    expect(errors).toEqual([
      ['currency', 'Currency must be a three-letter currency code.'],
      ['date', 'Date must be a calendar date written YYYY-MM-DD.'],
      ['rate', 'Rate must be a number.'],
      ['rate_type', 'Rate type must be one of official, parallel.'],
    ]);
    expect([valueOf(shorter.text, 'currency'), valueOf(shorter.text, 'rate')]).toEqual(['KE', '12x']);
    expect([valueOf(shorter.text, 'source'), valueOf(shorter.text, 'reason')]).toEqual([ESCAPED, ESCAPED]);
    expect(await records('FxRate')).toEqual(before);

    const empty = await submit('/desk/tables/FxRate/new', { currency: '', date: '', rate: '', source: '' });
    expectDeskPage(empty, 400);
    for (const message of ['Currency must not be blank.', 'Rate is required.'])
      expect(empty.text).toContain(message);
    const digits = { currency: 'KES', date: '2026-02-01', rate: '0.12345678901234567', source: '' };
    expect((await submit('/desk/tables/FxRate/new', digits)).text).toContain(
      'rate-error">Rate must have at most 15 significant digits.',
    );
    // A number that may be two; nothing is made before one of them is chosen.
    const typed = { currency: 'XTS', date: '2026-02-01', period: 'monthly', rate: '2.510', source: 'Bank' };
    const asked = await submit('/desk/tables/FxRate/new', typed);
    expectDeskPage(asked, 400);
    expect(asked.text).toContain('rate-error">2.510 may be two numbers.');
    expect([valueOf(asked.text, 'rate'), valueOf(asked.text, 'source')]).toEqual(['2.510', 'Bank']);
    expect(await records('FxRate')).toEqual(before);
    const made = await submit('/desk/tables/FxRate/new', { ...typed, 'reading.rate': '2510' });
    const [id] = /\d+/.exec(made.headers.location as string)!;
    const { body } = await service.http().get(`/api/v1/FxRate/${id}/`).expect(200);
    expect(body).toMatchObject({ currency: 'XTS', rate: 2510 });
    await service
      .http()
      .delete(`/api/v1/FxRate/${id}/`)
      .set(await service.authHeader())
      .expect(204);
    // A rule between two fields.
    const dated = { currency: 'KES', date: '2026-02-02', period: 'monthly', rate: '1', source: '' };
    const monthly = await submit('/desk/tables/FxRate/new', dated);
    expectDeskPage(monthly, 400);
    expect(monthly.text).toMatch(/id="date-error">Date [^<]+month/);
  });

  it('take a record whose key another one has for what it is', async () => {
    const id = await create('Source', { name: 'Une source', url: '', license: '' });
    const again = await submit('/desk/tables/Source/new', { name: 'Une source', url: 'x', license: '' });
    expectDeskPage(again, 409);
    expect(again.text).toContain('id="name-error">Another record has this name.');
    expect(again.text).toContain(`<a href="/desk/tables/Source/${id}">Open that record</a>`);
    expect(valueOf(again.text, 'url')).toBe('x');
  });

  it('make one record of a form that is sent twice', async () => {
    const address = '/desk/tables/Source/new';
    const fields = { ...hiddenOf(await desk.page(address)), name: 'Twice', url: '', license: '' };
    const [one, other] = [await desk.submit(address, fields), await desk.submit(address, fields)];
    expect([one.status, other.status]).toEqual([303, 303]);
    expect(other.headers.location).toBe(one.headers.location);
    expect((await records('Source')).filter(({ name }) => name === 'Twice')).toHaveLength(1);
    // An edit that is sent twice has changed the record once.
    const page = (one.headers.location as string).split('?')[0]!;
    const edit = {
      ...hiddenOf(await desk.page(page)),
      name: 'Twice',
      url: 'https://example.org',
      license: '',
    };
    for (let time = 0; time < 2; time++)
      expect((await desk.submit(page, edit)).headers.location).toBe(`${page}?done=saved`);
    const rows = await service.database.rows<{ version: number }>(
      "SELECT version FROM source WHERE name = 'Twice'",
    );
    expect(rows.map(({ version }) => Number(version))).toEqual([2]);
  });

  it('show both versions where a record was changed meanwhile, and keep what is chosen', async () => {
    const id = await create('Market', {
      name: 'سوق صنعاء',
      iso3_country_code: 'yem',
      admin_unit: 'Amanat Al Asimah',
      type: 'retail',
    });
    const address = `/desk/tables/Market/${id}`;
    const version = valueOf(await desk.page(address), 'version')!;
    const admin = await service.authHeader();
    const patch = { name: 'Sana’a', code: 'Y1' };
    await service.http().patch(`/api/v1/Market/${id}/`).set(admin).send(patch).expect(200);
    const mine = { name: `Sanaa ${HOSTILE}`, type: 'wholesale', code: '', latitude: '15.35', info: '' };
    const conflict = await desk.submit(address, { version, ...mine, reason: 'Why' });
    expectDeskPage(conflict, 412);
    const { text } = conflict;
    expect(tableRows(text, 'Changed meanwhile').map((cells) => cells.slice(0, 4))).toEqual([
      ['Name', 'سوق صنعاء', 'Sana’a', `Sanaa ${ESCAPED}`],
      ['Type', 'retail', 'retail', 'wholesale'],
      ['Code', '–', 'Y1', '–'],
      ['Latitude', '–', '–', '15.35'],
    ]);
    // What one side alone has changed is chosen; what both have stays until somebody says else.
    const checked = [...text.matchAll(/name="keep\.(\w+)"\s+value="(\w+)"\s+checked/g)].map(
      ([, ...pair]) => pair,
    );
    expect(checked).toEqual([
      ['name', 'stored'],
      ['type', 'yours'],
      ['code', 'stored'],
      ['latitude', 'yours'],
    ]);
    expect(text).toMatch(/Stored 20\d\d-\d\d-\d\d \d\d:\d\d \(UTC\) by admin\./);
    expect((await record('Market', id)).type).toBe('retail');

    const choice = {
      version: valueOf(text, 'version')!,
      ...Object.fromEntries(Object.keys(mine).map((name) => [name, valueOf(text, name) ?? ''])),
      name: mine.name,
      ...Object.fromEntries(checked.map(([name, kept]) => [`keep.${name}`, kept!])),
      reason: 'Why',
    };
    const saved = await desk.submit(address, choice);
    expect([saved.status, saved.headers.location]).toEqual([303, `${address}?done=saved`]);
    expect(await record('Market', id)).toMatchObject({
      name: 'Sana’a',
      type: 'wholesale',
      code: 'Y1',
      latitude: 15.35,
      country_name: 'Yemen',
    });
    // One of an old page again: now the values of the form are chosen.
    const again = await desk.submit(address, { version, name: mine.name, 'keep.name': 'yours' });
    expectDeskPage(again, 412);
    const renamed = { version: valueOf(again.text, 'version')!, name: mine.name, 'keep.name': 'yours' };
    expect((await desk.submit(address, renamed)).status).toBe(303);
    expect((await record('Market', id)).name).toBe(mine.name);
    expect(await desk.page(address)).toContain(`<h1><bdi>Sanaa ${ESCAPED}</bdi></h1>`);
    const removed = await desk.submit(`${address}/remove`, { version });
    expectDeskPage(removed, 412);
    expect(plain(removed.text)).toContain('It was changed since you opened it.');
  });

  it('do not remove what something refers to, and say what that is', async () => {
    await storeSeries(service.unitOfWork, [
      { uuid: A, market: { name: 'Wakulima', iso3_country_code: 'KEN', country_name: 'Kenya' } },
    ]);
    const { id } = (await records('Market')).find(({ name }) => name === 'Wakulima')!;
    const address = `/desk/tables/Market/${id}`;
    const inUse = await submit(address, {}, `${address}/remove`);
    expectDeskPage(inUse, 409);
    expect(plain(inUse.text)).toContain('1 PriceSerie refer to the record.');
    expect(inUse.text).toContain(`href="/browse?market_ids=${id}"`);
    expect(inUse.text).toContain(`href="${address}/merge"`);
    const builtIn = await submit('/desk/tables/PriceType/12', { name: 'SHOP', description: '' });
    expectDeskPage(builtIn, 409);
    expect(plain(builtIn.text)).toContain('The name of price type 12 is fixed.');
  });

  it('lead to merging only from records that can be merged', async () => {
    const own = await create('PriceType', { name: 'FARM GATE' });
    const leads = async (id: number) =>
      (await desk.page(`/desk/tables/PriceType/${id}`)).includes(`/desk/tables/PriceType/${id}/merge`);
    expect([await leads(12), await leads(own)]).toEqual([false, true]);
  });

  it('merge two records, after showing what would move', async () => {
    const { id: from } = (await records('Market')).find(({ name }) => name === 'Wakulima')!;
    const into = await create('Market', {
      name: 'Wakulima Market',
      iso3_country_code: 'KEN',
      admin_unit: 'Nairobi',
    });
    const address = `/desk/tables/Market/${from}/merge`;
    const found = await desk.page(`${address}?search=waku`);
    expect(tableRows(found, '<h1>')).toEqual([['Wakulima Market', 'KEN', 'Nairobi', '–', String(into)]]);
    expect(plain(await desk.page(`${address}?search=zzz`))).toContain('No other record fits.');
    const words = Array.from({ length: 100 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join(' ');
    expect(plain(await desk.page(`${address}?search=${encodeURIComponent(words)}`))).toContain('fits.');
    for (const search of ['x'.repeat(201), 'waku&search=more'])
      expectDeskPage(await desk.open(`${address}?search=${search}`), 400);
    const preview = await desk.page(`${address}?into=${into}`);
    expect(plain(preview)).toContain('1 series; 1 name under which imports find it.');
    expect(tableRows(preview, 'How the two differ')[0]).toEqual(['Name', 'Wakulima', 'Wakulima Market']);
    expect((await record('Market', from)).name).toBe('Wakulima');
    expect(plain(preview)).toContain('How far apart they are is not known: one of them has no coordinates.');
    const place = async (id: number, latitude: number, longitude: number) =>
      service
        .http()
        .patch(`/api/v1/Market/${id}/`)
        .set(await service.authHeader())
        .send({ latitude, longitude })
        .expect(200);
    const notes = async () => {
      const text = plain(await desk.page(`${address}?into=${into}`));
      return /coordinates|(They are .*? apart\.(?: Markets that far .*? wrong\.)?)/.exec(text)![1];
    };
    await place(from, -1.28, 36.82);
    await place(into, -1.281, 36.82);
    expect(await notes()).toBe('They are less than 1 km apart.');
    await place(into, -1.33, 36.82);
    expect(await notes()).toBe('They are 5.6 km apart.');
    await place(into, -4.05, 39.67);
    expect(await notes()).toBe(
      'They are 441.7 km apart. Markets that far from each other are hardly one, unless one of the positions is wrong.',
    );
    expect(plain(await desk.page(`${address}?into=${into}`))).toContain('Neither has prices.');

    for (const [other, status, message] of [
      [String(from), 400, 'The other record must be another record than the one in the address.'],
      ['', 400, 'The other record is required.'],
      ['x', 400, 'The other record must be an integer.'],
      ['999999', 409, 'into refers to a record that does not exist.'],
    ] as const) {
      const wrong = await desk.submit(address, { into: other, reason: HOSTILE });
      expectDeskPage(wrong, status);
      expect(plain(wrong.text)).toContain(message);
    }
    const merged = await desk.submit(address, { into: String(into), reason: 'The same' });
    expect([merged.status, merged.headers.location]).toEqual([
      303,
      `/desk/tables/Market/${into}?done=merged`,
    ]);
    const { body } = await service.http().get(`/api/v1/PriceSerie/${A}/`).expect(200);
    expect(body).toMatchObject({ market: 'Wakulima Market', market_id: into });
    expectDeskPage(await desk.open('/desk/tables/FxRate/1/merge'), 404);
  });

  it('merge and remove once, however often the form is sent, and say who was first', async () => {
    const [one, two, other] = [
      await create('Source', { name: 'Ministry of Trade' }),
      await create('Source', { name: `Trade ${HOSTILE}` }),
      await create('Source', { name: 'Bureau' }),
    ];
    const address = `/desk/tables/Source/${one}`;
    const { version } = hiddenOf(await desk.page(address));
    const send = async (action: string, fields: Record<string, string>) => {
      const { status, headers, text } = await desk.submit(`/desk/tables/Source/${action}`, fields);
      if (status === 303) return headers.location;
      return [status, plain(/<main[\s\S]*<\/main>/.exec(text)![0]).trim()];
    };
    const merge = (into: number) => send(`${one}/merge`, { into: String(into) });
    const done = `/desk/tables/Source/${two}?done=merged`;
    // At the same time, and again later.
    expect(await Promise.all([merge(two), merge(two)])).toEqual([done, done]);
    expect(await merge(two)).toBe(done);
    const gone = [
      409,
      expect.stringMatching(
        /This source is gone It was merged into another one 20.{14} \(UTC\) by admin\. Nothing of yours was done\. Open that record$/,
      ),
    ];
    expect(await merge(other)).toEqual(gone);
    expect(await send(`${one}/remove`, { version: version! })).toEqual(gone);
    const late = await desk.submit(address, { version: version!, name: HOSTILE });
    expectDeskPage(late, 409);
    expect(late.text).toContain(`<a href="/desk/tables/Source/${two}">Open that record</a>`);

    const fields = { version: hiddenOf(await desk.page(`/desk/tables/Source/${other}`)).version! };
    const remove = () => send(`${other}/remove`, fields);
    const removed = '/desk/tables/Source?done=removed';
    expect(await Promise.all([remove(), remove()])).toEqual([removed, removed]);
    expect(await remove()).toBe(removed);
    expect(await send(`${other}/merge`, { into: String(two) })).toEqual([
      409,
      expect.stringMatching(/It was removed 20.{14} \(UTC\) by admin\. Nothing of yours was done\.$/),
    ]);
    // One that has never been there.
    for (const action of ['', '/remove', '/merge'])
      expect(await send(`999999${action}`, { ...fields, into: String(two) })).toEqual([
        404,
        expect.any(String),
      ]);
  });

  it('do not merge units of different quantities', async () => {
    const [kg, liter] = [
      await create('MeasureUnit', { name: 'kilo', dimension: 'mass', conversion_factor: '1' }),
      await create('MeasureUnit', { name: 'litre', dimension: 'volume', conversion_factor: '1' }),
    ];
    const page = await desk.open(`/desk/tables/MeasureUnit/${kg}/merge?into=${liter}`);
    expectDeskPage(page, 409);
    expect(plain(page.text)).toContain('The dimensions or conversion factors of the two units differ.');
    expect(page.text).not.toContain('>Merge</button>');
  });

  it('search, filter, order and page', async () => {
    const admin = await service.authHeader();
    for (let month = 1; month <= 51; month++) {
      const date = `${2020 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01`;
      const rate = { currency: month % 2 === 0 ? 'KES' : 'UGX', date, rate: 200 - month };
      await service.http().post('/api/v1/FxRate/').set(admin).send(rate).expect(201);
    }
    const list = async (query: string) =>
      tableRows(await desk.page(`/desk/tables/FxRate?${query}`), '<caption>').map(
        ([currency, date, , rate]) => [currency, date, rate].join(' '),
      );
    expect(await list('order=rate')).toHaveLength(50);
    expect(await list('order=rate&page=2')).toEqual(['UGX 2020-02-01 199']);
    expect((await list('order=-date'))[0]).toBe('UGX 2024-04-01 149');
    expect((await list('currency=KES&order=rate'))[0]).toBe('KES 2024-03-01 150');
    expect(await list('search=ugx&date=2020-02-01')).toEqual(['UGX 2020-02-01 199']);
    const html = await desk.page('/desk/tables/FxRate?currency=KES&order=rate&utm_source=x');
    expect(html).toContain('href="/desk/tables/FxRate?currency=KES&amp;order=-rate"');
    expect(html).toContain('25 records');
    expect(plain(await desk.page('/desk/tables/FxRate?currency=XXX'))).toContain(
      'No record fits this. Show all',
    );
    for (const [query, status] of [
      ['page=3', 404],
      ['page=0', 400],
      ['order=colour', 400],
      ['currency=12', 400],
    ] as const)
      expectDeskPage(await desk.open(`/desk/tables/FxRate?${query}`), status);
    const arabic = tableRows(await desk.page('/desk/tables/Market?search=sanaa'), '<caption>');
    expect(arabic.map(([name]) => name)).toEqual([`Sanaa ${ESCAPED}`]);
    expect(await desk.page('/desk/tables/Market?search=%22%3E%3Cscript%3E')).not.toContain('"><script>');
  });

  it('are for accounts with a session, and forms for those with its token', async () => {
    const [{ id } = { id: 0 }] = await records('Source');
    const visitor = new DeskBrowser(service);
    const address = `/desk/tables/Source/${id}`;
    for (const page of [
      '/desk/tables',
      '/desk/tables/Source',
      address,
      `${address}/merge`,
      '/desk/tables/Source/new',
    ]) {
      const { status, headers } = await visitor.open(page);
      expect([status, headers.location]).toEqual([303, `/desk/login?next=${encodeURIComponent(page)}`]);
    }
    const before = await records('Source');
    for (const action of [address, `${address}/remove`, `${address}/merge`, '/desk/tables/Source/new']) {
      expect((await visitor.post(action, { version: '1', name: 'x' })).status).toBe(303);
      expectDeskPage(await desk.post(action, { version: '1', name: 'x', form_token: 'x' }), 403);
    }
    expect(await records('Source')).toEqual(before);
  });
});
