import { expectProblem } from '../../support/problems.js';
import type { ReferenceTableCase } from '../reference-tables.js';
import { expectRecord, type TableClient } from '../table-client.js';

/** Tests of every reference table: operations. */
export function operationTests(table: ReferenceTableCase, current: () => TableClient): void {
  const { whole, change, nullable, seeds, kept = [] } = table;
  const changed = { ...whole, ...change };
  let client: TableClient;
  beforeEach(() => void (client = current()));

  it('creates, reads, lists, replaces, changes and deletes a record', async () => {
    const created = await client.post(client.prefixed(whole));
    const id = (created.body as { id: number }).id;
    const record = client.record(id, whole);
    expectRecord(created, 201, record, 1);
    expect(created.headers.location).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:\\d+${client.path}${id}/$`));
    expect(created.headers['cache-control']).toBe('no-store');

    const read = await client.get(id);
    expectRecord(read, 200, record, 1);
    expect(read.headers['cache-control']).toBe('public, no-cache');
    const list = await client.get();
    expect(list.text).toBe(JSON.stringify([...seeds, record]));
    expect(list.headers['cache-control']).toBe('public, no-cache');

    expectRecord(await client.put(id, client.prefixed(changed)), 200, client.record(id, changed), 2);
    expectRecord(
      await client.patch(id, client.prefixed(client.nth(1))),
      200,
      client.record(id, client.nth(1)),
      3,
    );
    expectRecord(await client.get(id), 200, client.record(id, client.nth(1)), 3);

    const deleted = await client.delete(id);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expectProblem(await client.get(id), { status: 404, code: 'not_found' });
    expectProblem(await client.delete(id), { status: 404, code: 'not_found' });
    expect((await client.get()).body).toEqual(seeds);
  });

  it('sets fields that are left out to their defaults on POST and PUT, and keeps them on PATCH', async () => {
    const record = { ...table.defaults, ...client.requiredOnly() };
    const id = await client.create(client.requiredOnly());
    expectRecord(await client.get(id), 200, client.record(id, record), 1);
    await client.put(id, client.prefixed(whole)).expect(200);
    expectRecord(
      await client.put(id, client.prefixed(client.requiredOnly())),
      200,
      client.record(id, { ...record, ...Object.fromEntries(kept.map((name) => [name, whole[name]])) }),
      3,
    );
    await client.put(id, client.prefixed(whole)).expect(200);
    expectRecord(await client.patch(id, client.prefixed(change)), 200, client.record(id, changed), 5);
  });

  it('accepts plain names, prefixed names, and both if they agree', async () => {
    const id = ((await client.post(whole)).body as { id: number }).id;
    expectRecord(await client.get(id), 200, client.record(id, whole), 1);
    const both = { id, ...whole, ...client.prefixed({ id, ...whole }) };
    expectRecord(await client.put(id, both), 200, client.record(id, whole), 1);
    expectRecord(
      await client.patch(id, { ...change, [`${table.table}_id`]: id }),
      200,
      client.record(id, changed),
      2,
    );
  });

  it('accepts its own response in a PUT', async () => {
    const id = await client.create(client.requiredOnly());
    const { body } = (await client.get(id)) as { body: object };
    expectRecord(await client.put(id, body), 200, body, 1);
  });

  it('returns null and empty texts as they were sent', async () => {
    const empty: Record<string, unknown> = {};
    for (const [name, field] of Object.entries(table.fields)) {
      if (nullable.includes(name)) empty[name] = null;
      else if (field.kind === 'text' && !field.required) empty[name] = '';
    }
    const record = { ...whole, ...empty };
    const id = await client.create(record);
    // The fields that other records have, too, get what these have, or their default.
    const shown = { ...record, ...Object.fromEntries(kept.map((name) => [name, table.defaults[name]])) };
    expectRecord(await client.get(id), 200, client.record(id, shown), 1);
  });

  it('accepts paths with and without a trailing slash, and HEAD wherever it accepts GET', async () => {
    const id = await client.create();
    const { service } = client;
    const bare = client.path.slice(0, -1);
    for (const path of [bare, client.path, `${bare}/${id}`, `${bare}/${id}/`]) {
      // The second reply is from the page cache: only then does a list have a Content-Length.
      await service.http().get(path).expect(200);
      const get = await service.http().get(path).expect(200);
      const head = await service.http().head(path).expect(200);
      expect(head.text ?? '').toBe('');
      for (const name of ['content-type', 'content-length', 'etag', 'cache-control', 'vary'])
        expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
    }
    expectProblem(await service.http().get(`${client.path}/${id}`), { status: 404, code: 'not_found' });
    expectProblem(await service.http().get(client.path.toLowerCase()), { status: 404, code: 'not_found' });
    await service.http().put(`${bare}/${id}`).set(client.auth).send(changed).expect(200);
    await service.http().post(bare).set(client.auth).send(client.nth(1)).expect(201);
    await service.http().delete(`${bare}/${id}`).set(client.auth).expect(204);
  });

  it("is available under FPMA's prefixes, and keeps the prefix in links", async () => {
    for (const prefix of ['/giews/v4/price_module/api/v1', '/giews/v4/global/price_module/api/v1']) {
      await client.clear();
      const path = `${prefix}/${table.name}/`;
      const post = await client.service.http().post(path).set(client.auth).send(whole).expect(201);
      const id = (post.body as { id: number }).id;
      expect(post.headers.location).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:\\d+${path}${id}/$`));
      const list = await client.service.http().get(path).expect(200);
      expect(list.body).toEqual([...seeds, client.record(id, whole)]);
      const again = await client.service.http().post(path).set(client.auth).send(whole).expect(409);
      expect((again.body as { existing: string }).existing).toBe(post.headers.location);
    }
  });

  it('returns 405 with Allow for other methods', async () => {
    const id = await client.create();
    const { service, path } = client;
    for (const [address, method, allow] of [
      [path, 'delete', 'GET, HEAD, OPTIONS, POST'],
      [path, 'put', 'GET, HEAD, OPTIONS, POST'],
      [`${path}${id}/`, 'post', 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT'],
    ] as const) {
      const response = await service.http()[method](address).set(client.auth);
      expectProblem(response, { status: 405, code: 'method_not_allowed' });
      expect(response.headers.allow).toBe(allow);
    }
  });
}
