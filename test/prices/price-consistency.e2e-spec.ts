import { parse } from 'csv-parse/sync';
import { isoFromDay } from '../../src/lib/dates/calendar-date.js';
import { Database } from '../../src/database/database.js';
import { DataRevision } from '../../src/ledger/revision/data-revision.js';
import { UnitOfWork, type Transaction } from '../../src/ledger/unit-of-work.js';
import { Environment } from '../../src/config/environment.js';
import { entities } from '../../src/entities.js';
import { DAILY } from '../../src/price-series/periodicity.js';
import { ObservationStore } from '../../src/prices/store/observation-store.js';
import type { NewPoint } from '../../src/prices/store/point-merging.js';
import { PriceLoader } from '../../src/prices/read/price-loader.js';
import { storeIndices, storeRates, storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { testChange } from '../support/change-set.js';

/** Each commit rewrites everything, so that a reply that mixes two states is detected. */
const SERIES = Array.from(
  { length: 6 },
  (_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
);
const FIRST_DAY = 738886;
const WRITES = 15;

interface Datapoint {
  date: string;
  price_value: number;
  price_value_dollar: number;
  price_value_real: number;
}
interface PriceObject {
  series: { last_price_date: string; periodicity: { end_date: string }[] };
  datapoints: Datapoint[];
}

/** What all prices of a reply have to agree on. */
interface Seen {
  price: number;
  /** Price over rate, and price over index: the same in every state. */
  dollar: number;
  real: number;
  lastDate: string;
  periodicityEnd: string;
}

describe('a reply with prices', () => {
  let service: TestApp;
  let ids: number[];
  beforeEach(async () => {
    service = await startTestApp();
    await storeRates(service.unitOfWork, [['KES', '2024-01-01', 1]]);
    await storeIndices(service.unitOfWork, [['KEN', '2024-01-01', 1]]);
    const created = await storeSeries(
      service.unitOfWork,
      SERIES.map((uuid) => ({ uuid })),
    );
    ids = [...created.values()];
    await service.unitOfWork.change(testChange, (transaction) => write(transaction, 1));
  });
  afterEach(() => service.close());

  const store = new ObservationStore();
  /**
   * Writes the state of a number: ten times as high prices, rates and indices equal to it, one more
   * day.
   */
  async function write(transaction: Transaction, number: number): Promise<void> {
    const days = Array.from({ length: (number % 8) + 1 }, (_, index) => FIRST_DAY + index);
    await transaction.execute('UPDATE fx_rate SET rate = ?', [number]);
    await transaction.execute('UPDATE cpi SET value = ?', [number]);
    await store.removeAll(transaction, ids);
    const points = ids.flatMap((serieId): NewPoint[] =>
      days.map((day) => ({
        serieId,
        period: DAILY,
        day,
        value: number * 10,
        calculated: false,
        comment: null,
      })),
    );
    await store.write(transaction, points);
    transaction.markModified('rates');
  }

  const seenIn = (objects: PriceObject[]): Seen[] =>
    objects.flatMap(({ series, datapoints }) =>
      datapoints.map((point) => ({
        price: point.price_value,
        dollar: point.price_value_dollar,
        real: point.price_value_real,
        lastDate: datapoints[0]!.date,
        periodicityEnd: series.last_price_date,
      })),
    );
  const expectOneState = (seen: Seen[]) => {
    expect(seen.length).toBeGreaterThan(0);
    const { price, periodicityEnd } = seen[0]!;
    const days = (price / 10) % 8;
    for (const one of seen) {
      expect(one).toEqual({
        price,
        dollar: 10,
        real: 1000,
        lastDate: isoFromDay(FIRST_DAY + days),
        periodicityEnd,
      });
    }
    expect(periodicityEnd).toBe(isoFromDay(FIRST_DAY + days));
  };

  const readers: Record<string, (round: number) => Promise<Seen[]>> = {
    'as a list': async () => {
      const { body } = await service.http().get('/api/v1/PriceSeriePrice/?periodicity=daily').expect(200);
      const { results } = body as { results: PriceObject[] };
      expect(results).toHaveLength(SERIES.length);
      return seenIn(results);
    },
    'of one series': async (round) => {
      const uuid = SERIES[round % SERIES.length]!;
      const { body } = await service
        .http()
        .get(`/api/v1/PriceSeriePrice/${uuid}/?periodicity=daily`)
        .expect(200);
      return seenIn([body as PriceObject]);
    },
    'of the newest points, never cached': async (round) => {
      const path = `/api/v1/PriceSeriePrice/?periodicity=daily&latest=${(round % 7) + 1}&uuid__in=${SERIES.join()}`;
      const { body } = await service.http().get(path).expect(200);
      return seenIn((body as { results: PriceObject[] }).results);
    },
    'as CSV': async () => {
      const { text } = await service
        .http()
        .get('/api/v1/PriceSeriePrice/?periodicity=daily&format=csv')
        .expect(200);
      const rows = parse<Record<string, string>>(text, { columns: true });
      return rows.map((row) => ({
        price: Number(row.price_value),
        dollar: Number(row.price_value_dollar),
        real: Number(row.price_value_real),
        lastDate: rows.find(({ uuid }) => uuid === row.uuid)!.date!,
        periodicityEnd: row.last_price_date!,
      }));
    },
  };

  async function readWhileWriting(unitOfWork: UnitOfWork): Promise<void> {
    let writing = true;
    const writer = (async () => {
      for (let number = 2; number <= WRITES && writing; number++)
        await unitOfWork.change(testChange, (transaction) => write(transaction, number));
    })().finally(() => (writing = false));
    const reading = Object.values(readers).map(async (read) => {
      const states = new Set<number>();
      for (let round = 0; writing; round++) {
        const seen = await read(round);
        expectOneState(seen);
        states.add(seen[0]!.price);
      }
      return states.size;
    });
    const states = await Promise.all(reading).finally(() => {
      writing = false;
      return writer;
    });
    // Each reader must have seen several states, or nothing was tested.
    for (const count of states) expect(count).toBeGreaterThan(1);
  }

  it(
    'shows one state of the data while this process writes',
    () => readWhileWriting(service.unitOfWork),
    30_000,
  );

  it('shows one state of the data while another process writes', async () => {
    const { databaseUrl } = service.app.get(Environment);
    const database = new Database(new Environment({ DATABASE_URL: databaseUrl }), entities);
    await database.connect();
    try {
      const revision = new DataRevision(database);
      await revision.refresh();
      await readWhileWriting(new UnitOfWork(database, revision));
    } finally {
      await database.close();
    }
  }, 30_000);

  it.each(Object.keys(readers))('%s is loaded again if data change meanwhile', async (name) => {
    // The change comes after the snapshot was taken and before any of its points are read.
    const loader = service.app.get<{ snapshot: (past: null) => Promise<object | null> }>(PriceLoader);
    const { snapshot } = loader;
    let changes = 0;
    loader.snapshot = async (past) => {
      const taken = await snapshot.call(loader, past);
      if (changes++ < 3)
        await service.unitOfWork.change(testChange, (transaction) => write(transaction, 100 + changes));
      return taken;
    };
    const seen = await readers[name]!(0);
    expectOneState(seen);
    expect([seen[0]!.price, changes]).toEqual([1030, 4]);
  });

  it('fails if the data never stop changing', async () => {
    const loader = service.app.get<{ snapshot: (past: null) => Promise<object | null> }>(PriceLoader);
    const { snapshot } = loader;
    loader.snapshot = async (past) => {
      const taken = await snapshot.call(loader, past);
      await service.unitOfWork.change(testChange, async (transaction) => transaction.markSeriesModified(ids));
      return taken;
    };
    const reply = await service.http().get(`/api/v1/PriceSeriePrice/${SERIES[0]}/`);
    expect([reply.status, reply.headers['retry-after'], (reply.body as { code: string }).code]).toEqual([
      503,
      '1',
      'unavailable',
    ]);
  });
});
