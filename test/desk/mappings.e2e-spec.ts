import { shippedMappings } from '../../src/import/mappings/shipped-mappings.js';
import { tableRows } from '../explorer/pages.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { type ApiOf, apiOf, DeskBrowser, expectDeskPage, formOf } from './desk.js';
import { officeMapping } from './office-mapping.js';
import { alertOf } from './uploads.js';

const SHOWN = '2026-11-21 12:00';

describe('the pages of mappings', () => {
  let service: TestApp;
  let browser: DeskBrowser;
  let api: ApiOf;
  beforeEach(async () => {
    service = await startTestApp({ SECRETS_KEY: 'a key of the test suite, 0123456789' });
    api = await apiOf(service);
    browser = await new DeskBrowser(service).login();
  });
  afterEach(() => service?.close());

  const harvest = (name: string, format: string) =>
    api('post', 'Harvest/', {
      ...{ name, format, schedule: '30 6 * * 1-5' },
      address: 'https://prices.example.org/monthly.csv',
    }).expect(201);
  const store = (name: string) => api('post', 'Mapping/', officeMapping(name)).expect(201);
  const changeSets = () => service.database.rows("SELECT id FROM change_set WHERE kind = 'record'");
  const pageOf = async (address: string) => (await browser.page(address)).replace(/\s+/g, ' ');

  it('list those that are stored and those of the service, with who has saved them and what uses them', async () => {
    await store('office');
    await api('put', 'Mapping/office/', { ...officeMapping('office'), title: 'Second' }).expect(200);
    await harvest('a', 'office');
    await harvest('b', 'office');
    await harvest('c', 'fews-net');
    const rows = tableRows(await browser.page('/desk/mappings'), `${shippedMappings.size + 1} mappings`);
    expect(rows.filter(([name]) => ['office', 'fews-net', 'ecb-rates'].includes(name!))).toEqual([
      [
        'ecb-rates',
        shippedMappings.get('ecb-rates')!.title,
        'Exchange rates',
        'part of the service',
        '',
        '',
        '',
        '',
      ],
      [
        'fews-net',
        shippedMappings.get('fews-net')!.title,
        'Prices',
        'part of the service',
        '',
        '',
        '',
        'one harvest',
      ],
      ['office', 'Second', 'Prices', 'stored here', '2', SHOWN, 'admin', '2 harvests'],
    ]);
    expect((await browser.open('/desk/mappings?page=2')).status).toBe(404);
  });

  it('show a mapping with its versions, which can be downloaded', async () => {
    await store('office');
    await api('put', 'Mapping/office/', { ...officeMapping('office'), title: 'Second' }).expect(200);
    const html = await browser.page('/desk/mappings/office');
    expect(tableRows(html, '2 in all')).toEqual([
      ['2', 'Second', SHOWN, 'admin', 'in use', '3'],
      ['1', 'Bulletin of the office', SHOWN, 'admin', SHOWN, '2'],
    ]);
    const download = await browser.open('/desk/mappings/office/mapping.json').expect(200);
    expect(download.headers).toMatchObject({
      'content-type': 'application/json',
      'content-disposition': 'attachment; filename="office.json"',
    });
    expect(JSON.parse(download.text)).toEqual({ ...officeMapping('office'), title: 'Second' });
    const older = await pageOf('/desk/mappings/office?version=1');
    expect(older).toContain('This is version 1, which is not in use any more.');
    expect(older).not.toContain('/desk/mappings/office/remove');
    const { text } = await browser.open('/desk/mappings/office/mapping.json?version=1').expect(200);
    expect(JSON.parse(text)).toEqual(officeMapping('office'));
    for (const path of ['nothing', 'a%2Fb', 'office?version=3', 'nothing/mapping.json'])
      expect([path, (await browser.open(`/desk/mappings/${path}`)).status]).toEqual([path, 404]);
  });

  it('store a copy of a mapping of the service once', async () => {
    const html = await browser.page('/desk/mappings/fews-net');
    expect(html).not.toContain('/desk/mappings/fews-net/remove');
    const { action, fields } = formOf(html, '/copy');
    for (const [name, message] of [
      ['Not a name', 'Name must be small letters and digits, with single hyphens between them.'],
      ['ecb-rates', 'The mapping ecb-rates is a part of the service: store a copy of it under another name.'],
      ['prices', 'Name must not be prices, which is a format of the service.'],
      ['', 'Name must not be blank.'],
    ]) {
      const wrong = await browser.post(action, { ...fields, name: name! });
      expectDeskPage(wrong, name === 'ecb-rates' ? 409 : 400);
      expect([name, /id="name-error">([^<]*)</.exec(wrong.text)?.[1]]).toEqual([name, message]);
      expect(formOf(wrong.text, '/copy').fields).toMatchObject({ ...fields, name });
    }
    for (let times = 0; times < 2; times++) {
      const sent = await browser.post(action, { ...fields, name: 'our-fews', reason: 'To change it' });
      expect([sent.status, sent.headers.location]).toEqual([303, '/desk/mappings/our-fews?done=created']);
    }
    expect(await changeSets()).toHaveLength(1);
    const page = await pageOf('/desk/mappings/our-fews?done=created');
    expect(page).toContain('It was stored.');
    const { body } = await service.http().get('/api/v1/Mapping/our-fews/').expect(200);
    expect(body).toMatchObject({
      version: 1,
      mapping: { ...shippedMappings.get('fews-net')!, name: 'our-fews' },
    });
    const other = formOf(await browser.page('/desk/mappings/fews-net'), '/copy').fields;
    const taken = await browser.post(action, { ...other, name: 'our-fews' });
    expectDeskPage(taken, 409);
    expect(taken.text).toContain('<a href="/desk/mappings/our-fews">Open that mapping</a>');
  });

  it('remove a mapping that nothing uses, and none that was changed meanwhile', async () => {
    await store('office');
    const { action, fields } = formOf(await browser.page('/desk/mappings/office'), '/remove');
    await harvest('a', 'office');
    const used = await browser.post(action, { ...fields, reason: 'Not needed' });
    expectDeskPage(used, 409);
    expect(alertOf(used.text)).toBe(
      'It was not removed. It is used by one harvest: give these another format, or remove them first.',
    );
    expect(formOf(used.text, '/remove').fields.reason).toBe('Not needed');
    await api('delete', 'Harvest/a/').expect(204);
    await api('put', 'Mapping/office/', { ...officeMapping('office'), title: 'Second' }).expect(200);
    const changed = await browser.post(action, fields);
    expectDeskPage(changed, 412);
    expect(alertOf(changed.text)).toBe(
      'It was changed since you opened it. Look at it again before you remove it.',
    );
    const again = formOf(changed.text, '/remove').fields;
    const removed = await browser.post(action, again);
    expect([removed.status, removed.headers.location]).toEqual([303, '/desk/mappings?done=removed']);
    expect(await pageOf('/desk/mappings?done=removed')).toContain('It was removed.');
    const twice = await browser.post(action, again);
    expect([twice.status, twice.headers.location]).toEqual([303, '/desk/mappings/office']);
    const page = await pageOf('/desk/mappings/office');
    expect(page).toContain('It was removed. What it was can be read below');
    expect(tableRows(page, '2 in all')).toHaveLength(2);
    expect(page).not.toContain('/desk/mappings/office/remove');
  });

  it('show a form again as it was typed where its session has ended', async () => {
    await store('office');
    const html = await browser.page('/desk/mappings/office');
    for (const [end, typed] of [
      ['/copy', { name: 'Wrong name', reason: 'why' }],
      ['/remove', { reason: 'why' }],
    ] as const) {
      const { action, fields } = formOf(html, end);
      const again = await (await new DeskBrowser(service).login()).post(action, { ...fields, ...typed });
      expectDeskPage(again, 403);
      expect(formOf(again.text, end).fields).toEqual({ ...fields, ...typed, form_token: expect.any(String) });
    }
    expect(await changeSets()).toHaveLength(1);
  });
});
