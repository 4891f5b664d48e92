import { Environment } from '../../src/config/environment.js';
import { SCHEMA_VERSION } from '../../src/database/migrations/index.js';
import { expectProblem } from '../support/problems.js';
import { startTestApp, testAdmin, type TestApp } from '../support/test-app.js';

describe('F19: a schema that a newer release has migrated', () => {
  let service: TestApp;
  let authorization: { Authorization: string };
  beforeAll(async () => {
    service = await startTestApp();
    authorization = await service.authHeader();
    await service.database.writer.query(
      "INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'Later9999999999999')",
    );
  });
  afterAll(() => service.close());

  const newerSchema = { status: 503, code: 'newer_schema' };
  const setOldestWriter = (version: number) =>
    service.database.writer.query('UPDATE data_revision SET oldest_writer = ?', [version]);
  const add = (name: string) => service.http().post('/api/v1/Commodity/').set(authorization).send({ name });
  const namesOf = async ({ http }: TestApp) => {
    const { body } = await http().get('/api/v1/Commodity/').expect(200);
    return (body as { name: string }[]).map(({ name }) => name);
  };

  it('is written as long as it allows this release', async () => {
    await setOldestWriter(SCHEMA_VERSION);
    await add('Millet').expect(201);
    expect(await namesOf(service)).toEqual(['Millet']);
  });

  it('is not written by the transaction that finds a newer oldest writer', async () => {
    await setOldestWriter(SCHEMA_VERSION + 1);
    // As if the process had not polled the row since.
    service.revision.writable = true;
    const failure = await service.unitOfWork
      .run((transaction) => transaction.execute("INSERT INTO commodity (name) VALUES ('Rice')"))
      .catch((error: Error) => error.name);
    expect(failure).toBe('NewerSchemaError');
    expect(await namesOf(service)).toEqual(['Millet']);
  });

  it('is read, and writes and logins are 503, until it allows this release again', async () => {
    await setOldestWriter(SCHEMA_VERSION + 1);
    await service.revision.refresh();
    const reply = await add('Rice');
    expectProblem(reply, newerSchema);
    expect(reply.headers['retry-after']).toBe('5');
    expectProblem(await service.http().post('/api/auth/login/').send(testAdmin), newerSchema);
    expect(await namesOf(service)).toEqual(['Millet']);
    await setOldestWriter(0);
    await service.revision.refresh();
    await add('Sorghum').expect(201);
  });

  it('is served from the start, and readiness is degraded', async () => {
    await setOldestWriter(SCHEMA_VERSION + 1);
    const { databaseUrl } = service.app.get(Environment);
    const started = await startTestApp({ DATABASE_URL: databaseUrl });
    expect(await namesOf(started)).toEqual(['Millet', 'Sorghum']);
    const { body } = await started.http().get('/health/ready').expect(200);
    expect(body).toEqual({ status: 'degraded' });
    await started.close();
  });
});
