import { jest } from '@jest/globals';
import { readdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { zipSync } from 'fflate';
import { gzipSync } from 'node:zlib';
import { UploadJobs } from '../../src/desk/upload/upload-jobs.js';
import { ImportLock } from '../../src/ledger/import-lock/import-lock.js';
import { JobLeases } from '../../src/operations/jobs/job-leases.js';
import { Jobs } from '../../src/operations/jobs/jobs.js';
import type { Caller } from '../../src/platform/http/caller.js';
import { someImport } from '../support/change-set.js';
import { tableRows } from '../explorer/pages.js';
import { wfpRow as row, WFP_HEADER } from '../support/reverts.js';
import { rowsXml, workbookOf } from '../support/workbook.js';
import { DeskBrowser, expectDeskPage, formOf, tokenOf } from './desk.js';
import {
  alertOf,
  choicesOf,
  facts,
  meaningsOf,
  startUploads,
  Uploader,
  type UploadService,
} from './uploads.js';

const csv = (...rows: string[]) => [WFP_HEADER, ...rows, ''].join('\n');
const ken = { country: 'KEN' };

describe('an upload at the desk', () => {
  let service: UploadService;
  let browser: Uploader;
  beforeAll(async () => {
    service = await startUploads({ DESK_IMPORT_MAX_BYTES: '40 KB' });
    browser = new Uploader(service);
    await browser.login();
  });
  afterAll(() => service?.close());
  afterEach(async () => {
    for (const { id } of await service.uploads.list()) await service.uploads.remove(id);
    jest.restoreAllMocks();
  });

  const values = async () => {
    const { body } = await service.http().get('/api/v1/PriceSeriePrice/').expect(200);
    return (body as { results: { datapoints: { price_value: number }[] }[] }).results.flatMap(
      ({ datapoints }) => datapoints.map(({ price_value }) => price_value),
    );
  };
  const kept = () => readdirSync(service.uploads.folder).filter((name) => /^[0-9a-f]{32}$/.test(name));
  const changeSet = async (address: string) =>
    (
      await service
        .http()
        .get(`/api/v1/ChangeSet/${address.split('/').at(-1)}/`)
        .expect(200)
    ).body as object;

  it('is checked, imported, and then shown as its change set', async () => {
    const { address, html } = await browser.check({
      content: csv(row('2024-01-15', 4000), row('2024-02-15', 4100), row('2024-03-15', -1)),
      name: 'Prix de <Kitui> أسعار.csv',
      fields: { ...ken, reason: 'New month' },
    });
    expect(alertOf(html)).toBeNull();
    expect(facts(html)).toEqual({
      'Rows read': 3,
      Countries: 1,
      New: 2,
      Rejected: 1,
      'New series': 1,
      'New records': 4,
    });
    expect(meaningsOf(html)).toEqual(['New', 'Rejected']);
    expect(html).toContain('Check of Prix de &lt;Kitui&gt; أسعار.csv');
    expect(html).toContain('value="New month"');
    expect(tableRows(html, 'Rejected rows')).toEqual([
      ['4', 'price', 'not positive', expect.stringContaining('-1')],
    ]);
    expect(tableRows(html, 'Records that it makes')).toContainEqual(['Market', 'Mombasa', '']);
    expect(tableRows(html, 'The first rows, as they would be stored')).toEqual([
      ['2', 'Mombasa, Coast, Kenya', 'Maize, wholesale', '90 KG', 'KES 4,000', 'January 2024'],
      ['3', 'Mombasa, Coast, Kenya', 'Maize, wholesale', '90 KG', 'KES 4,100', 'February 2024'],
    ]);
    expect(html.indexOf('The first rows')).toBeLessThan(html.indexOf('/import"'));
    expect(await values()).toEqual([]);

    const { text, headers } = await browser.open(`${address}/rejects.csv`);
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="rejected-rows.csv"',
      'cache-control': 'no-store',
    });
    expect(text).toMatch(/^line,field,reason,detail\r\n4,price,not_positive,"?.*-1.*"?\r\n$/);

    const location = await browser.import(address, { reason: 'Bulletin 5' });
    expect(location).toMatch(/^\/desk\/change-sets\/\d+$/);
    expect(await changeSet(location)).toMatchObject({
      kind: 'import',
      state: 'done',
      format: 'wfp',
      input: 'Prix de <Kitui> أسعار.csv',
      reason: 'Bulletin 5',
      counts: { new: 2, rejected: 1 },
    });
    expect(await values()).toEqual([4100, 4000]);
    const { body } = await service
      .http()
      .get('/api/v1/AuditLog/?action=import')
      .set(await service.authHeader());
    expect(body).toMatchObject({ count: 1, results: [{ account_id: 1, username: 'admin' }] });
    // The report stays, the file does not.
    expect(readdirSync(join(service.uploads.folder, address.split('/').at(-1)!)).sort()).toEqual([
      'report.json',
      'state.json',
    ]);
    const list = await browser.page('/desk/upload');
    expect(tableRows(list, 'Uploaded files')).toMatchObject([
      ['Prix de &lt;Kitui&gt; أسعار.csv', '2026-11-21 12:00', 'admin', '0.4 KB', 'imported'],
    ]);

    // The same form again, and again from the start: nothing is stored twice.
    expect(await browser.import(address)).toBe(location);
    const again = await browser.check({ content: csv(row('2024-01-15', 4000)), fields: ken });
    expect(facts(again.html)).toEqual({
      'Rows read': 1,
      Countries: 1,
      Unchanged: 1,
      'Series with newer prices': 1,
    });
    expect(again.html).toContain('No row of the file would be stored.');
    expect(again.html).not.toContain('/import"');
  });

  it('explains the words of its report, and leaves out counts of zero', async () => {
    const { html } = await browser.check({
      content: csv(row('2024-01-15', 4000), row('2024-02-15', 5000)),
      fields: { ...ken, mode: 'fill_only' },
    });
    expect(facts(html)).toEqual({
      'Rows read': 2,
      Unchanged: 1,
      'Left out': 1,
      Countries: 1,
    });
    expect(meaningsOf(html)).toEqual(['Unchanged', 'Left out: already stored']);
    expect(html).toMatch(/<dt>Left out: already stored<\/dt>\s*<dd>another value is stored[^<]+<\/dd>/);
  });

  it('shows what the import would do to what is stored', async () => {
    await browser.import(
      (await browser.check({ content: csv(row('2023-01-15', 100)), fields: ken })).address,
    );
    const { html } = await browser.check({
      content: csv(row('2023-01-15', 120), row('2024-02-15', 90, { market: 'Mombassa' })),
      fields: ken,
    });
    expect(facts(html)).toMatchObject({ New: 1, Changed: 1, 'New series': 1, 'New records': 1 });
    expect(tableRows(html, 'Records that it makes')).toEqual([['Market', 'Mombassa', 'Mombasa']]);
    expect(tableRows(html, 'Findings that it brings')[0]).toContain('near duplicate (look)');
  });

  it('shows the first ten rows of what is daily, of one uuid, or a record of a table', async () => {
    const shown = async (content: string, fields = {}) =>
      tableRows((await browser.check({ content, fields })).html, 'The first rows, as they would be stored');
    const days = Array.from({ length: 12 }, (_, day) => row(`2024-01-${day + 10}`, 4000.125 + day));
    const daily = await shown(csv(...days), { ...ken, period: 'daily' });
    expect([daily.length, daily[9]]).toEqual([
      10,
      ['11', 'Mombasa, Coast, Kenya', 'Maize, wholesale', '90 KG', 'KES 4,009.125', '2024-01-19 (daily)'],
    ]);
    expect(await shown('currency,date,period,rate\r\nKES,2024-01-01,monthly,129.2\r\n')).toEqual([
      ['2', 'KES', '2024-01-01', 'monthly', '129.2', 'official'],
    ]);
    const uuid = '2a9b0d3e-5a0e-5f0e-8d53-8f3f0c6a2f4b';
    const points = [{ date: '2024-02-01', price_value: 61.5, periodicity: 'monthly' }];
    const fpma = JSON.stringify({ results: [{ uuid, datapoints: points }] });
    expect(await shown(fpma)).toEqual([['1', uuid, '', '', '61.5', 'February 2024']]);
  });

  it('recognises formats, plain and gzip, and imports the one that is chosen', async () => {
    const cpi = 'iso3_country_code,date,value,base_period\r\nKEN,2021-01-01,99.5,2019\r\n';
    const formatOf = (html: string) => /Format: <strong>(\w+)<\/strong>/.exec(html)?.[1];
    expect(formatOf((await browser.check({ content: gzipSync(cpi), name: 'a.gz' })).html)).toBe('cpi');
    expect(formatOf((await browser.check({ content: cpi, fields: { format: 'Cpi' } })).html)).toBe('Cpi');
    const { html } = await browser.check({ content: cpi, fields: { format: 'fx' } });
    expect(alertOf(html)).toMatch(/^The check has ended early: The input is not in the format fx/);
    expect(html).toContain('<details open>');
    expect(html).not.toContain('/import"');
  });

  it.each([
    ['', 'empty.csv', 'The input is empty.'],
    [
      Buffer.from('89504e470d0a1a0a0000000d', 'hex'),
      'x.png',
      'The input is an image, not CSV, JSON or an Excel workbook (.xlsx).',
    ],
    [gzipSync(csv(row('2024-01-15', 1))).subarray(0, 30), 'x.gz', 'The gzip input is damaged or truncated.'],
    [gzipSync('x'.repeat(100_000)), 'x.gz', 'The input is in none of the formats'],
    [gzipSync(csv(...Array<string>(2000).fill(row('2024-01-15', 1)))), 'x.gz', 'at most 40960 bytes'],
  ])('says what is wrong with a file: %#', async (content, name, message) => {
    const { html } = await browser.check({ content, name, fields: ken });
    expect(alertOf(html)).toContain(message);
    expect(html).not.toContain('/import"');
  });

  it('is checked again by other options, without another upload', async () => {
    const { address, html } = await browser.check({ content: csv(row('2024-05-15', 4000)) });
    expect(alertOf(html)).toContain('country');
    const { headers } = await browser.submit(`${address}/check`, { ...ken, mode: 'fill_only' }, address);
    expect(headers.location).toBe(address);
    const checked = await browser.ended(address);
    expect([alertOf(checked), facts(checked).New]).toEqual([null, 1]);
    expect(checked).toMatch(/<option value="fill_only" selected>/);
    const wrong = await browser.submit(`${address}/check`, { country: 'Kenya', mode: 'x' }, address);
    expectDeskPage(wrong, 400);
    expect(wrong.text).toContain('Country must be a three-letter ISO 3166 code; got &quot;Kenya&quot;.');
    expect(wrong.text).toContain('<option value="Kenya" selected>');
  });

  it('shows the form again, with messages at its fields, where it is not valid', async () => {
    const response = await browser.upload({
      content: csv(row('2024-01-15', 1)),
      fields: { country: 'Kenya', period: 'yearly', source: '"><script>', reason: 'r'.repeat(501) },
    });
    expectDeskPage(response, 400);
    for (const message of ['Country must be', 'Frequency must be', 'Reason must be at most 500'])
      expect(response.text).toContain(message);
    expect(response.text).not.toMatch(/(country|period|reason) must be/);
    expect(response.text).toContain('<option value="Kenya" selected>');
    const token = tokenOf(await browser.page('/desk/upload'));
    const none = await browser.form(`/desk/upload?form_token=${token}`, { format: 'wfp' });
    expectDeskPage(none, 400);
    expect(none.text).toContain('Choose a file.');
    expect(none.text).toMatch(/<option value="wfp" selected>/);
    expect(kept()).toEqual([]);
  });

  it('rejects a file over the limit before and while it comes', async () => {
    // Scripts do not send it at all.
    expect(await browser.page('/desk/upload')).toMatch(
      /<input\s+type="file"[^>]+data-max-bytes="40960"\s+data-too-large="The file must be at most 40 KB/,
    );
    const announced = await browser.upload({ content: Buffer.alloc(200_000) });
    expectDeskPage(announced, 413);
    expect(alertOf(announced.text)).toBe(
      'The file must be at most 40 KB large. Split it into smaller ones, or ask whoever runs the service to import it there.',
    );
    const little = await browser.upload({ content: Buffer.alloc(40 * 1024 + 1) });
    expectDeskPage(little, 413);
    expect(alertOf((await browser.check({ content: Buffer.alloc(40 * 1024, 'a') })).html)).not.toBeNull();
    expect(kept()).toHaveLength(1);
  });

  /** Sends the begin of a form, and what the service replies; null where it is cut off instead. */
  const sendRaw = async (body: string, { end, length }: { end: boolean; length?: number | undefined }) => {
    const token = tokenOf(await browser.page('/desk/upload'));
    const { port } = service.app.getHttpServer().address() as AddressInfo;
    const sent = request({
      port,
      agent: false,
      method: 'POST',
      path: `/desk/upload?form_token=${token}`,
      headers: {
        Cookie: browser.cookie!,
        Accept: 'text/html',
        'Content-Type': 'multipart/form-data; boundary=x',
        ...(length === undefined ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': length }),
      },
    });
    const status = new Promise<number | null>((resolve) => {
      sent.on('response', (response) => resolve(response.resume().statusCode!));
      sent.on('error', () => resolve(null));
    });
    sent.write(body);
    if (end) sent.end();
    return { sent, status };
  };
  const PART = '--x\r\nContent-Disposition: form-data; name="upload"; filename="a.csv"\r\n\r\ndate';
  const WHOLE = `${PART}\r\n--x--\r\n`;

  it('leaves nothing of an upload that is broken off or no form', async () => {
    const { sent } = await sendRaw(PART, { end: false, length: 5000 });
    while (kept().length === 0) await sleep(10);
    sent.destroy();
    while (kept().length > 0) await sleep(10);
    expect(await (await sendRaw(PART, { end: true, length: PART.length })).status).toBe(400);
    expect(await (await sendRaw('no form', { end: true })).status).toBe(400);
    expect(kept()).toEqual([]);
  });

  it('leaves 50 MB of the disk free, whether or not a body says how long it is', async () => {
    const MEGABYTE = 1024 * 1024;
    const free = jest.spyOn(service.uploads, 'freeBytes');
    const status = async (length?: number) => (await sendRaw(WHOLE, { end: true, length })).status;
    // 2 MB are for what comes between two looks at the disk.
    free.mockResolvedValue(52 * MEGABYTE);
    expect([await status(Buffer.byteLength(WHOLE)), await status(), kept()]).toEqual([503, 503, []]);
    free.mockResolvedValue(52 * MEGABYTE + 10_000);
    expect([await status(Buffer.byteLength(WHOLE)), await status()]).toEqual([303, 303]);
    for (const { id } of await service.uploads.list()) await service.uploads.remove(id);
    // The disk fills while the file comes.
    free.mockResolvedValueOnce(100 * MEGABYTE).mockResolvedValue(51 * MEGABYTE);
    expect([await status(), kept()]).toEqual([503, []]);
  });

  it('keeps what is left of a broken upload for an hour, and a file for a day', async () => {
    const minutes = async (age: number, file: string | null) => {
      const { address } = await browser.check({ content: csv(row('2024-01-15', 1)), fields: ken });
      const folder = service.uploads.pathOf(address.split('/').at(-1)!);
      if (file === null) rmSync(join(folder, 'state.json'));
      const then = new Date(Date.now() - age * 60_000);
      utimesSync(file === null ? folder : join(folder, file), then, then);
      await service.uploads.sweep();
      const left = kept().length;
      rmSync(folder, { recursive: true, force: true });
      return left;
    };
    expect([await minutes(59, null), await minutes(61, null)]).toEqual([1, 0]);
    const day = 24 * 60;
    expect([await minutes(day - 1, 'state.json'), await minutes(day + 1, 'state.json')]).toEqual([1, 0]);
  });

  it('says that the disk is full', async () => {
    jest.spyOn(service.uploads, 'dataPath').mockReturnValue('/dev/full');
    const response = await browser.upload({ content: csv(row('2024-01-15', 1)) });
    expectDeskPage(response, 503);
    expect(alertOf(response.text)).toMatch(/^The server has no room for the file/);
    expect(kept()).toEqual([]);
  });

  it('waits for another import, in words', async () => {
    const { address } = await browser.check({ content: csv(row('2024-06-15', 4000)), fields: ken });
    const lock = await service.app.get(ImportLock).acquire(someImport);
    expect(await browser.import(address)).toBeUndefined();
    expect(alertOf(await browser.page(address))).toMatch(
      /^The import has ended early: Another import is running\./,
    );
    lock.stopHeartbeat();
    await service.unitOfWork.run((transaction) => lock.release(transaction));
    expect(await browser.import(address)).toMatch(/change-sets/);
  });

  it('is found while another process works on it, and goes on after that was killed', async () => {
    const { address } = await browser.check({ content: csv(row('2024-07-15', 4000)), fields: ken });
    const id = address.split('/').at(-1)!;
    const upload = await service.uploads.find(id);
    await service.uploads.save({ ...upload, step: 'importing' });
    const progress = () => ({ done: 30, total: 120 });
    const held = await service.app.get(JobLeases).acquire(`upload ${id}`, progress);
    const { text, headers } = await browser.open(address);
    expect(headers.refresh).toBe('2');
    expect(text).toMatch(/<progress max="120" value="30"/);
    expect(text).toContain('30 of 120 rows stored');
    // Neither begins another import, nor removes the file.
    const submitted = await Promise.all(
      ['import', 'remove'].map((operation) => browser.submit(`${address}/${operation}`, {}, '/desk/upload')),
    );
    expect(submitted.map((response) => response.headers.location)).toEqual([address, address]);
    expect(tableRows(await browser.page('/desk/upload'), 'Uploaded files')[0]!.at(-1)).toBe('being imported');

    await service.unitOfWork.run((transaction) =>
      transaction.execute("UPDATE lease SET holder = 'killed', seen_at = seen_at - 60000"),
    );
    await held!.end();
    const interrupted = await browser.page(address);
    expect(interrupted).toContain('What was stored until then stays');
    expect(await browser.import(address)).toMatch(/change-sets/);
  });

  it('ends when the service shuts down, and can go on', async () => {
    const other = await startUploads();
    const mine = new Uploader(other);
    await mine.login();
    const { address } = await mine.check({ content: csv(row('2024-01-15', 1)), fields: ken });
    await other.app.get(Jobs).beforeApplicationShutdown();
    expect(await mine.import(address)).toBeUndefined();
    const html = await mine.page(address);
    expect(alertOf(html)).toBe('The import has ended early: The service was shut down.');
    expect(html).toContain(`action="${address}/import"`);
    await other.close();
  });

  it('is removed by its form, or after a day', async () => {
    const { address } = await browser.check({ content: csv(row('2024-01-15', 1)), fields: ken });
    const { headers } = await browser.submit(`${address}/remove`, {}, address);
    expect(headers.location).toBe('/desk/upload');
    const again = await browser.submit(`${address}/remove`, {}, '/desk/upload');
    expect([again.status, again.headers.location]).toEqual([303, '/desk/upload']);
    for (const gone of [address, '/desk/upload/x', `${address}/rejects`, `${address}/rejects.csv`])
      expectDeskPage(await browser.open(gone), 404);
    const next = await browser.check({ content: csv(row('2024-01-15', 1)), fields: ken });
    const old = new Date(Date.now() - 25 * 3600 * 1000);
    utimesSync(join(service.uploads.pathOf(next.address.split('/').at(-1)!), 'state.json'), old, old);
    await service.uploads.sweep();
    expect(kept()).toEqual([]);
  });

  it('is not imported again by a request that has read it before its import', async () => {
    const { address } = await browser.check({ content: csv(row('2024-08-15', 4000)), fields: ken });
    const before = await service.uploads.find(address.split('/').at(-1)!);
    const location = await browser.import(address);
    const imported = await service.uploads.find(before.id);
    const caller = { accountId: 1, username: 'admin', role: 'admin', tokenId: '', issuer: '', subject: '' };
    await service.app.get(UploadJobs).import(before, { caller: caller as Caller, requestId: 'late' });
    expect(await service.uploads.find(before.id)).toEqual(imported);
    expect((await browser.open(address)).headers.location).toBe(location);
  });

  it('can be imported once the disk has room again', async () => {
    const { address } = await browser.check({ content: csv(row('2024-09-15', 4000)), fields: ken });
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    jest.spyOn(service.uploads, 'save').mockRejectedValueOnce(full);
    expectDeskPage(await browser.submit(`${address}/import`, {}, '/desk/upload'), 503);
    expect((await browser.open(address)).headers.refresh).toBeUndefined();
    expect(await browser.import(address)).toMatch(/change-sets/);
  });

  const good = { content: csv(row('2024-11-15', 4000)), fields: ken };

  it('makes room for the next where its check has failed', async () => {
    for (let index = 0; index < 8; index++) await browser.check(good);
    const failed = await browser.check({ content: 'x,y\na,b\n' });
    const withoutCountry = await browser.check({ content: good.content });
    for (let index = 0; index < 2; index++) await browser.check(good);
    for (const { address } of [failed, withoutCountry]) expectDeskPage(await browser.open(address), 404);
    expectDeskPage(await browser.upload(good), 409);
  });

  it('is told what to fill in, and nothing about findings, where nothing was read', async () => {
    const { html } = await browser.check({ content: good.content });
    expect(alertOf(html)).toBe(
      'The check has ended early: The input does not name its country. Specify it with the field Country.',
    );
    expect(html).not.toContain('class="facts"');
    expect(Object.keys(formOf(html, '/check').fields)).toEqual(['form_token', 'country']);
    const daily = await browser.check({ content: csv(row('2024-11-16', 4000)), fields: ken });
    expect(alertOf(daily.html)).toContain('Specify the field Frequency (Daily or Weekly or Monthly).');
    expect(Object.keys(formOf(daily.html, '/check').fields)).toEqual(['form_token', 'country', 'period']);
  });

  const countryChosen = (html: string) => {
    const [field] = /<select name="country">[\s\S]*?<\/div>/.exec(html)!;
    return {
      value: /<option value="(\w*)" selected/.exec(field)?.[1],
      note: /<span class="muted">([^<]*)</.exec(field)![1],
    };
  };
  const wrong = 'which is chosen here: choose another one if that is wrong.';

  it.each([
    [
      'prices kenya 2024.csv',
      { value: 'KEN', note: `The file does not say it. Its name says Kenya, ${wrong}` },
    ],
    [
      'SouthSudan_prices.csv',
      { value: 'SSD', note: `The file does not say it. Its name says South Sudan, ${wrong}` },
    ],
    [
      'prices_TZA.csv',
      {
        value: 'TZA',
        note: `The file does not say it. Its name says United Republic of Tanzania, ${wrong}`,
      },
    ],
    [
      'prices_mar_2024.csv',
      { value: 'KEN', note: `The file does not say it. Its currency is that of Kenya, ${wrong}` },
    ],
    [
      'uganda and kenya.csv',
      { value: 'KEN', note: `The file does not say it. Its currency is that of Kenya, ${wrong}` },
    ],
  ])('proposes the country that its name or its currency says: %s', async (name, chosen) => {
    const { address, html } = await browser.check({ content: good.content, name });
    expect(countryChosen(html)).toEqual(chosen);
    // The form asks for nothing else, and one click answers it.
    const { fields } = formOf(html, '/check');
    expect(fields).toEqual({ form_token: tokenOf(html), country: chosen.value });
    await browser.post(`${address}/check`, fields);
    const checked = await browser.ended(address);
    expect([alertOf(checked), facts(checked).New]).toEqual([null, 1]);
    expect(countryChosen(checked).value).toBe(chosen.value);
  });

  it('proposes no country that nothing says, and tells the one that the file says', async () => {
    const content = good.content.replace('KES', 'XOF');
    expect(countryChosen((await browser.check({ content })).html)).toEqual({
      value: '',
      note: 'Neither the file nor its name says it.',
    });
    const named = await browser.check({ content, name: 'wfp_food_prices_sen.csv' });
    expect(countryChosen(named.html)).toEqual({ value: '', note: 'The file says: Senegal.' });
    expect(countryChosen(await browser.page('/desk/upload'))).toEqual({
      value: '',
      note: 'For files of prices that do not name their country.',
    });
  });

  it('asks for country, source and type of prices that no column says, by their fields alone', async () => {
    const content = 'produit,marché,devise,unité,date,prix\nPeas,Thika,KES,kg,2024-01,70\n';
    const { address, html } = await browser.check({ content, name: 'office.csv' });
    expect(alertOf(html)).toContain(
      'The input does not name its country. Specify it with the field Country. ' +
        'No column names the source of the prices. Specify it with the field Source. ' +
        'No column says of which type the prices are, such as RETAIL or WHOLESALE. Specify it with the field Price type.',
    );
    const { fields } = formOf(html, '/check');
    // The currency says which country it probably is.
    expect(fields).toEqual({ form_token: tokenOf(html), country: 'KEN', source: '', price_type: '' });
    await browser.post(`${address}/check`, { ...fields, source: 'Ministry', price_type: 'x'.repeat(51) });
    await browser.post(`${address}/check`, { ...fields, source: 'Ministry', price_type: 'Retail' });
    const checked = await browser.ended(address);
    expect([alertOf(checked), facts(checked).New]).toEqual([null, 1]);
  });

  it('says of a document what it is, removes it at once, and lists its check as failed', async () => {
    // The begin of any zip archive with such a file.
    const document = Buffer.concat([
      Buffer.from('504b0304140000000800000021000000000000000000000000001300000000', 'hex').subarray(0, 30),
      Buffer.from('word/document.xml'),
    ]);
    document.writeUInt16LE('word/document.xml'.length, 26);
    const { address, html } = await browser.check({
      content: document,
      name: 'prix.docx',
      fields: { format: 'wfp' },
    });
    expect(alertOf(html)).toBe(
      'The check has ended early: The input is a Word document, not CSV, JSON or an Excel workbook (.xlsx): save its table as CSV.',
    );
    expect(html).toContain('The file was removed. Upload another one, or this one once it is changed.');
    expect(html).not.toMatch(/\/(import|check)"/);
    expect(readdirSync(service.uploads.pathOf(address.split('/').at(-1)!))).toEqual(['state.json']);
    const open = await browser.check({ content: good.content });
    const states = tableRows(await browser.page('/desk/upload'), 'Uploaded files').map((row) => row.at(-1));
    expect(states).toEqual(['check failed', 'check failed']);
    // It can neither be checked nor imported, and takes no room of the ten.
    for (const operation of ['check', 'import']) {
      const { headers } = await browser.submit(`${address}/${operation}`, ken, '/desk/upload');
      expect([operation, headers.location]).toEqual([operation, address]);
    }
    expect(alertOf(await browser.page(address))).toBe(alertOf(html));
    for (let index = 0; index < 9; index++) await browser.check(good);
    expectDeskPage(await browser.open(open.address), 200);
    await browser.submit(`${address}/remove`, {}, address);
    expectDeskPage(await browser.open(address), 404);
  });

  it('recognises a workbook, and asks for its sheet where several have such a table', async () => {
    const cells = (price: number) =>
      csv(row('2024-12-15', price))
        .trim()
        .split('\n')
        .map((line) => line.split(','));
    const workbook = workbookOf([
      { name: 'About', rows: rowsXml([['Prices of the ministry']]) },
      { name: 'Maize', rows: rowsXml(cells(4100)) },
      { name: 'Beans', rows: rowsXml(cells(4200)) },
    ]);
    const content = Buffer.from(zipSync({ 'prices.xlsx': workbook, 'notes.csv': Buffer.from('a,b\n') }));
    const packed = await browser.check({ content, name: 'prices.zip', fields: ken });
    expect(alertOf(packed.html)).toBe(
      'The check has ended early: The input is a zip archive of several files, &quot;prices.xlsx&quot;, &quot;notes.csv&quot;. Specify one with the field File of the archive.',
    );
    expect(formOf(packed.html, '/check').fields).toMatchObject({ file: '', country: 'KEN' });
    expect(choicesOf(packed.html, 'file')).toEqual(['', 'prices.xlsx', 'notes.csv']);
    const { address, html } = await browser.check({
      content,
      name: 'prices.zip',
      fields: { ...ken, file: 'prices.xlsx' },
    });
    expect(alertOf(html)).toBe(
      'The check has ended early: Several sheets of the workbook have such a table: &quot;Maize&quot;, &quot;Beans&quot;. Specify one with the field Sheet.',
    );
    const { fields } = formOf(html, '/check');
    expect(fields).toMatchObject({ file: 'prices.xlsx', sheet: '' });
    expect(choicesOf(html, 'sheet')).toEqual(['', 'Maize', 'Beans']);
    await browser.post(`${address}/check`, { ...fields, sheet: 'Beans' });
    const checked = await browser.ended(address);
    expect([alertOf(checked), facts(checked).New]).toEqual([null, 1]);
    expect(checked).toContain('Format: <strong>wfp</strong>');
    expect(checked).toContain('The sheet read is &quot;Beans&quot;.');
    await browser.import(address, { ...fields, sheet: 'Beans', reason: '' });
    expect((await values()).includes(4200)).toBe(true);
  });

  it('reads the encoding that its form names', async () => {
    const text = csv(row('2024-11-15', 4000, { market: 'Ош' }));
    const cyrillic: Record<string, number> = { О: 0xce, ш: 0xf8 };
    const content = Buffer.from(Array.from(text, (letter) => cyrillic[letter] ?? letter.charCodeAt(0)));
    const { html } = await browser.check({ content, fields: ken });
    expect(alertOf(html)).toContain('with the field Encoding');
    const read = await browser.check({ content, fields: { ...ken, encoding: 'cp1251' } });
    expect(tableRows(read.html, 'Records that it makes')).toContainEqual(['Market', 'Ош', '']);
    const wrong = await browser.upload({ content, fields: { ...ken, encoding: 'kyrillisch' } });
    expectDeskPage(wrong, 400);
    expect(wrong.text).toContain('Encoding must be the label of an encoding, such as windows-1251');
  });

  it('keeps ten files at most, and reports of imports besides', async () => {
    const { address } = await browser.check({ content: csv(row('2024-10-15', 4000)), fields: ken });
    await browser.import(address);
    for (let index = 0; index < 10; index++) await browser.check(good);
    const response = await browser.upload(good);
    expectDeskPage(response, 409);
    expect(alertOf(response.text)).toMatch(/^10 uploaded files are kept already/);
    expect(kept()).toHaveLength(11);
  });

  it('keeps ten files at most of those that come at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      for (const { id } of (await service.uploads.list()).slice(0, 2)) await service.uploads.remove(id);
      while (kept().length < 8) await browser.check(good);
      const replies = await Promise.all(Array.from({ length: 6 }, () => browser.upload(good)));
      const statuses = replies.map(({ status }) => status);
      expect(statuses.filter((status) => status === 303).length).toBeGreaterThan(0);
      expect(statuses.filter((status) => ![303, 409].includes(status))).toEqual([]);
      expect(kept().length).toBe(8 + statuses.filter((status) => status === 303).length);
      expect(kept().length).toBeLessThanOrEqual(10);
    }
  });

  it('shows rejected rows in pages', async () => {
    const rows = Array.from({ length: 205 }, () => row('2024-01-15', 0));
    const { address, html } = await browser.check({ content: csv(...rows), fields: ken });
    expect(tableRows(html, 'Rejected rows')).toHaveLength(20);
    expect(tableRows(await browser.page(`${address}/rejects`), 'Rejected rows')).toHaveLength(200);
    const last = await browser.page(`${address}/rejects?page=2`);
    expect(tableRows(last, 'Rejected rows').map(([line]) => line)).toEqual([
      '202',
      '203',
      '204',
      '205',
      '206',
    ]);
    expectDeskPage(await browser.open(`${address}/rejects?page=3`), 404);
  });

  it('takes nothing without a session and its token', async () => {
    const signedOut = new Uploader(service);
    signedOut.cookie = 'desk_session=x';
    const content = csv(row('2024-01-15', 1));
    const { status, headers } = await signedOut
      .form(`/desk/upload?form_token=${'x'.repeat(43)}`, {})
      .attach('upload', Buffer.from(content), 'a.csv');
    expect([status, headers.location]).toEqual([303, expect.stringMatching(/^\/desk\/login/)]);
    for (const address of ['/desk/upload', `/desk/upload?form_token=${'x'.repeat(43)}`]) {
      const response = await browser.form(address, {}).attach('upload', Buffer.from(content), 'a.csv');
      expectDeskPage(response, 403);
    }
    const { address } = await browser.check({ content });
    for (const operation of ['check', 'import', 'remove'])
      expectDeskPage(await browser.post(`${address}/${operation}`, {}), 403);
    const { status: plain } = await new DeskBrowser(service).open(address);
    expect(plain).toBe(303);
    expect(kept()).toHaveLength(1);
  });
});
