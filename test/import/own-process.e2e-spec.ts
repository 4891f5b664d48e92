import { jest } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ImportProcess } from '../../src/import/process/import-process.js';
import { formOf } from '../desk/desk.js';
import { alertOf, facts, startUploads, Uploader, type UploadService } from '../desk/uploads.js';
import { someImport } from '../support/change-set.js';
import { importInOwnProcess, importProcesses } from '../support/imports-in-process.js';
import { WFP_HEADER, wfpRow } from '../support/reverts.js';
import { ImportLock } from '../../src/ledger/import-lock/import-lock.js';
import { Jobs } from '../../src/operations/jobs/jobs.js';

/** Monthly prices of some markets, from 2000 on. */
function prices(markets: number, months: number): string {
  const lines = [WFP_HEADER];
  for (let month = 0; month < months; month++) {
    const date = `${2000 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-15`;
    for (let market = 0; market < markets; market++)
      lines.push(wfpRow(date, 100 + (month % 7) + (market % 5), { market: `Market ${market}` }));
  }
  return `${lines.join('\n')}\n`;
}

const ROWS = 40_000;
/** Starting a process from the sources takes seconds, and a busy machine more of them. */
jest.setTimeout(300_000);

/** Long enough for a test to notice that its import has begun. */
const long = prices(ROWS / 200, 200);

describe('an import in a process of its own', () => {
  let service: UploadService;
  let browser: Uploader;
  let auth: { Authorization: string };
  beforeAll(async () => {
    service = await startUploads(
      { NODE_OPTIONS: '--import ./test/support/typescript-in-processes.mjs' },
      importInOwnProcess,
    );
    browser = new Uploader(service);
    await browser.login();
    auth = await service.authHeader();
  });
  afterAll(() => service?.close());
  afterEach(async () => {
    for (const { id } of await service.uploads.list()) await service.uploads.remove(id);
  });

  const post = (query: string, body: string) =>
    service.http().post(`/api/v1/Import/?${query}`).set(auth).set('Content-Type', 'text/csv').send(body);
  const lock = () => service.database.rows('SELECT holder FROM import_lock');
  const free = [{ holder: null }];
  const newest = () => service.database.rows('SELECT state FROM change_set ORDER BY id DESC LIMIT 1');

  /** Waits until the process of an import has begun to store. @returns its number */
  const storing = async (): Promise<number> => {
    for (;;) {
      const [pid] = importProcesses();
      const rows = await service.database.rows<{ counts: string | null }>(
        "SELECT counts FROM change_set WHERE state = 'running'",
      );
      if (pid !== undefined && rows.length > 0) return pid;
      await sleep(5);
    }
  };

  const begin = (address: string) => browser.submit(`${address}/import`, {}, '/desk/upload');
  const kill = (pid: number) => process.kill(pid, 'SIGKILL');

  it('gives the reply that the body deserves, and shows its points in the next one', async () => {
    const { body } = await post(
      'format=wfp&country=KEN&input=a.csv',
      [WFP_HEADER, wfpRow('2024-01-15', 4000), wfpRow('2024-02-15', -1), ''].join('\n'),
    ).expect(200);
    expect(body).toMatchObject({ input: 'a.csv', read: 2, new: 1, rejected: 1, series: 1, error: null });
    const { body: list } = await service.http().get('/api/v1/PriceSerie/').expect(200);
    expect(list).toMatchObject({ count: 1, results: [{ last_price_date: '2024-01-01' }] });
    const rejected = await post('format=wfp', 'no header\n').expect(400);
    expect(rejected.body).toMatchObject({ errors: [{ in: 'body', code: 'invalid_format' }] });
    expect(importProcesses()).toEqual([]);
    expect(service.app.get(ImportProcess).totals).toEqual({ imports: 2, rows: 2, rejected: 1 });
  });

  it('is rejected while another one stores', async () => {
    const held = await service.app.get(ImportLock).acquire(someImport);
    const { body } = await post('format=wfp&country=KEN', long).expect(409);
    expect(body).toMatchObject({ code: 'import_running' });
    await held.end('failed');
    held.stopHeartbeat();
  });

  it('F10: says at the desk that it was killed, and frees its lock at once', async () => {
    const { address, html } = await browser.check({ content: long, fields: { country: 'KEN' } });
    expect(facts(html)).toMatchObject({ 'Rows read': ROWS });
    await Promise.all([begin(address), storing().then(kill)]);
    const ended = await browser.ended(address);
    expect(alertOf(ended)).toMatch(/^The import has ended early: It was stopped: not enough memory/);
    expect([await lock(), await newest()]).toEqual([free, [{ state: 'interrupted' }]]);
    expect(await browser.import(address)).toMatch(/^\/desk\/change-sets\/\d+$/);
  });

  it('F10: leaves nothing of a request whose process was killed', async () => {
    const before = await service.database.rows('SELECT COUNT(*) AS points FROM observation');
    const body = long.replaceAll('Market ', 'Village ');
    const [response] = await Promise.all([post('format=wfp&country=KEN', body), storing().then(kill)]);
    expect([response.status, response.body]).toMatchObject([503, { code: 'outcome_unknown' }]);
    expect(await service.database.rows('SELECT COUNT(*) AS points FROM observation')).toEqual(before);
    expect([await lock(), await newest()]).toEqual([free, [{ state: 'interrupted' }]]);
  });

  it('F10: leaves a saved mapping whole where the import by it is killed, and goes on by it', async () => {
    const days = Array.from({ length: 200 }, (_, day) => 100 + day);
    const months = days.map(
      (_, month) => `${2000 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`,
    );
    const rows = Array.from({ length: 150 }, (_, row) => `Marché ${row};Mil;${days.join(';')}`);
    const content = ['Bulletin', `Marché;Produit;${months.join(';')}`, ...rows, ''].join('\n');
    const describe = async (source: string) => {
      const { headers } = await browser.upload({ content, name: 'prix.csv' });
      const address = headers.location as string;
      while ((await browser.open(address)).headers.refresh !== undefined) await sleep(20);
      const { fields } = formOf(await browser.page(`${address}/mapping`), '/mapping');
      const answers = {
        ...{ 'from.price_type': 'value', 'value.price_type': 'RETAIL', 'value.currency': 'XOF' },
        ...{ 'value.measure_unit': 'kg', 'value.iso3_country_code': 'MLI', 'value.source': source },
        ...{ 'from.periodicity': 'value', 'value.periodicity': 'monthly' },
      };
      await browser.post(`${address}/mapping`, { ...fields, ...answers, name: 'office' }).expect(303);
      expect(alertOf(await browser.ended(address))).toBeNull();
      const form = formOf(await browser.page(`${address}/mapping/save`), '/save');
      await browser.post(form.action, form.fields).expect(303);
      return address;
    };
    const mapping = async () =>
      (await service.http().get('/api/v1/Mapping/office/').expect(200)).body as object;
    const address = await describe('OMA');
    const saved = await mapping();
    expect(saved).toMatchObject({ version: 1, mapping: { name: 'office' } });
    await Promise.all([begin(address), storing().then(kill)]);
    expect(alertOf(await browser.ended(address))).toContain('It was stopped');
    expect([await mapping(), await lock(), await newest()]).toEqual([
      saved,
      free,
      [{ state: 'interrupted' }],
    ]);
    expect(await browser.import(address)).toMatch(/^\/desk\/change-sets\/\d+$/);
    const { body } = await service
      .http()
      .get('/api/v1/ChangeSet/?kind=import&state=done&page_size=1')
      .expect(200);
    expect(body).toMatchObject({
      results: [{ state: 'done', format: 'office', counts: { mapping_version: 1 } }],
    });
    // What would begin anew is found by a process of its own, too.
    const other = await describe('Ministry');
    expect(await browser.ended(`${other}/mapping/save`)).toContain('150 stored series would begin anew');
    expect(await mapping()).toEqual(saved);
  });

  it('R1: takes a bounded amount of memory, and dies before the service', async () => {
    const { address } = await browser.check({
      content: prices(1000, 150),
      fields: { country: 'KEN' },
    });
    let peak = 0;
    const measuring = (async () => {
      await storing();
      for (let pid; (pid = importProcesses()[0]) !== undefined; await sleep(20)) {
        expect(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8')).toBe('1000\n');
        peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(statusOf(pid))?.[1] ?? 0) / 1024);
      }
    })();
    await Promise.all([begin(address), measuring]);
    // The service learns of the end of the process a little later.
    let headers = (await browser.open(address)).headers;
    while (headers.refresh !== undefined) {
      await sleep(20);
      headers = (await browser.open(address)).headers;
    }
    expect(headers.location).toMatch(/change-sets/);
    expect(peak).toBeGreaterThan(50);
    expect(peak).toBeLessThan(300);
  });

  it('F11: ends with its transaction when the service shuts down, and can go on', async () => {
    const content = long.replaceAll('Market ', 'Town ');
    const { address } = await browser.check({ content, fields: { country: 'KEN' } });
    const shutDown = storing().then(() => service.app.get(Jobs).beforeApplicationShutdown());
    await Promise.all([begin(address), shutDown]);
    // On a busy machine a shutdown does not wait until then.
    const html = await browser.ended(address);
    expect(alertOf(html)).toMatch(/The service was shut down\.$/);
    expect(importProcesses()).toEqual([]);
    expect(await lock()).toEqual(free);
  });
});

/** What the system knows of a process; '' after its end. */
function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}
