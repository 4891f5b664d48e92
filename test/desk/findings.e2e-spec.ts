import { startTestApp, type TestApp } from '../support/test-app.js';
import { storePoints, storeSeries } from '../support/price-fixture.js';
import { tableRows } from '../explorer/pages.js';
import { DeskBrowser, expectDeskPage, hiddenFields } from './desk.js';

const KENYA = '11111111-0000-4000-8000-000000000001';
const YEMEN = '11111111-0000-4000-8000-000000000002';
const HOSTILE = '<script>alert(1)</script>"\'&';
const MONTHS = ['01', '02', '03', '04', '05', '06', '07', '08', '09'].map((month) => `2024-${month}-01`);

/** Prices of 360 with some others. */
const prices = (others: Record<string, number>) =>
  MONTHS.map((date) => [date, others[date] ?? 360, date === '2024-04-01' ? HOSTILE : null] as const);

describe('findings at the desk', () => {
  let service: TestApp;
  let desk: DeskBrowser;
  beforeAll(async () => {
    service = await startTestApp();
    desk = await new DeskBrowser(service).login();
  });
  afterAll(() => service.close());

  /** The open findings of the API, newest first. */
  const open = async (query = '') => {
    const { body } = await service.http().get(`/api/v1/Finding/?state=open${query}`).expect(200);
    return (body as { results: { id: number; rule: string; uuid: string; date: string }[] }).results;
  };
  const finding = async (id: number) =>
    (await service.http().get(`/api/v1/Finding/${id}/`)).body as Record<string, unknown>;
  const price = async (uuid: string, date: string) => {
    const query = `start_date=${date}&end_date=${date}&periodicity=monthly`;
    const { body } = await service.http().get(`/api/v1/PriceSeriePrice/${uuid}/?${query}`);
    return (body as { datapoints: { price_value: number; comment: string }[] }).datapoints[0];
  };
  const operation = async (id: number, action: string, fields: Record<string, string>, query = '') => {
    const page = await desk.page(`/desk/findings/${id}${query}`);
    return desk.post(`/desk/findings/${id}/${action}${query}`, { ...hiddenFields(page, action), ...fields });
  };

  it('say so where there are none', async () => {
    expect(await desk.page('/desk/findings')).toContain('There are no such findings.');
    const { status, headers } = await desk.open('/desk/findings/next?rule=spike');
    expect([status, headers.location]).toEqual([303, '/desk/findings?rule=spike']);
    for (const address of ['/desk/findings/1', '/desk/findings/x', '/desk/findings/0?done=1'])
      expectDeskPage(await desk.open(address), 404);
    expectDeskPage(await desk.open('/desk/findings?page=2'), 404);
    expectDeskPage(await desk.open('/desk/findings?state=shut'), 400);
    for (const page of ['/desk/findings', '/desk/findings/next'])
      expectDeskPage(await desk.open(`${page}?search=${'x'.repeat(201)}`), 400);
  });

  it('are listed with counts and filters, and every text is escaped', async () => {
    await storeSeries(service.unitOfWork, [
      { uuid: KENYA, points: { monthly: prices({ '2024-04-01': 3600, '2024-07-01': 36 }) } },
      {
        uuid: YEMEN,
        commodity: { name: HOSTILE },
        market: { name: 'صنعاء', iso3_country_code: 'YEM', country_name: 'اليمن' },
        points: { monthly: prices({ '2024-04-01': 3600 }) },
      },
    ]);
    const all = await open();
    const html = await desk.page('/desk/findings');
    expect(tableRows(html, ', newest first')).toHaveLength(all.length);
    // Of countries with prices, those with most series first; what they are called is in the data.
    const chosen = /<select name="iso3_country_codes">([\s\S]*?)<\/select>/.exec(html)![1]!;
    expect(
      [...chosen.matchAll(/<option value="(\w*)" ?(?:selected)?>([^<]*)</g)].map(([, ...all]) => all),
    ).toEqual([
      ['', 'Any'],
      ['KEN', `Kenya (${all.filter(({ uuid }) => uuid === KENYA).length})`],
      ['YEM', `\u2068اليمن\u2069 (${all.filter(({ uuid }) => uuid === YEMEN).length})`],
    ]);
    expect(html).toContain(
      '<option value="spike" >A price many times its neighbours, or a small part of them (',
    );
    const yemen = await desk.page('/desk/findings?iso3_country_codes=YEM&rule=decimal_slip&utm=1');
    const [slip] = await open('&iso3_country_codes=YEM&rule=decimal_slip');
    expect(tableRows(yemen, ', newest first')).toEqual([
      [
        'A price ten times its neighbours, or a tenth (also a hundred, a hundredth) decimal_slip',
        'اليمن',
        '2024-04-01',
        '3,600',
        '360',
        expect.stringContaining('3600 is 10 times'),
      ],
    ]);
    expect(yemen).toContain(`/desk/findings/${slip!.id}?rule=decimal_slip&amp;iso3_country_codes=YEM`);
    const { headers } = await desk.open('/desk/findings/next?iso3_country_codes=YEM&rule=decimal_slip');
    expect(headers.location).toBe(`/desk/findings/${slip!.id}?rule=decimal_slip&iso3_country_codes=YEM`);
    const page = await desk.page(headers.location!);
    expect(page).toContain('صنعاء');
    expect(page).toContain('<svg');
    expect(page).toMatch(/name="price_value"\s+value="360"/);
    expect(tableRows(page, 'Prices around it').find(([, , note]) => note!.includes('this price'))).toEqual([
      '2024-04-01',
      '3,600',
      expect.stringMatching(/this price; .*decimal_slip.*; &lt;script&gt;/),
    ]);
  });

  it('are corrected, once however often the form is sent, and lead to the next', async () => {
    const query = '?rule=decimal_slip&iso3_country_codes=KEN';
    const [first, second] = await open('&rule=decimal_slip&iso3_country_codes=KEN');
    const page = await desk.page(`/desk/findings/${first!.id}${query}`);
    const fields = { ...hiddenFields(page, 'correct'), price_value: '361,5', reason: 'Decimal point' };
    for (let times = 0; times < 2; times++) {
      const { status, headers } = await desk.post(`/desk/findings/${first!.id}/correct${query}`, fields);
      expect([status, headers.location]).toEqual([
        303,
        `/desk/findings/${second!.id}${query}&done=${first!.id}`,
      ]);
    }
    expect(await price(KENYA, first!.date)).toMatchObject({ price_value: 361.5 });
    expect(await desk.page(`/desk/findings/${second!.id}${query}&done=${first!.id}`)).toContain(
      `Finding ${first!.id} is corrected.`,
    );
    const { body } = await service.http().get('/api/v1/ChangeSet/?kind=correction');
    expect(body).toMatchObject({ count: 1, results: [{ reason: 'Decimal point' }] });
    const log = await service
      .http()
      .get('/api/v1/AuditLog/?page_size=1')
      .set(await service.authHeader());
    expect((log.body as { results: object[] }).results).toMatchObject([
      { username: 'admin', action: 'update' },
    ]);
    const done = await desk.page(`/desk/findings/${first!.id}`);
    expect(done).not.toContain('<button>Correct</button>');
    expect(done).not.toContain('<button>Dismiss</button>');
  });

  it('keep what was sent, with the message at the field', async () => {
    const [slip] = await open('&rule=decimal_slip&iso3_country_codes=YEM');
    for (const [value, message] of [
      ['3,602', '3,602 may be two numbers.'],
      ['12..5', 'Price must be a number.'],
      ['', 'Price is required.'],
      ['-1', 'Price must be greater than 0.'],
      ['1e400', 'Price must not exceed'],
      [HOSTILE, 'Price must be a number.'],
    ]) {
      const response = await operation(slip!.id, 'correct', { price_value: value!, reason: HOSTILE });
      expectDeskPage(response, 400);
      expect(response.text).toContain(`id="price_value-error">${message}`);
      expect(response.text).toContain('value="&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;"');
    }
    // The price that the form proposes is taken as it stands.
    const proposed = await operation(slip!.id, 'correct', {
      price_value: '36.025',
      proposed: '36.025',
      reason: 'x'.repeat(501),
    });
    expect(proposed.text).not.toContain('price_value-error');
    const long = await operation(slip!.id, 'correct', { price_value: '360', reason: 'x'.repeat(501) });
    expectDeskPage(long, 400);
    expect(long.text).toContain('id="reason-error">Reason');
    expect(await price(YEMEN, slip!.date)).toMatchObject({ price_value: 3600 });
  });

  it('are not corrected over the head of somebody else', async () => {
    const [slip] = await open('&rule=decimal_slip&iso3_country_codes=YEM');
    const page = await desk.page(`/desk/findings/${slip!.id}`);
    const ids = await service.database.rows<{ id: number }>('SELECT id FROM price_serie WHERE uuid = ?', [
      YEMEN,
    ]);
    await storePoints(service.unitOfWork, ids[0]!.id, { monthly: [[slip!.date, 3601, null]] });
    const fields = { ...hiddenFields(page, 'correct'), price_value: '360' };
    const response = await desk.post(`/desk/findings/${slip!.id}/correct`, fields);
    expectDeskPage(response, 412);
    expect(response.text).toContain('The record has changed since you read it.');
    expect(await price(YEMEN, slip!.date)).toMatchObject({ price_value: 3601 });
    const again = await desk.post(`/desk/findings/${slip!.id}/correct`, {
      ...hiddenFields(response.text, 'correct'),
      price_value: '360',
    });
    expect(again.status).toBe(303);
    expect(await price(YEMEN, slip!.date)).toMatchObject({ price_value: 360 });
  });

  it('are dismissed for a reason alone, and opened again', async () => {
    const [one] = await open('&iso3_country_codes=KEN');
    const none = await operation(one!.id, 'dismiss', { reason: ' ' });
    expectDeskPage(none, 400);
    expect(none.text).toContain('id="reason-error">Reason is required.');
    const done = await operation(one!.id, 'dismiss', { reason: `The road was closed ${HOSTILE}` });
    expect(done.status).toBe(303);
    expect(await finding(one!.id)).toMatchObject({
      state: 'dismissed',
      reason: `The road was closed ${HOSTILE}`,
    });
    const page = await desk.page(`/desk/findings/${one!.id}`);
    expect(page).toContain('The road was closed &lt;script&gt;');
    expect((await operation(one!.id, 'open', {})).headers.location).toBe(`/desk/findings/${one!.id}`);
    expect(await finding(one!.id)).toMatchObject({ state: 'open', reason: '' });
  });

  it('are ended by removing the price, after which the list is shown', async () => {
    const [one] = await open('&rule=decimal_slip&iso3_country_codes=KEN');
    const query = '?rule=decimal_slip&iso3_country_codes=KEN';
    const response = await operation(one!.id, 'remove', { reason: 'Nobody knows' }, query);
    expect([response.status, response.headers.location]).toEqual([
      303,
      `/desk/findings${query}&done=${one!.id}`,
    ]);
    expect(await price(KENYA, one!.date)).toBeUndefined();
    expect(await desk.page(response.headers.location!)).toContain(`Finding ${one!.id} is corrected.`);
  });

  it('do nothing without the token, for another action, or about another finding', async () => {
    const [one] = await open();
    expectDeskPage(await desk.post(`/desk/findings/${one!.id}/dismiss`, { reason: 'x' }), 403);
    const token = hiddenFields(await desk.page(`/desk/findings/${one!.id}`), 'dismiss').form_token!;
    const send = (path: string) => desk.post(path, { reason: 'x', form_token: token });
    expectDeskPage(await send(`/desk/findings/${one!.id}/delete`), 404);
    for (const id of ['999999', 'x']) expectDeskPage(await send(`/desk/findings/${id}/dismiss`), 404);
    const visitor = await new DeskBrowser(service).post(`/desk/findings/${one!.id}/dismiss`, { reason: 'x' });
    expect(visitor.status).toBe(303);
    expect(await finding(one!.id)).toMatchObject({ state: 'open' });
  });

  it('about records with near names lead to where these are merged', async () => {
    const authorization = await service.authHeader();
    for (const market_name of ['Owino', 'Owinno']) {
      const body = { market_name, market_iso3_country_code: 'UGA' };
      await service.http().post('/api/v1/Market/').set(authorization).send(body).expect(201);
    }
    const [near] = await open('&rule=near_duplicate');
    const { members } = await finding(near!.id);
    const [owino, owinno] = (members as { id: number }[]).map(({ id }) => id) as [number, number];
    const page = await desk.page(`/desk/findings/${near!.id}`);
    expect(tableRows(page, 'What it is about')).toEqual([
      [`Owino (${owino})`, expect.stringMatching(`^Merge it into\\s+Owinno \\(${owinno}\\)$`)],
      [`Owinno (${owinno})`, expect.stringMatching(`^Merge it into\\s+Owino \\(${owino}\\)$`)],
    ]);
    const address = `/desk/tables/Market/${owinno}/merge?into=${owino}`;
    expect(page).toContain(`href="${address}"`);
    expect(await desk.page(address)).toContain('What would move');
    const merge = service.http().post(`/api/v1/Market/${owinno}/merge/`).set(authorization);
    await merge.send({ into: owino }).expect(200);
    expect(await finding(near!.id)).toMatchObject({ state: 'gone' });
    const ended = await desk.page(`/desk/findings/${near!.id}`);
    expect(tableRows(ended, 'What it is about')).toEqual([[`Owino (${owino})`], [`Owinno (${owinno})`]]);
    expect(ended).not.toContain('/desk/tables/Market');
  });

  it('about a built-in record lead to where the other one is merged into it alone', async () => {
    const authorization = await service.authHeader();
    const send = service.http().post('/api/v1/PriceType/').set(authorization);
    await send.send({ price_type_name: 'WHOLESALES', price_type_description: '' }).expect(201);
    const near = (await open('&rule=near_duplicate')).at(-1)!;
    const { members } = await finding(near.id);
    const { id: own } = (members as { id: number; name: string }[]).find(
      ({ name }) => name === 'WHOLESALES',
    )!;
    const rows = tableRows(await desk.page(`/desk/findings/${near.id}`), 'What it is about');
    expect(rows).toEqual([
      ['WHOLESALE (13)', 'It is built in and stays'],
      [`WHOLESALES (${own})`, expect.stringMatching(/^Merge it into\s+WHOLESALE \(13\)$/)],
    ]);
  });
});
