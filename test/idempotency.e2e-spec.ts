import { Accounts } from '../src/auth/accounts/accounts.js';
import { Environment } from '../src/config/environment.js';
import { Reply } from '../src/platform/http/reply.js';
import { IdempotencyInProgress } from '../src/platform/errors/api-error.js';
import { Clock } from '../src/platform/clock/clock.js';
import { Database } from '../src/database/database.js';
import { DatabaseConnector } from '../src/database/database-connector.js';
import { DataRevision } from '../src/ledger/revision/data-revision.js';
import { UnitOfWork } from '../src/ledger/unit-of-work.js';
import { entities } from '../src/entities.js';
import { Idempotency } from '../src/idempotency/idempotency.js';
import { expectProblem } from './support/problems.js';
import { testChange } from './support/change-set.js';
import { startTestApp, type TestApp } from './support/test-app.js';

const HOUR = 60 * 60 * 1000;
const key = { 'Idempotency-Key': 'k-1' };

describe('W5: idempotency keys', () => {
  let service: TestApp;
  let auth: Record<string, string>;
  beforeEach(async () => {
    service = await startTestApp();
    auth = await service.authHeader();
  });
  afterEach(() => service?.close());

  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    service
      .http()
      .post(`/api/v1/${path}`)
      .set({ ...auth, ...headers })
      .send(body);
  const keys = async () =>
    (await service.database.arrays<[number]>('SELECT COUNT(*) FROM idempotency_key'))[0]![0];

  it('are stored for 24 hours', async () => {
    const first = await post('Source/', { name: 'A' }, key).expect(201);
    service.clock.milliseconds += 24 * HOUR - 1;
    auth = await service.authHeader();
    expect((await post('Source/', { name: 'A' }, key).expect(201)).text).toBe(first.text);
    service.clock.milliseconds += 1;
    expectProblem(await post('Source/', { name: 'A' }, key), {
      status: 409,
      code: 'duplicate',
      extra: { existing: first.headers.location },
    });
    const second = await post('Source/', { name: 'B' }, key).expect(201);
    expect((await post('Source/', { name: 'B' }, key)).text).toBe(second.text);
    expect(await keys()).toBe(1);
  });

  it('are scoped to an account and an address', async () => {
    const password = 'granite 93 harbour owl';
    await service.app.get(Accounts, { strict: false }).create('other', password, 'maintainer');
    await post('Source/', { name: 'A' }, key).expect(201);
    await post('Commodity/', { name: 'A' }, key).expect(201);
    expect((await post('Source', { name: 'A' }, key)).status).toBe(201);
    const other = await service.authHeader({ username: 'other', password });
    expectProblem(await post('Source/', { name: 'A' }, { ...key, ...other }), {
      status: 409,
      code: 'duplicate',
      extra: { existing: expect.any(String) },
    });
    await post('Source/', { name: 'B' }, { ...key, ...other }).expect(201);
    expect(await keys()).toBe(3);
  });

  it('are optional, and then nothing is stored', async () => {
    await post('Source/', { name: 'A' }).expect(201);
    expect(await keys()).toBe(0);
  });

  it('are removed when they expire, and not a millisecond before', async () => {
    const later = { 'Idempotency-Key': 'k-2' };
    await post('Source/', { name: 'A' }, key).expect(201);
    service.clock.milliseconds += 2;
    const first = await post('Source/', { name: 'B' }, later).expect(201);
    service.clock.milliseconds += 24 * HOUR - 1;
    const idempotency = service.app.get(Idempotency, { strict: false });
    await idempotency.purge();
    expect(await keys()).toBe(1);
    auth = await service.authHeader();
    expect((await post('Source/', { name: 'B' }, later).expect(201)).text).toBe(first.text);
    service.clock.milliseconds += 2;
    await idempotency.purge();
    expect(await keys()).toBe(0);
  });

  it('apply across processes that share the database', async () => {
    const database = new Database(service.app.get(Environment), entities);
    await database.connect();
    const revision = new DataRevision(database);
    try {
      const process = (data: Database, unitOfWork: UnitOfWork) =>
        new Idempotency(data, unitOfWork, service.app.get(DatabaseConnector), service.app.get(Clock));
      const one = process(service.database, service.unitOfWork);
      const two = process(database, new UnitOfWork(database, revision));
      const request = {
        key: 'k',
        account: 1,
        path: '/api/v1/Source/',
        body: { name: 'A' },
        changeSet: testChange,
        deadline: Infinity,
      };
      let runs = 0;
      const work = (idempotency: Idempotency) =>
        idempotency.once(request, async (transaction) => {
          const { insertId } = await transaction.execute("INSERT INTO source (name) VALUES ('A')");
          await new Promise((resolve) => setTimeout(resolve, 100));
          runs++;
          return Reply.json({ id: insertId }, { status: 201, headers: { Location: 'x' }, etag: '1' });
        });
      const [first, second] = await Promise.all([work(one), work(two)]);
      expect(second).toEqual(first);
      expect(first).toMatchObject({ options: { status: 201, headers: { Location: 'x' }, etag: '1' } });
      expect(runs).toBe(1);
      const again = await Promise.allSettled([work(two), work(two)]);
      expect(again[0]).toMatchObject({ status: 'fulfilled', value: first });
      expect(again[1]).toMatchObject({ status: 'rejected', reason: expect.any(IdempotencyInProgress) });
    } finally {
      await database.close();
    }
  });
});
