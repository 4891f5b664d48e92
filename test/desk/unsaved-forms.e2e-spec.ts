import { jest } from '@jest/globals';
import { UploadJobs } from '../../src/desk/upload/upload-jobs.js';
import { AuthService } from '../../src/auth/auth.service.js';
import { Accounts } from '../../src/auth/accounts/accounts.js';
import { storePoints, storeSeries } from '../support/price-fixture.js';
import { testAdmin } from '../support/test-app.js';
import { WFP_HEADER, wfpRow } from '../support/reverts.js';
import { DeskBrowser, expectDeskPage, formOf } from './desk.js';
import { startUploads, Uploader, type UploadService } from './uploads.js';

const A = 'aaaaaaaa-0000-4000-8000-000000000001';
const B = 'bbbbbbbb-0000-4000-8000-000000000002';
const TYPED = '  Maïs "blanc" <b>&amp; أرز';
const NOT_SAVED = 'Nothing has been saved yet';
const KEPT = 'nothing has been saved yet. Sign in with the same account';
const HOUR = 3600_000;

/** A form: the page that it is on, where it is sent, and what is typed. */
type Kind = readonly [name: string, page: string, action: string, typed: Record<string, string>];

describe('a form that is sent without a valid token', () => {
  let service: UploadService;
  let kinds: readonly Kind[];
  let other: { username: string; password: string };
  beforeAll(async () => {
    service = await startUploads();
    const desk = new Uploader(service);
    await desk.login();
    const kenya = { iso3_country_code: 'KEN', country_name: 'Kenya' };
    await storeSeries(service.unitOfWork, [
      {
        uuid: A,
        market: { name: 'Wakulima', ...kenya },
        commodity: { name: 'Maize' },
        points: {
          monthly: [
            ['2023-01-01', 10, 'seen'],
            ['2023-02-01', 20],
            ['2023-03-01', 900],
            ['2023-04-01', 11],
          ],
        },
      },
      {
        uuid: B,
        market: { name: 'Kangemi', ...kenya },
        commodity: { name: 'Beans' },
        points: { monthly: [['2023-04-01', 41]] },
      },
    ]);
    const accounts = service.app.get(Accounts);
    const password = 'quarry 58 violet tin';
    await accounts.create('dora', password, 'maintainer');
    other = { username: 'dora', password };
    await desk.submit('/desk/tables/Source/new', { name: 'Bulletin', reason: 'made' });
    const rows = await service.database.rows<{ id: number; name: string }>('SELECT id, name FROM commodity');
    const [maize, beans] = ['Maize', 'Beans'].map((name) => rows.find((row) => row.name === name)!.id);
    const [source] = await service.database.rows<{ id: number }>(
      "SELECT id FROM source WHERE name = 'Bulletin'",
    );
    const [dora] = await service.database.rows<{ id: number }>(
      "SELECT id FROM account WHERE username = 'dora'",
    );
    const page = `/desk/series/${A}`;
    const ids = [...(await desk.page(page)).matchAll(/name="price\.(\d+)"/g)].map(([, id]) => id!);
    const change = formOf(await desk.page(page), page).fields;
    await desk.post(page, { ...change, [`price.${ids[0]}`]: '13', reason: 'first' });
    const [correction] = await service.database.rows<{ id: number }>('SELECT id FROM correction');
    const [changeSet] = await service.database.rows<{ id: number }>('SELECT max(id) AS id FROM change_set');
    const content = [WFP_HEADER, wfpRow('2024-01-15', 4000), ''].join('\n');
    const { address: upload } = await desk.check({ content, fields: { country: 'KEN' } });
    const [finding] = await service.database.rows<{ id: number }>(
      "SELECT max(id) AS id FROM finding WHERE state = 'open'",
    );
    kinds = [
      ['a new record', '/desk/tables/Commodity/new', '/Commodity/new', { name: TYPED, reason: 'why' }],
      [
        'a record',
        `/desk/tables/Source/${source!.id}`,
        `/Source/${source!.id}`,
        { name: TYPED, reason: 'why' },
      ],
      ['a removal', `/desk/tables/Source/${source!.id}`, '/remove', { reason: TYPED }],
      ['a merge', `/desk/tables/Commodity/${beans}/merge?into=${maize}`, '/merge', { reason: TYPED }],
      [
        'corrected prices',
        page,
        page,
        {
          [`price.${ids[1]}`]: '12,5',
          [`comment.${ids[1]}`]: TYPED,
          [`remove.${ids[2]}`]: 'on',
          reason: 'why',
        },
      ],
      [
        'a missing price',
        page,
        '/points',
        { date: '2023-07-01', price_value: '14', comment: TYPED, reason: 'why' },
      ],
      ['a withdrawal', page, `/corrections/${correction!.id}/withdraw`, {}],
      ['a join', `/desk/series/${B}/join?into=${A}&factor=2`, '/join', { reason: TYPED }],
      ['a finding', `/desk/findings/${finding!.id}?state=open`, '/dismiss', { reason: TYPED }],
      ['a revert', `/desk/change-sets/${changeSet!.id}/revert`, '/revert', { reason: TYPED }],
      ['options of an upload', upload, '/check', { country: 'KEN', source: TYPED, reason: 'why' }],
      ['an import', upload, '/import', { reason: TYPED }],
      ['the removal of an upload', upload, '/remove', {}],
      ['an account', `/desk/accounts/${dora!.id}`, `/accounts/${dora!.id}`, { role: 'admin' }],
    ];
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => service.close());

  /** What changes with every write. */
  const state = async () => ({
    log: await service.database.rows('SELECT count(*) AS n FROM audit_log'),
    uploads: (await service.uploads.list()).map(({ id, step, fields }) => ({ id, step, fields })),
  });
  const signIn = (account = testAdmin) => new DeskBrowser(service).login(account);
  /** What a form would send that was filled in. */
  const filledIn = async (desk: DeskBrowser, [, page, action, typed]: Kind) => {
    const form = formOf(await desk.page(page), action);
    return { action: form.action, fields: { ...form.fields, ...typed } };
  };
  /** The fields of the login, with an account. */
  const loginOf = (html: string, account: { username: string; password: string }) => ({
    ...formOf(html, '/desk/login').fields,
    ...account,
  });
  const withoutToken = ({ form_token: _, ...fields }: Record<string, string>) => fields;
  /** Some forms drop blanks at the ends of fields. */
  const trimmed = (fields: Record<string, string>) =>
    Object.fromEntries(Object.entries(withoutToken(fields)).map(([name, text]) => [name, text.trim()]));
  const signedOut = () => new DeskBrowser(service);

  it('comes back as it was typed, of every kind, and does something only when it is sent again', async () => {
    for (const kind of kinds) {
      const [name, , action] = kind;
      const first = await signIn();
      const sent = await filledIn(first, kind);
      const second = await signIn();
      const before = await state();

      const again = await second.post(sent.action, sent.fields);
      expectDeskPage(again, 403);
      expect([name, again.text]).toEqual([name, expect.stringContaining(NOT_SAVED)]);
      const shown = formOf(again.text, action);
      expect([name, shown.action, trimmed(shown.fields)]).toEqual([name, sent.action, trimmed(sent.fields)]);
      expect(shown.fields.form_token).not.toBe(sent.fields.form_token);

      const login = await signedOut().post(sent.action, sent.fields);
      expectDeskPage(login, 403);
      expect(login.text).toContain(KEPT);
      const after = await signedOut().post('/desk/login', loginOf(login.text, testAdmin));
      expectDeskPage(after, 200);
      expect([name, trimmed(formOf(after.text, action).fields)]).toEqual([name, trimmed(sent.fields)]);
      expect([name, await state()]).toEqual([name, before]);
    }
  });

  it('is accepted with the token with which it comes back', async () => {
    const kind = kinds[0]!;
    const sent = await filledIn(await signIn(), kind);
    const second = await signIn();
    const { text } = await second.post(sent.action, sent.fields);
    const { action, fields } = formOf(text, '/Commodity/new');
    const locations = [];
    for (let time = 0; time < 2; time++) {
      const { status, headers } = await second.post(action, fields);
      locations.push([status, headers.location]);
    }
    expect(locations).toEqual([locations[0], locations[0]]);
    expect(locations[0]).toEqual([303, expect.stringMatching(/\?done=created$/)]);
    const { name } = fields;
    const rows = await service.database.rows<{ n: number }>(
      'SELECT count(*) AS n FROM commodity WHERE name = ?',
      [name!.trim()],
    );
    expect(Number(rows[0]!.n)).toBe(1);
  });

  it('keeps the version that it was made of, so that nothing of others is overwritten', async () => {
    const kind = kinds[1]!;
    const sent = await filledIn(await signIn(), kind);
    const second = await signIn();
    const meanwhile = await filledIn(second, kind);
    expect((await second.post(meanwhile.action, { ...meanwhile.fields, name: 'Meanwhile' })).status).toBe(
      303,
    );
    const { text } = await second.post(sent.action, sent.fields);
    const conflict = await second.post(sent.action, formOf(text, kind[2]).fields);
    expectDeskPage(conflict, 412);
    for (const shown of ['Meanwhile', 'Bulletin', 'Maïs']) expect(conflict.text).toContain(shown);
  });

  it('shows what was typed about a price that has moved to another page', async () => {
    const uuid = 'dddddddd-0000-4000-8000-000000000004';
    const months = Array.from({ length: 51 }, (_, index) =>
      new Date(Date.UTC(2015, index, 1)).toISOString().slice(0, 10),
    );
    const line = (date: string) => [date, 10] as const;
    const points = { monthly: months.slice(0, 50).map(line) };
    const ids = await storeSeries(service.unitOfWork, [{ uuid, commodity: { name: 'Rice' }, points }]);
    const page = `/desk/series/${uuid}`;
    const first = await signIn();
    const { fields, action } = formOf(await first.page(page), page);
    const typed = Object.fromEntries(
      Object.keys(fields).map((name) => [name, name.startsWith('price.') ? '77' : fields[name]!]),
    );
    await storePoints(service.unitOfWork, ids.get(uuid)!, { monthly: months.slice(50).map(line) });
    const again = await (await signIn()).post(action, typed);
    expect(formOf(again.text, page).fields).toMatchObject(withoutToken(typed));
  });

  it('is not shown to another account', async () => {
    const kind = kinds[1]!;
    const sent = await filledIn(await signIn(), kind);
    const dora = await signIn(other);
    const rejected = await dora.post(sent.action, sent.fields);
    expectDeskPage(rejected, 403);
    expect(rejected.text).toContain('The form is from a page of another account');
    expect(rejected.text).not.toContain('blanc');

    const { text } = await signedOut().post(sent.action, sent.fields);
    expect(text).not.toContain('blanc');
    const login = await signedOut().post('/desk/login', loginOf(text, other));
    expectDeskPage(login, 200);
    expect(login.text).toContain('is of another account');
    expect(login.text).not.toContain('blanc');
    expect(login.headers['set-cookie']).toHaveLength(1);
  });

  it('is shown by the role that the account has now', async () => {
    const kind = kinds.find(([name]) => name === 'an account')!;
    const accounts = service.app.get(Accounts);
    await accounts.create('edda', other.password, 'admin');
    const edda = { ...other, username: 'edda' };
    const [{ id }] = (await service.database.rows("SELECT id FROM account WHERE username = 'edda'")) as [
      { id: number },
    ];
    const sent = await filledIn(await signIn(edda), kind);
    const { text } = await signedOut().post(sent.action, sent.fields);
    const admin = await signIn();
    const { action, fields } = await filledIn(admin, [
      '',
      `/desk/accounts/${id}`,
      `/accounts/${id}`,
      { role: 'maintainer' },
    ]);
    expect((await admin.post(action, fields)).status).toBe(303);
    const login = await signedOut().post('/desk/login', loginOf(text, edda));
    expectDeskPage(login, 403);
    expect(login.text).not.toContain('name="role"');
  });

  it('is shown only where a page of this site has sent it', async () => {
    const kind = kinds[1]!;
    const sent = await filledIn(await signIn(), kind);
    const second = await signIn();
    const { port } = new URL(await service.app.getUrl());
    const post = (cookie: string | null, headers: Record<string, string>) =>
      service
        .http()
        .post(sent.action)
        .type('form')
        .set({ Accept: 'text/html', ...(cookie === null ? {} : { Cookie: cookie }), ...headers })
        .send(sent.fields);
    for (const headers of [
      {},
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://evil.example' },
    ] as Record<string, string>[]) {
      for (const cookie of [second.cookie, null]) {
        const { status, text } = await post(cookie, headers);
        const isSilent = Object.keys(headers).length === 0 && cookie === null;
        expect([headers, status]).toEqual([headers, isSilent ? 303 : 403]);
        expect(text).not.toContain('blanc');
        expect(text).not.toContain('name="kept"');
      }
    }
    const own = { Origin: `http://127.0.0.1:${port}` };
    expect((await post(second.cookie, own)).text).toContain('blanc');
    expect((await post(null, own)).text).toContain('name="kept"');
  });

  it('is kept in the login for eight hours, whatever the number of attempts', async () => {
    const kind = kinds[1]!;
    const sent = await filledIn(await signIn(), kind);
    const login = await signedOut().post(sent.action, sent.fields);
    service.clock.milliseconds += 7 * HOUR;
    const wrong = await signedOut().post(
      '/desk/login',
      loginOf(login.text, { ...testAdmin, password: 'wrong' }),
    );
    expectDeskPage(wrong, 401);
    expect(wrong.text).toContain(KEPT);
    const right = await signedOut().post('/desk/login', loginOf(wrong.text, testAdmin));
    expect(formOf(right.text, kind[2]).fields).toMatchObject(kind[3]);
    service.clock.milliseconds += 2 * HOUR;
    const late = await signedOut().post('/desk/login', loginOf(wrong.text, testAdmin));
    expectDeskPage(late, 200);
    expect(late.text).toContain('was kept for eight hours and is gone');
    expect(late.headers['set-cookie']).toHaveLength(1);
  });

  it('comes back after a sign-in in another tab, without a password', async () => {
    const kind = kinds[1]!;
    const first = await signIn();
    const sent = await filledIn(first, kind);
    const login = await signedOut().post(sent.action, sent.fields);
    const { fields } = formOf(login.text, '/desk/login');
    const { kept } = fields;
    const again = await (await signIn()).post('/desk/login', { kept: kept! });
    expect(formOf(again.text, kind[2]).fields).toMatchObject(kind[3]);
    expectDeskPage(await signedOut().post('/desk/login', { kept: kept! }), 400);
  });

  it('cannot be made up or changed in the login', async () => {
    const kind = kinds[1]!;
    const sent = await filledIn(await signIn(), kind);
    const { text } = await signedOut().post(sent.action, sent.fields);
    const { kept } = formOf(text, '/desk/login').fields;
    const middle = kept!.length >> 1;
    const changed = kept!.slice(0, middle) + (kept![middle] === 'A' ? 'B' : 'A') + kept!.slice(middle + 1);
    for (const value of [changed, kept!.slice(0, 40), 'x', '']) {
      const response = await signedOut().post('/desk/login', { ...testAdmin, kept: value });
      expectDeskPage(response, 200);
      expect(response.text).not.toContain('blanc');
    }
  });

  it('is not kept where it is too large, which the login says', async () => {
    const sent = await filledIn(await signIn(), kinds[0]!);
    const large = await signedOut().post(sent.action, { ...sent.fields, reason: 'x'.repeat(70_000) });
    expectDeskPage(large, 403);
    expect(large.text).toContain('too large to be kept here');
    expect(large.text).not.toContain('name="kept"');
    expectDeskPage(await signedOut().post(sent.action, { ...sent.fields, reason: 'x'.repeat(110_000) }), 413);
    const most = await signedOut().post(sent.action, { ...sent.fields, reason: randomText(63_000) });
    expectDeskPage(await signedOut().post('/desk/login', loginOf(most.text, testAdmin)), 200);
  });

  it('is not kept with a password, a file, or from a page that nobody knows', async () => {
    const desk = new Uploader(service);
    await desk.login();
    const sent = await filledIn(desk, kinds[0]!);
    for (const fields of [
      { ...sent.fields, password: 'secret' },
      { ...sent.fields, form_token: 'x' },
      withoutToken(sent.fields),
    ]) {
      const { status, text } = await signedOut().post(sent.action, fields);
      expect([status, text]).toEqual([303, '']);
    }
    const received = jest.spyOn(service.app.get(UploadJobs), 'check');
    const file = await desk
      .form('/desk/upload?form_token=x', { reason: TYPED })
      .attach('upload', Buffer.from('a'), 'a.csv');
    expectDeskPage(file, 403);
    expect(file.text).not.toContain('blanc');
    const login = jest.spyOn(service.app.get(AuthService), 'loginWithCookie');
    const failed = await signedOut().post('/desk/login', { username: 'admin', password: 'wrong secret' });
    expect(failed.text).not.toContain('wrong secret');
    expect([received.mock.calls.length, login.mock.calls.length]).toEqual([0, 1]);
  });
});

/** Text that hardly shrinks. */
function randomText(length: number): string {
  let [text, seed] = ['', 1];
  while (text.length < length) {
    seed = (seed * 48271) % 2147483647;
    text += seed.toString(36);
  }
  return text.slice(0, length);
}
