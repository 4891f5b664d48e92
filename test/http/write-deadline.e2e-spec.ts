import { jest } from '@jest/globals';
import BetterSqlite3 from 'better-sqlite3';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createConnection } from 'mysql2/promise';
import { setTimeout as sleep } from 'node:timers/promises';
import { Accounts } from '../../src/auth/accounts/accounts.js';
import { Environment } from '../../src/config/environment.js';
import { httpLimits } from '../../src/platform/http/options.js';
import { startTestApp, testAdmin, type TestApp } from '../support/test-app.js';

describe('F3: a write that cannot be committed in time', () => {
  let service: TestApp;
  let auth: { Authorization: string };
  beforeEach(async () => {
    jest.replaceProperty(httpLimits, 'commitMs', 2000);
    jest.replaceProperty(httpLimits, 'writeMs', 4000);
    service = await startTestApp();
    auth = await service.authHeader();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await service.close();
  });

  /** Locks what writes need, as another process. @returns a function that unlocks it */
  async function lock(): Promise<() => Promise<void>> {
    const { databaseUrl, sqlitePath } = service.app.get(Environment);
    if (service.database.embedded) {
      const other = new BetterSqlite3(sqlitePath);
      other.exec('BEGIN IMMEDIATE');
      return async () => void other.close();
    }
    const other = await createConnection(databaseUrl.replace(/^mariadb:/, 'mysql:'));
    await other.query('START TRANSACTION');
    for (const table of ['data_revision', 'login_session', 'refresh_token'])
      await other.query(`SELECT * FROM ${table} FOR UPDATE`);
    return () => other.end();
  }

  it('is 503 and changes nothing, whatever it writes', async () => {
    const http = service.http();
    const { body: tokens } = await http.post('/api/auth/login/').send(testAdmin).expect(200);
    await http.post('/api/v1/Source/').set(auth).send({ source_name: 'Ministry' }).expect(201);
    const { refresh } = tokens as { refresh: string };
    const unlock = await lock();
    const writes = [
      http.post('/api/v1/Source/').set(auth).send({ source_name: 'Late' }),
      http.post('/api/v1/Source/').set(auth).set('Idempotency-Key', 'k').send({ source_name: 'Late' }),
      http.put('/api/v1/Source/1/').set(auth).send({ source_name: 'Late' }),
      http.patch('/api/v1/Source/1/').set(auth).send({ source_name: 'Late' }),
      http.delete('/api/v1/Source/1/').set(auth),
      http.post('/api/auth/login/').send(testAdmin),
      http.post('/api/auth/refresh/').send({ refresh }),
      http.post('/api/auth/logout/').send({ refresh }),
    ];
    const replies = await Promise.all(writes);
    await unlock();
    for (const { status, body, headers } of replies) {
      expect([status, headers['retry-after'], (body as { code: string }).code]).toEqual([
        503,
        '1',
        'unavailable',
      ]);
    }
    const { body } = await http.get('/api/v1/Source/').expect(200);
    expect((body as { name: string }[]).map(({ name }) => name)).toEqual(['Ministry']);
    await http.post('/api/auth/refresh/').send({ refresh }).expect(200);
    await http.patch('/api/v1/Source/1/').set(auth).send({ source_name: 'In time' }).expect(200);
  });

  it('is 503 while the account cannot be read, and is not made later', async () => {
    let proceed!: () => void;
    const accounts = service.app.get(Accounts);
    const findCaller = accounts.findCaller.bind(accounts);
    accounts.findCaller = async (claims) => {
      await new Promise<void>((resolve) => (proceed = resolve));
      return findCaller(claims);
    };
    const { body } = await service.http().post('/api/v1/Source/').set(auth).send({ source_name: 'Late' });
    expect(body).toMatchObject({ status: 503, code: 'unavailable' });
    proceed();
    await sleep(200);
    expect(await service.database.rows('SELECT name FROM source')).toEqual([]);
  });

  it('has its time from the end of its body', async () => {
    const { port } = service.app.getHttpServer().address() as AddressInfo;
    const body = JSON.stringify({ source_name: 'Slowly sent' });
    const request = httpRequest({
      port,
      method: 'POST',
      path: '/api/v1/Source/',
      headers: { ...auth, 'Content-Type': 'application/json', 'Content-Length': body.length },
    });
    request.write(body.slice(0, 5));
    await sleep(4500);
    request.end(body.slice(5));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(201);
  });
});
