import { createConnection, type Connection } from 'mysql2/promise';
import { setTimeout as sleep } from 'node:timers/promises';
import { Accounts } from '../../src/auth/accounts/accounts.js';
import { Environment } from '../../src/config/environment.js';
import { dayFromIso } from '../../src/lib/dates/calendar-date.js';
import { DAILY } from '../../src/price-series/periodicity.js';
import type { NewPoint } from '../../src/prices/store/point-merging.js';
import { ObservationStore } from '../../src/prices/store/observation-store.js';
import { testChange } from '../support/change-set.js';
import { onServer } from '../support/engines.js';
import { storeSeries } from '../support/price-fixture.js';
import { expectProblem } from '../support/problems.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const UUID = '11111111-0000-4000-8000-000000000001';

/**
 * A transaction on a server reads the state at its first read, so it has to wait for others before
 * that: what changes published data for the lock of the data revision, which it takes first as the
 * other process does here. What does not has to lock whatever it reads in order to write.
 */
onServer.describe('a write that waits for the transaction of another process', () => {
  let service: TestApp;
  let other: Connection;
  let bearer: { Authorization: string };
  beforeEach(async () => {
    service = await startTestApp();
    other = await createConnection(service.app.get(Environment).databaseUrl);
    bearer = await service.authHeader();
  });
  afterEach(async () => {
    await other.end();
    await service.close();
  });

  const waiting = async () => {
    const [rows] = await other.query(
      'SELECT trx_id FROM information_schema.innodb_trx JOIN information_schema.processlist p' +
        " ON p.id = trx_mysql_thread_id WHERE p.db = DATABASE() AND trx_state = 'LOCK WAIT'",
    );
    return (rows as object[]).length > 0;
  };
  /** The first statement of whoever changes published data. */
  const LOCK: [sql: string] = ['SELECT id FROM data_revision WHERE id = 1 FOR UPDATE'];
  /** Runs statements as the other process, which commits once the write waits for them. */
  async function beside<T>(statements: [sql: string, ...values: unknown[]][], write: () => Promise<T>) {
    await other.beginTransaction();
    for (const [sql, ...values] of statements) await other.query(sql, values);
    let done = false;
    const result = write().finally(() => (done = true));
    // The server refreshes this table only if nobody has read it for 100 ms.
    while (!done && !(await waiting())) await sleep(150);
    await other.commit();
    return result;
  }
  it('W3, W4: changes the record that the other has stored', async () => {
    const commodities = () => service.http().post('/api/v1/Commodity/').set(bearer);
    const { id } = (await commodities().send({ name: 'Rice' }).expect(201)).body as { id: number };
    const { status, body } = await beside(
      [LOCK, ["UPDATE commodity SET category = 'Cereals', version = version + 1"]],
      async () => service.http().patch(`/api/v1/Commodity/${id}/`).set(bearer).send({ hs_code: '1006' }),
    );
    expect([status, body]).toEqual([200, expect.objectContaining({ category: 'Cereals', hs_code: '1006' })]);
  });

  it('W3: rejects a price that the other has changed since it was read', async () => {
    const ids = await storeSeries(service.unitOfWork, [
      { uuid: UUID, points: { daily: [['2024-01-05', 20]] } },
    ]);
    const id = (ids.get(UUID)! * 4 + DAILY) * 4194304 + dayFromIso('2024-01-05')!;
    const path = `/api/v1/PriceSeriePrice/${UUID}/${id}/`;
    const { headers } = await service.http().get(path).expect(200);
    const reply = await beside([LOCK, ['UPDATE observation SET value = 21']], async () =>
      service.http().patch(path).set(bearer).set('If-Match', headers.etag!).send({ price_value: 22 }),
    );
    expectProblem(reply, { status: 412, code: 'precondition_failed' });
  });

  it('W2: counts the prices that the other has stored', async () => {
    const ids = await storeSeries(service.unitOfWork, [
      { uuid: UUID, points: { daily: [['2024-01-05', 20]] } },
    ]);
    const serieId = ids.get(UUID)!;
    const day = (date: string) => dayFromIso(date)!;
    const store = new ObservationStore();
    const point: NewPoint = {
      serieId,
      period: DAILY,
      day: day('2024-01-09'),
      value: 1,
      calculated: false,
      comment: null,
    };
    await beside(
      [
        LOCK,
        [
          'INSERT INTO observation (serie_id, period, day, value, calculated) VALUES (?)',
          [serieId, DAILY, day('2024-01-07'), 1, 0],
        ],
        [`UPDATE series_period SET end_day = ?, points = 2 WHERE period = ${DAILY}`, day('2024-01-07')],
      ],
      () => service.unitOfWork.change(testChange, (transaction) => store.write(transaction, [point])),
    );
    const daily = `SELECT start_day, end_day, points FROM series_period WHERE period = ${DAILY}`;
    expect(await service.database.rows(daily)).toEqual([
      { start_day: day('2024-01-05'), end_day: day('2024-01-09'), points: 3 },
    ]);
  });

  it('W2: imports keep the HS code that the other has stored', async () => {
    await service.http().post('/api/v1/Commodity/').set(bearer).send({ name: 'Rice' }).expect(201);
    const { body } = await beside(
      [LOCK, ["UPDATE commodity SET hs_code = '1006', version = version + 1"]],
      async () =>
        service
          .http()
          .post('/api/v1/Import/?format=Commodity')
          .set(bearer)
          .set('Content-Type', 'text/csv')
          .send('name,hs_code\nRice,9999\n')
          .expect(200),
    );
    expect(body).toMatchObject({ changed: 0, unchanged: 1 });
    expect(await service.database.rows('SELECT hs_code FROM commodity')).toEqual([{ hs_code: '1006' }]);
  });

  it('F10: rejects an import if the other has begun one', async () => {
    const reply = await beside(
      [
        [
          "UPDATE import_lock SET holder = 'x', host = 'x', process = 1, seen_at = UNIX_TIMESTAMP(NOW(3)) * 1000",
        ],
      ],
      async () =>
        service
          .http()
          .post('/api/v1/Import/?format=Source')
          .set(bearer)
          .set('Content-Type', 'text/csv')
          .send('name\nA\n'),
    );
    expectProblem(reply, { status: 409, code: 'import_running' });
  });

  it('W9: logs the state of an account that the other has changed', async () => {
    const accounts = service.app.get(Accounts, { strict: false });
    await accounts.create('other', 'granite 93 harbour owl', 'maintainer');
    await beside([["UPDATE account SET enabled = 0 WHERE username = 'other'"]], () =>
      accounts.setEnabled('other', true),
    );
    const { body } = await service.http().get('/api/v1/AuditLog/?table=account').set(bearer).expect(200);
    expect(body.results[0]).toMatchObject({ before: { enabled: false }, after: { enabled: true } });
  });

  it('A10: counts the failed logins that the other has recorded', async () => {
    const login = () =>
      service.http().post('/api/auth/login/').send({ username: 'nobody', password: 'wrong' });
    await login().expect(401);
    const attempt =
      'INSERT INTO auth_attempt (kind, network, name_digest, at) SELECT kind, network, name_digest, at FROM auth_attempt LIMIT 1';
    const reply = await beside([LOCK, ...Array.from({ length: 9 }, () => [attempt] as [string])], async () =>
      login(),
    );
    expectProblem(reply, { status: 429, code: 'throttled' });
  });

  it('W13: increments the revision of the other', async () => {
    const before = await service.revision.fresh();
    await beside([['UPDATE data_revision SET revision = revision + 1']], () =>
      service.unitOfWork.change(testChange, async (transaction) => transaction.markModified('rates')),
    );
    expect((await service.revision.fresh()).all).toBe(before.all + 2);
  });
});
