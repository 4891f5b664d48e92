import { tableRows } from '../explorer/pages.js';
import { storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { DeskBrowser, expectDeskPage, formOf } from './desk.js';

const HOSTILE = '"><script>alert(1)</script>';
const ESCAPED = '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;';
const A = 'aaaaaaaa-0000-4000-8000-000000000001';
const B = 'bbbbbbbb-0000-4000-8000-000000000002';
const C = 'cccccccc-0000-4000-8000-000000000003';
const EMPTY = 'dddddddd-0000-4000-8000-000000000004';
const PAGE = `/desk/series/${A}`;

/** Of revisions, which have the time of the database. */
const MINUTE = expect.stringMatching(/^20\d\d-\d\d-\d\d \d\d:\d\d$/) as string;

/** The fields of all forms of a page, by name; boxes and choices as they are. */
function fieldsOf(html: string): Record<string, string> {
  const unescape = (text: string) =>
    text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  const inputs = [...html.matchAll(/<input([^>]*?)\/?>/g)].map(([, attributes]) => attributes!);
  return Object.fromEntries(
    inputs.flatMap((attributes) => {
      const of = (name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1];
      const isOff = /type="(checkbox|radio)"/.test(attributes) && !/\schecked/.test(attributes);
      return of('name') === undefined || isOff ? [] : [[of('name')!, unescape(of('value') ?? 'on')]];
    }),
  );
}

/** The fields of the prices among those of a page. */
const pointFields = (html: string) =>
  Object.fromEntries(
    Object.entries(fieldsOf(html)).filter(([name]) => /^(price|comment|shown|remove|keep)\./.test(name)),
  );

const plain = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

describe('the series of the desk', () => {
  let service: TestApp;
  let desk: DeskBrowser;
  let ids: Map<string, number>;
  beforeAll(async () => {
    service = await startTestApp();
    desk = await new DeskBrowser(service).login();
    const kenya = { iso3_country_code: 'KEN', country_name: 'Kenya' };
    const days = Array.from({ length: 51 }, (_, index) => new Date(Date.UTC(2024, 0, 1 + index)));
    await storeSeries(service.unitOfWork, [
      {
        uuid: A,
        market: { name: `Wakulima ${HOSTILE}`, ...kenya },
        commodity: { name: 'Maïs' },
        points: {
          monthly: [
            ['2023-01-01', 10, 'seen'],
            ['2023-02-01', 20],
            ['2023-03-01', 3000, HOSTILE],
            ['2023-04-01', 40],
          ],
        },
      },
      {
        uuid: B,
        market: { name: 'Wakulima Market', ...kenya },
        commodity: { name: 'Maïs' },
        points: {
          monthly: [
            ['2023-04-01', 41],
            ['2023-05-01', 50],
          ],
        },
      },
      {
        uuid: C,
        market: { name: 'سوق صنعاء', iso3_country_code: 'YEM', country_name: 'Yemen' },
        commodity: { name: 'أرز' },
        currency: 'YER',
        points: { daily: days.map((day, index) => [day.toISOString().slice(0, 10), 100 + index] as const) },
      },
      { uuid: EMPTY, market: { name: 'Empty', ...kenya }, commodity: { name: 'Maïs' } },
    ]);
    const { body } = await service.http().get(`/api/v1/PriceSeriePrice/${A}/`).expect(200);
    ids = new Map(
      (body as { datapoints: { date: string; id: number }[] }).datapoints.map(({ date, id }) => [date, id]),
    );
  });
  afterAll(() => service.close());

  const prices = async (uuid = A) => {
    const { body } = await service
      .http()
      .get(`/api/v1/PriceSeriePrice/${uuid}/?periodicity=monthly`)
      .expect(200);
    return (body as { datapoints: Record<string, unknown>[] }).datapoints
      .map(({ date, price_value, comment }) =>
        `${String(date)} ${String(price_value)} ${String(comment)}`.trim(),
      )
      .reverse();
  };
  const changeSets = async () =>
    Number((await service.database.rows<{ n: number }>('SELECT COUNT(*) AS n FROM change_set'))[0]!.n);
  const save = (fields: Record<string, string>, address = PAGE) => desk.submit(address, fields, PAGE);
  const id = (date: string) => ids.get(date)!;

  it('are found by words, country and uuid', async () => {
    const names = async (query: string) =>
      tableRows(await desk.page(`/desk/series?${query}`), '<h1>Series').map(([, market]) => market);
    expect(await names('')).toEqual([`Wakulima ${ESCAPED}`, 'Wakulima Market', 'Empty', 'سوق صنعاء']);
    expect(await names('search=mais%20waku')).toEqual([`Wakulima ${ESCAPED}`, 'Wakulima Market']);
    expect(await names('search=أرز')).toEqual(['سوق صنعاء']);
    expect(await names('iso3_country_codes=yem')).toEqual(['سوق صنعاء']);
    expect(plain(await desk.page('/desk/series?search=zzz'))).toContain('No series fits this.');
    const found = await desk.open(`/desk/series?search=${A.toUpperCase()}`);
    expect([found.status, found.headers.location]).toEqual([303, PAGE]);
    expectDeskPage(await desk.open('/desk/series?page=2'), 404);
    expectDeskPage(await desk.open('/desk/series?iso3_country_codes=1'), 400);
    for (const uuid of ['x', 'eeeeeeee-0000-4000-8000-000000000005'])
      for (const rest of ['', '/join', '/points/1'])
        expectDeskPage(await desk.open(`/desk/series/${uuid}${rest}`), 404);
  });

  it('show their prices as fields, by pages, and empty ones', async () => {
    const html = await desk.page(PAGE);
    expect(tableRows(html, '<h2>Prices').map(([date]) => date!.trim())).toEqual([
      '2023-04-01',
      '2023-03-01',
      '2023-02-01',
      '2023-01-01',
    ]);
    const fields = pointFields(html);
    expect(fields).toMatchObject({
      [`price.${id('2023-03-01')}`]: '3000',
      [`comment.${id('2023-03-01')}`]: HOSTILE,
      [`price.${id('2023-01-01')}`]: '10',
      [`comment.${id('2023-01-01')}`]: 'seen',
    });
    expect(Object.keys(fields)).toHaveLength(12);
    expect(plain(await desk.page(`/desk/series/${EMPTY}`))).toContain('There are no prices here.');
    const daily = `/desk/series/${C}?periodicity=daily`;
    expect(tableRows(await desk.page(daily), '<h2>Prices')).toHaveLength(50);
    expect(tableRows(await desk.page(`${daily}&page=2`), '<h2>Prices').map(([date]) => date!.trim())).toEqual(
      ['2024-01-01'],
    );
    expectDeskPage(await desk.open(`${daily}&page=3`), 404);
    const derived = await desk.page(`/desk/series/${C}?periodicity=monthly`);
    expect(plain(derived)).toContain('They are calculated from finer data');
    expect(pointFields(derived)).toEqual({});
  });

  it('save all changes of a page as one change set', async () => {
    const before = await changeSets();
    const fields = pointFields(await desk.page(PAGE));
    const changed = {
      ...fields,
      [`price.${id('2023-03-01')}`]: '30.0',
      [`comment.${id('2023-03-01')}`]: `a slip ${HOSTILE}`,
      [`comment.${id('2023-02-01')}`]: 'été',
      [`remove.${id('2023-01-01')}`]: 'on',
      reason: 'Three at once',
    };
    const saved = await save(changed);
    const location = saved.headers.location as string;
    expect([saved.status, location]).toEqual([303, expect.stringMatching(/\?done=saved&change_set=\d+$/)]);
    expect(await prices()).toEqual(['2023-02-01 20 été', `2023-03-01 30 a slip ${HOSTILE}`, '2023-04-01 40']);
    expect(await changeSets()).toBe(before + 1);
    // Fields are printed as wide as they are.
    expect(await desk.page(PAGE)).toContain('<span class="printed"><bdi>été</bdi></span>');
    const number = /change_set=(\d+)/.exec(location)![1]!;
    const html = await desk.page(location);
    expect(html).toContain(`<a href="/desk/change-sets/${number}">Change set ${number}</a>`);
    expect(tableRows(html, 'Corrections in force').map((cells) => cells.slice(0, 7))).toEqual([
      ['2023-01-01', 'Monthly', 'removed', '10', '', 'Three at once', number],
      ['2023-02-01', 'Monthly', '20', '20', 'été', 'Three at once', number],
      ['2023-03-01', 'Monthly', '30', '3000', `a slip ${ESCAPED}`, 'Three at once', number],
    ]);
    // The same form again, and one without changes, do nothing.
    for (const again of [changed, pointFields(await desk.page(PAGE)), {}]) {
      const { status, headers } = await save({ ...again, reason: 'Again' });
      expect([status, headers.location]).toEqual([303, `${PAGE}?done=unchanged`]);
    }
    expect(await changeSets()).toBe(before + 1);
  });

  it('say at the field what is wrong with a price, and keep what was sent', async () => {
    const fields = pointFields(await desk.page(PAGE));
    const before = await prices();
    const sent = {
      ...fields,
      [`price.${id('2023-03-01')}`]: `12x${HOSTILE}`,
      [`price.${id('2023-04-01')}`]: '-4',
      [`comment.${id('2023-02-01')}`]: 'x'.repeat(501),
    };
    const response = await save(sent);
    expectDeskPage(response, 400);
    const errors = [...response.text.matchAll(/id="([\w.]+)-error">([^<]*)</g)].map(([, ...pair]) => pair);
    expect(errors).toEqual([
      [`price.${id('2023-04-01')}`, 'Price must be greater than 0.'],
      [`price.${id('2023-03-01')}`, 'Price must be a number.'],
      [`comment.${id('2023-02-01')}`, 'Comment must be at most 500 characters long.'],
    ]);
    expect(pointFields(response.text)).toEqual(sent);
    for (const [price, message] of [
      ['', 'Price is required.'],
      ['0.1234567890123456', 'Price must have at most 15 significant digits.'],
      ['1e999', 'Price must not exceed'],
    ] as const)
      expect((await save({ ...fields, [`price.${id('2023-04-01')}`]: price })).text).toContain(message);
    const reason = await save({ ...fields, [`price.${id('2023-04-01')}`]: '4', reason: 'x'.repeat(501) });
    expect(reason.text).toContain('reason-error">Reason must be at most 500 characters long.');
    expect(await prices()).toEqual(before);
  });

  it('take prices as people type them, and ask which number is meant where it may be two', async () => {
    const name = `price.${id('2023-03-01')}`;
    const other = `price.${id('2023-04-01')}`;
    const before = await prices();
    const first = pointFields(await desk.page(PAGE));
    await save({ ...first, [name]: '3 000' });
    const sets = await changeSets();
    const fields = pointFields(await desk.page(PAGE));
    const price = async (date: string) =>
      (await prices()).find((each) => each.startsWith(date))!.split(' ')[1];
    // The stored number in other words is no change.
    const same = await save({ ...fields, [name]: '3\u202f000' });
    expect([same.headers.location, await changeSets()]).toEqual([`${PAGE}?done=unchanged`, sets]);

    const typed = { ...fields, [name]: '6,220', [other]: '1 020,5', reason: 'From paper' };
    const asked = await save(typed);
    expectDeskPage(asked, 400);
    expect(asked.text).toContain(
      `id="${name}-error">6,220 may be two numbers. Nothing has been saved yet: choose which one is meant.`,
    );
    expect(plain(asked.text)).toContain('Which number is meant? 6220, a whole number 6.220, with decimals');
    const form = formOf(asked.text, A);
    expect(form.fields).toMatchObject({ [name]: '6,220', [other]: '1 020,5', reason: 'From paper' });
    expect([await price('2023-03-01'), await changeSets()]).toEqual(['3000', sets]);
    // Sent again without a choice it asks again.
    expectDeskPage(await desk.post(PAGE, form.fields), 400);
    await desk.post(PAGE, { ...form.fields, [`reading.${name}`]: '6.2200' }).expect(303);
    expect([await price('2023-03-01'), await price('2023-04-01')]).toEqual(['6.22', '1020.5']);
    await save({ ...pointFields(await desk.page(PAGE)), [name]: '6.220', [`reading.${name}`]: '6220' });
    expect(await price('2023-03-01')).toBe('6220');

    // One that stands in its field as it is stored is asked nothing where the comment changes.
    await save({ ...pointFields(await desk.page(PAGE)), [name]: '1.1250' });
    const stored = pointFields(await desk.page(PAGE));
    expect(stored[name]).toBe('1.125');
    await save({ ...stored, [`comment.${id('2023-03-01')}`]: 'checked' });
    expect(await prices()).toContain('2023-03-01 1.125 checked');
    const again = pointFields(await desk.page(PAGE));
    await save({
      ...again,
      ...Object.fromEntries(Object.entries(first).filter(([key]) => !key.startsWith('shown'))),
    });
    expect(await prices()).toEqual(before);
  });

  it('show both prices where one was changed meanwhile, and keep what is chosen', async () => {
    const fields = pointFields(await desk.page(PAGE));
    const admin = await service.authHeader();
    const point = (date: string) =>
      service
        .http()
        .patch(`/api/v1/PriceSeriePrice/${A}/${id(date)}/`)
        .set(admin);
    await point('2023-02-01').send({ price_value: 21, comment: 'theirs' }).expect(200);
    await service
      .http()
      .delete(`/api/v1/PriceSeriePrice/${A}/${id('2023-03-01')}/`)
      .set(admin)
      .expect(204);
    const before = await prices();
    const conflict = await save({
      ...fields,
      [`price.${id('2023-02-01')}`]: '22',
      [`price.${id('2023-03-01')}`]: '33',
      [`price.${id('2023-04-01')}`]: '44',
      reason: 'Mine',
    });
    expectDeskPage(conflict, 412);
    expect(tableRows(conflict.text, '<h1>Changed').map((cells) => cells.slice(0, 3))).toEqual([
      ['2023-04-01', '40', '44'],
      ['2023-03-01', 'removed', `33 a slip ${ESCAPED}`],
      ['2023-02-01', '21 theirs', '22 été'],
    ]);
    expect(await prices()).toEqual(before);
    const choice = { ...pointFields(conflict.text), reason: 'Mine' };
    expect(choice).toMatchObject({
      [`keep.${id('2023-02-01')}`]: 'stored',
      [`keep.${id('2023-03-01')}`]: 'stored',
    });
    const saved = await save({ ...choice, [`keep.${id('2023-02-01')}`]: 'yours' });
    expect([saved.status, saved.headers.location]).toEqual([303, expect.stringContaining('done=saved')]);
    expect(await prices()).toEqual(['2023-02-01 22 été', '2023-04-01 44']);
    // A price that is gone is set again where that is chosen.
    const again = {
      ...choice,
      [`keep.${id('2023-03-01')}`]: 'yours',
      [`keep.${id('2023-02-01')}`]: 'stored',
    };
    expect((await save(again)).headers.location).toContain('done=saved');
    expect(await prices()).toContain(`2023-03-01 33 a slip ${HOSTILE}`);
  });

  it('show what a price was before, by whom and why', async () => {
    const html = await desk.page(`${PAGE}/points/${id('2023-02-01')}`);
    const rows = tableRows(html, '<h1>The price of 2023-02-01').map((cells) => cells.slice(0, 5));
    expect(rows).toEqual([
      ['22', 'été', MINUTE, 'now', 'admin'],
      ['21', 'theirs', MINUTE, MINUTE, 'admin'],
      ['20', 'été', MINUTE, MINUTE, 'admin'],
      ['20', '', MINUTE, MINUTE, '–'],
    ]);
    expectDeskPage(await desk.open(`${PAGE}/points/x`), 404);
    expectDeskPage(await desk.open(`${PAGE}/points/${id('2023-02-01') + 1}`), 404);
  });

  it('withdraw a correction, once', async () => {
    const html = await desk.page(PAGE);
    const action = new RegExp(`action="(${PAGE}/corrections/\\d+/withdraw)"[^]*?2023-01-01`).exec(
      html.slice(
        html.lastIndexOf('/corrections/', html.indexOf('Withdraw the correction of 2023-01-01')) - 80,
      ),
    )![1]!;
    for (const done of ['withdrawn', 'unchanged']) {
      const { status, headers } = await save({}, action);
      expect([status, headers.location]).toEqual([303, `${PAGE}?done=${done}`]);
    }
    expect(await prices()).toContain('2023-01-01 10 seen');
    expectDeskPage(await save({}, `${PAGE}/corrections/x/withdraw`), 404);
  });

  it('add a missing price, once, and say at the fields what is wrong', async () => {
    const { key } = fieldsOf(await desk.page(PAGE)) as { key: string };
    const point = {
      key,
      date: '2023-06-01',
      periodicity: 'monthly',
      price_value: '60.5',
      comment: '',
      reason: 'أ',
    };
    const asked = await save({ ...point, price_value: '60.500' }, `${PAGE}/points`);
    expectDeskPage(asked, 400);
    const { fields, action } = formOf(asked.text, '/points');
    expect([action, fields.price_value, fields.reason]).toEqual([`${PAGE}/points`, '60.500', 'أ']);
    expect(asked.text).toContain('name="reading.price_value" value="60500"');
    for (let time = 0; time < 2; time++) {
      const chosen = { ...point, price_value: '60.500', 'reading.price_value': '60.5000' };
      const { status, headers } = await save(chosen, `${PAGE}/points`);
      expect([status, headers.location]).toEqual([303, `${PAGE}?done=added`]);
    }
    expect(await prices()).toContain('2023-06-01 60.5');
    const wrong = async (fields: object) => {
      const response = await save({ ...point, key: `${key}2`, ...fields }, `${PAGE}/points`);
      const errors = [...response.text.matchAll(/id="([\w]+)-error">([^<]*)</g)].map(([, ...pair]) => pair);
      return [response.status, ...errors];
    };
    expect(await wrong({})).toEqual([
      409,
      ['date', 'Another record has this date.'],
      ['periodicity', 'Another record has this periodicity.'],
    ]);
    expect(await wrong({ date: '2023-06-02' })).toEqual([
      400,
      ['date', 'Date must be the first day of a month for a monthly price.'],
    ]);
    expect(await wrong({ date: '', price_value: HOSTILE, periodicity: 'yearly' })).toEqual([
      400,
      ['date', 'Date must be a calendar date written YYYY-MM-DD.'],
      ['periodicity', 'Frequency must be one of daily, weekly, monthly.'],
      ['price_value', 'Price must be a number.'],
    ]);
    const derived = { ...point, key: `${key}3`, date: '2024-01-01' };
    const response = await desk.submit(`/desk/series/${C}/points`, derived, PAGE);
    expectDeskPage(response, 409);
    expect(plain(response.text)).toContain('This price is calculated from finer data.');
  });

  it('join a series into another, after showing what would change', async () => {
    const page = await desk.page(`${PAGE}/join`);
    expect(page).toContain(`href="${PAGE}/join?into=${B}"`);
    const wrong = async (query: string) => {
      const response = await desk.open(`${PAGE}/join?${query}`);
      return [
        response.status,
        [...response.text.matchAll(/id="([\w]+)-error">([^<]*)</g)].map(([, ...pair]) => pair),
      ];
    };
    expect(await wrong('into=x')).toEqual([400, [['into', 'The other series must be a UUID.']]]);
    expect(await wrong(`into=${B}&factor=1,125`)).toEqual([
      400,
      [['factor', expect.stringMatching(/^1,125 may be two numbers/)]],
    ]);
    expect(await wrong(`into=${B}&factor=1,125&reading.factor=1.1250`)).toEqual([200, []]);
    expect(await wrong(`into=${A}`)).toEqual([
      400,
      [['into', expect.stringContaining('must be another series')]],
    ]);
    expect(await wrong(`into=${EMPTY.replace('d', 'e')}`)).toEqual([
      409,
      [['into', 'into refers to a record that does not exist.']],
    ]);
    expect(await wrong(`into=${C}`)).toEqual([
      409,
      [['relabel', expect.stringContaining('The prices are in KES')]],
    ]);
    expect(await wrong(`into=${B}&start_date=2024-01-01&end_date=2023-01-01&factor=0`)).toEqual([
      400,
      [['factor', expect.stringContaining('Factor must be greater than 0')]],
    ]);
    expect(await wrong(`into=${B}&start_date=2024-01-01&end_date=2023-01-01`)).toEqual([
      400,
      [['end_date', 'Prices to must not be before Prices from.']],
    ]);
    const preview = await desk.page(`${PAGE}/join?into=${B}&prefer=from&factor=&relabel=&start_date=`);
    expect(plain(preview)).toContain(
      'Prices that it would show: 4 more, 1 changed, 0 of both without a change.',
    );
    expect(tableRows(preview, '<h2>What would change')[0]).toEqual([
      'Series',
      `Maïs, Wakulima ${ESCAPED}, Kenya (retail)`,
      'Maïs, Wakulima Market, Kenya (retail)',
    ]);
    expect(plain(preview)).toContain(
      'This one has prices of January 2023 to June 2023, the other one of April 2023 to May 2023.' +
        ' Both have prices of April 2023 to May 2023.',
    );
    const form = Object.fromEntries(
      Object.entries(fieldsOf(preview.slice(preview.indexOf('<h2>What would change')))).filter(
        ([name]) => name !== 'form_token',
      ),
    );
    expect(form).toEqual({ into: B, prefer: 'from', reason: '' });
    const joined = await save({ ...form, reason: 'The same market' }, `${PAGE}/join`);
    expect([joined.status, joined.headers.location]).toEqual([
      303,
      expect.stringMatching(new RegExp(`^/desk/series/${B}\\?done=joined&change_set=\\d+$`)),
    ]);
    expect(await prices(B)).toEqual(await prices(A));
    expect(await prices(B)).toContain('2023-04-01 44');
    expect(plain(await desk.page(joined.headers.location as string))).toContain('The series were joined.');
    // Once more: both are one series now.
    const again = await save(form, `${PAGE}/join`);
    expect([again.status, again.headers.location]).toEqual([303, `/desk/series/${B}?done=joined`]);
    const ofOther = pointFields(await desk.page(`/desk/series/${B}`));
    const [name] = Object.entries(ofOther).find(([, value]) => value === '44')!;
    const notOwn = await save({ ...ofOther, [name]: '45' }, `/desk/series/${B}`);
    expectDeskPage(notOwn, 409);
    expect(plain(notOwn.text)).toContain(`This price is one of series ${A}`);
  });

  it('are for accounts with a session, and forms for those with its token', async () => {
    const visitor = new DeskBrowser(service);
    for (const page of ['/desk/series', PAGE, `${PAGE}/join`, `${PAGE}/points/${id('2023-02-01')}`]) {
      const { status, headers } = await visitor.open(page);
      expect([status, headers.location]).toEqual([303, `/desk/login?next=${encodeURIComponent(page)}`]);
    }
    const before = await prices(B);
    for (const action of [PAGE, `${PAGE}/points`, `${PAGE}/join`, `${PAGE}/corrections/1/withdraw`]) {
      expect((await visitor.post(action, { into: C })).status).toBe(303);
      expectDeskPage(await desk.post(action, { into: C, form_token: 'x' }), 403);
    }
    expect(await prices(B)).toEqual(before);
  });
});
