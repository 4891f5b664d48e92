import { jest } from '@jest/globals';
import { createHash } from 'node:crypto';
import { createReadStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Editions } from '../../src/editions/editions.js';
import { ImportService } from '../../src/import/import.service.js';
import { createInput } from '../../src/import/pipeline/input.js';
import { storeIndices, storeRates } from '../support/price-fixture.js';
import { RandomChanges } from '../support/random-changes.js';
import { randomNumbers } from '../support/random-prices.js';
import { describeWithRealData, realData } from '../support/real-data.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { startMaker } from './maker-process.js';

jest.setTimeout(1_800_000);

/** Edits before the edition is made again; set `EDITION_EDITS` for the large file by hand. */
const EDITS = Number(process.env.EDITION_EDITS) || 30;
/** The file, and the digest of its `SHA256SUMS` on all engines. Another one has to be meant. */
const [FILE, DIGEST] = process.env.EDITION_EDITS
  ? [
      'wfp/large/wfp_food_prices_58countries_2023-08.csv.gz',
      '0abd076f1926cf07773742b6bc959e69bd15d626239bada020b044c26331d419',
    ]
  : [
      'wfp/old_format_hxl/wfp_food_prices_ken.csv.gz',
      '17d4f9bf5862417deba00bf52c473ed5399361b26486de5d6800b5531ac5f169',
    ];

/** Fields of records that editions have. */
const FIELDS = {
  Commodity: 'commodity_name',
  Market: 'market_name',
  Source: 'source_license',
  MeasureUnit: 'measure_unit_name',
} as const;

const months = Array.from({ length: 60 }, (_, month) =>
  new Date(Date.UTC(2018, month, 1)).toISOString().slice(0, 10),
);

describeWithRealData('editions of published prices', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pds-editions-'));
  let service: TestApp;
  beforeAll(async () => {
    service = await startTestApp({ EDITIONS_DIR: folder });
    await storeRates(
      service.unitOfWork,
      months.map((date, index) => ['KES', date, 100 + index / 3]),
    );
    await storeIndices(
      service.unitOfWork,
      months.map((date, index) => ['KEN', date, 120 + index / 7]),
    );
    await service.app
      .get(ImportService)
      .import(
        { format: 'wfp', options: {}, dryRun: false, caller: null, requestId: null },
        createInput(createReadStream(realData(FILE)), FILE, null),
      );
  });
  afterAll(async () => {
    await service?.close();
    rmSync(folder, { recursive: true });
  });

  /** Makes an edition in a process of its own. @returns its `SHA256SUMS` */
  async function make(revision: number | undefined, variables: Record<string, string>): Promise<string> {
    const { holder, number } = await service.app
      .get(Editions)
      .begin({ title: '2026-11', revision, caller: null, requestId: null });
    const { ended } = startMaker(service, holder, 'unlimited', variables);
    expect(await ended).toMatchObject({ code: 0, signal: null });
    return readFileSync(join(folder, String(number), 'SHA256SUMS'), 'utf8');
  }

  const newest = async () =>
    ((await service.http().get('/api/v1/Edition/')).body as { results: { revision: number }[] }).results[0]!;

  /** Changes prices, rates, indices and records until there is a revision. */
  async function edit(until: number): Promise<void> {
    const random = randomNumbers(EDITS);
    const admin = await service.authHeader();
    const changes = new RandomChanges(service, admin, random);
    const tables = Object.keys(FIELDS) as (keyof typeof FIELDS)[];
    // Not every change makes one: prices that are removed may not have been there.
    for (let number = 0; (await service.revision.fresh()).all < until; number++) {
      if (number % 2 === 0) {
        await changes.next();
        continue;
      }
      const table = tables[Math.floor(random() * tables.length)]!;
      const list = await service.http().get(`/api/v1/${table}/?page_size=1000`);
      const records = (list.body as { results: { id: number }[] }).results;
      const { id } = records[Math.floor(random() * records.length)]!;
      const change = service.http().patch(`/api/v1/${table}/${id}/`).set(admin);
      const { status } = await change.send({ [FIELDS[table]]: `Edited ${number}` });
      // On a busy machine, a record of many series may take longer than a write may: rolled back.
      expect([200, 503]).toContain(status);
    }
  }

  it('are the same bytes after edits, in any time zone and locale, on all engines', async () => {
    const sums = await make(undefined, { TZ: 'America/St_Johns', LC_ALL: 'de_DE.UTF-8' });
    const { revision } = await newest();
    await edit(revision + EDITS);
    const again = await make(revision, { TZ: 'Pacific/Kiritimati', LC_ALL: 'tr_TR.UTF-8' });
    expect(again).toBe(sums);
    expect(await make(undefined, { TZ: 'Pacific/Kiritimati', LC_ALL: 'tr_TR.UTF-8' })).not.toBe(sums);
    expect(createHash('sha256').update(sums).digest('hex')).toBe(DIGEST);
  });
});
