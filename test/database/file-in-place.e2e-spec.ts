import { copyFileSync, renameSync, unlinkSync } from 'node:fs';
import { Environment } from '../../src/config/environment.js';
import { onSqlite } from '../support/engines.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

onSqlite.describe('F6: a database file that is taken away from the running service', () => {
  let service: TestApp;
  let auth: { Authorization: string };
  let path: string;
  beforeEach(async () => {
    service = await startTestApp();
    auth = await service.authHeader();
    path = service.app.get(Environment).sqlitePath;
    await write('Before').expect(201);
  });
  afterEach(() => service.close());

  const write = (name: string) => service.http().post('/api/v1/Commodity/').set(auth).send({ name });
  const upload = () =>
    service
      .http()
      .post('/api/v1/Import/?format=fx')
      .set(auth)
      .set('Content-Type', 'text/csv')
      .send('currency,date,rate\nKES,2024-01-01,100\n');
  const ready = async () => {
    // A result is used for a second.
    await new Promise((resolve) => setTimeout(resolve, 1100));
    return (await service.http().get('/health/ready')).status;
  };

  it.each([
    ['removed', () => unlinkSync(path)],
    ['renamed', () => renameSync(path, `${path}.moved`)],
    [
      'replaced',
      () => {
        copyFileSync(path, `${path}.copy`);
        renameSync(`${path}.copy`, path);
      },
    ],
    ['left without its write-ahead log', () => unlinkSync(`${path}-wal`)],
    ['left without the memory that processes share', () => unlinkSync(`${path}-shm`)],
  ])('takes no write when it is %s, and is not ready', async (_, take) => {
    take();
    expect((await write('After').expect(503)).body).toMatchObject({ code: 'storage_unavailable' });
    expect((await upload().expect(503)).body).toMatchObject({ code: 'storage_unavailable' });
    expect(await ready()).toBe(503);
  });

  it('takes writes again when it is back', async () => {
    renameSync(path, `${path}.moved`);
    await write('After').expect(503);
    renameSync(`${path}.moved`, path);
    await write('After').expect(201);
    expect(await ready()).toBe(200);
  });
});
