import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expectProblem } from '../../support/problems.js';
import type { ReferenceTableCase } from '../reference-tables.js';
import { expectRecord, type TableClient } from '../table-client.js';

/** Tests of every reference table: idempotency keys. */
export function idempotencyKeys(table: ReferenceTableCase, current: () => TableClient): void {
  const { whole, change } = table;
  let client: TableClient;
  beforeEach(() => void (client = current()));

  const key = { 'Idempotency-Key': 'a-key_of.mine~1' };

  it('W5: gives the first answer again, and makes one record', async () => {
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

  it('W5: refuses another body, and takes another key for another record', async () => {
    await client.post(whole, key).expect(201);
    expectProblem(await client.post(client.nth(1), key), { status: 422, code: 'idempotency_mismatch' });
    await client.post(client.nth(1), { 'Idempotency-Key': 'another' }).expect(201);
    expect(await client.count()).toBe(2);
  });

  it('W5: knows a key whatever host the request names', async () => {
    const first = await client.post(whole, key);
    const second = await client.post(whole, { ...key, Host: 'other.example' });
    expectRecord(second, 201, first.body as object, 1);
  });

  it('W5: remembers no refusal', async () => {
    const id = await client.make();
    await client.post(whole, key).expect(409);
    await client.post({}, key).expect(400);
    await client.delete(id).expect(204);
    await client.post(whole, key).expect(201);
  });

  it('W5: says of a request that is still running that it is', async () => {
    let release!: () => void;
    const held = new Promise<void>((resolve) => (release = resolve));
    let holding!: () => void;
    const holds = new Promise<void>((resolve) => (holding = resolve));
    // The revision row is what every commit needs last.
    const blocker = client.service.unitOfWork.run(async (tx) => {
      await tx.rows(`SELECT * FROM data_revision WHERE id = 1${tx.embedded ? '' : ' FOR UPDATE'}`);
      holding();
      await held;
    });
    await holds;
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

  it('W5: makes one record when a retry follows a cut connection', async () => {
    const { port } = client.service.app.getHttpServer().address() as AddressInfo;
    await new Promise<void>((resolve) => {
      const cut = request({
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: client.path,
        headers: { ...client.auth, ...key, 'Content-Type': 'application/json' },
      });
      cut.on('error', () => resolve());
      cut.end(JSON.stringify(whole), () => setTimeout(() => (cut.destroy(), resolve()), 2));
    });
    let retry = await client.post(whole, key);
    while (retry.status === 409) retry = await client.post(whole, key);
    expect(retry.status).toBe(201);
    expect(await client.count()).toBe(1);
    expect(await client.auditRows()).toHaveLength(1);
  });

  it('takes 1 to 255 visible characters', async () => {
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
