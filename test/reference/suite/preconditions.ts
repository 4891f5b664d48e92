import { expectProblem } from '../../support/problems.js';
import type { ReferenceTableCase } from '../reference-tables.js';
import { expectRecord, type TableClient } from '../table-client.js';

/** An id that no record has. */
const ABSENT = 2147483647;

/** Tests of every reference table: preconditions. */
export function preconditionTests(table: ReferenceTableCase, current: () => TableClient): void {
  const { whole, change } = table;
  const changed = { ...whole, ...change };
  let client: TableClient;
  beforeEach(() => void (client = current()));

  const failed = { status: 412, code: 'precondition_failed' };

  it('W3: returns 304 while the record is unchanged', async () => {
    const id = await client.create();
    for (const tag of ['"1"', 'W/"1"', '"x", "1"', '*', '"1-gzip"']) {
      const response = await client.get(id, { 'If-None-Match': tag });
      expect([tag, response.status, response.text]).toEqual([tag, 304, '']);
      expect(response.headers.etag).toBe('"1"');
    }
    const list = await client.get();
    await client.get('', { 'If-None-Match': list.headers.etag! }).expect(304);
    await client.patch(id, change).expect(200);
    expectRecord(await client.get(id, { 'If-None-Match': '"1"' }), 200, client.record(id, changed), 2);
    await client.get('', { 'If-None-Match': list.headers.etag! }).expect(200);
  });

  it('W3: writes only if If-Match matches', async () => {
    const id = await client.create();
    for (const tag of ['"2"', '"0"', 'W/"1"', '"x", W/"1"', '1', '""', '"1x"']) {
      const headers = { 'If-Match': tag };
      expectProblem(await client.put(id, changed, headers), failed);
      expectProblem(await client.patch(id, change, headers), failed);
      expectProblem(await client.patch(id, {}, headers), failed);
      expectProblem(await client.delete(id, headers), failed);
    }
    expectRecord(await client.get(id), 200, client.record(id, whole), 1);
    await client.put(id, changed, { 'If-Match': '"7", "1"' }).expect(200);
    await client.patch(id, whole, { 'If-Match': '*' }).expect(200);
    await client.put(id, changed, { 'If-Match': '"3-br"' }).expect(200);
    await client.delete(id, { 'If-Match': '"3"' }).expect(412);
    await client.delete(id, { 'If-Match': '"x", "4"' }).expect(204);
  });

  it('W3: does not write if If-None-Match matches', async () => {
    const id = await client.create();
    for (const tag of ['*', '"1"', 'W/"1"', '"9", "1"']) {
      const headers = { 'If-None-Match': tag };
      expectProblem(await client.put(id, changed, headers), failed);
      expectProblem(await client.patch(id, change, headers), failed);
      expectProblem(await client.delete(id, headers), failed);
    }
    expectProblem(await client.put(ABSENT, changed, { 'If-None-Match': '*' }), {
      status: 404,
      code: 'not_found',
    });
    await client.put(id, changed, { 'If-None-Match': '"9"' }).expect(200);
    await client.delete(id, { 'If-None-Match': '"1"' }).expect(204);
  });

  it('W3: stores one of 20 concurrent changes with the same ETag', async () => {
    const id = await client.create();
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) => client.patch(id, client.nth(n + 1), { 'If-Match': '"1"' })),
    );
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array<number>(19).fill(412)]);
    const winner = responses.find(({ status }) => status === 200)!;
    expectRecord(await client.get(id), 200, winner.body as object, 2);
    expect(await client.auditRows()).toHaveLength(2);
  });

  it('W4, W8: lets the last write win, and repeated writes have no further effect', async () => {
    const id = await client.create();
    for (let times = 0; times < 3; times++) {
      expectRecord(await client.put(id, changed), 200, client.record(id, changed), 2);
      expectRecord(await client.patch(id, change), 200, client.record(id, changed), 2);
    }
    expect((await client.auditRows()).map(({ action }) => action)).toEqual(['create', 'update']);
  });

  it('B13: changes nothing with an empty PATCH', async () => {
    const id = await client.create();
    expectRecord(await client.patch(id, {}), 200, client.record(id, whole), 1);
    expectRecord(await client.patch(id, { id }), 200, client.record(id, whole), 1);
    expect(await client.auditRows()).toHaveLength(1);
  });
}
