import type { Mapping } from '../../src/import/mappings/mapping.js';
import { tableRows } from '../explorer/pages.js';
import { type ApiOf, apiOf, expectDeskPage, formOf } from './desk.js';
import { OFFICE_ANSWERS, OFFICE_FILE, officeMapping } from './office-mapping.js';
import { alertOf, facts, startUploads, Uploader, type UploadService } from './uploads.js';

/** One that no format knows, and a mapping that reads it. */
const WIDE_FILE = 'Bulletin;;\nMarché;Produit;août 2024\nBamako;Maïs;250,5\n';
const wideMapping: Mapping = {
  ...officeMapping('office'),
  dialect: { delimiter: ';', headerRows: [2] },
  unpivot: { columns: '{date}', value: 'price_value' },
  fields: {
    ...officeMapping('office').fields,
    date: { format: '%B %Y', language: 'fr' },
    price_value: { decimalChar: ',' },
  },
};

/** The values and texts of a choice of a page. */
const optionsOf = (html: string, name: string) => {
  const [, options] = new RegExp(`<select name="${name}">([\\s\\S]*?)</select>`).exec(html)!;
  return [...options!.matchAll(/<option value="([^"]*)"[^>]*>([^<]*)</g)].map(([, value, text]) => [
    value,
    text,
  ]);
};

describe('an upload', () => {
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

  const formatOf = (html: string) =>
    /Format: <strong>([^<]*)<\/strong>/.exec(html.replace(/\s+/g, ' '))?.[1] ?? null;

  it('is checked and imported by the version of a stored mapping that was chosen', async () => {
    await api('post', 'Mapping/', officeMapping('office')).expect(201);
    await api('post', 'Mapping/', { ...officeMapping('untitled'), title: undefined }).expect(201);
    const options = optionsOf(await browser.page('/desk/upload'), 'format');
    expect(options.slice(-3)).toEqual([
      ['fred-rates', expect.any(String)],
      ['office', 'office: Bulletin of the office'],
      ['untitled', 'untitled'],
    ]);
    const { address, html } = await browser.check({
      content: OFFICE_FILE,
      name: 'prix.csv',
      fields: { format: 'office' },
    });
    expect([alertOf(html), formatOf(html)]).toEqual([null, 'office, version 1']);
    expect(facts(html)).toMatchObject({ 'Rows read': 2, New: 1, Rejected: 1, 'New series': 1 });
    expect(html).not.toContain('has been changed since');
    expect(formOf(html, '/check').fields.format).toBe('office');

    // What is stored since is told, and the import goes by what was checked.
    await api('put', 'Mapping/office/', officeMapping('office', { market: { value: 'Ségou' } })).expect(200);
    expect(await browser.page(address)).toContain(
      'The mapping has been changed since: it has version 2 now.',
    );
    const changeSet = await browser.page(await browser.import(address));
    expect(tableRows(changeSet, 'most changed first')).toEqual([['Maïs, Bamako', '1', '0', '0']]);
    expect(changeSet.replace(/\s+/g, ' ')).toMatch(/<dt>Format<\/dt> <dd>office, version 1<\/dd>/);
    const { body } = await service.http().get('/api/v1/ChangeSet/?kind=import').expect(200);
    expect(body).toMatchObject({ results: [{ format: 'office', counts: { mapping_version: 1, new: 1 } }] });
  });

  it('is checked anew by the mapping as it is then, and by another format', async () => {
    await api('post', 'Mapping/', officeMapping('office', { price_value: { column: 'Cost' } })).expect(201);
    const { address, html } = await browser.check({
      content: OFFICE_FILE,
      name: 'prix.csv',
      fields: { format: 'office' },
    });
    expect(alertOf(html)).toContain('Cost');
    await api('put', 'Mapping/office/', officeMapping('office')).expect(200);
    const { fields } = formOf(await browser.page(address), '/check');
    await browser.post(`${address}/check`, fields);
    const again = await browser.ended(address);
    expect([alertOf(again), formatOf(again)]).toEqual([null, 'office, version 2']);
    await browser.post(`${address}/check`, { ...fields, format: 'fx' });
    expect(alertOf(await browser.ended(address))).toContain('currency');
    await api('delete', 'Mapping/office/').expect(204);
    const gone = await browser.post(`${address}/check`, fields);
    expectDeskPage(gone, 400);
    expect(gone.text).toMatch(
      /id="format-error">Format must be one of wfp, .*, or the name of a stored mapping\./,
    );
    const { status, text } = await browser.upload({ content: OFFICE_FILE, fields: { format: 'office' } });
    expect([status, /id="format-error"/.test(text)]).toEqual([400, true]);
    expect(await service.uploads.list()).toHaveLength(1);
  });

  it('is imported by a mapping that was removed after the check', async () => {
    await api('post', 'Mapping/', officeMapping('office')).expect(201);
    const { address } = await browser.check({ content: OFFICE_FILE, fields: { format: 'office' } });
    await api('delete', 'Mapping/office/').expect(204);
    expect(await browser.page(address)).toContain('The mapping has been removed since.');
    expect(await browser.import(address)).toMatch(/^\/desk\/change-sets\/\d+$/);
  });

  it('that no format knows is read by a stored mapping in place of the proposed one', async () => {
    const { headers } = await browser.upload({ content: WIDE_FILE, name: 'prix.csv' });
    const address = headers.location as string;
    expect(await browser.leadsTo(address)).toBe(`${address}/mapping`);
    expect(await browser.page(`${address}/mapping`)).not.toContain('Read it by a stored mapping');
    await api('post', 'Mapping/', wideMapping).expect(201);
    const described = await browser.page(`${address}/mapping`);
    const { fields } = formOf(described, '/check');
    expect(fields.format).toBe('office');
    await browser.post(`${address}/check`, fields).expect(303);
    const html = await browser.ended(address);
    expect([formatOf(html), facts(html).New]).toEqual(['office, version 1', 1]);
    // And back again.
    await browser.submit(`${address}/mapping/propose`, {}, '/desk/upload');
    const back = formOf(await browser.page(`${address}/mapping`), '/mapping');
    await browser.post(`${address}/mapping`, { ...back.fields, ...OFFICE_ANSWERS, name: 'mine' }).expect(303);
    const own = await browser.ended(address);
    expect([formatOf(own), alertOf(own)]).toEqual(['mine', null]);
  });
});
