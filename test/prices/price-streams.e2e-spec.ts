import { jest } from '@jest/globals';
import { request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parse } from 'csv-parse/sync';
import { setTimeout as sleep } from 'node:timers/promises';
import { isoFromDay } from '../../src/lib/dates/calendar-date.js';
import { PointReader } from '../../src/prices/store/point-reader.js';
import { PriceLoader } from '../../src/prices/read/price-loader.js';
import { PriceLimits } from '../../src/prices/prices.service.js';
import { storePoints, storeRates, storeSeries, type PointLine } from '../support/price-fixture.js';
import { expectProblem } from '../support/problems.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const SERIES = 120;
const POINTS = 250;
const uuidOf = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;

const points = (index: number): PointLine[] =>
  Array.from({ length: POINTS }, (_, at) => [isoFromDay(730_000 + at), 100 + index + at / 100]);

/** As CSV these are about 25 MB: more than socket buffers hold while nobody reads. */
const ALL = '/api/v1/PriceSeriePrice/?format=csv&periodicity=daily';

describe('long replies with prices', () => {
  let service: TestApp;
  let ids: number[];
  let limits: PriceLimits;
  const defaults = new PriceLimits();
  beforeAll(async () => {
    service = await startTestApp();
    await storeRates(service.unitOfWork, [['KES', '1999-09-01', 50]]);
    const created = await storeSeries(
      service.unitOfWork,
      Array.from({ length: SERIES }, (_, index) => ({
        uuid: uuidOf(index),
        market: { name: 'Nairobi', info: 'Words that make each line longer. '.repeat(30) },
        points: { daily: points(index) },
      })),
    );
    ids = [...created.values()];
    limits = service.app.get(PriceLimits);
  });
  afterAll(() => service.close());
  const responses: IncomingMessage[] = [];
  afterEach(() => {
    Object.assign(limits, defaults);
    jest.restoreAllMocks();
    for (const response of responses.splice(0)) response.destroy();
  });

  /** Has every reply loaded in batches. */
  const inBatches = () => Object.assign(limits, { wholeReply: 0, batch: 2000 });
  /** Batches of the newest 200 points of each series. */
  const BATCHES = (SERIES * 200) / 2000;
  const readsOfPoints = () => jest.spyOn(service.app.get(PointReader), 'read');

  function open(path: string): Promise<IncomingMessage> {
    const { port } = service.app.getHttpServer().address() as AddressInfo;
    return new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path, agent: false }, (response) => {
        response.pause();
        responses.push(response);
        resolve(response);
      });
      sent.on('error', reject);
      sent.end();
    });
  }
  async function readAll(response: IncomingMessage): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString();
  }
  const stable = async (count: () => number) => {
    for (let before = -1; before !== count();) {
      before = count();
      await sleep(150);
    }
    return count();
  };

  it.each(['json', 'ndjson', 'csv'])('are the same loaded whole and in batches: %s', async (format) => {
    const path = `/api/v1/PriceSeriePrice/?page_size=1000&format=${format}&end_date=2000-06-30`;
    const whole = await readAll(await open(`${path}&_=1`));
    inBatches();
    const loads = jest.spyOn(service.app.get(PriceLoader), 'start');
    // Another URL, so that it is not served from the page cache; a single page has no links that
    // differ.
    const batched = await readAll(
      await open(`${path.replace('end_date=2000-06-30', 'enddate=2000-06-30')}&_=2`),
    );
    expect(batched).toBe(whole);
    expect(loads.mock.calls.length).toBeGreaterThan(BATCHES);
    expect(whole.length).toBeGreaterThan(1_000_000);
  });

  it.each([
    ['long', '/api/v1/PriceSeriePrice/?format=ndjson&periodicity=daily&latest=60', 1_000_000],
    ['short', `${ALL}&latest=1`, 10_000],
  ])('are stored in the page cache when they are requested again: %s', async (_, path, size) => {
    const loads = jest.spyOn(service.app.get(PriceLoader), 'consistently');
    const texts: string[] = [];
    for (const times of [1, 2, 2]) {
      texts.push(await readAll(await open(path)));
      expect(loads).toHaveBeenCalledTimes(times);
    }
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]!.length).toBeGreaterThan(size);
  });

  it('F13: are aborted with their work when the client disconnects', async () => {
    inBatches();
    const reads = readsOfPoints();
    const response = await open(`${ALL}&latest=200`);
    response.destroy();
    const done = await stable(() => reads.mock.calls.length);
    expect(done).toBeLessThan(BATCHES);
    const again = await open(`${ALL}&latest=200`);
    expect((await readAll(again)).split('\r\n')).toHaveLength(1 + SERIES * 200 + 1);
    expect(reads.mock.calls.length - done).toBe(BATCHES);
  });

  it('F3: wait for a slow client without a running statement, and continue when it reads', async () => {
    inBatches();
    const reads = readsOfPoints();
    const response = await open(`${ALL}&latest=201`);
    const readsBefore = await stable(() => reads.mock.calls.length);
    const others = await service
      .http()
      .get(`/api/v1/PriceSeriePrice/${uuidOf(1)}/?periodicity=daily&latest=1`)
      .expect(200);
    expect((others.body as { datapoints: object[] }).datapoints).toHaveLength(1);
    const text = await readAll(response);
    expect(text.split('\r\n')).toHaveLength(1 + SERIES * 201 + 1);
    // Only some of the work was done before the client read.
    expect(readsBefore).toBeLessThan(reads.mock.calls.length / 2);
  });

  it('F3: are aborted, not ended, by a failure after their first byte', async () => {
    inBatches();
    let calls = 0;
    const reader = service.app.get(PointReader);
    const { read } = reader;
    jest.spyOn(reader, 'read').mockImplementation((...args) => {
      if (++calls === 5) return Promise.reject(new Error('disk failure'));
      return read.apply(reader, args);
    });
    const response = await open(`${ALL}&latest=202`);
    expect(response.statusCode).toBe(200);
    await expect(readAll(response)).rejects.toThrow('aborted');
  });

  it('are an ordinary error if the failure comes before', async () => {
    jest.spyOn(service.app.get(PointReader), 'read').mockRejectedValue(new Error('disk failure'));
    expectProblem(await service.http().get(`${ALL}&latest=203`), { status: 500, code: 'error' });
    jest.restoreAllMocks();
    await service.http().get(`${ALL}&latest=203`).expect(200);
  });

  it('reserve capacity for what they have loaded until they are read', async () => {
    // Capacity for two of them; the third is loaded in small batches, with the same result.
    Object.assign(limits, { capacity: SERIES * 200 * 2.5 });
    const two = await Promise.all([open(`${ALL}&latest=204`), open(`${ALL}&latest=205`)]);
    const reads = readsOfPoints();
    const third = await open(`${ALL}&latest=206`);
    const readsBefore = await stable(() => reads.mock.calls.length);
    expect((await readAll(third)).split('\r\n')).toHaveLength(1 + SERIES * 206 + 1);
    expect(readsBefore).toBeLessThan(reads.mock.calls.length);
    expect((await readAll(two[0])).split('\r\n')).toHaveLength(1 + SERIES * 204 + 1);
    two[1].destroy();
    await sleep(100);
    reads.mockClear();
    // All capacity is available again: this one is loaded before its first byte is read.
    const fourth = await open(`${ALL}&latest=207`);
    const whole = await stable(() => reads.mock.calls.length);
    await readAll(fourth);
    expect(reads.mock.calls.length).toBe(whole);
  });

  it('show each series in one state while data change', async () => {
    inBatches();
    const reads = readsOfPoints();
    const response = await open(`${ALL}&latest=208`);
    await stable(() => reads.mock.calls.length);
    await storePoints(service.unitOfWork, ids.at(-1)!, { daily: [['2030-01-01', 1]] });
    const rows = parse<Record<'uuid' | 'date' | 'last_price_date', string>>(await readAll(response), {
      columns: true,
    });
    const bySeries = new Map<string, typeof rows>();
    for (const row of rows) bySeries.set(row.uuid, [...(bySeries.get(row.uuid) ?? []), row]);
    expect([...bySeries.values()].map((lines) => lines.length)).toEqual(Array<number>(SERIES).fill(208));
    for (const [first, ...others] of bySeries.values()) {
      expect(first!.date).toBe(first!.last_price_date);
      for (const other of others) expect(other.last_price_date).toBe(first!.last_price_date);
    }
    expect(bySeries.get(uuidOf(SERIES - 1))![0]!.date).toBe('2030-01-01');
  });
});
