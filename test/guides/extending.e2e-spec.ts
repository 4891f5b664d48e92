/** @jest-environment ./test/support/environment.mjs */
import { SchedulerRegistry } from '@nestjs/schedule';
import { once } from 'node:events';
import WebSocket from 'ws';
import { expectProblem } from '../support/problems.js';
import type { TestApp } from '../support/test-app.js';
import { followGuide } from './follow-guide.js';

const DAY = 86_400_000;
const copy = followGuide('extending.md');
afterAll(() => copy.remove());

describe('the module of a company', () => {
  let service: TestApp;
  let auth: { Authorization: string };
  beforeAll(async () => {
    const { startTestApp } =
      await copy.load<typeof import('../support/test-app.js')>('test/support/test-app.ts');
    service = await startTestApp();
    auth = await service.authHeader();
    const commodity = { commodity_id: undefined, commodity_name: 'Maize' };
    await service.http().post('/api/v1/Commodity/').set(auth).send(commodity).expect(201);
  });
  afterAll(() => service?.close());

  const count = { warehouse: 'Mombasa', commodity_id: 1, kilograms: 1200 };
  const stored = { id: 1, ...count, counted_at: '2026-11-21T12:00:00.000Z' };
  const add = (body: object) => service.http().post('/stock').set(auth).send(body);
  const list = async () => (await service.http().get('/stock').expect(200)).body as object;

  it('has a migration that agrees with its entity', async () => {
    const differences = await service.database.writer.driver.createSchemaBuilder().log();
    expect(differences.upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('leaves the version of the schema to the service', async () => {
    const [theirs, ours] = await Promise.all([
      copy.load<typeof import('../../src/database/migrations/index.js')>('src/database/migrations/index.ts'),
      import('../../src/database/migrations/index.js'),
    ]);
    expect(theirs.SCHEMA_VERSION).toBe(ours.SCHEMA_VERSION);
    expect(theirs.migrations.length).toBe(ours.migrations.length + 1);
  });

  it('writes by the unit of work, and reads by its repository', async () => {
    expect((await add(count).expect(201)).body).toEqual({ id: 1 });
    expect(await list()).toEqual({ results: [stored] });
  });

  it('is not written to without a token, or with a body that its DTO does not describe', async () => {
    expectProblem(await service.http().post('/stock').send(count), {
      status: 401,
      code: 'not_authenticated',
    });
    const { status, body } = await add({ ...count, kilograms: -1 });
    expect([status, body.detail]).toEqual([400, 'kilograms must not be less than 0']);
    expect(await list()).toEqual({ results: [stored] });
  });

  it('keeps the commodities that it refers to', async () => {
    const response = await service.http().delete('/api/v1/Commodity/1/').set(auth);
    expectProblem(response, { status: 409, code: 'in_use' });
  });

  it('has a guard that closes writes alone', async () => {
    service.clock.milliseconds += DAY;
    auth = await service.authHeader();
    const { status, body } = await add(count);
    expect([status, body.detail]).toEqual([403, 'Stock is not counted on Sundays.']);
    expect(await list()).toEqual({ results: [stored] });
    service.clock.milliseconds -= DAY;
    auth = await service.authHeader();
  });

  it('answers over a WebSocket', async () => {
    const { port } = service.app.getHttpServer().address() as { port: number };
    const socket = new WebSocket(`ws://127.0.0.1:${port}/stock/live`);
    await once(socket, 'open');
    socket.send(JSON.stringify({ event: 'list' }));
    const [message] = (await once(socket, 'message')) as [Buffer];
    expect(JSON.parse(message.toString())).toEqual({ event: 'list', data: [stored] });
    socket.terminate();
  });

  it('has a task that removes old counts', async () => {
    service.clock.milliseconds += 366 * DAY;
    await service.app.get(SchedulerRegistry).getCronJob('old stock').fireOnTick();
    expect(await list()).toEqual({ results: [] });
  });
});
