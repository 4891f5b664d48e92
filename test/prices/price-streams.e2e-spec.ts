import { jest } from '@jest/globals';
import { request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parse } from 'csv-parse/sync';
import { setTimeout as sleep } from 'node:timers/promises';
import { isoFromDay } from '../../src/common/dates/calendar-date.js';
import { PointReader } from '../../src/prices/point-reader.js';
import { PriceGathering } from '../../src/prices/price-gathering.js';
import { PriceLimits } from '../../src/prices/prices.service.js';
import { storePoints, storeRates, storeSeries, type PointLine } from '../support/price-fixture.js';
import { expectProblem } from '../support/problems.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const SERIES = 120;
const POINTS = 250;
const uuidOf = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;

const points = (index: number): PointLine[] =>
  Array.from({ length: POINTS }, (_, at) => [isoFromDay(730_000 + at), 100 + index + at / 100]);

/** `format=csv` of these is some 25 MB: more than sockets take while nobody reads. */
const ALL = '/api/v1/PriceSeriePrice/?format=csv&periodicity=daily';

describe('long answers about prices', () => {
  let service: TestApp;
  let ids: number[];
  let limits: PriceLimits;
  const usual = new PriceLimits();
  beforeAll(async () => {
    service = await startTestApp();
    await storeRates(service.unitOfWork, [['KES', '1999-09-01', 50]]);
    const made = await storeSeries(
      service.unitOfWork,
      Array.from({ length: SERIES }, (_, index) => ({
        uuid: uuidOf(index),
        market: { name: 'Nairobi', info: 'Words that make each line longer. '.repeat(30) },
        points: { daily: points(index) },
      })),
    );
    ids = [...made.values()];
    limits = service.app.get(PriceLimits);
  });
  afterAll(() => service.close());
  const answers: IncomingMessage[] = [];
  afterEach(() => {
    Object.assign(limits, usual);
    jest.restoreAllMocks();
    for (const answer of answers.splice(0)) answer.destroy();
  });

  /** Makes every answer one that is gathered batch by batch. */
  const inBatches = () => Object.assign(limits, { wholeAnswer: 0, batch: 2000 });
  /** Of the newest 200 points of each series. */
  const BATCHES = (SERIES * 200) / 2000;
  const readsOfPoints = () => jest.spyOn(service.app.get(PointReader), 'read');

  function open(path: string): Promise<IncomingMessage> {
    const { port } = service.app.getHttpServer().address() as AddressInfo;
    return new Promise((resolve, reject) => {
      const asked = request({ host: '127.0.0.1', port, path, agent: false }, (answer) => {
        answer.pause();
        answers.push(answer);
        resolve(answer);
      });
      asked.on('error', reject);
      asked.end();
    });
  }
  async function rest(answer: IncomingMessage): Promise<string> {
    const parts: Buffer[] = [];
    for await (const part of answer) parts.push(part as Buffer);
    return Buffer.concat(parts).toString();
  }
  const settled = async (count: () => number) => {
    for (let before = -1; before !== count();) {
      before = count();
      await sleep(150);
    }
    return count();
  };

  it.each(['json', 'ndjson', 'csv'])('are the same gathered whole and in batches: %s', async (format) => {
    const path = `/api/v1/PriceSeriePrice/?page_size=1000&format=${format}&end_date=2000-06-30`;
    const whole = await rest(await open(`${path}&_=1`));
    inBatches();
    const batches = jest.spyOn(service.app.get(PriceGathering), 'begin');
    // Another address, so that it is not served from the page cache; links are not part of a whole page.
    const batched = await rest(
      await open(`${path.replace('end_date=2000-06-30', 'enddate=2000-06-30')}&_=2`),
    );
    expect(batched).toBe(whole);
    expect(batches.mock.calls.length).toBeGreaterThan(BATCHES);
    expect(whole.length).toBeGreaterThan(1_000_000);
  });

  it('are kept in the page cache once they are asked for again', async () => {
    const gathered = jest.spyOn(service.app.get(PriceGathering), 'consistently');
    const long = '/api/v1/PriceSeriePrice/?format=ndjson&periodicity=daily&latest=60';
    const texts: string[] = [];
    for (const times of [1, 2, 2]) {
      texts.push(await rest(await open(long)));
      expect(gathered).toHaveBeenCalledTimes(times);
    }
    expect(new Set(texts).size).toBe(1);
    // A short one is kept at once.
    gathered.mockClear();
    for (const path of Array<string>(2).fill(`${ALL}&latest=1`)) await rest(await open(path));
    expect(gathered).toHaveBeenCalledTimes(1);
  });

  it('F13: end with their work when the client goes', async () => {
    inBatches();
    const reads = readsOfPoints();
    const answer = await open(`${ALL}&latest=200`);
    answer.destroy();
    const done = await settled(() => reads.mock.calls.length);
    expect(done).toBeLessThan(BATCHES);
    const again = await open(`${ALL}&latest=200`);
    expect((await rest(again)).split('\r\n')).toHaveLength(1 + SERIES * 200 + 1);
    expect(reads.mock.calls.length - done).toBe(BATCHES);
  });

  it('F3: wait for a slow reader, without a statement in work, and go on when it reads', async () => {
    inBatches();
    const reads = readsOfPoints();
    const answer = await open(`${ALL}&latest=201`);
    const early = await settled(() => reads.mock.calls.length);
    const others = await service
      .http()
      .get(`/api/v1/PriceSeriePrice/${uuidOf(1)}/?periodicity=daily&latest=1`)
      .expect(200);
    expect((others.body as { datapoints: object[] }).datapoints).toHaveLength(1);
    const text = await rest(answer);
    expect(text.split('\r\n')).toHaveLength(1 + SERIES * 201 + 1);
    // Without the reader only some of the work was done.
    expect(early).toBeLessThan(reads.mock.calls.length / 2);
  });

  it('F3: are cut, not ended, by a failure after their first byte', async () => {
    inBatches();
    let calls = 0;
    const reader = service.app.get(PointReader);
    const { read } = reader;
    jest.spyOn(reader, 'read').mockImplementation((...given) => {
      if (++calls === 5) return Promise.reject(new Error('The disk is gone.'));
      return read.apply(reader, given);
    });
    const answer = await open(`${ALL}&latest=202`);
    expect(answer.statusCode).toBe(200);
    await expect(rest(answer)).rejects.toThrow('aborted');
  });

  it('are an ordinary refusal where the failure comes before', async () => {
    jest.spyOn(service.app.get(PointReader), 'read').mockRejectedValue(new Error('The disk is gone.'));
    expectProblem(await service.http().get(`${ALL}&latest=203`), { status: 500, code: 'error' });
    jest.restoreAllMocks();
    await service.http().get(`${ALL}&latest=203`).expect(200);
  });

  it('hold room for what they have gathered until they are read', async () => {
    // Room for two of them; the third is gathered in small batches and is the same.
    Object.assign(limits, { room: SERIES * 200 * 2.5 });
    const two = await Promise.all([open(`${ALL}&latest=204`), open(`${ALL}&latest=205`)]);
    const reads = readsOfPoints();
    const third = await open(`${ALL}&latest=206`);
    const early = await settled(() => reads.mock.calls.length);
    expect((await rest(third)).split('\r\n')).toHaveLength(1 + SERIES * 206 + 1);
    expect(early).toBeLessThan(reads.mock.calls.length);
    expect((await rest(two[0]!)).split('\r\n')).toHaveLength(1 + SERIES * 204 + 1);
    two[1]!.destroy();
    await sleep(100);
    reads.mockClear();
    // All room is free again: this one is gathered before its first byte is read.
    const fourth = await open(`${ALL}&latest=207`);
    const whole = await settled(() => reads.mock.calls.length);
    await rest(fourth);
    expect(reads.mock.calls.length).toBe(whole);
  });

  it('show each series in one state while data change', async () => {
    inBatches();
    const reads = readsOfPoints();
    const answer = await open(`${ALL}&latest=208`);
    await settled(() => reads.mock.calls.length);
    await storePoints(service.unitOfWork, ids.at(-1)!, { daily: [['2030-01-01', 1]] });
    const rows = parse(await rest(answer), { columns: true }) as Record<
      'uuid' | 'date' | 'last_price_date',
      string
    >[];
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
