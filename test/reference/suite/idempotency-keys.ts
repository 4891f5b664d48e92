import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expectProblem } from '../../support/problems.js';
import type { ReferenceTableCase } from '../reference-tables.js';
import { expectRecord, type TableClient } from '../table-client.js';

/** Tests of every reference table: idempotency keys. */
export function idempotencyKeyTests(table: ReferenceTableCase, current: () => TableClient): void {
  const { whole, change } = table;
  let client: TableClient;
  beforeEach(() => void (client = current()));

  const key = { 'Idempotency-Key': 'a-key_of.mine~1' };

  it('W5: repeats the first response, and creates one record', async () => {
    const first = await client.post(whole, key);
    const second = await client.post(whole, key);
    expectRecord(second, 201, first.body as object, 1);
    expect(second.headers.location).toBe(first.headers.location);
    expect(await client.count()).toBe(1);
    expect(await client.auditRows()).toHaveLength(1);
    const { id } = first.body as { id: number };
    await client.patch(id, change).expect(200);
    expect((await client.post(whole, key)).text).toBe(first.text);
  });

  it('W5: rejects another body with the same key, and accepts it with another key', async () => {
    await client.post(whole, key).expect(201);
    expectProblem(await client.post(client.nth(1), key), { status: 422, code: 'idempotency_mismatch' });
    await client.post(client.nth(1), { 'Idempotency-Key': 'another' }).expect(201);
    expect(await client.count()).toBe(2);
  });

  it('W5: recognizes a key regardless of the Host header', async () => {
    const first = await client.post(whole, key);
    const second = await client.post(whole, { ...key, Host: 'other.example' });
    expectRecord(second, 201, first.body as object, 1);
  });

  it('W5: does not store error responses', async () => {
    const id = await client.create();
    await client.post(whole, key).expect(409);
    await client.post({}, key).expect(400);
    await client.delete(id).expect(204);
    await client.post(whole, key).expect(201);
  });

  it('W5: returns 409 while the first request is running', async () => {
    let release!: () => void;
    const released = new Promise<void>((resolve) => (release = resolve));
    let onLocked!: () => void;
    const locked = new Promise<void>((resolve) => (onLocked = resolve));
    // Every commit updates the revision row last.
    const blocker = client.service.unitOfWork.run(async (transaction) => {
      await transaction.rows(
        `SELECT * FROM data_revision WHERE id = 1${transaction.embedded ? '' : ' FOR UPDATE'}`,
      );
      onLocked();
      await released;
    });
    await locked;
    const first = client.post(whole, key).then((response) => response);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expectProblem(await client.post(whole, key), {
      status: 409,
      code: 'idempotency_in_progress',
      errors: [],
    });
    release();
    await blocker;
    expect((await first).status).toBe(201);
    await client.post(whole, key).expect(201);
    expect(await client.count()).toBe(1);
  });

  it('W5: creates one record when a retry follows a lost connection', async () => {
    const { port } = client.service.app.getHttpServer().address() as AddressInfo;
    await new Promise<void>((resolve) => {
      const aborted = request({
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: client.path,
        headers: { ...client.auth, ...key, 'Content-Type': 'application/json' },
      });
      aborted.on('error', () => resolve());
      aborted.end(JSON.stringify(whole), () => setTimeout(() => (aborted.destroy(), resolve()), 2));
    });
    let retry = await client.post(whole, key);
    while (retry.status === 409) retry = await client.post(whole, key);
    expect(retry.status).toBe(201);
    expect(await client.count()).toBe(1);
    expect(await client.auditRows()).toHaveLength(1);
  });

  it('accepts 1 to 255 visible characters', async () => {
    for (const value of ['', 'a b', 'é', 'x'.repeat(256)]) {
      expectProblem(await client.post(whole, { 'Idempotency-Key': value }), {
        status: 400,
        code: 'invalid',
        errors: [{ in: 'header', name: 'Idempotency-Key', code: 'invalid_format' }],
      });
    }
    await client.post(whole, { 'Idempotency-Key': '!'.repeat(255) }).expect(201);
  });
}
