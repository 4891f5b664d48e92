import { setTimeout as sleep } from 'node:timers/promises';
import { IndicatorStore } from '../../src/analysis/indicators/store/indicator-store.js';
import { IndicatorWarmup } from '../../src/analysis/indicators/store/indicator-warmup.js';
import { storePoints, storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const [ONE, OTHER] = [1, 2].map((number) => `11111111-0000-4000-8000-00000000000${number}`) as [
  string,
  string,
];
const series = [ONE, OTHER].map((uuid) => ({ uuid, points: { monthly: [['2024-01-01', 70] as const] } }));

/** Waits until so many series were calculated; the limit of the test ends it otherwise. */
async function untilCalculated({ app }: TestApp, count: number): Promise<void> {
  while (app.get(IndicatorStore).calculated < count) await sleep(20);
}

describe('the indicators of all series in the background', () => {
  it('are calculated after the start, and after changes', async () => {
    const service = await startTestApp();
    const ids = await storeSeries(service.unitOfWork, series);
    const store = service.app.get(IndicatorStore);
    expect(store.calculated).toBe(0);
    service.app.get(IndicatorWarmup).start();
    await untilCalculated(service, 2);
    await storePoints(service.unitOfWork, ids.get(ONE)!, { monthly: [['2024-02-01', 77]] });
    await untilCalculated(service, 3);
    const { catalogue, newest, indices } = await store.current();
    expect(newest.get(indices[catalogue.find(ONE)!]!).value).toBe(77);
    expect(store.calculated).toBe(3);
    await service.close();
  });

  it('are none in an empty database', async () => {
    const service = await startTestApp();
    service.app.get(IndicatorWarmup).start();
    const { indices } = await service.app.get(IndicatorStore).current();
    expect([...indices]).toEqual([]);
    await service.close();
  });

  it('end when the service does', async () => {
    const service = await startTestApp();
    await storeSeries(service.unitOfWork, series);
    const store = service.app.get(IndicatorStore);
    service.app.get(IndicatorWarmup).start();
    await store.beforeApplicationShutdown();
    await expect(store.current()).rejects.toThrow('aborted');
    expect(store.calculated).toBe(0);
    await service.close();
  });
});
