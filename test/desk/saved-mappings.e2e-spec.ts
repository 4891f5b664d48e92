import { tableRows } from '../explorer/pages.js';
import { type ApiOf, apiOf, DeskBrowser, expectDeskPage, formOf } from './desk.js';
import { OFFICE_ANSWERS } from './office-mapping.js';
import { alertOf, startUploads, Uploader, type UploadService } from './uploads.js';

/** One that no format knows. */
const fileOf = (...rows: string[]) => ['Bulletin;;', 'Marché;Produit;août 2024', ...rows, ''].join('\n');
const FILE = fileOf('Bamako;Maïs;250,5', 'Bamako;Mil;300', 'Gao;Mil;310');

describe('the mapping of an upload', () => {
  let service: UploadService;
  let browser: Uploader;
  let api: ApiOf;
  beforeEach(async () => {
    service = await startUploads();
    api = await apiOf(service);
    browser = new Uploader(service);
    await browser.login();
  });
  afterEach(() => service?.close());

  const stored = async (name: string) =>
    (await service.http().get(`/api/v1/Mapping/${name}/`).expect(200)).body as {
      version: number;
      title: string;
      change_set_id: number;
      mapping: { fields: Record<string, object> };
    };
  const put = (mapping: { name: string }) => api('put', `Mapping/${mapping.name}/`, mapping).expect(200);
  /** Uploads a file and describes it. @returns its address, once it is checked */
  const describeFile = async (fields: Record<string, string>, content = FILE): Promise<string> => {
    const { headers } = await browser.upload({ content, name: 'prix.csv' });
    const address = headers.location as string;
    expect(await browser.leadsTo(address)).toBe(`${address}/mapping`);
    const form = formOf(await browser.page(`${address}/mapping`), '/mapping').fields;
    await browser.post(`${address}/mapping`, { ...form, ...OFFICE_ANSWERS, ...fields }).expect(303);
    expect(alertOf(await browser.ended(address))).toBeNull();
    return address;
  };
  const saveForm = async (address: string) => formOf(await browser.page(`${address}/mapping/save`), '/save');
  /** Sends the form of the page that saves, and follows. */
  const save = async (address: string, fields: Record<string, string>) => {
    const { action, fields: shown } = await saveForm(address);
    const { status, headers } = await browser.post(action, { ...shown, ...fields });
    expect(status).toBe(303);
    return headers.location as string;
  };
  const listed = (html: string) =>
    [...html.matchAll(/<li>([\s\S]*?)<\/li>/g)]
      .map(([, item]) =>
        item!
          .replace(/<[^>]+>/g, '')
          .replace(/\s+/g, ' ')
          .trim(),
      )
      .filter((text) => text.includes('XOF/kg') || text.includes('more'));

  it('is saved under a new name, and its import tells name and version', async () => {
    const address = await describeFile({ name: 'prix' });
    const { action, fields } = await saveForm(address);
    expect(fields).toEqual({
      form_token: expect.any(String),
      key: expect.any(String),
      name: 'prix',
      title: '',
      reason: '',
    });
    for (const [name, status, message] of [
      ['Prix!', 400, 'Name must be small letters and digits, with single hyphens between them.'],
      [
        'fews-net',
        409,
        'The mapping fews-net is a part of the service: store a copy of it under another name.',
      ],
      ['', 400, 'Name must not be blank.'],
    ] as const) {
      const wrong = await browser.post(action, { ...fields, name, title: 'Bulletin' });
      expectDeskPage(wrong, status);
      expect(/id="name-error">([^<]*)</.exec(wrong.text)?.[1]).toBe(message);
      expect(formOf(wrong.text, '/save').fields).toMatchObject({ key: fields.key, name, title: 'Bulletin' });
    }
    const sent = { ...fields, name: 'office', title: 'Bulletin', reason: 'The new bulletin' };
    for (let times = 0; times < 2; times++) {
      const { status, headers } = await browser.post(action, sent);
      expect([status, headers.location]).toEqual([303, address]);
    }
    const page = (await browser.page(address)).replace(/\s+/g, ' ');
    expect(page).toContain('The mapping is saved as <a href="/desk/mappings/office">office, version 1</a>.');
    expect(await stored('office')).toMatchObject({ version: 1, title: 'Bulletin' });
    await browser.import(address);
    const { body } = await service.http().get('/api/v1/ChangeSet/').expect(200);
    expect((body as { results: object[] }).results.slice(0, 2)).toMatchObject([
      { kind: 'import', format: 'office', counts: { mapping_version: 1, new: 3 } },
      { kind: 'record', format: 'office', reason: 'The new bulletin' },
    ]);
  });

  it('is saved in place of a stored one after its page has listed the series that begin anew', async () => {
    const first = await describeFile({ name: 'office' });
    await save(first, { title: 'Bulletin' });
    await browser.import(first);
    // Of the three series, those of one commodity are called otherwise from now on.
    const address = await describeFile(
      { name: 'office', 'values.commodity': 'Mil = Millet\nMaïs = Maïs' },
      fileOf('Bamako;Maïs;251', 'Bamako;Mil;300', 'Gao;Mil;310', 'Kati;Mil;320'),
    );
    expect(await save(address, { reason: 'In English' })).toBe(`${address}/mapping/save`);
    await browser.ended(address);
    const html = await browser.page(`${address}/mapping/save`);
    expect(html).toContain('office is stored already, in version 1. Nothing has been saved yet.');
    expect(html).toContain('<h2>2 stored series would begin anew</h2>');
    expect(listed(html)).toEqual(['Mil, Bamako: RETAIL, XOF/kg, OMA', 'Mil, Gao: RETAIL, XOF/kg, OMA']);
    expect(html).toContain('The new version makes 3 series of this file that are not stored yet.');
    expect((await stored('office')).version).toBe(1);
    expect(formOf(html, '/save').fields).toMatchObject({
      name: 'office',
      version: '1',
      reason: 'In English',
    });
    expect(await save(address, {})).toBe(address);
    expect(await stored('office')).toMatchObject({
      version: 2,
      title: 'Bulletin',
      mapping: { fields: { commodity: { values: { Mil: 'Millet', Maïs: 'Maïs' } } } },
    });
    // Nothing of the comparison is stored.
    const { body } = await service.http().get('/api/v1/Commodity/').expect(200);
    expect((body as { name: string }[]).map(({ name }) => name).sort()).toEqual(['Maïs', 'Mil']);
  });

  it('lists no series where none begins anew, and at most 20', async () => {
    const products = Array.from({ length: 25 }, (_, index) => `Bamako;Produit ${index + 1};${index + 10}`);
    const first = await describeFile({ name: 'office' }, fileOf(...products));
    await save(first, {});
    await browser.import(first);
    const same = await describeFile({ name: 'office' }, fileOf(...products));
    await save(same, { title: 'With a title' });
    await browser.ended(same);
    const unchanged = await browser.page(`${same}/mapping/save`);
    expect(unchanged).toContain('No stored series would begin anew');
    expect(listed(unchanged)).toEqual([]);
    const other = await describeFile({ name: 'office', 'value.source': 'Ministry' }, fileOf(...products));
    await save(other, {});
    await browser.ended(other);
    const html = await browser.page(`${other}/mapping/save`);
    expect(html).toContain('<h2>25 stored series would begin anew</h2>');
    expect([listed(html).length, listed(html).at(-1)]).toEqual([21, 'and 5 more']);
  });

  it('is not saved in place of one that was changed or removed meanwhile', async () => {
    const address = await describeFile({ name: 'office' });
    await save(address, {});
    const other = await describeFile({ name: 'office', 'value.source': 'Ministry' });
    await save(other, {});
    await browser.ended(other);
    const confirm = await saveForm(other);
    const { mapping } = await stored('office');
    await put({ ...mapping, name: 'office', title: 'Of somebody else' } as { name: string });
    const { status, headers } = await browser.post(confirm.action, confirm.fields);
    expect([status, headers.location]).toEqual([303, `${other}/mapping/save`]);
    await browser.ended(other);
    const html = await browser.page(`${other}/mapping/save`);
    expect(alertOf(html)).toBe(
      'It has been changed since you opened this page: below is what replacing it as it is now means.',
    );
    expect(html).toContain('office is stored already, in version 2. Nothing has been saved yet.');
    expect((await stored('office')).title).toBe('Of somebody else');
    const again = formOf(html, '/save');
    await api('delete', 'Mapping/office/').expect(204);
    const gone = await browser.post(again.action, again.fields);
    expectDeskPage(gone, 412);
    expect(alertOf(gone.text)).toContain('has been removed since you opened this page');
    const { action, fields } = formOf(gone.text, '/save');
    expect((await browser.post(action, fields)).status).toBe(303);
    expect((await stored('office')).version).toBe(3);
  });

  it('is saved from its form before the file is checked, and then leads to its page', async () => {
    const { headers } = await browser.upload({ content: FILE, name: 'prix.csv' });
    const address = headers.location as string;
    expect(await browser.leadsTo(address)).toBe(`${address}/mapping`);
    const { fields } = formOf(await browser.page(`${address}/mapping`), '/mapping');
    const open = await browser.post(`${address}/mapping/keep`, { ...fields, name: 'Wrong name' });
    expectDeskPage(open, 400);
    const wrong = await browser.post(`${address}/mapping/keep`, {
      ...fields,
      ...OFFICE_ANSWERS,
      name: 'Wrong name',
    });
    expectDeskPage(wrong, 400);
    expect(wrong.text).toMatch(/id="name-error">Name must be small letters/);
    const kept = await browser.post(`${address}/mapping/keep`, {
      ...fields,
      ...OFFICE_ANSWERS,
      name: 'office',
    });
    expect([kept.status, kept.headers.location]).toEqual([303, `${address}/mapping/save`]);
    expect(await save(address, {})).toBe('/desk/mappings/office?done=saved');
    // The file waits to be checked, as it was described.
    expect(await browser.leadsTo(address)).toBe(`${address}/mapping`);
    const again = formOf(await browser.page(`${address}/mapping`), '/mapping').fields;
    expect(again['value.currency']).toBe('XOF');
  });

  it('is shown again as it was typed where the session has ended', async () => {
    const address = await describeFile({ name: 'office' });
    const { action, fields } = await saveForm(address);
    const typed = { ...fields, name: 'Not a name', title: 'Typed', reason: 'why' };
    const again = await (await new DeskBrowser(service).login()).post(action, typed);
    expectDeskPage(again, 403);
    expect(formOf(again.text, '/save').fields).toEqual({ ...typed, form_token: expect.any(String) });
    expect(
      tableRows(await browser.page('/desk/mappings'), 'mappings').some(([name]) => name === 'office'),
    ).toBe(false);
  });
});
