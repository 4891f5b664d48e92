import { jest } from '@jest/globals';
import { RevertLimits } from '../../src/history/revert/reverts.js';
import { ImportLock } from '../../src/ledger/import-lock/import-lock.js';
import { someImport } from '../support/change-set.js';
import { tableRows } from '../explorer/pages.js';
import { RevertClient, wfpRow as row, WFP_HEADER } from '../support/reverts.js';
import { DeskBrowser, expectDeskPage } from './desk.js';
import { alertOf, facts, startUploads, Uploader, type UploadService } from './uploads.js';

const csv = (...rows: string[]) => [WFP_HEADER, ...rows, ''].join('\n');

/** The form of a page whose address has an end, with its fields as they stand in it. */
function formOf(html: string, end: string): { action: string; fields: Record<string, string> } {
  const forms = [...html.matchAll(/<form[^>]*action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)];
  const [, action, content] = forms.find((form) => form[1]!.split('?')[0]!.endsWith(end))!;
  const inputs = [...content!.matchAll(/<input\s([^>]*)>/g)].map(([, attributes]) => [
    /name="([^"]*)"/.exec(attributes!)![1]!,
    /value="([^"]*)"/.exec(attributes!)?.[1] ?? '',
  ]);
  return {
    action: action!.replaceAll('&amp;', '&'),
    fields: Object.fromEntries(inputs) as Record<string, string>,
  };
}

describe('change sets at the desk', () => {
  let service: UploadService;
  let client: RevertClient;
  let browser: Uploader;
  /** The last change set before a test. */
  let clean = 0;
  beforeAll(async () => {
    service = await startUploads();
    client = await RevertClient.of(service);
    browser = new Uploader(service);
    await browser.login();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    clean = await client.revertSince(clean);
  });
  afterAll(() => service.close());

  const page = (id: number) => browser.page(`/desk/change-sets/${id}`);
  /** Reverts a change set by the form. @returns the change set of the revert */
  const revertByForm = async (id: number, fields = {}) => {
    const { status, headers } = await browser.submit(`/desk/change-sets/${id}/revert`, fields);
    expect([status, headers.location]).toEqual([303, expect.stringMatching(/^\/desk\/change-sets\/\d+$/)]);
    return Number((headers.location as string).split('/').at(-1));
  };
  const withRejects = csv(row('2024-01-15', 4000), row('2024-02-15', 4100), row('2024-03-15', 0));
  const upload = async (content: string, reason = '') => {
    const fields = { country: 'KEN', reason };
    const { address } = await browser.check({ content, name: '<Kitui>.csv', fields });
    return Number((await browser.import(address, { reason })).split('/').at(-1));
  };

  it('are listed with who made them and what they did, in pages', async () => {
    const empty = await browser.page('/desk/change-sets');
    expect(tableRows(empty, 'Change sets').map(([id, kind]) => [id, kind])).toEqual([['1', 'Migration']]);
    const id = await upload(withRejects, 'Bulletin <5>');
    await client.rates('KES,2024-01-01,150');
    const html = await browser.page('/desk/change-sets');
    expect(tableRows(html, '<tbody>').slice(0, 2)).toEqual([
      [String(id + 1), 'Import', '2026-11-21 12:00', 'admin', 'done', 'rates.csv', '0', '0', '0'],
      [
        String(id),
        'Import',
        '2026-11-21 12:00',
        'admin',
        'done',
        '&lt;Kitui&gt;.csv – Bulletin &lt;5&gt;',
        '2',
        '0',
        '0',
      ],
    ]);
    const none = await browser.page('/desk/change-sets?kind=revert&state=running');
    expect(none).toContain('There are no such change sets.');
    expect(none).toMatch(/<option value="revert" selected>/);
    const second = await browser.page('/desk/change-sets?page_size=1&page=2');
    expect(tableRows(second, '<tbody>').map(([first]) => first)).toEqual([String(id)]);
    expectDeskPage(await browser.open('/desk/change-sets?page=2'), 404);
    expectDeskPage(await browser.open('/desk/change-sets?kind=x'), 400);
  });

  it('show what an upload has done, and lead to its findings and rejected rows', async () => {
    const monthly = Array.from({ length: 24 }, (_, month) => {
      const date = `${2022 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-15`;
      return row(date, month === 12 ? 41 : 4000 + month * 5);
    });
    const id = await upload(csv(...monthly, row('2024-03-15', 0)), 'New');
    const html = await page(id);
    expect(facts(html)).toMatchObject({
      'Rows read': 25,
      New: 24,
      Rejected: 1,
      'New series': 1,
      Findings: 2,
    });
    expect(tableRows(html, 'most changed first')).toEqual([['Maize, Mombasa', '24', '0', '0']]);
    expect(tableRows(html, 'Numbers of records')).toContainEqual(['market', '1', '0', '0']);
    expect(html).toContain('2 open findings');
    expect(html).toMatch(/<a href="\/desk\/upload\/[0-9a-f]{32}\/rejects">/);
    // The slip is corrected by two clicks more: the price that would fit stands in the form.
    const { headers } = await browser.open(`/desk/findings/next?change_set_id=${id}`);
    const finding = await browser.page(headers.location as string);
    const { action, fields } = formOf(finding, '/correct');
    expect(fields).toMatchObject({ price_value: '4100' });
    expect((await browser.post(action, fields)).status).toBe(303);
    expect(await client.values()).toContain('2023-01 4100');
  });

  it('are reverted after a look at what would go, and that again', async () => {
    const before = await client.published();
    const id = await upload(withRejects);
    const imported = await client.published();
    const preview = await browser.page(`/desk/change-sets/${id}/revert`);
    expect(facts(preview)).toEqual({ 'Points that go': 2, 'Series that go': 1, 'Records that go': 4 });
    expect(await client.published()).toEqual(imported);
    expect(await page(id)).toContain(`/desk/change-sets/${id}/revert`);

    const by = await revertByForm(id, { reason: 'Wrong <country>' });
    expect(by).toBe(id + 1);
    expect(await client.published()).toEqual(before);
    const html = await page(by);
    expect(facts(html)).toEqual({ 'Points that go': 2, 'Series that go': 1, 'Records that go': 4 });
    expect(html).toContain('<bdi>Wrong &lt;country&gt;</bdi>');
    expect(html).toContain('<bdi>admin</bdi>');
    expect(html).toContain(`It reverts change set ${id}.`);
    const taken = await page(id);
    expect(taken).toContain(`Reverted by change set ${by}.`);
    expect(taken).not.toContain(`/desk/change-sets/${id}/revert`);
    expect(tableRows(taken, 'most changed first')).toEqual([['removed series', '2', '0', '0']]);
    // Sent twice: it was done once.
    expect(await revertByForm(id)).toBe(by);
    const again = await browser.open(`/desk/change-sets/${id}/revert`);
    expect([again.status, again.headers.location]).toEqual([303, `/desk/change-sets/${by}`]);

    expect(facts(await browser.page(`/desk/change-sets/${by}/revert`))).toEqual({
      'Points that come back': 2,
      'Series that come back': 1,
      'Records that come back': 4,
    });
    await revertByForm(by);
    expect(await client.published()).toEqual(imported);
    expect(await page(id)).toContain(`/desk/change-sets/${id}/revert`);
  });

  it('say what stays because of later changes', async () => {
    const first = await upload(csv(row('2024-01-15', 4000), row('2024-02-15', 4100)));
    await upload(csv(row('2024-02-15', 4200), row('2024-03-15', 4300)));
    const html = await browser.page(`/desk/change-sets/${first}/revert`);
    expect(facts(html)).toEqual({ 'Points that go': 1 });
    expect(html).toContain('1 points, records or series have changed since');
    expect(html).toContain('series or records stay, because others use them.');
    await revertByForm(first);
    expect(await client.values()).toEqual(['2024-02 4200', '2024-03 4300']);
    expectDeskPage(await browser.open('/desk/change-sets/1/revert'), 409);
    for (const unknown of ['999', 'x', '999/revert', 'x/revert'])
      expectDeskPage(await browser.open(`/desk/change-sets/${unknown}`), 404);
  });

  describe('that are large', () => {
    beforeEach(() =>
      Object.assign(service.app.get(RevertLimits), {
        inRequest: 1,
        pointsInTransaction: 1,
        itemsInTransaction: 1,
      }),
    );
    afterEach(() => Object.assign(service.app.get(RevertLimits), new RevertLimits()));
    const large = csv(
      row('2024-01-15', 4000),
      row('2024-01-15', 90, { market: 'Lamu', commodity: 'Rice' }),
      row('2024-01-15', 70, { market: 'Lamu', commodity: 'Beans' }),
    );

    /** Reverts a change set, which does what its preview says. */
    const previewed = async (id: number) => {
      const preview = facts(await browser.page(`/desk/change-sets/${id}/revert`));
      expect(facts(await page(await revertByForm(id)))).toEqual(preview);
    };

    it('are reverted in batches, by who sent the form', async () => {
      const before = await client.published();
      const id = await upload(large);
      expect(facts(await browser.page(`/desk/change-sets/${id}/revert`))).toEqual({
        'Points that go': 3,
        'Series that go': 3,
        'Records that go': 7,
      });
      const by = await revertByForm(id, { reason: 'Test' });
      expect(await client.published()).toEqual(before);
      expect(tableRows(await browser.page('/desk/change-sets'), '<tbody>')[0]).toEqual([
        String(by),
        'Revert',
        '2026-11-21 12:00',
        'admin',
        'done',
        'Test',
        '0',
        '0',
        '3',
      ]);
      await previewed(by);
      await previewed(id);
      expect(await client.published()).toEqual(before);
    });

    it('go on where a revert was stopped', async () => {
      const before = await client.published();
      const id = await upload(large);
      const real = service.unitOfWork.change.bind(service.unitOfWork);
      let left = 11;
      jest
        .spyOn(service.unitOfWork, 'change')
        .mockImplementation((...args) => (left-- > 0 ? real(...args) : Promise.reject(new Error('killed'))));
      const by = await revertByForm(id);
      jest.restoreAllMocks();
      // Its process is alive, for all that is known.
      const running = await browser.open(`/desk/change-sets/${by}`);
      expect(running.headers.refresh).toBe('2');
      expect(running.text).toMatch(/<progress max="10" value="[1-9]"/);
      expect(await revertByForm(id)).toBe(by);
      await service.unitOfWork.run((transaction) =>
        transaction.execute('UPDATE import_lock SET seen_at = 0'),
      );
      expect(await page(by)).toContain('It has not come to its end.');
      expect(await page(id)).toContain('Continue reverting it');
      expect(await browser.page(`/desk/change-sets/${id}/revert`)).toContain('The revert was interrupted.');
      expect(await revertByForm(id)).toBe(by);
      expect(await client.published()).toEqual(before);
      expect(await page(by)).not.toContain('It has not come to its end.');
    });

    it('wait for another import, in words', async () => {
      const id = await upload(large);
      const lock = await service.app.get(ImportLock).acquire(someImport);
      const response = await browser.submit(`/desk/change-sets/${id}/revert`);
      expectDeskPage(response, 409);
      expect(response.text).toContain('Another import is running.');
      lock.stopHeartbeat();
      await service.unitOfWork.run((transaction) => lock.release(transaction));
    });
  });

  it('name the imports that a merge which is reverted has passed on, to be imported again', async () => {
    const white = { commodity: 'Maize (white)' };
    const kitui = { market: 'Kitui' };
    await upload(
      csv(row('2024-01-15', 4000), row('2024-01-15', 5000, white), row('2024-01-15', 4100, kitui)),
    );
    const { body } = await service.http().get('/api/v1/Commodity/').expect(200);
    const idOf = (name: string) =>
      (body as { id: number; name: string }[]).find((one) => one.name === name)!.id;
    const into = idOf('Maize');
    await client.send('post', `Commodity/${idOf('Maize (white)')}/merge/`, { into }).expect(200);
    const merge = await client.newest();
    const later = await upload(csv(row('2024-03-15', 5100, { ...white, ...kitui })), 'March');
    const html = await browser.page(`/desk/change-sets/${merge}/revert`);
    const inputs = (text: string) =>
      /<h2>To be imported again<\/h2>[\s\S]*?<ol>([\s\S]*?)<\/ol>/.exec(text)?.[1]!.replace(/\s+/g, ' ');
    expect(inputs(html)).toContain('wfp <bdi>&lt;Kitui&gt;.csv</bdi>');
    expect(inputs(html)).toContain(`<a href="/desk/change-sets/${later}">`);
    expect(inputs(await page(await revertByForm(merge)))).toEqual(inputs(html));
  });

  it('are open to those with a session, and reverted with its token', async () => {
    const id = await upload(csv(row('2024-01-15', 4000)));
    for (const address of ['', `/${id}`, `/${id}/revert`]) {
      const { status } = await new DeskBrowser(service).open(`/desk/change-sets${address}`);
      expect(status).toBe(303);
    }
    expectDeskPage(await browser.post(`/desk/change-sets/${id}/revert`, {}), 403);
    const long = await browser.submit(`/desk/change-sets/${id}/revert`, { reason: 'r'.repeat(501) });
    expectDeskPage(long, 400);
    expect(alertOf(long.text)).toBeNull();
    expect(await client.values()).toEqual(['2024-01 4000']);
  });
});
