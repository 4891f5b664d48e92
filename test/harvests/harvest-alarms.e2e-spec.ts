import { MetricsRegistry } from '../../src/platform/metrics/metrics-registry.js';
import { HarvestAlarms } from '../../src/harvests/alarms/harvest-alarms.js';
import { HarvestApp, pricesFile } from './harvest-app.js';

const FILE = pricesFile({ Bamako: [200, 210], Gao: [300, 310] });

let app: HarvestApp;
beforeEach(async () => {
  app = await HarvestApp.start();
  app.source.publish(FILE);
});
afterEach(() => app?.close());

const ALARM = {
  id: expect.any(Number),
  state: 'open',
  scope: 'harvest',
  uuid: null,
  iso3_country_code: null,
  periodicity: null,
  date: null,
  value: null,
  expected: null,
  ratio: null,
  members: [{ table: 'Harvest', id: 1, name: 'mali-oma' }],
  change_set_id: expect.any(Number),
  reason: '',
};

/** Looks what is due and what is wrong, and returns the findings about harvests in a state. */
const alarms = async (state = 'open') => {
  await app.runDue().catch(() => undefined);
  await app.service.app.get(HarvestAlarms).refresh();
  const rules = 'rule=harvest_failed,harvest_held,source_late';
  const { body } = await app.service.http().get(`/api/v1/Finding/?${rules}&state=${state}`).expect(200);
  return (body as { results: { rule: string; date: string | null }[] }).results;
};
const metric = (name: string) => {
  const metrics = [...app.service.app.get(MetricsRegistry).all()];
  return metrics.find((each) => each.name === name)?.value();
};

describe('findings about harvests', () => {
  it('tell of one whose runs have failed, until one succeeds', async () => {
    app.source.handler = (_, response) => response.writeHead(503).end();
    await app.create();
    await app.run();
    for (const minutes of [1, 5]) {
      await app.minutesLater(minutes);
      expect(await alarms()).toEqual([]);
    }
    await app.minutesLater(25);
    const failed = {
      ...ALARM,
      rule: 'harvest_failed',
      severity: 'error',
      detail: 'The last runs of the harvest mali-oma have failed: no file has come from its source.',
    };
    expect(await alarms()).toEqual([failed]);
    const { body: rows } = await app.service
      .http()
      .get('/api/v1/FindingSummary/?rule=harvest_failed')
      .expect(200);
    expect(rows).toMatchObject({ results: [{ rule: 'harvest_failed', state: 'open', count: 1 }] });
    // Once it is told, looking again changes nothing.
    const sets = async () =>
      (
        (await app.service.http().get('/api/v1/ChangeSet/?kind=findings').expect(200)).body as {
          count: number;
        }
      ).count;
    const before = await sets();
    await alarms();
    expect(await sets()).toBe(before);
    app.source.publish(FILE);
    await app.run();
    expect([await alarms(), await alarms('gone')]).toEqual([[], [{ ...failed, state: 'gone' }]]);
  });

  it('tell of one that is held, until somebody decides', async () => {
    await app.create();
    await app.run();
    app.source.publish(pricesFile({ Bamako: [200, 210] }));
    await app.run();
    expect(await alarms()).toEqual([
      {
        ...ALARM,
        rule: 'harvest_held',
        severity: 'look',
        date: '2026-11-21',
        detail:
          'A file of the harvest mali-oma of 2026-11-21 looks wrong: it is held until somebody has it imported or dismisses it.',
      },
    ]);
    await app.send('post', 'Harvest/1/run/2/dismiss/?reason=Cut%20off').expect(200);
    expect(await alarms()).toEqual([]);
  });

  it('tell of a source that is late by the interval and the lag of its harvest', async () => {
    await app.create({ expected_interval: 'P1M', expected_lag: 'P5D', schedule: '0 6 1 1 *' });
    await app.run();
    await app.at('2026-12-26T23:00');
    expect(await alarms()).toEqual([]);
    await app.at('2026-12-27T00:00');
    expect(await alarms()).toEqual([
      {
        ...ALARM,
        rule: 'source_late',
        severity: 'look',
        date: '2026-12-26',
        detail: 'The source of the harvest mali-oma is late: a new file was expected until 2026-12-26.',
      },
    ]);
    app.source.publish(pricesFile({ Bamako: [200, 210, 220], Gao: [300, 310, 320] }));
    await app.run();
    expect(await alarms()).toEqual([]);
  });

  it('tell of a source that is late by its earlier releases', async () => {
    await app.create({ source: 'OMA', schedule: '0 6 1 1 *' });
    const prices: number[] = [];
    for (let month = 0; month < 5; month++) {
      prices.push(200 + month);
      // Each month is published on the 10th of the next one.
      app.source.publish(pricesFile({ Bamako: prices }));
      await app.at(`2026-${String(month + 2).padStart(2, '0')}-10T12:00`);
      expect(await app.run()).toMatchObject({ state: 'done' });
    }
    // The lags of nine of ten releases, of February to May, are 10 days at most.
    await app.at('2026-07-10T12:00');
    expect(await alarms()).toEqual([]);
    await app.at('2026-07-11T12:00');
    expect(await alarms()).toMatchObject([{ rule: 'source_late', date: '2026-07-10' }]);
  });

  it('end with the harvest, and where it is turned off', async () => {
    await app.create({ expected_interval: 'P1D' });
    await app.run();
    app.source.publish(pricesFile({ Bamako: [200, 210] }));
    await app.run();
    expect(await alarms()).toMatchObject([{ rule: 'harvest_held' }]);
    await app.send('patch', 'Harvest/1/', { enabled: false }).expect(200);
    expect(await alarms()).toEqual([]);
    await app.send('patch', 'Harvest/1/', { enabled: true }).expect(200);
    expect(await alarms()).toMatchObject([{ rule: 'harvest_held', state: 'open' }]);
    expect(metric('pds_harvests_held')).toBe(1);
    await app.send('delete', 'Harvest/1/').expect(204);
    expect([await alarms(), metric('pds_harvests_held')]).toEqual([[], 0]);
  });
});
