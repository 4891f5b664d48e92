import { jest } from '@jest/globals';
import { ImportService } from '../../src/import/import.service.js';
import { createInput } from '../../src/import/pipeline/input.js';
import { removeSeries } from '../../src/price-series/series-versions.js';
import { ObservationStore } from '../../src/prices/store/observation-store.js';
import { checks } from '../../src/quality/checks/index.js';
import { testChange } from '../support/change-set.js';
import { chunksOf } from '../support/import-input.js';
import { storePoints, storeSeries, type SeriesSpec } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const UUID = '11111111-0000-4000-8000-000000000001';
const MONTHS = ['01', '02', '03', '04', '05', '06', '07'].map((month) => `2024-${month}-01`);
const withSlip: SeriesSpec = {
  uuid: UUID,
  points: { monthly: MONTHS.map((date) => [date, date === '2024-04-01' ? 3600 : 360]) },
};

describe('the upkeep of findings', () => {
  let service: TestApp;
  beforeEach(async () => (service = await startTestApp()));
  afterEach(() => service?.close());

  const list = async () => {
    const { body } = await service.http().get('/api/v1/Finding/').expect(200);
    return (body as { results: { rule: string; state: string; date: string; detail: string }[] }).results;
  };
  const states = async () => (await list()).map(({ rule, state, date }) => `${rule} ${state} ${date}`);
  const serieIds = async (table: string) =>
    (await service.database.rows<{ serie_id: number }>(`SELECT DISTINCT serie_id FROM ${table}`)).length;
  const marked = async () => ({
    outliers: await serieIds('series_outlier'),
    steps: await serieIds('series_step'),
    digests: await serieIds('series_digest'),
    groups: await serieIds('series_group'),
  });

  it('removes what is stored of a series for comparisons with the series', async () => {
    const ids = await storeSeries(service.unitOfWork, [withSlip]);
    expect(await marked()).toEqual({ outliers: 1, steps: 1, digests: 1, groups: 1 });
    await service.unitOfWork.change(testChange, async (transaction) => {
      await new ObservationStore().removeAll(transaction, [ids.get(UUID)!]);
      await removeSeries(transaction, [ids.get(UUID)!]);
    });
    expect(await marked()).toEqual({ outliers: 0, steps: 0, digests: 0, groups: 0 });
    expect(await states()).toEqual(['decimal_slip gone 2024-04-01', 'spike gone 2024-04-01']);
  });

  it('finds prices after the running period, until an import comes when they no longer are', async () => {
    // The clock of the tests stands at 2026-11-21.
    const ids = await storeSeries(service.unitOfWork, [
      {
        uuid: UUID,
        points: {
          monthly: [
            ['2026-11-01', 10],
            ['2026-12-01', 11],
            ['2027-02-01', 12],
          ],
        },
      },
    ]);
    expect(await states()).toEqual(['future_date open 2027-02-01', 'future_date open 2026-12-01']);
    expect((await list())[1]!.detail).toBe(
      'The monthly price is dated 2026-12-01, after the end of the running period, 2026-11-30.',
    );
    service.clock.milliseconds = Date.parse('2026-12-01T00:00:00Z');
    expect(await states()).toEqual(['future_date open 2027-02-01', 'future_date open 2026-12-01']);
    const request = { format: 'fx', options: {}, dryRun: false, caller: null, requestId: null };
    const rates = 'currency,date,rate\nKES,2026-01-01,130\n';
    await service.app.get(ImportService).import(request, createInput(chunksOf(rates), '', null));
    expect(await states()).toEqual(['future_date open 2027-02-01', 'future_date gone 2026-12-01']);
    await storePoints(service.unitOfWork, ids.get(UUID)!, { monthly: [['2026-12-01', 13]] });
    expect(await states()).toEqual(['future_date open 2027-02-01', 'future_date gone 2026-12-01']);
  });

  it('fails the write that meets a faulty rule, stores nothing of it, and goes on after it', async () => {
    const ids = await storeSeries(service.unitOfWork, [withSlip]);
    const before = await service.database.rows('SELECT revision FROM data_revision');
    // The last check that runs for prices: what the ones before have stored is reverted.
    const faulty = checks.find(({ name }) => name === 'compared')!;
    const failing = jest.spyOn(faulty, 'subjectsOf').mockRejectedValue(new Error('A rule failed.'));
    const write = () => storePoints(service.unitOfWork, ids.get(UUID)!, { monthly: [['2024-04-01', 360]] });
    try {
      await expect(write()).rejects.toThrow('A rule failed.');
    } finally {
      failing.mockRestore();
    }
    expect(await states()).toEqual(['decimal_slip open 2024-04-01', 'spike open 2024-04-01']);
    expect(await marked()).toEqual({ outliers: 1, steps: 1, digests: 1, groups: 1 });
    expect(await service.database.rows('SELECT revision FROM data_revision')).toEqual(before);
    await write();
    expect(await states()).toEqual(['decimal_slip gone 2024-04-01', 'spike gone 2024-04-01']);
  });
});
