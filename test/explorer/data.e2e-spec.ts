import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeEditions } from '../editions/make-editions.js';
import { storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { open, page, tableRows } from './pages.js';

describe('editions on the page about the data', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pds-editions-'));
  let service: TestApp;
  beforeAll(async () => (service = await startTestApp({ EDITIONS_DIR: folder })));
  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });

  const store = (date: string) =>
    storeSeries(service.unitOfWork, [{ uuid: randomUUID(), points: { monthly: [[date, 5]] } }]);
  /** The newest revision with its date, as the page shows it. */
  const state = async () => {
    const [row] = await service.database.rows<{ number: number; at: string }>(
      'SELECT number, `at` FROM revision ORDER BY number DESC LIMIT 1',
    );
    return `${row!.at.slice(0, 10)}, r${row!.number}`;
  };

  it('show as soon as they are ready, also where the page was asked for often', async () => {
    const editions = makeEditions(service);
    await store('2024-01-01');
    for (let times = 0; times < 3; times++) expect(await page(service, '/data')).not.toContain('Editions');
    const { headers } = await open(service, '/data');
    const first = await state();
    await editions.make('2026 & "11"');
    const html = await page(service, '/data');
    const files = tableRows(html, 'Editions').map((row) => row.slice(0, 5));
    expect(files).toEqual([['1: 2026 &amp; &quot;11&quot;', first, '1', '1', '–']]);
    expect(headers.etag).not.toBe((await open(service, '/data')).headers.etag);

    await store('2024-02-01');
    const second = await state();
    await editions.make('2026-12');
    // One that is being made, and one that has failed.
    await expect(editions.make('2027', undefined, AbortSignal.abort())).rejects.toThrow();
    const rows = tableRows(await page(service, '/data'), 'Editions').map((row) => row.slice(0, 5));
    const difference = 'series: 1 added, 0 removed; prices: 1 added, 0 changed, 0 removed';
    expect(rows).toEqual([['2: 2026-12', second, '2', '2', difference], ...files]);
  });

  it('have links to their files, with sizes and how to cite them', async () => {
    const html = await page(service, '/data');
    const links = [...html.matchAll(/<a href="(\/editions\/2\/[^"]+)">[^<]+<\/a> ([\d.,]+ [kM]B)</g)];
    expect(links).toHaveLength(7);
    for (const [, link] of links) await service.http().get(link!).expect(200);
    const bytes = readFileSync(join(folder, '2', 'prices.parquet'));
    const digest = createHash('sha256').update(bytes).digest('hex');
    expect(html).toContain(
      `Price Data Service: Food prices, edition 2026-12. prices.parquet, SHA-256 ${digest}.`,
    );
  });
});
