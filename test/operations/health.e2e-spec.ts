import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Environment } from '../../src/config/environment.js';
import { Database, sqliteHandle } from '../../src/database/database.js';
import { Draining } from '../../src/platform/shutdown/draining.js';
import { Readiness } from '../../src/operations/readiness.js';
import { testChange } from '../support/change-set.js';
import { onSqlite } from '../support/engines.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

describe('O4: health', () => {
  let service: TestApp;
  beforeEach(async () => (service = await startTestApp()));
  afterEach(() => service.close());

  const ready = () => service.http().get('/health/ready');
  const notReady = {
    type: '/problems/unavailable',
    title: 'Unavailable',
    status: 503,
    code: 'unavailable',
    detail: 'The service is not ready.',
    instance: expect.stringMatching(/^urn:uuid:/),
  };

  it('reports live and ready, and reveals nothing else', async () => {
    const live = await service.http().get('/health/live').expect(200);
    expect(live.body).toEqual({ status: 'ok' });
    expect(live.headers['cache-control']).toBe('no-store');
    const { body, headers } = await ready().expect(200);
    expect(body).toEqual({ status: 'ok' });
    expect(headers['cache-control']).toBe('no-store');
  });

  it('queries the database once for 1000 concurrent requests, and at most once a second', async () => {
    const readiness = service.app.get(Readiness);
    const before = readiness.checks;
    expect(new Set(await Promise.all(Array.from({ length: 1000 }, () => readiness.state())))).toEqual(
      new Set(['ok']),
    );
    await readiness.state();
    expect(readiness.checks - before).toBe(1);
    await sleep(1050);
    await Promise.all([readiness.state(), readiness.state()]);
    expect(readiness.checks - before).toBe(2);
  });

  it('is not ready as soon as it shuts down', async () => {
    await ready().expect(200);
    service.app.get(Draining).begin();
    const { body, headers } = await ready().expect(503);
    expect(body).toEqual(notReady);
    expect([headers['retry-after'], headers['cache-control']]).toEqual(['1', 'no-store']);
    await service.http().get('/health/live').expect(200);
  });

  it('is not ready when the database is unreachable, replies within a second when it hangs, and queries it once', async () => {
    const database = service.app.get(Database);
    const readiness = service.app.get(Readiness);
    const revisions = database.revisions.bind(database);
    database.revisions = () => Promise.reject(new Error('unreachable'));
    const { body } = await ready().expect(503);
    expect(body).toEqual(notReady);

    await sleep(1050);
    const before = readiness.checks;
    const current = await revisions();
    let answer!: () => void;
    database.revisions = () => new Promise((resolve) => (answer = () => resolve(current)));
    expect(await Promise.all([readiness.state(), readiness.state()])).toEqual(['unavailable', 'unavailable']);
    expect(await readiness.state()).toBe('unavailable');
    expect(readiness.checks - before).toBe(1);

    database.revisions = revisions;
    answer();
    await sleep(1050);
    await ready().expect(200);
  });

  onSqlite.it('F8: is not ready when the SQLite file is damaged while it is served', async () => {
    const { database } = service;
    sqliteHandle(database.writer).pragma('wal_checkpoint(TRUNCATE)');
    // The revision is then read from the write-ahead log, which is undamaged.
    await service.unitOfWork.change(testChange, async (transaction) => transaction.markModified('rates'));
    await ready().expect(200);
    const { sqlitePath } = service.app.get(Environment);
    const content = readFileSync(sqlitePath);
    writeFileSync(sqlitePath, Buffer.from(content).fill(0xff, 4096), { flag: 'r+' });
    await sleep(1050);
    expect((await service.http().get('/api/v1/Commodity/1/')).status).toBe(503);
    const { body } = await ready().expect(503);
    expect(body).toEqual(notReady);
    // The application opens the file once more when it closes.
    writeFileSync(sqlitePath, content, { flag: 'r+' });
  });

  it('F6: is degraded after the storage rejected a write, until a write succeeds', async () => {
    const database = service.app.get(Database);
    database.storageUnavailable = true;
    expect((await ready().expect(200)).body).toEqual({ status: 'degraded' });
    await service.unitOfWork.change(testChange, async (transaction) => transaction.markModified('rates'));
    await sleep(1050);
    expect((await ready().expect(200)).body).toEqual({ status: 'ok' });
  });
});

describe('R3: throttling', () => {
  it('returns the limit, and with 429 the time to wait; health is exempt', async () => {
    const service = await startTestApp({ THROTTLE_READS: '2' });
    const get = (path: string) => service.http().get(path);
    const first = await get('/api/v1/PriceType/').expect(200);
    expect(first.headers['ratelimit-policy']).toBe('"read";q=2;w=60');
    expect(first.headers['ratelimit']).toBe('"read";r=1;t=60');
    // Served from the page cache, it counts as well.
    expect((await get('/api/v1/PriceType/').expect(200)).headers['ratelimit']).toMatch(
      /^"read";r=0;t=(60|59)$/,
    );
    const rejected = await get('/api/v1/PriceType/').expect(429);
    const wait = Number(rejected.headers['retry-after']);
    expect(rejected.body).toEqual({
      type: '/problems/throttled',
      title: 'Too many requests',
      status: 429,
      code: 'throttled',
      detail: `Too many requests. Try again in ${wait} seconds.`,
      instance: expect.stringMatching(/^urn:uuid:/),
    });
    expect(rejected.headers['ratelimit']).toBe(`"read";r=0;t=${wait}`);
    expect([59, 60]).toContain(wait);
    expect(rejected.headers['cache-control']).toBe('no-store');
    for (const path of ['/health/live', '/health/ready']) {
      expect((await get(path).expect(200)).headers['ratelimit']).toBeUndefined();
    }
    await service.close();
  });

  it('is off outside production unless a limit is set', async () => {
    const service = await startTestApp();
    const { headers } = await service.http().get('/api/v1/PriceType/').expect(200);
    expect([headers['ratelimit'], headers['ratelimit-policy']]).toEqual([undefined, undefined]);
    await service.close();
  });
});
