import { expectProblem } from '../support/problems.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { referenceTableCases } from './reference-tables.js';
import { TableClient, type Headers } from './table-client.js';

describe('W4: strict mode', () => {
  let service: TestApp;
  let auth: Headers;
  beforeAll(async () => {
    service = await startTestApp({ STRICT_WRITES: 'on' });
    auth = await service.authHeader();
  });
  afterAll(() => service?.close());

  it.each(referenceTableCases)('requires If-Match for writes of $name', async (table) => {
    const client = new TableClient(service, table, auth);
    await client.clear();
    const id = await client.create();
    const required = { status: 428, code: 'precondition_required' };
    expectProblem(await client.put(id, table.whole), required);
    expectProblem(await client.patch(id, table.change), required);
    expectProblem(await client.patch(id, {}), required);
    expectProblem(await client.delete(id), required);
    expectProblem(await client.delete(id, { 'If-None-Match': '"5"' }), required);
    expectProblem(await client.put(2147483647, table.whole), { status: 404, code: 'not_found' });
    expectProblem(await client.delete(2147483647), { status: 404, code: 'not_found' });
    expectProblem(await client.put(id, { colour: 'red' }), { status: 400, code: 'invalid' });
    expect((await client.get(id)).headers.etag).toBe('"1"');
    const tag = { 'If-Match': '"1"' };
    expectProblem(await client.delete(id, { 'If-Match': '"2"' }), {
      status: 412,
      code: 'precondition_failed',
    });
    expect((await client.patch(id, table.change, tag)).headers.etag).toBe('"2"');
    await client.delete(id, { 'If-Match': '"2"' }).expect(204);
  });
});
